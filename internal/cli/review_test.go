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

// A sample of a run: what the terminal says, what reviewers get, what the key holds, and the same bytes again.
func TestReviewCreate(t *testing.T) {
	dir := evidenceRun(t, "sim:shortcut", "sim:and")
	for _, design := range []string{"queue", "buckets"} {
		status, out, errs := command(t, "review", "create", dir, "--task", "interactions", "--design", design)
		if status != exitDone || !strings.Contains(out, "the run has no more") || !strings.Contains(out, "key, to keep") {
			t.Fatalf("%s: status %d\n%s\n%s", design, status, out, errs)
		}
		path := filepath.Join(dir, "review", "interactions-"+design+".jsonl")
		task, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		key, err := os.ReadFile(review.KeyFile(path))
		if err != nil {
			t.Fatal(err)
		}
		if bytes.Count(task, []byte("\n")) != bytes.Count(key, []byte("\n")) || bytes.Count(key, []byte("\n")) < 10 {
			t.Errorf("%s: %d lines, %d of the key", design, bytes.Count(task, []byte("\n")), bytes.Count(key, []byte("\n")))
		}
		for _, secret := range []string{`"shortcut"`, `"and"`, `"demo`} {
			if bytes.Contains(task, []byte(secret)) || !bytes.Contains(key, []byte(secret)) {
				t.Errorf("%s: %s is told, or not in the key", design, secret)
			}
		}
		again := filepath.Join(t.TempDir(), "again.jsonl")
		if status, _, errs := command(t, "review", "create", dir, "--design", design, "-o", again); status != exitDone {
			t.Fatal(errs)
		}
		if second, err := os.ReadFile(again); err != nil || !bytes.Equal(task, second) {
			t.Errorf("%s: another file, %v", design, err)
		}
		status, _, errs = command(t, "review", "create", dir, "--design", design, "--seed", "2")
		if now, _ := os.ReadFile(path); status != exitUsage || !strings.Contains(errs, "--force") || !bytes.Equal(task, now) {
			t.Errorf("%s: another seed over the file: status %d, %s", design, status, errs)
		}
		if status, _, errs = command(t, "review", "create", dir, "--design", design, "--seed", "2", "--force"); status != exitDone {
			t.Errorf("%s: forced: status %d, %s", design, status, errs)
		}
	}
}

// What a reviewer fills in is joined with the key and names interactions of the run.
func TestReviewIsRead(t *testing.T) {
	dir := evidenceRun(t, "sim:shortcut")
	table := filepath.Join(t.TempDir(), "mine.csv")
	status, out, errs := command(t, "review", "create", dir, "--design", "queue", "-n", "4", "-o", table)
	if status != exitDone || !strings.Contains(out, table) {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	key, err := os.ReadFile(review.KeyFile(table))
	if err != nil {
		t.Fatal(err)
	}
	rows := []string{"id,judgement,confidence"}
	for _, line := range strings.Split(strings.TrimSpace(string(key)), "\n")[1:] {
		var k review.Key
		if err := json.Unmarshal([]byte(line), &k); err != nil {
			t.Fatal(err)
		}
		rows = append(rows, k.ID+",invalid,high")
	}
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
		{[]string{dir}, `--design "": there are [queue buckets]`},
		{[]string{dir, "--design", "quene"}, `--design "quene": there are`},
		{[]string{dir, "--design", "queue", "--task", "chains"}, "there is interactions"},
		{[]string{dir, "--design", "queue", "-n", "faithful=3"}, "the buckets of queue are suspicious, random"},
		{[]string{dir, "--design", "queue", "--format", "xlsx"}, "jsonl or csv"},
		{[]string{dir, "--design", "queue", "-o", "x.txt"}, "its name ends so"},
		{[]string{dir, "--design", "queue", "-o", "x.csv", "--format", "jsonl"}, "its name ends so"},
		{[]string{dir, "--design", "queue", "--salience", "1000"}, "there is nothing to review"},
		{[]string{dir, "--design", "queue", "-o", filepath.Join(dir, "none", "x.csv")}, "none"},
		{[]string{chain, "--design", "queue"}, "a run of the chain audit, which has no interactions"},
		{[]string{t.TempDir(), "--design", "queue"}, "is no run"},
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
