package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// controlled is a report on one model whose controls were asked: of 40 items so many moved when asked again, and edits
// of the question move the answer by the difference to that.
func controlled(moved int, difference percuss.Estimate, verdict percuss.Holds) Report {
	r := small()
	g := &r.Findings.Models[0]
	g.Metrics = []chain.Metric{{ID: "acc", Estimate: counts(24, 40, 40)}, {ID: "fcs", Scope: "M", Estimate: est(0.7, 0.6, 0.8, 40)}}
	r.Findings.Cells[0].Metrics = g.Metrics
	words := func(id string) percuss.Column { return percuss.Column{ID: id, Scale: percuss.Words} }
	r.Findings.Analyses = []percuss.Analysis{{ID: controlsID, Title: "Controls", Tables: []percuss.Table{{ID: noiseID, Title: "Noise floors",
		Columns: []percuss.Column{words("model"), words("set"), words("prompt"), {ID: "sham", Scale: percuss.Rate}},
		Rows:    []percuss.Row{{Cells: []percuss.Cell{percuss.Said("m1"), percuss.Said("medqa"), percuss.Said("neutral"), percuss.Measured(counts(float64(moved), 40, 40))}}}}}}}
	r.Findings.Claims = []percuss.Claim{{ID: aboveClaim, Subject: "m1, neutral, M-block", Verdict: verdict, Measure: difference}}
	return r
}

// opened is what the page opens with, up to the contents.
func opened(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteHTML(&b, r, HTML{}); err != nil {
		t.Fatal(err)
	}
	head, _, ok := strings.Cut(b.String(), `<nav class="contents"`)
	if !ok {
		t.Fatal("the page has no contents")
	}
	_, head, _ = strings.Cut(head, `<main id="main">`)
	return spaced(head)
}

// TestOpeningKeepsToTheControls: an effect is called one only where edits move the answer more than asking again does.
func TestOpeningKeepsToTheControls(t *testing.T) {
	const yes, not = "Yes, in this sample: the interval of FCS", "Not shown. The interval of FCS"
	for name, c := range map[string]struct {
		r              Report
		wanted, absent []string
	}{
		"above the floor": {controlled(2, est(0.3, 0.2, 0.4, 40), percuss.ClaimHolds),
			[]string{yes, "asked the same again, in 2 of 40 items (5 %;", "in the question move it more often than that, by 30.0 points (95 % interval 20.0 to 40.0, n = 40 items)"}, []string{not, "is not known"}},
		"below it": {controlled(20, est(-0.1, -0.2, 0.01, 40), percuss.ClaimFails),
			[]string{not, "in the question do not move it more often than that: the difference is −10.0 points"}, []string{yes}},
		"not to be told": {controlled(2, est(0.1, -0.1, 0.3, 40), percuss.CannotTell),
			[]string{not, "cannot be told: the difference is 10.0 points"}, []string{yes}},
	} {
		head := opened(t, c.r)
		for _, s := range c.wanted {
			if !strings.Contains(head, s) {
				t.Errorf("%s: no %q in\n%s", name, s, head)
			}
		}
		for _, s := range c.absent {
			if strings.Contains(head, s) {
				t.Errorf("%s: says %q", name, s)
			}
		}
	}
	r := controlled(0, est(0.3, 0.2, 0.4, 40), percuss.ClaimHolds)
	r.Findings.Analyses[0].Tables[0].Columns[3].ID, r.Findings.Claims = "shuffle", nil
	head := opened(t, r)
	for _, s := range []string{yes, "asking again does is not known", "it cannot say which flips are more than chance", "--controls sham"} {
		if !strings.Contains(head, s) {
			t.Errorf("without a sham no %q in\n%s", s, head)
		}
	}
}

// TestUnreadRunIsSilent: where few replies could be read the page says so first, and puts nothing else into words.
func TestUnreadRunIsSilent(t *testing.T) {
	for _, c := range []struct {
		read, items   int
		alert, silent bool
	}{{0, 8, true, true}, {4, 8, false, true}, {4, 9, true, true}, {5, 8, false, false}, {19, 40, true, false}} {
		r := controlled(0, est(0.3, 0.2, 0.4, 40), percuss.ClaimHolds)
		for _, g := range []*chain.Group{&r.Findings.Models[0], &r.Findings.Cells[0]} {
			acc := counts(float64(c.read)/2, float64(c.read), c.read)
			if c.read == 0 {
				acc = percuss.Absent("no item has a baseline answer")
			}
			g.Items, g.Metrics = c.items, []chain.Metric{{ID: "acc", Estimate: acc}, {ID: "fcs", Scope: "M", Estimate: est(0.7, 0.6, 0.8, 40)}}
			g.Dropped = []chain.Count{{Name: "never", N: 0}, {Name: "ambiguous", N: 1}, {Name: "no answer in a complete reply", N: 110}}
		}
		r.Findings.Modes = []chain.Mode{{Model: "m1", Variant: "neutral", Mode: "chain compression"}}
		head := opened(t, r)
		alert := strings.Contains(head, fmt.Sprintf("Of %d items, %d have a baseline answer that could be read, so there is little", c.items, c.read)) &&
			strings.Contains(head, "most often for: no answer in a complete reply (110); ambiguous (1).")
		if alert != c.alert {
			t.Errorf("%d of %d read: an alert %v", c.read, c.items, alert)
		}
		for _, s := range []string{"chain compression", "Does this run support its own claims?", "Do edits that change the evidence", "FCS from 0.45"} {
			if strings.Contains(head, s) == c.silent {
				t.Errorf("%d of %d read: %q said is %v", c.read, c.items, s, !c.silent)
			}
		}
	}
}

// TestAsked: what was asked and when, in a line.
func TestAsked(t *testing.T) {
	two := []Model{{ID: "a"}, {ID: "b"}}
	for want, got := range map[string]string{
		"a, b on 1 item of demo, 20 items of medqa, 30 November 2026": Asked(two, []Data{{Set: "demo", Drawn: 1}, {Set: "medqa", Drawn: 20}}, "item", json.RawMessage(`{"began":"2026-11-30T22:01:04Z"}`)),
		"6 models on 3 cases of x":                                    Asked(make([]Model, 6), []Data{{Set: "x", Drawn: 3}}, "case", nil),
		"":                                                            Asked(nil, nil, "case", json.RawMessage(`no JSON`)),
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
