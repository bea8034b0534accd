package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// findings are the tables of a report.
func findings(t *testing.T, dir string) []byte {
	t.Helper()
	var r struct{ Findings json.RawMessage }
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil {
		t.Fatal(err)
	}
	return r.Findings
}

// audit runs the chain audit of a model on eight questions and returns the run's folder.
func audit(t *testing.T, model string, more ...string) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "run")
	args := append([]string{"chain", "-m", model, "-d", "demo", "-n", "8", "--battery", "families",
		"--answer", "text+letters", "-o", dir}, more...)
	if status, out, errs := command(t, args...); status != exitDone {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	return dir
}

// An audit of the answers that another run exported finds what that run found. The file has the name of the model, so
// that the tables call both the same.
func TestAuditOfRecordedAnswers(t *testing.T) {
	first := audit(t, "sim:faithful")
	file := filepath.Join(t.TempDir(), "faithful")
	status, out, errs := command(t, "store", "export", first, "-o", file)
	if status != exitDone || !strings.Contains(out, "answers written to "+file) {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	again := audit(t, "recorded:"+file)
	if a, b := findings(t, first), findings(t, again); len(a) < 1000 || !bytes.Equal(a, b) {
		t.Errorf("the findings differ: %d and %d bytes", len(a), len(b))
	}
	// What the second run was given it can give itself, to the byte.
	written, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if status, out, errs := command(t, "store", "export", again); status != exitDone || out != string(written) {
		t.Errorf("status %d, %d bytes instead of %d\n%s", status, len(out), len(written), errs)
	}
}

// What was never asked fails, is counted under its own name, and the file is named.
func TestRecordedAnswersOfAnotherSeed(t *testing.T) {
	file := filepath.Join(t.TempDir(), "faithful")
	if status, _, errs := command(t, "store", "export", audit(t, "sim:faithful"), "-o", file); status != exitDone {
		t.Fatal(errs)
	}
	dir := filepath.Join(t.TempDir(), "run")
	status, _, errs := command(t, "chain", "-m", "recorded:"+file, "-d", "demo", "-n", "8", "--battery", "families",
		"--answer", "text+letters", "--seed", "2", "-o", dir)
	if status != exitFailure || !strings.Contains(errs, "requests failed") {
		t.Errorf("status %d\n%s", status, errs)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "report", "runinfo.json"))
	if err != nil {
		t.Fatal(err)
	}
	var i info
	if err := json.Unmarshal(raw, &i); err != nil || i.Attempts["not_recorded"] == 0 {
		t.Errorf("failed attempts %v, %v", i.Attempts, err)
	}
}

// A run of two models exports the answers of both, and the argument says whose are wanted.
func TestRecordedModelIsChosen(t *testing.T) {
	first := audit(t, "sim:faithful", "-m", "sim:inert")
	file := filepath.Join(t.TempDir(), "both.jsonl")
	if status, _, errs := command(t, "store", "export", first, "-o", file); status != exitDone {
		t.Fatal(errs)
	}
	audit(t, "recorded:"+file+"?model=inert")
	for arg, say := range map[string]string{
		"recorded:" + file:                             "choose one with ?model=ID: faithful, inert",
		"recorded:" + file + "?model=honest":           "there are faithful, inert",
		"recorded:" + file + "?seed=1":                 "only model=",
		"recorded:" + file + ".gone":                   "percuss store export DIR -o FILE",
		"recorded:" + filepath.Join(first, "run.json"): "no export of answers",
	} {
		status, _, errs := command(t, "chain", "-m", arg, "-d", "demo", "-n", "8", "-o", filepath.Join(t.TempDir(), "run"))
		if status != exitUsage || !strings.Contains(errs, say) {
			t.Errorf("%s: status %d, %q, want %q", arg, status, errs, say)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	dir := audit(t, "sim:faithful")
	empty := t.TempDir()
	for _, c := range []struct {
		args   []string
		status int
		say    string
	}{
		{[]string{empty}, exitUsage, "is no run"},
		{[]string{dir, "-o", filepath.Join(empty, "none", "a.jsonl")}, exitFailure, "none"},
		{nil, exitUsage, "accepts 1 arg"},
	} {
		if status, _, errs := command(t, append([]string{"store", "export"}, c.args...)...); status != c.status || !strings.Contains(errs, c.say) {
			t.Errorf("%v: status %d, %q", c.args, status, errs)
		}
	}
	if left, _ := os.ReadDir(empty); len(left) > 0 {
		t.Errorf("%v was left behind", left)
	}
}
