package realmodel

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/internal/cli"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/sqlite"
)

// percuss runs a command line in this process.
func percuss(t *testing.T, args ...string) (status int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	status = cli.Main(args, strings.NewReader(""), &o, &e, os.Getenv)
	return status, o.String(), e.String()
}

// engine skips the test where the library is not installed, and returns its folder.
func engine(t *testing.T) *supply.Cache {
	t.Helper()
	cache, err := supply.Open(os.Getenv, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := cache.FindEngine(context.Background(), "", os.Getenv("PERCUSS_LIB")); err != nil {
		t.Skip("needs the llama.cpp library (make setup): ", err)
	}
	return cache
}

// One real question, one real model, the whole way to the report.
func TestAuditOfTheRealModel(t *testing.T) {
	cache := engine(t)
	if _, err := cache.FindModel(context.Background(), "smollm2-135m"); err != nil {
		t.Skip("needs the model smollm2-135m (make setup): ", err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", "llama:smollm2-135m", "-d", "demo", "-n", "1", "--battery", "families",
		"--answer", "text+letters", "--max-tokens", "64", "-o", dir}
	if status, out, errs := percuss(t, args...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	var r struct {
		Findings struct {
			Cells []struct {
				Items   int
				Metrics []struct {
					ID    string
					Value *float64
				}
			}
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings.Cells) != 1 || r.Findings.Cells[0].Items != 1 {
		t.Fatalf("cells %+v", r.Findings.Cells)
	}
	for _, m := range r.Findings.Cells[0].Metrics {
		if m.ID == "acc" && m.Value == nil {
			t.Error("with letters every item has an answer, but the accuracy is missing")
		}
	}
	if status, out, errs := percuss(t, args...); status != 0 {
		t.Errorf("going on with a finished run: status %d\n%s\n%s", status, out, errs)
	}
	if again, err := os.ReadFile(filepath.Join(dir, "report", "report.json")); err != nil || !bytes.Equal(raw, again) {
		t.Errorf("the report changed: %v", err)
	}
}

// TestMain lets this binary stand in for the command, so that a process can be killed.
func TestMain(m *testing.M) {
	if os.Getenv("PERCUSS_AS_COMMAND") == "1" {
		os.Exit(cli.Main(os.Args[1:], os.Stdin, os.Stdout, os.Stderr, os.Getenv))
	}
	os.Exit(m.Run())
}

// process is the command in a process of its own.
func process(args ...string) *exec.Cmd {
	c := exec.Command(os.Args[0], args...)
	c.Env = append(os.Environ(), "PERCUSS_AS_COMMAND=1")
	return c
}

// kill starts the command again and again and kills it as soon as it has stored a few answers more, until that was
// done often enough or the command is through. It returns the number of kills.
func kill(t *testing.T, times int, dir string, args ...string) (kills int) {
	t.Helper()
	for kills < times {
		c := process(args...)
		before, few := stored(t, dir), 1+rand.IntN(5)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		ended := make(chan error, 1)
		go func() { ended <- c.Wait() }()
		for running := true; running; {
			select {
			case err := <-ended:
				if err != nil {
					t.Fatal(err)
				}
				return kills
			case <-time.After(20 * time.Millisecond):
				running = stored(t, dir) < before+few
			}
		}
		if err := c.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		if err := <-ended; err != nil {
			kills++
		}
	}
	return kills
}

// stored counts a run's answers.
func stored(t *testing.T, dir string) int {
	t.Helper()
	path := filepath.Join(dir, "answers.db")
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	s, err := sqlite.OpenReader(context.Background(), path)
	if err != nil {
		return 0 // being made
	}
	defer s.Close()
	n, err := s.Count(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// asked is the number of answers that the last process asked for.
func asked(t *testing.T, dir string) int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "report", "runinfo.json"))
	if err != nil {
		t.Fatal(err)
	}
	var v struct{ Result struct{ Answered int } }
	if err := json.Unmarshal(raw, &v); err != nil {
		t.Fatal(err)
	}
	return v.Result.Answered
}

// On float weights a run that was killed ends in the report of one that was left alone. The tiny model is random, so
// its letters carry the audit.
func TestKilledFloatRunEndsTheSame(t *testing.T) {
	engine(t)
	dir := t.TempDir()
	gguf := filepath.Join(dir, "tiny.gguf")
	if err := tinygguf.Write(gguf, 1); err != nil {
		t.Fatal(err)
	}
	args := func(folder, n string) []string {
		return []string{"chain", "-m", "llama:" + gguf, "-d", "demo", "-n", n, "--battery", "families",
			"--answer", "letters", "--max-tokens", "16", "-o", filepath.Join(dir, folder)}
	}
	if status, out, errs := percuss(t, args("whole", "6")...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	if status, out, errs := percuss(t, args("killed", "1")...); status != 0 { // also widened
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	begun := stored(t, filepath.Join(dir, "killed"))
	kills := kill(t, 8, filepath.Join(dir, "killed"), args("killed", "6")...)
	survived := stored(t, filepath.Join(dir, "killed"))
	if kills == 0 {
		t.Error("no kill hit")
	}
	if status, out, errs := percuss(t, args("killed", "6")...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	all := stored(t, filepath.Join(dir, "killed"))
	t.Logf("%d kills; %d answers before them, %d after, %d in the end", kills, begun, survived, all)
	if all != survived && asked(t, filepath.Join(dir, "killed")) != all-survived {
		t.Errorf("%d answers survived, %d are there now, %d were asked for", survived, all, asked(t, filepath.Join(dir, "killed")))
	}
	whole, err := os.ReadFile(filepath.Join(dir, "whole", "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	killed, err := os.ReadFile(filepath.Join(dir, "killed", "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(whole, killed) {
		t.Error("the reports differ")
	}
}

// On quantised weights an answer depends on its company in the batch, which a kill changes. What changed is counted.
func TestKilledQuantisedRunIsCounted(t *testing.T) {
	cache := engine(t)
	if _, err := cache.FindModel(context.Background(), "smollm2-135m"); err != nil {
		t.Skip("needs the model smollm2-135m (make setup): ", err)
	}
	dir := t.TempDir()
	args := func(folder string) []string {
		return []string{"chain", "-m", "llama:smollm2-135m", "-d", "demo", "-n", "2", "--battery", "families",
			"--answer", "letters", "--max-tokens", "32", "-o", filepath.Join(dir, folder)}
	}
	if status, out, errs := percuss(t, args("whole")...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	kills := kill(t, 3, filepath.Join(dir, "killed"), args("killed")...)
	survived := stored(t, filepath.Join(dir, "killed"))
	if status, out, errs := percuss(t, args("killed")...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	if all := stored(t, filepath.Join(dir, "killed")); all != survived && asked(t, filepath.Join(dir, "killed")) != all-survived {
		t.Errorf("%d answers survived, %d are there now, %d were asked for", survived, all, asked(t, filepath.Join(dir, "killed")))
	}
	status, out, errs := percuss(t, "store", "diff", filepath.Join(dir, "whole"), filepath.Join(dir, "killed"))
	if status != 0 {
		t.Fatalf("status %d\n%s", status, errs)
	}
	t.Logf("%d kills, %d answers survived them; against the run that was left alone:\n%s", kills, survived, out)
	_, out, _ = percuss(t, "store", "diff", "--json", filepath.Join(dir, "whole"), filepath.Join(dir, "killed"))
	var d store.Drift
	if err := json.Unmarshal([]byte(out), &d); err != nil {
		t.Fatal(err)
	}
	if d.Texts == 0 || d.Letters == 0 {
		t.Errorf("nothing was compared: %+v", d)
	}
	if v, ok := d.Max.Get(); ok && v > 2 {
		t.Errorf("a log-probability moved by %.2f nats: that is no drift", v)
	}
}

// Two cases, the real model, the whole way to the report; the engine says how little it had to compute.
func TestEvidenceAuditOfTheRealModel(t *testing.T) {
	cache := engine(t)
	if _, err := cache.FindModel(context.Background(), "smollm2-135m"); err != nil {
		t.Skip("needs the model smollm2-135m (make setup): ", err)
	}
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"evidence", "-m", "llama:smollm2-135m", "-d", "demo", "-n", "2", "--stability", "1", "--neutralize", "1",
		"--selectors", "0", "--floor", "1", "-o", dir}
	if status, out, errs := percuss(t, args...); status != 0 {
		t.Fatalf("status %d\n%s\n%s", status, out, errs)
	}
	var r struct {
		Findings struct {
			Cells []struct {
				Scored int
				Gold   struct{ Mechanisms []json.RawMessage }
				Floor  []struct {
					Source string
					SD     *float64
				}
			}
		}
	}
	raw, err := os.ReadFile(filepath.Join(dir, "report", "report.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &r); err != nil {
		t.Fatal(err)
	}
	if len(r.Findings.Cells) != 1 || r.Findings.Cells[0].Scored != 2 || len(r.Findings.Cells[0].Gold.Mechanisms) == 0 {
		t.Fatalf("cells %+v", r.Findings.Cells)
	}
	batch := 0
	for _, f := range r.Findings.Cells[0].Floor {
		if f.Source == "batch" && f.SD != nil {
			batch++
		}
	}
	if batch < 4 {
		t.Errorf("the floor was measured for %d of margin and orders 1 to 3", batch)
	}
	var info struct {
		Models map[string]struct {
			PromptAsked    int64 `json:"prompt_asked"`
			PromptComputed int64 `json:"prompt_computed"`
		}
	}
	if raw, err = os.ReadFile(filepath.Join(dir, "report", "runinfo.json")); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &info); err != nil {
		t.Fatal(err)
	}
	for id, c := range info.Models {
		share := float64(c.PromptComputed) / float64(c.PromptAsked)
		t.Logf("%s: %d of %d prompt tokens computed, %.3f", id, c.PromptComputed, c.PromptAsked, share)
		if share > 0.5 {
			t.Errorf("%s computed %.2f of the tokens of separate prompts", id, share)
		}
	}
}
