package cli

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/step"
)

// A sample of judged steps is drawn, labelled by raters who know the truth (a judge without error), and unsealed: the report then
// knows how good the other judge is, as it was simulated, and the results of the review hold it against the raters.
func TestReviewOfSteps(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "steps", "--before", "sim:stepwise?error=0.1&seed=1", "--after", "sim:stepwise?error=0.3&seed=2", "-d", "demo", "-n", "20", "-k", "4", "--views", "markers",
		"--judge", "sim:step-judge?sensitivity=0.7&specificity=0.9", "--judge", "sim:step-judge?sensitivity=1&specificity=1&malformed=0", "-o", dir)
	const imperfect, truth = "step-judge?sensitivity=0.7&specificity=0.9", "step-judge?malformed=0&sensitivity=1&specificity=1"
	out := done(t, "review", "create", dir, "--task", "steps", "-n", "error=90,no error=90", "--repeats", "2", "--attention", "1")
	if !strings.Contains(out, "error, stepwise") || !strings.Contains(out, "no error, stepwise") {
		t.Errorf("created: %s", out)
	}
	folder := filepath.Join(dir, "review", "steps")
	p, ids := itemsOf(t, folder)
	keys, err := review.OpenKeys(folder, p)
	if err != nil || len(keys) != len(ids) {
		t.Fatalf("%d keys, %d items, %v", len(keys), len(ids), err)
	}
	raters, _ := os.ReadFile(filepath.Join(folder, review.PackageFile))
	for _, secret := range []string{"stepwise", "step-judge", "demo-", `"no error"`} {
		if bytes.Contains(raters, []byte(secret)) {
			t.Errorf("the package tells %q", secret)
		}
	}
	answer(t, folder, []string{"Ann"}, func(_ string, _ int, item blind.Item) map[string]string {
		for _, k := range keys {
			if k.ID != item.ID {
				continue
			}
			switch says := step.Says(k.Judges[truth]); {
			case says.IsError():
				return map[string]string{"step": "error", "error_kind": "unsupported"}
			case says == step.Abstain:
				return map[string]string{"step": "abstain"}
			}
		}
		return map[string]string{"step": "correct"}
	})
	if out := done(t, "review", "unseal", folder, "--force"); !strings.Contains(out, review.StepsFile) || !strings.Contains(out, "percuss report "+dir) {
		t.Errorf("unsealed: %s", out)
	}
	quality := reportedQuality(t, dir)
	q := quality[imperfect]
	if math.Abs(q.Sensitivity-0.7) > 0.15 || math.Abs(q.Specificity-0.9) > 0.06 || !strings.HasSuffix(q.From, "expert labels") {
		t.Errorf("the judge of 0.7 and 0.9 is measured as %+v, of %v", q, quality)
	}
	if q := quality[truth]; q.Sensitivity != 1 || q.Specificity != 1 {
		t.Errorf("the raters' own judge is measured as %+v", q)
	}
	must(t, "report", dir, "--format", "json")
	found := results(t, folder)
	for _, id := range []string{"experts", "experts_rates", "experts_pairs"} {
		if table := tableOf(t, found, id); len(table.Rows) == 0 || len(table.Notes) == 0 {
			t.Errorf("table %s: %d rows, notes %v", id, len(table.Rows), table.Notes)
		}
	}
	if status, _, errs := command(t, "review", "create", dir, "--task", "chain-update"); status != exitUsage || !strings.Contains(errs, "steps audit") {
		t.Errorf("another task: status %d, %s", status, errs)
	}
}

// reportedQuality is how good a run's report takes its judges to be.
func reportedQuality(t *testing.T, dir string, args ...string) map[string]step.Quality {
	t.Helper()
	var r struct {
		Findings struct {
			Settings step.Settings `json:"settings"`
		} `json:"findings"`
	}
	if err := json.Unmarshal([]byte(done(t, append([]string{"report", dir, "--json", "--bootstrap", "100"}, args...)...)), &r); err != nil {
		t.Fatal(err)
	}
	return r.Findings.Settings.Quality
}

// Labels that were written elsewhere are given with --human; without a judge no step can be drawn, and a run of another audit says so.
func TestStepLabelsOfOthers(t *testing.T) {
	dir, labels := filepath.Join(t.TempDir(), "run"), filepath.Join(t.TempDir(), "labels.csv")
	must(t, "steps", "-m", "sim:stepwise?error=0.5&no_claim=0", "-d", "demo", "-n", "4", "-k", "1", "--views", "markers", "--judge", "sim:step-judge?sensitivity=1&specificity=1&malformed=0", "-o", dir)
	text := "rater,model,item,chain,step,label\n"
	for _, item := range []string{"demo-01", "demo-02", "demo-03", "demo-04"} {
		for _, n := range []string{"1", "2", "3"} {
			text += "Ann,stepwise?error=0.5&no_claim=0," + item + ",1," + n + ",correct\n"
		}
	}
	if err := os.WriteFile(labels, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	var found struct {
		Findings struct {
			Analyses []percuss.Analysis `json:"analyses"`
		} `json:"findings"`
	}
	if err := json.Unmarshal([]byte(done(t, "report", dir, "--json", "--human", labels)), &found); err != nil {
		t.Fatal(err)
	}
	told := false
	for _, a := range found.Findings.Analyses {
		for _, table := range a.Tables {
			told = told || table.ID == "experts" && len(table.Rows) > 0 && strings.Contains(strings.Join(table.Notes, " "), "labels of")
		}
	}
	if !told {
		t.Error("labels that were given are in no table")
	}
	_, unknown, _ := command(t, "check", dir)
	_, known, _ := command(t, "check", dir, "--judge-quality", "step-judge?malformed=0&sensitivity=1&specificity=1=0.9,0.8")
	if words := strings.Join(strings.Fields(known), " "); !strings.Contains(unknown, "cannot tell  judge-guess") || !strings.Contains(words, "sensitivity 0.9, specificity 0.8 (given with --judge-quality)") {
		t.Errorf("check reads nothing of the judge's quality:\n%s\n%s", unknown, known)
	}
	if status, _, errs := command(t, "report", dir, "--human", filepath.Join(dir, "none.csv")); status != exitUsage || !strings.Contains(errs, "no such file") {
		t.Errorf("no such file: status %d, %s", status, errs)
	}
	bare := filepath.Join(t.TempDir(), "bare")
	must(t, "steps", "-m", "sim:faithful", "-d", "demo", "-n", "2", "-k", "2", "-o", bare)
	if status, _, errs := command(t, "review", "create", bare, "--task", "steps"); status != exitUsage || !strings.Contains(errs, "--judge") {
		t.Errorf("a run without a judge: status %d, %s", status, errs)
	}
	cases := evidenceRun(t, "sim:and")
	if status, _, errs := command(t, "review", "create", cases, "--task", "steps"); status != exitUsage || !strings.Contains(errs, "percuss steps") {
		t.Errorf("a run of cases: status %d, %s", status, errs)
	}
}
