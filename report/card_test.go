package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report/pagetest"
)

// cardPage draws the card of a report.
func cardPage(t *testing.T, r Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := WriteCard(&b, CardOf(r, json.RawMessage(`{"began":"2026-11-30T22:01:04Z"}`), strings.Repeat("ab", 32))); err != nil {
		t.Fatal(err)
	}
	if found := pagetest.Scripts(b.String()); len(found) != 0 {
		t.Errorf("%d scripts on a card", len(found))
	}
	pagetest.Parse(t, b.String())
	return b.String()
}

// crowded is a report with more of everything than a card has room for.
func crowded() Report {
	r := wholePanel(24, 9, 30)
	long := strings.Repeat("words that go on and on ", 40)
	for i := range 24 {
		r.Models = append(r.Models, Model{ID: fmt.Sprint("model-", i), Identity: strings.Repeat("x", 300), Weights: strings.Repeat("y", 64)})
		r.Findings.Claims = append(r.Findings.Claims, percuss.Claim{ID: "c", Subject: fmt.Sprint("model-", i), Says: long, Shown: long, Verdict: []percuss.Holds{percuss.ClaimFails, percuss.CannotTell}[i%2]})
		r.Findings.Analyses = append(r.Findings.Analyses, percuss.Analysis{ID: fmt.Sprint("a", i), Title: long, Absent: long})
		r.Data = append(r.Data, Data{Set: fmt.Sprint("set-", i), SHA256: strings.Repeat("z", 64), Drawn: 200, Rows: 1000})
		r.Findings.Models[i].Remarks = []string{long}
		r.Calls = append(r.Calls, Calls{Model: fmt.Sprint("model-", i), Chains: 9, Cut: 8, Limit: 64})
	}
	return r
}

// What is cut on a card ends with a whole word; one that is longer than the room is cut within.
func TestCutAtAWord(t *testing.T) {
	for s, want := range map[string]string{
		"they were not asked for letters": "they were not asked …",
		"they were not asked":             "they were not asked",
		"the letters (and their margins)": "the letters (and …",
		"one, two, three, fo, five, six":  "one, two, three, fo …",
		strings.Repeat("x", 40):           strings.Repeat("x", 20) + " …",
		"Größe über alle Maße hinaus":     "Größe über alle Maße …",
	} {
		if got := atWord(s, 21); got != want {
			t.Errorf("%q is cut to %q, not %q", s, got, want)
		}
	}
}

// TestCardSaysWhatWasNotTested: the card holds the answer, the claims that fail, what is missing and the hashes.
func TestCardSaysWhatWasNotTested(t *testing.T) {
	r := controlled(2, est(0.3, 0.2, 0.4, 40), percuss.ClaimHolds)
	r.Findings.Analyses = append(r.Findings.Analyses, percuss.Analysis{ID: "transfer", Title: "Cross-domain transfer", Absent: "no such set was asked"})
	r.Findings.Models[0].Remarks = []string{"Fired on no item, in no mean: F1-25.", "Only 8 items."}
	r.Findings.Claims = append(r.Findings.Claims, percuss.Claim{ID: "x", Says: "It holds water.", Verdict: percuss.ClaimFails, Shown: "0.1 of " + evil})
	page := cardPage(t, r)
	untested := strings.Index(page, "What was not tested")
	for says, after := range map[string]bool{"How often is it right?": false, "asked the same again, in 2 of 40 items": false, "It holds water. (the run: 0.1 of &lt;script&gt;": false, "Only 8 items.": false,
		"Cross-domain transfer: no such set was asked.": true, "Fired on no item, in no mean: F1-25.": true, "Not fit, by itself, for a decision": true, strings.Repeat("ab", 32): true, "Date and signature": true} {
		if i := strings.Index(page, says); i < 0 || (i > untested) != after {
			t.Errorf("%q at %d, what was not tested at %d", says, i, untested)
		}
	}
	for _, g := range []*chain.Group{&r.Findings.Models[0], &r.Findings.Cells[0]} {
		g.Metrics = []chain.Metric{{ID: "acc", Estimate: percuss.Absent("no item has a baseline answer")}}
	}
	if page := cardPage(t, r); strings.Contains(page, "It holds water") || !strings.Contains(page, "Of 40 items, 0 have a baseline answer that could be read") {
		t.Error("the card of a run that could not be read makes claims, or does not say so")
	}
}

// TestCardIsOneSheet: however much there is to say, the card prints on one sheet of A4, and its page is sound in a browser.
func TestCardIsOneSheet(t *testing.T) {
	b := pagetest.Open(t)
	for name, r := range map[string]Report{"small": small(), "crowded": crowded()} {
		path := filepath.Join(t.TempDir(), "card.html")
		if err := os.WriteFile(path, []byte(cardPage(t, r)), 0o600); err != nil {
			t.Fatal(err)
		}
		p := b.Look(t, "file://"+path, pagetest.Look{Width: 375})
		p.Narrow(t)
		p.Shot(t, "card-"+name)
		if n := p.PDF(t); n != 1 {
			t.Errorf("%s: %d sheets", name, n)
		}
	}
}
