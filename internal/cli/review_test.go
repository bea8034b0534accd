package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/review"
)

// evidenceRun makes a small run of the evidence audit without its checks.
func evidenceRun(t *testing.T, models ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"evidence", "-d", "demo", "-n", "6", "--stability", "0", "--neutralize", "0", "--selectors", "0", "--counterfactuals", "0", "--floor", "0", "-o", dir}
	for _, m := range models {
		args = append(args, "-m", m)
	}
	if status, out, errs := command(t, args...); status != exitDone {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	return dir
}

// A sample of a run: what the terminal says, what raters get, what the key holds, and the same bytes again.
func TestReviewCreate(t *testing.T) {
	dir := evidenceRun(t, "sim:shortcut", "sim:and")
	for _, design := range []string{"queue", "buckets"} {
		args := []string{"review", "create", dir, "--task", "interactions", "--design", design}
		out := done(t, args...)
		if !strings.Contains(out, "the run has no more") || !strings.Contains(out, "key, to keep") || !strings.Contains(out, "percuss review serve "+filepath.Join(dir, "review", "interactions-"+design)+" --rater NAME") {
			t.Fatalf("%s: %s", design, out)
		}
		folder := filepath.Join(dir, "review", "interactions-"+design)
		p, err := review.OpenPackage(folder)
		if err != nil {
			t.Fatal(err)
		}
		keys, err := review.OpenKeys(folder, p)
		if err != nil || len(keys) != len(p.Items) || len(keys) < 10 {
			t.Errorf("%s: %d items, %d keys, %v", design, len(p.Items), len(keys), err)
		}
		raters, _ := os.ReadFile(filepath.Join(folder, review.PackageFile))
		key, _ := os.ReadFile(filepath.Join(folder, review.KeyFile))
		for _, secret := range []string{`"shortcut"`, `"and"`, `"demo`} {
			if bytes.Contains(raters, []byte(secret)) || !bytes.Contains(key, []byte(secret)) {
				t.Errorf("%s: %s is told, or not in the key", design, secret)
			}
		}
		must(t, append(args, "-o", filepath.Join(t.TempDir(), "again"))...)
		if status, _, errs := command(t, append(args, "--seed", "2")...); status != exitUsage || !strings.Contains(errs, "--force") {
			t.Errorf("%s: another seed over the folder: status %d, %s", design, status, errs)
		}
		if now, _ := os.ReadFile(filepath.Join(folder, review.PackageFile)); !bytes.Equal(raters, now) {
			t.Errorf("%s: a refused sample was written", design)
		}
		must(t, append(args, "--seed", "2", "--force")...)
		must(t, append(args, "--seed", "2", "--name", "other", "--practice", "--repeats", "2", "--attention", "1")...)
		if p, err := review.OpenPackage(filepath.Join(dir, "review", "other")); err != nil || len(p.Practice) == 0 || len(p.Items) != len(keys)+3 {
			t.Errorf("%s: %d practice items, %d items, %v", design, len(p.Practice), len(p.Items), err)
		}
		os.RemoveAll(filepath.Join(dir, "review", "other"))
	}
}

// The tasks of a chain audit: edits with flips, trials by what the rule says, operators; and what a run lacks is told.
func TestReviewCreateOfChains(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-m", "sim:random", "-d", "demo", "-n", "12", "--battery", "F1+M2+M3+M4+M5", "-o", dir)
	for _, c := range []struct{ task, say string }{{"perturbation", "flips "}, {"chain-update", "M5 without a trace"}, {"operator-tags", "operators "}} {
		out := done(t, "review", "create", dir, "--task", c.task)
		if !strings.Contains(out, c.say) || c.task != "operator-tags" && !strings.Contains(out, "were wanted, the run has no more") {
			t.Errorf("%s: %s", c.task, out)
		}
		folder := filepath.Join(dir, "review", c.task)
		p, err := review.OpenPackage(folder)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := json.Marshal(p.Items)
		if err != nil {
			t.Fatal(err)
		}
		if keys, err := review.OpenKeys(folder, p); err != nil || len(keys) < 5 || len(keys) != len(p.Items) {
			t.Errorf("%s: %d keys, %v", c.task, len(keys), err)
		}
		for _, secret := range []string{"faithful", "demo-", "M3-", "M5-", "random"} {
			if bytes.Contains(raw, []byte(secret)) {
				t.Errorf("%s: the items hold %q", c.task, secret)
			}
		}
	}
}

// A shell completes tasks and designs.
func TestReviewCreateCompletes(t *testing.T) {
	for flag, want := range map[string]string{"--task": "perturbation\nchain-update\noperator-tags\ninteractions\nsteps\nown\n:4\n", "--design": "queue\nbuckets\n:4\n"} {
		if out := done(t, "__complete", "review", "create", "runs/a", flag, ""); out != want {
			t.Errorf("%s: %q", flag, out)
		}
	}
}

