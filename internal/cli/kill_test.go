package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/percuss/percuss/store/sqlite"
)

// A run that is killed twenty times and gone on with ends in the report of one that was left alone, byte for byte,
// and no answered key is asked again.
func TestKilledRunEndsTheSame(t *testing.T) {
	dir := t.TempDir()
	binary := build(t, dir)
	args := func(folder, latency string) []string {
		return []string{"chain", "-m", "sim:faithful?latency=" + latency, "-d", "demo", "-n", "32", "--battery", "paper",
			"--answer", "text+letters", "-o", filepath.Join(dir, folder)}
	}
	// The latency is no part of the model's identity, but it is of the specification: both runs name the same.
	const latency = "8ms"
	if out, err := exec.Command(binary, args("whole", latency)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	kills := 0
	for attempt := 0; kills < 20 && attempt < 60; attempt++ {
		c := exec.Command(binary, args("killed", latency)...)
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+r.IntN(180)) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			kills++
		}
	}
	if kills < 20 {
		t.Fatalf("only %d kills hit a running process", kills)
	}
	before := answers(t, filepath.Join(dir, "killed"))
	if out, err := exec.Command(binary, args("killed", latency)...).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	after := answers(t, filepath.Join(dir, "killed"))
	if asked := answered(t, filepath.Join(dir, "killed")); asked != after-before {
		t.Errorf("%d answers, then %d, but %d were asked for", before, after, asked)
	}
	t.Logf("%d kills, %d of %d answers survived them", kills, before, after)
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
	if out, err := exec.Command(binary, "store", "verify", filepath.Join(dir, "killed")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// build makes the command, since a process that is killed must not be the test's own.
func build(t *testing.T, dir string) string {
	t.Helper()
	binary := filepath.Join(dir, "percuss")
	if out, err := exec.Command("go", "build", "-o", binary, "../../cmd/percuss").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	return binary
}

// answers counts what a run's store holds.
func answers(t *testing.T, dir string) int {
	t.Helper()
	path := filepath.Join(dir, "answers.db")
	if _, err := os.Stat(path); err != nil {
		return 0
	}
	s, err := sqlite.OpenReader(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	n, err := s.Count(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// answered is the number of answers that the last process asked for.
func answered(t *testing.T, dir string) int {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join(dir, "report", "runinfo.json"))
	if err != nil {
		t.Fatal(err)
	}
	var i info
	if err := json.Unmarshal(raw, &i); err != nil {
		t.Fatal(err)
	}
	return i.Result.Answered
}

// Ctrl-C ends with status 130, says how to go on, and keeps what was answered.
func TestInterrupt(t *testing.T) {
	dir := t.TempDir()
	binary := build(t, dir)
	folder := filepath.Join(dir, "run")
	c := exec.Command(binary, "chain", "-m", "sim:faithful?latency=40ms", "-d", "demo", "-n", "32", "-o", folder)
	var errs bytes.Buffer
	c.Stderr = &errs
	if err := c.Start(); err != nil {
		t.Fatal(err)
	}
	for deadline := time.Now().Add(20 * time.Second); answers(t, folder) == 0; {
		if time.Now().After(deadline) {
			t.Fatalf("no answer came\n%s", &errs)
		}
		time.Sleep(50 * time.Millisecond)
	}
	if err := c.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != exitInterrupted {
		t.Errorf("ended with %v", err)
	}
	if !bytes.Contains(errs.Bytes(), []byte("the same command goes on")) {
		t.Errorf("said %q", errs.String())
	}
	if answers(t, folder) == 0 {
		t.Error("nothing was kept")
	}
}
