package cases

import (
	"bytes"
	"strings"
	"testing"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/pagetest"
)

// TestCardOfCases: what was not asked of which cell is on the card, and the first cell's cautions and sentences.
func TestCardOfCases(t *testing.T) {
	r := small()
	c := r.Findings.Cells[0]
	c.Stability, c.Floor, c.Strata, c.Cautions = nil, nil, []evidence.StratumRow{{}}, []string{"Few cases."}
	r.Findings.Cells = []evidence.Cell{c}
	var b bytes.Buffer
	if err := report.WriteCard(&b, CardOf(r, nil, "abc123")); err != nil {
		t.Fatal(err)
	}
	pagetest.Parse(t, b.String())
	for _, want := range []string{"With all the evidence shown", "Noise: no prompt was repeated. (" + title(r.Findings, c) + ")", "marking in place of hiding. (", "Few cases.", "abc123"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q", want)
		}
	}
	if strings.Contains(b.String(), "Changes of the evidence.") {
		t.Error("says that the evidence was not changed")
	}
}
