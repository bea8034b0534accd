package cli

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/evidence"
)

// A file of MedCaseReasoning's schema, written for the tests, goes the whole way: its reports become cases, every case is
// scored, and its interactions have a narrative's labels.
func TestMedCaseIsAudited(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, "evidence", "-m", "sim:additive", "-d", "medcase:../../dataset/medcase/testdata/written_test.jsonl", "--all",
		"--order", "all", "--stability", "1", "--neutralize", "1", "--selectors", "1", "--floor", "1", "-o", dir); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	var r struct {
		Data     []struct{ Split string }
		Findings evidence.Findings
	}
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Data) != 1 || r.Data[0].Split != "test" {
		t.Errorf("data %+v", r.Data)
	}
	if len(r.Findings.Cells) != 1 {
		t.Fatalf("%d cells", len(r.Findings.Cells))
	}
	c := r.Findings.Cells[0]
	if !c.Narrative || c.Cases < 10 || c.Scored != c.Cases {
		t.Errorf("%d of %d cases scored, narrative %v", c.Scored, c.Cases, c.Narrative)
	}
	if c.Gold.Suspicious.Value.OK() {
		t.Errorf("suspicious %+v: nothing is known of what a sentence is evidence for", c.Gold.Suspicious)
	}
	for _, m := range c.Gold.Mechanisms {
		if m.Name != "faithful/plausible support" && m.Name != "differential conflict/cancellation" {
			t.Errorf("label %q", m.Name)
		}
	}
}
