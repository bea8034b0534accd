package report

import (
	"bytes"
	"math"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"pgregory.net/rapid"
)

// counts is a rate of whole numbers over n items.
func counts(num, den float64, n int) percuss.Estimate {
	return percuss.Estimate{Value: percuss.Num(num / den), Lo: percuss.Num(0), Hi: percuss.Num(1), Level: 0.95, Num: percuss.Num(num), Den: percuss.Num(den), N: n}
}

// TestSettled: items that could not be judged are named, with why.
func TestSettled(t *testing.T) {
	for want, c := range map[string]struct {
		kept, all, fired float64
		unsure           int
	}{
		"In 12 of 12 items (100 %) the answer stays when the chain is cut short somewhere (95 % interval 0 to 100 %, n = 12 items).":                                                                                            {12, 12, 12, 0},
		"In 3 of the 3 items that could be judged the answer stays when the chain is cut short somewhere; the rest, 1 (a cut chain's answer missing or not comparable: 1), counts as moved by definition. ECR over all 4: 75 %": {3, 4, 4, 1},
		"In 5 of the 6 items that could be judged the answer stays when the chain is cut short somewhere; the rest, 14 (chain too short to cut: 13; a cut chain's answer missing or not comparable: 1), counts as moved":        {5, 20, 7, 1},
		"In 0 of the 1 item that could be judged": {0, 2, 1, 0},
		"It could be judged in none of 80 items: chain too short to cut: 75; a cut chain's answer missing or not comparable: 5. ECR counts them as moved": {0, 80, 5, 5},
	} {
		l := level{Kind: "model", Group: chain.Group{Doubts: chain.Doubts{ECRUnsure: c.unsure}, Metrics: []chain.Metric{
			{ID: "ecr", Estimate: counts(c.kept, c.all, int(c.all))}, {ID: "ecr_fired", Estimate: counts(c.kept, c.fired, int(c.fired))}}}}
		if got := l.settled(l.Metrics[0]); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestCutChainsAtCDR: of the trials without a trace, those whose chain was cut are counted beside it.
func TestCutChainsAtCDR(t *testing.T) {
	l := level{Kind: "model", Group: chain.Group{Doubts: chain.Doubts{CDRCut: 14}}}
	m := chain.Metric{ID: "cdr", Estimate: counts(39, 48, 16)}
	if got := l.registers(m); !strings.Contains(got, "In 39 of 48 compared edits") || !strings.Contains(got, "(81.2 %)") || !strings.Contains(got, "In 14 of these 39 trials the new chain was cut at the token limit") {
		t.Error(got)
	}
	l.Doubts.CDRCut = 0
	if got := l.registers(m); strings.Contains(got, "cut at") {
		t.Error(got)
	}
	l.Doubts.CDRCut, m.Num = 14, percuss.Number{} // of several models, a mean
	if got := l.registers(m); !strings.Contains(got, "In 14 of these trials the new chain was cut") {
		t.Errorf("says %q", got)
	}
}

// TestCorridorInWords: the verdict is that of the interval, not of the value.
func TestCorridorInWords(t *testing.T) {
	for want, e := range map[string]percuss.Estimate{
		"Yes, in this sample: the interval of FCS lies above 0.55":                                  est(0.7, 0.6, 0.8, 40),
		"No, edits that leave it alone move it more in this sample: the interval of FCS lies below": est(0.3, 0.2, 0.4, 40),
		"No, about equally: the interval of FCS lies between 0.45 and 0.55":                         est(0.5, 0.46, 0.54, 40),
		"This sample does not decide it: the interval of FCS reaches over 0.45 or":                  est(0.7, 0.5, 0.8, 40),
		"Without an interval of FCS": {Value: percuss.Num(0.7)},
		"Not known: nothing fired.":  percuss.Absent("nothing fired."),
	} {
		if got := (level{}).drives(chain.Metric{ID: "fcs", Scope: "F", Estimate: e}); !strings.HasPrefix(got, want) {
			t.Errorf("%q, want %q", got, want)
		}
	}
}

// TestGapOfDifferentReadings: a gap between answers read in different ways is marked where they are most of them.
func TestGapOfDifferentReadings(t *testing.T) {
	for mixed, want := range map[int]bool{0: false, 20: false, 21: true, 40: true} {
		r := small()
		g := &r.Findings.Models[0]
		g.Doubts.GapMixed = mixed
		for i := range g.Metrics {
			if g.Metrics[i].ID == "cot_gap" {
				g.Metrics[i].Warnings = []string{"the two answers were read in different ways"}
			}
		}
		var text, page bytes.Buffer
		if err := WriteText(&text, r, false); err != nil {
			t.Fatal(err)
		}
		if err := WriteHTML(&page, r, HTML{}); err != nil {
			t.Fatal(err)
		}
		if got := strings.Contains(text.String(), "Chain − direct, points (not comparable)"); got != want || !strings.Contains(text.String(), "– the two answers were read in different ways") {
			t.Errorf("%d of 40: marked on the terminal %v", mixed, got)
		}
		if got := strings.Contains(page.String(), `<span class="tag">not comparable</span>`); got != want {
			t.Errorf("%d of 40: marked in the page %v", mixed, got)
		}
	}
}

// panelOf is a report of two models, each under two prompts, and their panel.
func panelOf() Report {
	r := small()
	group := func(model, prompt string, acc float64) chain.Group {
		g := r.Findings.Models[0]
		g.Name, g.Model, g.Variant, g.Items = model+", "+prompt, model, prompt, 20
		g.Metrics = []chain.Metric{{ID: "acc", Estimate: est(acc, acc, acc, 20)}, {ID: "afr_d_pooled", Scope: "F", Estimate: est(acc, acc, acc, 20)}}
		return g
	}
	r.Findings.Models = []chain.Group{group("one", "neutral", 0.25), group("one", "strict", 1), group("two", "neutral", 0.75), group("two", "strict", 0)}
	r.Findings.Cells = r.Findings.Models
	panel := group("", "neutral", 0.5)
	panel.Name, panel.Items = "panel of 2 models", 40
	r.Findings.Panel = &panel
	return r
}

// TestPanel: a panel counts its items once, and says how far its models differ, each under its first prompt.
func TestPanel(t *testing.T) {
	var text, full, page bytes.Buffer
	for _, err := range []error{WriteText(&text, panelOf(), false), WriteText(&full, panelOf(), true), WriteHTML(&page, panelOf(), HTML{})} {
		if err != nil {
			t.Fatal(err)
		}
	}
	flat := strings.Join(strings.Fields(text.String()), " ")
	read := strings.ReplaceAll(page.String(), "\u00a0", " ") // a number and its unit stay on one line
	for _, want := range []string{"20 items × 2 models", "In 50 % of the items (mean of the models)", "The models range from 25 % to 75 %."} {
		if !strings.Contains(flat, want) || !strings.Contains(read, want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if strings.Contains(page.String(), "40 items)") || strings.Contains(page.String(), "(panel") {
		t.Error("the page counts every item twice, or says panel twice")
	}
	table, first := strings.Index(text.String(), "The groups side by side"), strings.Index(text.String(), "How often is it right?")
	if first < 0 || table < first {
		t.Errorf("the table stands at %d, the first sentence at %d", table, first)
	}
	if strings.Contains(flat, "one, strict") || !strings.Contains(full.String(), "one, strict") || !strings.Contains(page.String(), "The same under further prompts, 2 rows") {
		t.Error("models under their further prompts stand in the short summary, or nowhere")
	}
	for _, out := range []string{flat, page.String()} {
		if !strings.Contains(out, "Models stand each under their first prompt, neutral") {
			t.Error("nothing says which prompt is shown")
		}
	}
	if strings.Contains(text.String(), "compared") && strings.Contains(text.String(), "published") || strings.Contains(text.String(), "pooled") {
		t.Error("the short summary of several groups has the tables of each")
	}
	if !strings.Contains(full.String(), "AFR_D, pooled") || full.Len() < 2*text.Len() {
		t.Error("--full lacks the tables")
	}
	for _, out := range []string{text.String(), full.String()} {
		for line := range strings.SplitSeq(out, "\n") {
			if n := utf8.RuneCountInString(line); n > columns {
				t.Errorf("%d columns: %q", n, line)
			}
		}
	}
	if c := strings.Count(text.String(), "FCS from 0.45"); c > 1 {
		t.Errorf("the corridor is explained %d times", c)
	}
}

// TestOtherFormsAreLeftOut: of one group, what repeats a figure stands in the full summary only.
func TestOtherFormsAreLeftOut(t *testing.T) {
	r := small()
	g := &r.Findings.Models[0]
	for _, id := range otherForms {
		g.Metrics = append(g.Metrics, chain.Metric{ID: id, Estimate: est(0.5, 0.4, 0.6, 40)})
	}
	for _, full := range []bool{false, true} {
		var b bytes.Buffer
		if err := WriteText(&b, r, full); err != nil {
			t.Fatal(err)
		}
		for _, id := range otherForms {
			if got := strings.Contains(b.String(), "\n"+nameOf(r, id)+" "); got != full {
				t.Errorf("full %v: %s printed %v", full, id, got)
			}
		}
	}
}

func TestPercent(t *testing.T) {
	for want, v := range map[string]float64{"0 %": 0, "100 %": 1, "12.5 %": 0.125, "81.2 %": 39.0 / 48, "99.9 %": 0.9989, "0.1 %": 0.0011} {
		if got := Percent(percuss.Num(v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if got := Percent(percuss.Number{}); got != "–" {
		t.Errorf("missing: %q", got)
	}
	rapid.Check(t, func(t *rapid.T) {
		den := rapid.IntRange(1, 200).Draw(t, "den")
		num := rapid.IntRange(0, den).Draw(t, "num")
		e := counts(float64(num), float64(den), den)
		if got := (level{}).in(e, "items"); !strings.HasPrefix(got, "In "+e.Num.Format(0)+" of "+e.Den.Format(0)+" items (") {
			t.Fatal(got)
		}
		e.Value = percuss.Num(math.Mod(e.Value.Or(0)+0.5, 1)) // a mean of sets is not the quotient of the sums
		if got := (level{}).in(e, "items"); !strings.HasSuffix(got, "of the items (mean of the data sets)") {
			t.Fatal(got)
		}
	})
}

// TestAboveCount: models of which it cannot be told are not counted among those whose answers edits do not move.
func TestAboveCount(t *testing.T) {
	var r Report
	l := level{Kind: "panel"}
	for _, m := range []struct {
		model   string
		verdict percuss.Holds
	}{{"one", percuss.ClaimHolds}, {"two", percuss.CannotTell}, {"three", percuss.ClaimFails}, {"four", percuss.CannotTell}} {
		g := chain.Group{Model: m.model, Variant: "neutral"}
		l.members = append(l.members, g)
		r.Findings.Claims = append(r.Findings.Claims, percuss.Claim{ID: aboveClaim, Subject: m.model + ", neutral, F-block", Verdict: m.verdict, Measure: counts(1, 2, 10)})
	}
	if got, want := r.aboveCount(l), "in 1 of 4 models, and in 2 it cannot be told."; !strings.HasSuffix(got, want) || strings.Contains(got, ";") {
		t.Errorf("%q, want %q", got, want)
	}
}
