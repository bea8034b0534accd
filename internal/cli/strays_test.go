package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLabelsOfAnotherRun: labels that name nothing of the run are told at once, and their sections say that they were given.
func TestLabelsOfAnotherRun(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "M5", "--controls", "none", "--no-direct", "-o", dir)
	file := filepath.Join(t.TempDir(), "labels.csv")
	rows := "rater,model,item,operator,task,label\nA,nobody,demo-99,M5-a,update,updated\nA,,demo-98,M5-a,gold_shift,no_shift\n"
	if err := os.WriteFile(file, []byte(rows), 0o644); err != nil {
		t.Fatal(err)
	}
	status, _, errs := command(t, "report", dir, "--human", file)
	if status != exitDone || !strings.Contains(unfolded(errs), "warning: 2 of 2 labels given with --human are of nothing in this run, which has no model nobody, item demo-99, item demo-98") {
		t.Errorf("status %d: %s", status, errs)
	}
	var r struct {
		Findings struct {
			Analyses []struct{ ID, Absent string }
		}
	}
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil {
		t.Fatal(err)
	}
	said := false
	for _, a := range r.Findings.Analyses {
		said = said || a.ID == "clinicians" && strings.Contains(a.Absent, "labels were given, but none is of an edit or a flip of this run")
	}
	if !said {
		t.Error("the section of clinicians does not say that labels were given")
	}
}
