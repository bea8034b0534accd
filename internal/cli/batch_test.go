package cli

import (
	"bytes"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/model/batch"
	"github.com/percuss/percuss/model/openai/openaitest"
)

// batchServer is a service that takes batch files; they end when they were asked for so often.
func batchServer(t *testing.T, polls int) (s *openaitest.Server, args []string) {
	t.Helper()
	s, handler := openaitest.New(t, "vllm")
	s.Key = "sk-topsecret-topsecret"
	t.Setenv("OPENAI_API_KEY", s.Key)
	s.Fingerprint, s.Batches = true, &openaitest.Batches{Polls: polls}
	server := httptest.NewServer(handler) // now that it is as it shall be: another process has no lock in common with this one
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s, []string{"chain", "-m", served(s, ""), "-d", "demo", "-n", "3", "--battery", "families", "--answer", "text+letters"}
}

// once checks that nothing was handed in twice, and returns how many requests were handed in.
func once(t *testing.T, s *openaitest.Server) int {
	t.Helper()
	keys := s.Submitted()
	for key, n := range keys {
		if n != 1 {
			t.Errorf("%s was handed in %d times", key, n)
		}
	}
	return len(keys)
}

// A run by batches ends in the answers and the report of one by single calls, with a batch for each round.
func TestBatchesEndInTheSameRun(t *testing.T) {
	s, args := batchServer(t, 3)
	single, batched := filepath.Join(t.TempDir(), "single"), filepath.Join(t.TempDir(), "batched")
	must(t, append(slices.Clone(args), "-o", single)...)
	before := len(s.Requests())
	_, _, said := command(t, append(slices.Clone(args), "-o", batched, "--batch", "--poll", "50ms")...)
	if n := once(t, s); n != answers(t, batched) || n < 40 {
		t.Errorf("%d requests were handed in for %d answers\n%s", n, answers(t, batched), said)
	}
	if n := s.Batched(); n > 5 {
		t.Errorf("%d batches, want one for each round\n%s", n, said)
	}
	if calls := len(s.Requests()) - before; calls > 20 {
		t.Errorf("%d single calls beside the batches", calls)
	}
	if !bytes.Equal(reportOf(t, single), reportOf(t, batched)) {
		t.Error("the reports differ")
	}
	_, diff, _ := command(t, "store", "diff", single, batched)
	if !strings.Contains(diff, "in the first alone 0, in the second alone 0") || !strings.Contains(diff, "texts: 0 of") || !strings.Contains(diff, "outcomes: 0 differ") {
		t.Errorf("the answers differ: %s", diff)
	}
	for _, want := range []string{"requests handed in", "has ended"} {
		if !strings.Contains(said, want) {
			t.Errorf("%q is not said:\n%s", want, said)
		}
	}
	raw, err := os.ReadFile(filepath.Join(batched, batchFile))
	if err != nil || bytes.Contains(raw, []byte(s.Key)) {
		t.Errorf("the journal: %v", err)
	}
}

// What expired is in the next batch, and counts as an attempt.
func TestBatchesThatExpire(t *testing.T) {
	s, args := batchServer(t, 1)
	seen := map[string]bool{}
	s.Batches.Spoil = func(key string, _ map[string]any) string {
		if again := seen[key]; again || len(seen)%5 > 0 {
			seen[key] = true
			return ""
		}
		seen[key] = true
		return "expired"
	}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, append(args, "-o", dir, "--batch", "--poll", "20ms")...)
	again := 0
	for _, n := range s.Submitted() {
		again += n - 1
	}
	if again == 0 || again > len(s.Submitted())/4 || answers(t, dir) != len(s.Submitted()) {
		t.Errorf("%d of %d were handed in again, %d answers", again, len(s.Submitted()), answers(t, dir))
	}
}

