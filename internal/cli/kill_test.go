package cli

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/percuss/percuss/model/openai/openaitest"
	"github.com/percuss/percuss/store/sqlite"
)

// A run that is killed again and again and gone on with ends in the report of one that was left alone, byte for byte,
// and no answered key is asked again.
func TestKilledRunEndsTheSame(t *testing.T) {
	dir := t.TempDir()
	binary := build(t, dir)
	// The latency is no part of the model's identity, but it is of the specification: both runs name the same.
	for name, c := range map[string]struct {
		kills int
		args  []string
	}{
		"chain": {20, []string{"chain", "-m", "sim:faithful?latency=8ms", "-d", "demo", "-n", "32", "--battery", "paper",
			"--answer", "text+letters"}},
		"steps": {6, []string{"steps", "-m", "sim:stepwise?latency=8ms", "--paraphraser", "sim:paraphraser?latency=6ms",
			"--judge", "sim:step-judge?latency=6ms&malformed=0.2", "-d", "demo", "-n", "8", "-k", "6"}},
		"evidence": {8, []string{"evidence", "-m", "sim:shortcut?latency=1ms&noise=0.2", "-d", "demo", "-n", "8", "--order", "all"}},
	} {
		t.Run(name, func(t *testing.T) {
			whole, killed := filepath.Join(dir, name+"-whole"), filepath.Join(dir, name+"-killed")
			run := func(folder string) *exec.Cmd {
				return exec.Command(binary, append(slices.Clone(c.args), "-o", folder)...)
			}
			if out, err := run(whole).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			killAgainAndAgain(t, c.kills, func() *exec.Cmd { return run(killed) })
			before := answers(t, killed)
			// A kill may have come when all was answered and the report written: a run that has nothing to ask keeps that one.
			if err := os.RemoveAll(filepath.Join(killed, "report")); err != nil {
				t.Fatal(err)
			}
			if out, err := run(killed).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			after := answers(t, killed)
			if asked := answered(t, killed); asked != after-before {
				t.Errorf("%d answers, then %d, but %d were asked for", before, after, asked)
			}
			t.Logf("%d kills, %d of %d answers survived them", c.kills, before, after)
			if !bytes.Equal(reportOf(t, whole), reportOf(t, killed)) {
				t.Error("the reports differ")
			}
			if out, err := exec.Command(binary, "store", "verify", killed).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// killAgainAndAgain starts a command and kills it, until so many kills have hit a process at work.
func killAgainAndAgain(t *testing.T, kills int, command func() *exec.Cmd) {
	t.Helper()
	r := rand.New(rand.NewPCG(1, uint64(time.Now().UnixNano())))
	hit := 0
	for attempt := 0; hit < kills && attempt < 3*kills; attempt++ {
		c := command()
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(20+r.IntN(180)) * time.Millisecond)
		if err := c.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err != nil {
			hit++
		}
	}
	if hit < kills {
		t.Fatalf("only %d kills hit a running process", hit)
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
	t.Run("again", func(t *testing.T) { interruptAgain(t, binary, dir) })
}

// interruptAgain: a second Ctrl-C does not wait for what is in flight, and ends with the same status. A run that had not begun leaves nothing.
func interruptAgain(t *testing.T, binary, dir string) {
	t.Helper()
	for name, probes := range map[string]int32{"probing": 0, "asking": 8} {
		s := openaitest.Start(t, "generic")
		var chats atomic.Int32
		stuck, over := make(chan struct{}), make(chan struct{})
		s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
			if n := chats.Add(1); n > probes {
				if n == probes+1 {
					close(stuck)
				}
				<-over
			}
			reply(w, body, chainOf, "stop")
			return true
		}
		folder := filepath.Join(dir, name)
		c := exec.Command(binary, "chain", "-m", served(s, ""), "-d", "demo", "-n", "2", "-o", folder)
		said, err := c.StderrPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		<-stuck
		lines := bufio.NewScanner(said)
		_ = c.Process.Signal(os.Interrupt) // where it has gone, the status tells
		for lines.Scan() && !strings.Contains(lines.Text(), "Ctrl-C again") {
		}
		_ = c.Process.Signal(os.Interrupt)
		for lines.Scan() {
			t.Logf("%s: %s", name, lines.Text())
		}
		if err := c.Wait(); c.ProcessState.ExitCode() != exitInterrupted {
			t.Errorf("%s: ended with %v", name, err)
		}
		close(over)
		if name == "probing" && fileExists(folder) {
			t.Error("the folder of a run that never began is there")
		}
	}
}