// Items and questions of one's own need no run.
func TestReviewCreateOfOwnItems(t *testing.T) {
	dir := t.TempDir()
	items, form := filepath.Join(dir, "items.jsonl"), filepath.Join(dir, "form.yaml")
	for path, text := range map[string]string{
		items: `{"id":"first","parts":[{"show":"text","text":"A step."}]}` + "\n" + `{"id":"second","parts":[{"show":"text","text":"Another."}]}` + "\n",
		form:  "title: Mine\nquestions: [{id: q, text: Good?, labels: [{id: y, name: Yes}, {id: n, name: No}]}]\n",
	} {
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	must(t, "review", "create", dir, "--task", "steps", "--items", items)
	must(t, "review", "create", dir, "--task", "own", "--items", items, "--form", form)
	p, err := review.OpenPackage(filepath.Join(dir, "review", "own"))
	if err != nil || p.Title != "Mine" || len(p.Items) != 2 || p.Items[0].ID == "first" || p.Items[1].ID == "first" {
		t.Errorf("%+v, %v", p, err)
	}
	for text, say := range map[string]string{"{}": "line 1", `{"id":"a","model":"x"}`: "line 1", "": "no items", `{"id":"a","parts":[{"show":"text","text":"x"}],"expected":{"q":"y"}}`: "line 1"} {
		if err := os.WriteFile(items, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		if status, _, errs := command(t, "review", "create", dir, "--task", "steps", "--items", items, "--name", "x"); status != exitUsage || !strings.Contains(errs, say) || !strings.Contains(errs, "items.jsonl") {
			t.Errorf("%s: status %d, %s", text, status, errs)
		}
	}
}

// What a reviewer fills in is joined with the key and names interactions of the run.
func TestReviewIsRead(t *testing.T) {
	dir := evidenceRun(t, "sim:shortcut")
	must(t, "review", "create", dir, "--task", "interactions", "--design", "queue", "-n", "4")
	p, err := review.OpenPackage(filepath.Join(dir, "review", "interactions-queue"))
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"id,judgement,confidence,rater"}
	for _, item := range p.Items {
		rows = append(rows, item.ID+",invalid,high,Ann")
	}
	table := filepath.Join(t.TempDir(), "mine.csv")
	if err := os.WriteFile(table, []byte(strings.Join(rows, "\n")), 0o644); err != nil {
		t.Fatal(err)
	}
	got, err := review.JudgementsOf(dir, []string{table})
	if err != nil || len(got.Judgements) != 4 || got.Judgements[0].Model != "shortcut" || len(got.Judgements[0].Units) == 0 {
		t.Errorf("%+v, %v", got, err)
	}
}

func TestReviewCreateRefuses(t *testing.T) {
	dir := evidenceRun(t, "sim:shortcut")
	chain := filepath.Dir(simulatedRun(t))
	for _, c := range []struct {
		args []string
		say  string
	}{
		{[]string{dir}, `--task is missing: say one of perturbation, chain-update, operator-tags, interactions, steps, own`},
		{[]string{dir, "--task", "interactions"}, `--design is missing: say one of queue, buckets`},
		{[]string{dir, "--task", "interactions", "--design", "quene"}, `--design "quene": there are`},
		{[]string{dir, "--task", "chains", "--design", "queue"}, `--task "chains"`},
		{[]string{dir, "--task", "interactions", "--design", "queue", "-n", "faithful=3"}, "the buckets of queue are suspicious, random"},
		{[]string{dir, "--task", "interactions", "--design", "queue", "--salience", "1000"}, "there is nothing to review"},
		{[]string{dir, "--task", "interactions", "--design", "queue", "--name", "../x"}, "--name"},
		{[]string{dir, "--task", "interactions", "--design", "queue", "--repeats", "100000"}, "repeats"},
		{[]string{dir, "--task", "interactions", "--design", "queue", "--attention", "99"}, "attention"},
		{[]string{dir, "--task", "interactions", "--design", "queue", "--items", "x"}, "--items"},
		{[]string{dir, "--task", "perturbation"}, "a run of the evidence audit, which edits no questions"},
		{[]string{chain, "--task", "perturbation", "--design", "queue"}, "leave it out"},
		{[]string{chain, "--task", "operator-tags", "-n", "3"}, "leave it out"},
		{[]string{chain, "--task", "own", "--items", "x"}, "--form FILE"},
		{[]string{chain, "--task", "steps"}, "--items"},
		{[]string{chain, "--task", "interactions", "--design", "queue"}, "a run of the chain audit, which has no interactions"},
		{[]string{t.TempDir(), "--task", "interactions", "--design", "queue"}, "is no run"},
		{nil, "accepts 1 arg"},
	} {
		status, _, errs := command(t, append([]string{"review", "create"}, c.args...)...)
		if status != exitUsage || !strings.Contains(errs, c.say) {
			t.Errorf("%v: status %d, %s", c.args, status, errs)
		}
	}
	for _, d := range []string{dir, chain} {
		if _, err := os.Stat(filepath.Join(d, review.Folder)); err == nil {
			t.Errorf("a folder of samples is left in %s", d)
		}
	}
}

// done runs a command that must succeed, and returns what it printed.
func done(t *testing.T, args ...string) string {
	t.Helper()
	status, out, errs := command(t, args...)
	if status != exitDone {
		t.Fatalf("%v: status %d\n%s\n%s", args, status, out, errs)
	}
	return out
}
