package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/step"
)

// A step audit ends with a page, a card, tables and figures in every format; show and define know it.
func TestStepReportInEveryFormat(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "steps")
	must(t, "steps", "--before", "sim:stepwise?acc=0.4&error=0.05", "--after", "sim:stepwise?acc=0.95&error=0.4", "--judge", "sim:step-judge", "--judge-quality", "step-judge=0.99,0.99",
		"-d", "demo", "-n", "12", "-k", "4", "--judged", "2", "-o", dir)
	out := done(t, "report", dir, "--format", "all")
	flat := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"Answers up, trace down: accuracy of one chain +", "12 items, judge step-judge.", "Corrected for what is known of the judge: error rate +", "It finds 99 % of the errors"} {
		if !strings.Contains(flat, want) {
			t.Errorf("the summary lacks %q:\n%s", want, out)
		}
	}
	for name, want := range map[string]string{"report.html": "Did answers and steps move together?", "items/0001.html": "Judged chains", "items/0024.html": "Votes of the chains", "card.html": "Model card: steps audit",
		"report.json": `"schema": "percuss.steps-report/1"`, "summary_steps.csv": "corrected_lo", "calls.csv": "outcome", "data.csv": "drawn", "tex/all.tex": "pairs", "figures/changes.svg": "<svg", "figures/errors.pdf": "%PDF",
		"figures/reliability.png": "PNG", "figures/vote_curve.csv": "panel,series"} {
		raw, err := os.ReadFile(filepath.Join(dir, "report", name))
		if err != nil || !strings.Contains(string(raw), want) || strings.Contains(string(raw), "NaN") {
			t.Errorf("%s: %d bytes without %q, or with a number that is none (%v)", name, len(raw), want, err)
		}
	}
	showSteps(t, dir)
}

// showSteps lists the items of a run of 12 items and two models, and prints one.
func showSteps(t *testing.T, dir string) {
	t.Helper()
	if list := done(t, "show", dir); !strings.Contains(list, "of 4 chains right") || !strings.Contains(list, "with a claim") {
		t.Errorf("the list is\n%s", list)
	}
	rows, err := csv.NewReader(strings.NewReader(done(t, "show", dir, "--csv"))).ReadAll()
	if err != nil || len(rows) != 25 || strings.Join(rows[0], ",") != "number,set,item,model,prompt,gold,answer,chains,read,right,judge,errors,judged,file,line" || rows[1][7] != "4" || rows[1][10] != "step-judge" {
		t.Errorf("%d rows, %v, %v", len(rows), rows[0], err)
	}
	one := done(t, "show", dir, "1", "--model", "stepwise?acc=0.4&error=0.05", "--key")
	for _, want := range []string{"votes\n", "chain 1 (c1): answer ", "    judges saw: ", "    step-judge: ", "c1/markers/1/judge:step-judge  ", "  seed "} {
		if !strings.Contains(one, want) {
			t.Errorf("the item lacks %q:\n%.600s", want, one)
		}
	}
	var rec step.Record
	if err := json.Unmarshal([]byte(done(t, "show", dir, "1", "--model", "stepwise?acc=0.4&error=0.05", "--json")), &rec); err != nil || len(rec.Chains) != 4 || len(rec.Chains[0].Views) == 0 {
		t.Errorf("as JSON %+v, %v", rec, err)
	}
	if said := done(t, "define", "sc@k"); !strings.Contains(said, "Self-consistency") || !strings.Contains(said, "steps audit") {
		t.Errorf("SC@k is %q", said)
	}
}
