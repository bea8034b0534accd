package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/percuss/percuss/model/openai/openaitest"
)

// student answers every question by a chain that depends on the seed alone.
func student(t *testing.T, chain func(seed float64) string) *openaitest.Server {
	t.Helper()
	s := openaitest.Start(t, "vllm")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		seed, _ := body["seed"].(float64)
		reply(w, body, chain(seed), "stop")
		return true
	}
	return s
}

// plainChain is a chain of three steps whose answer is A or B.
func plainChain(seed float64) string {
	return fmt.Sprintf("Step 1: The history fits.\nStep 2: The fever supports it.\nStep 3: It follows.\n\nAnswer: %c", "AB"[int(seed)%2])
}

// Two checkpoints that are served under one name and a judge behind a third address. While the judge is down the run fails and
// says so; once it is up again the same command asks what is missing and ends in the report of a run that met no fault.
func TestStepsWithAJudgeThatIsDown(t *testing.T) {
	before, after, judging := student(t, plainChain), student(t, func(seed float64) string { return "Step 1: He coughs.\n" + plainChain(seed) }), openaitest.Start(t, "vllm")
	var down atomic.Bool
	var verdicts atomic.Int32
	judging.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		if text, _ := json.Marshal(body["messages"]); !strings.Contains(string(text), "The step:") {
			reply(w, body, "Hello.", "stop")
			return true
		}
		if down.Load() && verdicts.Add(1) > 4 {
			openaitest.Error(w, 500, "out of memory")
			return true
		}
		reply(w, body, "VERDICT: CORRECT", "stop")
		return true
	}
	args := []string{"steps", "--before", served(before, ""), "--after", served(after, ""), "--judge", served(judging, ""), "-d", "demo", "-n", "2", "-k", "2",
		"--attempts", "1", "--patience", "100ms", "--concurrency", "2"}
	whole := filepath.Join(t.TempDir(), "whole")
	must(t, append(slices.Clone(args), "-o", whole)...)
	down.Store(true)
	dir := filepath.Join(t.TempDir(), "run")
	args = append(args, "-o", dir)
	status, _, errs := command(t, args...)
	if said := unfolded(errs); status != exitFailure || !strings.Contains(said, "out of memory") || !strings.Contains(said, "What was answered is kept; once that is mended, the same command goes on") || strings.Contains(said, "falls short") {
		t.Fatalf("status %d\n%s", status, errs)
	}
	must(t, "report", dir)
	if bytes.Equal(reportOf(t, dir), reportOf(t, whole)) {
		t.Error("the report of half a run is that of a whole one")
	}
	for _, c := range stepsOf(t, dir).Claims {
		if c.ID == "answered" && c.Subject == "judge-"+openaitest.Name && c.Verdict != "fails" {
			t.Errorf("the judge's answers are not there, and the claim says %+v", c)
		}
	}
	if status, out, errs := command(t, "check", dir); status != exitGate || !strings.Contains(out, "answered") {
		t.Errorf("check: status %d\n%s%s", status, out, errs)
	}
	down.Store(false)
	kept := answers(t, dir)
	must(t, args...)
	if asked := answered(t, dir); asked != answers(t, dir)-kept || kept == 0 {
		t.Errorf("%d answers, then %d, %d were asked for", kept, answers(t, dir), asked)
	}
	if !bytes.Equal(reportOf(t, dir), reportOf(t, whole)) {
		t.Error("the reports differ")
	}
	if asked(t, judging, args) > 0 {
		t.Error("a run that is done asks the judge")
	}
}

// What says nothing, names no answer or no verdict is told at the end; without answers the run has failed, without verdicts the
// answers stand.
func TestStepsOfUselessReplies(t *testing.T) {
	for name, c := range map[string]struct {
		chain, verdict string
		status         int
		says           string
	}{
		"nothing":     {"", "VERDICT: CORRECT", exitFailure, "replies are of no use (empty"},
		"no answer":   {"Step 1: Much is to be weighed.\nStep 2: It depends.", "VERDICT: CORRECT", exitFailure, "an answer could be read in a chain of 0 of 2 items"},
		"no verdict":  {plainChain(1), "I would say that it is fine.", exitDone, "no verdict could be read on"},
		"all is well": {plainChain(1), "VERDICT: CORRECT", exitDone, ""},
	} {
		s, judging := student(t, func(float64) string { return c.chain }), student(t, func(float64) string { return c.verdict })
		if c.chain == "" {
			var probed atomic.Int32
			script := s.Script
			s.Script = func(w http.ResponseWriter, r *http.Request, body map[string]any) bool {
				if probed.Add(1); body["seed"] == nil || body["temperature"] == 0.0 {
					reply(w, body, "Answer: A", "stop")
					return true
				}
				return script(w, r, body)
			}
		}
		args := []string{"steps", "-m", served(s, ""), "--judge", served(judging, ""), "-d", "demo", "-n", "2", "-k", "2", "-o", filepath.Join(t.TempDir(), "run")}
		for range 2 {
			status, _, errs := command(t, args...)
			said := unfolded(errs)
			if status != c.status || !strings.Contains(said, c.says) || c.says == "" && (strings.Contains(said, "could be read") || strings.Contains(said, "no use")) {
				t.Errorf("%s: status %d, %s, want %q", name, status, errs, c.says)
			}
		}
	}
}

// A run by batches, chains first and then verdicts, ends in the answers and the report of one by single calls.
func TestStepsByBatches(t *testing.T) {
	s, _ := batchServer(t, 2)
	args := []string{"steps", "-m", served(s, ""), "--judge", served(s, "?key_env=OPENAI_API_KEY"), "-d", "demo", "-n", "2", "-k", "3"}
	single, batched := filepath.Join(t.TempDir(), "single"), filepath.Join(t.TempDir(), "batched")
	_, _, first := command(t, append(slices.Clone(args), "-o", single)...)
	_, _, said := command(t, append(slices.Clone(args), "-o", batched, "--batch", "--poll", "20ms")...)
	if n := once(t, s); n != answers(t, batched) || n < 6 {
		t.Errorf("%d requests were handed in for %d answers\n%s", n, answers(t, batched), said)
	}
	if n := s.Batched(); n < 1 || n > 4 {
		t.Errorf("%d batches\n%s", n, said)
	}
	if !bytes.Equal(reportOf(t, single), reportOf(t, batched)) {
		t.Errorf("the reports differ\n%s\n%s", first, said)
	}
}
