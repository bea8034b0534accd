package cli

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/review/ratings"
	"github.com/percuss/percuss/review/ratings/sqlite"
)

// answer lets raters answer every item of a package; say gives their labels.
func answer(t *testing.T, folder string, raters []string, say func(rater string, n int, item blind.Item) map[string]string) blind.Package {
	t.Helper()
	ctx := context.Background()
	p, err := review.OpenPackage(folder)
	if err != nil {
		t.Fatal(err)
	}
	book, err := sqlite.Open(ctx, filepath.Join(folder, review.BookFile), p.ID, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	for _, name := range raters {
		if err := book.AddRater(ctx, ratings.Rater{ID: "r-" + name, Name: name, Added: time.Now()}); err != nil {
			t.Fatal(err)
		}
		for n, item := range p.Items {
			labels := say(name, n, item)
			if err := p.CheckLabels(item, labels); err != nil {
				t.Fatal(err)
			}
			if _, err := book.Add(ctx, []ratings.Entry{{ID: fmt.Sprint("e", n), Rater: "r-" + name, Item: item.ID, Labels: labels, At: time.Now()}}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return p
}

// shut closes a review.
func shut(t *testing.T, folder string) {
	t.Helper()
	book, err := sqlite.Open(context.Background(), filepath.Join(folder, review.BookFile), "", time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer book.Close()
	if err := book.Shut(context.Background(), true); err != nil {
		t.Fatal(err)
	}
}

// Interactions: two raters disagree on some, a second round settles them, the key is opened, and the report has what came of it.
func TestReviewOfInteractions(t *testing.T) {
	dir := evidenceRun(t, "sim:shortcut", "sim:and")
	must(t, "review", "create", dir, "--task", "interactions", "--design", "queue", "-n", "12", "--name", "q", "--repeats", "2")
	folder := filepath.Join(dir, "review", "q")
	if status, _, errs := command(t, "review", "unseal", folder); status != exitUsage || !strings.Contains(errs, "nobody has answered yet") {
		t.Errorf("without answers: status %d, %s", status, errs)
	}
	p := answer(t, folder, []string{"Ann", "Bob"}, func(rater string, n int, _ blind.Item) map[string]string {
		labels := map[string]string{"judgement": "valid", "confidence": "high"}
		if rater == "Bob" && n%3 == 0 {
			labels["judgement"] = "invalid"
		}
		return labels
	})
	if status, _, errs := command(t, "review", "unseal", folder); status != exitUsage || !strings.Contains(errs, "the review is open") {
		t.Errorf("while it is open: status %d, %s", status, errs)
	}
	out := done(t, "review", "adjudicate", folder)
	second := filepath.Join(folder, review.SecondRound)
	again, err := review.OpenPackage(second)
	if err != nil || len(again.Items) == 0 || len(again.Items) >= len(p.Items) || !strings.Contains(out, "on which the raters disagree") {
		t.Fatalf("%d items, %v\n%s", len(again.Items), err, out)
	}
	answer(t, second, []string{"Cy"}, func(string, int, blind.Item) map[string]string { return map[string]string{"judgement": "questionable"} })
	shut(t, folder)
	if status, _, errs := command(t, "review", "unseal", folder); status != exitUsage || !strings.Contains(errs, second+": the review is open (0 answers left)") {
		t.Errorf("while the second round is open: status %d, %s", status, errs)
	}
	shut(t, second)
	unsealed := done(t, "review", "unseal", folder)
	for _, says := range []string{"sealed with", "model  shortcut", fmt.Sprintf("\n%d of them from the second round\n", len(again.Items)), "\nnext  percuss report " + dir + "\n"} {
		if !strings.Contains(unsealed, says) {
			t.Errorf("%q is missing: %s", says, unsealed)
		}
	}
	raw, err := os.ReadFile(filepath.Join(folder, review.JudgementsFile))
	if err != nil || !strings.Contains(string(raw), `"rater":"adjudicated"`) || !strings.Contains(string(raw), `"model":"shortcut"`) {
		t.Errorf("%v\n%s", err, raw)
	}
	with, without := done(t, "report", dir, "--json"), ""
	if err := os.Remove(filepath.Join(folder, review.JudgementsFile)); err != nil {
		t.Fatal(err)
	}
	if without = done(t, "report", dir, "--json"); with == without || !strings.Contains(with, "questionable") {
		t.Error("the report does not change with what was unsealed")
	}
}

// A second round that cannot be read is an error, for its answers would be missing from what is joined; what was joined before stays.
func TestUnsealWithADamagedRound(t *testing.T) {
	dir := t.TempDir()
	items := filepath.Join(dir, "items.jsonl")
	if err := os.WriteFile(items, []byte(`{"id":"a","parts":[{"show":"text","text":"A step."}]}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, "review", "create", dir, "--task", "steps", "--items", items)
	folder := filepath.Join(dir, "review", "steps")
	answer(t, folder, []string{"Ann", "Bob"}, func(rater string, _ int, _ blind.Item) map[string]string {
		return map[string]string{"step": map[string]string{"Ann": "correct", "Bob": "abstain"}[rater]}
	})
	must(t, "review", "adjudicate", folder)
	second := filepath.Join(folder, review.SecondRound)
	if out := done(t, "review", "unseal", folder, "--force"); !strings.Contains(out, "2 labels joined") || !strings.Contains(out, "next  percuss review results "+folder) {
		t.Errorf("before it was answered: %s", out)
	}
	answer(t, second, []string{"Cy"}, func(string, int, blind.Item) map[string]string { return map[string]string{"step": "correct"} })
	if out := done(t, "review", "unseal", folder, "--force"); !strings.Contains(out, "3 labels joined") || !strings.Contains(out, "1 of them from the second round") {
		t.Errorf("afterwards: %s", out)
	}
	for _, name := range []string{review.PackageFile, review.BookFile} {
		whole, err := os.ReadFile(filepath.Join(second, name))
		if err != nil {
			t.Fatal(err)
		}
		write := func(text []byte) {
			if err := os.WriteFile(filepath.Join(second, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		write([]byte("{"))
		if status, _, errs := command(t, "review", "unseal", folder, "--force"); status != exitUsage || !strings.Contains(errs, filepath.Join(second, name)) {
			t.Errorf("%s: status %d, %s", name, status, errs)
		}
		write(whole)
	}
	if raw, err := os.ReadFile(filepath.Join(folder, "joined.jsonl")); err != nil || strings.Count(string(raw), "\n") != 3 {
		t.Errorf("%v\n%s", err, raw)
	}
}

// A review that nobody answered can be unsealed, and the run has its report all the same.
func TestUnsealWithoutAnswers(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "M2+M5", "-o", dir)
	must(t, "review", "create", dir, "--task", "perturbation", "-n", "2")
	folder := filepath.Join(dir, "review", "perturbation")
	answer(t, folder, nil, nil)
	shut(t, folder)
	if out := done(t, "review", "unseal", folder); !strings.Contains(out, "\n0 labels joined\nnext  percuss review results "+folder) {
		t.Error(out)
	}
	done(t, "report", dir)
	if out := done(t, "review", "results", folder); !strings.Contains(out, "nobody has answered anything") {
		t.Error(out)
	}
}

// Edits of questions: what clinicians said is in the report of the chain audit once it is unsealed; a changed key opens nothing.
func TestReviewOfEdits(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-m", "sim:random", "-d", "demo", "-n", "8", "--battery", "M2+M3+M4+M5", "-o", dir)
	must(t, "review", "create", dir, "--task", "perturbation", "-n", "20", "--attention", "1")
	folder := filepath.Join(dir, "review", "perturbation")
	answer(t, folder, []string{"Ann", "Bob"}, func(_ string, _ int, item blind.Item) map[string]string {
		labels := map[string]string{blind.AskShift: "no_shift", blind.AskValidity: "valid"}
		if len(item.Asks) == 3 {
			labels[blind.AskHazard] = "harmful"
		}
		return labels
	})
	if out := done(t, "review", "adjudicate", folder); !strings.Contains(out, "agree on every item") {
		t.Error(out)
	}
	key := filepath.Join(folder, review.KeyFile)
	raw, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(key, []byte(strings.Replace(string(raw), "M3-", "M4-", 1)), 0o600); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, "review", "unseal", folder, "--force"); status != exitUsage || !strings.Contains(errs, "sealed with") {
		t.Errorf("a changed key: status %d, %s", status, errs)
	}
	if err := os.WriteFile(key, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	must(t, "review", "unseal", folder, "--force")
	var r struct {
		Findings struct {
			Analyses []struct {
				Tables []struct {
					ID   string
					Rows []struct {
						Cells []struct {
							Text     string
							Estimate struct{ Value *float64 }
						}
					}
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(done(t, "report", dir, "--json")), &r); err != nil {
		t.Fatal(err)
	}
	found := false
	for _, a := range r.Findings.Analyses {
		for _, table := range a.Tables {
			if table.ID == "clinicians" && len(table.Rows) > 0 {
				found = true
			}
		}
	}
	if !found {
		t.Error("the report has no table of what clinicians say")
	}
}