// A process that waits for batches is killed again and again, and its successor goes on waiting. Ctrl-C says what is at
// the service and how to go on; without --batch nothing is paid for a second time unasked.
func TestStoppedBatches(t *testing.T) {
	dir := t.TempDir()
	binary := build(t, dir)
	t.Run("killed", func(t *testing.T) {
		s, args := batchServer(t, 25)
		folder := filepath.Join(dir, "killed")
		args = append(args, "-o", folder, "--batch", "--poll", "40ms")
		killAgainAndAgain(t, 6, func() *exec.Cmd { return exec.Command(binary, args...) })
		if out, err := exec.Command(binary, args...).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		if n := once(t, s); n != answers(t, folder) {
			t.Errorf("%d requests were handed in for %d answers", n, answers(t, folder))
		}
		t.Logf("%d requests in %d batches", len(s.Submitted()), s.Batched())
	})
	t.Run("interrupted", func(t *testing.T) {
		s, args := batchServer(t, 1<<30)
		args = append(args, "-o", filepath.Join(dir, "interrupted"))
		c := exec.Command(binary, append(slices.Clone(args), "--batch", "--poll", "40ms")...)
		var errs bytes.Buffer
		c.Stderr = &errs
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		for deadline := time.Now().Add(30 * time.Second); s.Batched() == 0 && time.Now().Before(deadline); {
			time.Sleep(50 * time.Millisecond)
		}
		if err := c.Process.Signal(os.Interrupt); err != nil {
			t.Fatal(err)
		}
		if err := c.Wait(); err == nil || c.ProcessState.ExitCode() != exitInterrupted {
			t.Errorf("ended with %v", err)
		}
		for _, want := range []string{"requests handed in and not answered", "with --batch", "the same command goes on"} {
			if !strings.Contains(errs.String(), want) {
				t.Errorf("%q is not said:\n%s", want, &errs)
			}
		}
		status, _, said := command(t, args...)
		if status != exitUsage || !strings.Contains(said, "add --batch") || !strings.Contains(said, batchFile) {
			t.Errorf("without --batch: status %d\n%s", status, said)
		}
		forgotten(t, s, args, filepath.Join(dir, "interrupted"))
	})
}

// forgotten checks what a run does whose service has forgotten its batches: the batch is named, and the file that knows of
// it; without the line with its id, its requests are handed in anew.
func forgotten(t *testing.T, s *openaitest.Server, args []string, dir string) {
	t.Helper()
	s.TakeBatches(&openaitest.Batches{Polls: 1})
	again := append(slices.Clone(args), "--batch", "--poll", "40ms")
	status, _, said := command(t, again...)
	if status != exitFailure || !strings.Contains(said, "batch_0") || !strings.Contains(said, batchFile) {
		t.Errorf("a batch that is gone: status %d\n%s", status, said)
	}
	path := filepath.Join(dir, batchFile)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	lines := slices.DeleteFunc(strings.SplitAfter(string(raw), "\n"), func(l string) bool { return strings.Contains(l, `"batch_0"`) })
	if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o644); err != nil {
		t.Fatal(err)
	}
	must(t, again...)
}

// What the service refused, or did not take, it does not have: the run goes on by single calls, or by batches once that is
// mended, with no journal to be deleted by hand.
func TestBatchesThatWereRefused(t *testing.T) {
	s, args := batchServer(t, 1)
	s.Batches.Fault = "billing_hard_limit_reached Billing hard limit has been reached"
	args = append(args, "-o", filepath.Join(t.TempDir(), "run"))
	status, _, said := command(t, append(slices.Clone(args), "--batch", "--poll", "20ms")...)
	if status != exitFailure || !strings.Contains(said, "see to the account") {
		t.Fatalf("status %d: %s", status, said)
	}
	batches := s.Batches
	s.TakeBatches(nil)
	status, _, said = command(t, append(slices.Clone(args), "--batch", "--poll", "20ms")...)
	if status != exitFailure || !strings.Contains(said, "run without --batch") {
		t.Fatalf("status %d: %s", status, said)
	}
	batches.Fault = ""
	s.TakeBatches(batches)
	must(t, append(slices.Clone(args), "--batch", "--poll", "20ms")...)
	must(t, args...)
}

func TestBatchFlag(t *testing.T) {
	status, _, said := command(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--batch", "-o", filepath.Join(t.TempDir(), "run"))
	if status != exitUsage || !strings.Contains(said, "--batch") {
		t.Errorf("a model without a service: status %d, %s", status, said)
	}
}

func TestJournal(t *testing.T) {
	path := filepath.Join(t.TempDir(), batchFile)
	j, err := openJournal(path)
	if err != nil || len(j.past) > 0 {
		t.Fatalf("%+v, %v", j, err)
	}
	entry := batch.Entry{Event: batch.Submitting, Token: "t", Model: "m"}
	if err := j.note(entry); err != nil {
		t.Fatal(err)
	}
	if _, err := j.file.WriteString(`{"event":"submitted","tok`); err != nil { // a crash in the middle of a line
		t.Fatal(err)
	}
	if err := j.file.Close(); err != nil {
		t.Fatal(err)
	}
	if j, err = openJournal(path); err != nil || len(j.past) != 1 || j.past[0].Token != "t" {
		t.Fatalf("%+v, %v", j, err)
	}
	if err := j.note(entry); err != nil {
		t.Fatal(err)
	}
	if err := j.file.Close(); err != nil {
		t.Fatal(err)
	}
	if past, _, err := readJournal(path); err != nil || len(past) != 2 {
		t.Errorf("%+v, %v", past, err)
	}
	if err := os.WriteFile(path, []byte("{}\nno\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, _, err := readJournal(path); err == nil || !strings.Contains(err.Error(), batchFile+":2") {
		t.Errorf("a damaged line: %v", err)
	}
}
