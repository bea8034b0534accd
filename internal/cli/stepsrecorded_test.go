package cli

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/step"
)

// chainLog is a file with lists of chains: of so many of each of the questions, whose gold is A. The n-th chain of a question
// answers A or B in turn.
func chainLog(t *testing.T, chains ...int) string {
	t.Helper()
	var b strings.Builder
	for i, k := range chains {
		var said []string
		for n := range k {
			said = append(said, fmt.Sprintf("Step 1: He is %d years old.\nStep 2: Flu is most common.\n\nAnswer: %c", 50+i, "AB"[n%2]))
		}
		line, err := json.Marshal(map[string]any{"question": fmt.Sprintf("A %d-year-old man coughs. Why?", 50+i), "options": map[string]string{"A": "Flu", "B": "Gout"}, "answer": "A", "chains": said})
		if err != nil {
			t.Fatal(err)
		}
		b.Write(append(line, '\n'))
	}
	return datasettest.Write(t, "chains.jsonl", b.String())
}

// A log's chains are audited as they are: k of each question, and where one has fewer it is counted.
func TestStepsOfALog(t *testing.T) {
	file := chainLog(t, 4, 4, 1)
	args := []string{"-m", "recorded:" + file + "?trigger=all", "-d", "log:" + file, "--judge", "sim:step-judge", "-n", "3"}
	r := stepsOf(t, stepsInto(t, append(args, "-k", "3")...))
	if c := r.Findings.Cells[0]; c.Chains != 7 || c.Short != 1 || c.Traces[0].Steps != 14 || c.Accuracy.Num.Or(0) != 5 || c.Accuracy.Den.Or(0) != 7 {
		t.Errorf("three chains: %d with an answer, %d items short, accuracy %+v, %+v", c.Chains, c.Short, c.Accuracy, c.Traces[0])
	}
	dir := filepath.Join(t.TempDir(), "run")
	status, _, errs := command(t, append(append([]string{"steps", "-o", dir}, args...), "-k", "4")...)
	r = stepsOf(t, dir)
	if c := r.Findings.Cells[0]; status != exitDone || c.Chains != 9 || c.Short != 1 {
		t.Errorf("four chains: status %d, %d with an answer, %d items short\n%s", status, c.Chains, c.Short, errs)
	}
	for _, c := range r.Claims {
		if c.ID == "answered" && c.Verdict != percuss.ClaimHolds {
			t.Errorf("a chain that the log has not got has failed: %+v", c)
		}
	}
	one := datasettest.Write(t, "one.jsonl", `{"question":"A 50-year-old man coughs. Why?","options":{"A":"Flu","B":"Gout"},"answer_idx":"A","completion":"Step 1: He coughs.\nAnswer: A"}`+"\n")
	for says, c := range map[string][]string{
		"at most 4 replies to a question: use -k 4": append(args, "-k", "5"),
		"use -k 1, or ?trigger=all":                 {"-m", "recorded:" + one, "-d", "log:" + one, "-k", "2"},
		"its log has one reply to each question":    {"-m", "recorded:" + one + "?trigger=all", "-d", "log:" + one, "-k", "2"},
	} {
		dir := filepath.Join(t.TempDir(), "run")
		if status, _, errs := command(t, append([]string{"steps", "-o", dir}, c...)...); status != exitUsage || !strings.Contains(errs, says) {
			t.Errorf("status %d, %s, want %q", status, errs, says)
		}
	}
	if c := stepsOf(t, stepsInto(t, "-m", "recorded:"+one, "-d", "log:"+one, "-k", "1")).Findings.Cells[0]; c.Chains != 1 {
		t.Errorf("a log of single replies: %+v", c)
	}
}

// What a run exported answers another one, judges and paraphrases included, whose findings are the same; a further item was
// never asked and fails.
func TestStepsReplay(t *testing.T) {
	whole := append([]string{"--paraphraser", "sim:paraphraser"}, stepPair...)
	first := stepsInto(t, whole...)
	file := filepath.Join(t.TempDir(), "all.jsonl")
	must(t, "store", "export", first, "-o", file)
	of := func(id string) string { return "recorded:" + file + "?model=" + id }
	again := []string{"--before", of("stepwise"), "--after", of("stepwise?error=0.3"), "--paraphraser", of("paraphraser"), "--judge", of("step-judge"), "-d", "demo", "-n", "3", "-k", "3"}
	second := filepath.Join(t.TempDir(), "second")
	status, _, errs := command(t, append([]string{"steps", "-o", second}, again...)...)
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	plain := func(dir string) step.Findings {
		f := stepsOf(t, dir).Findings
		f.Analyses, f.Claims, f.Decisions, f.Settings = nil, nil, nil, step.Settings{}
		for i := range f.Cells {
			f.Cells[i].Model = fmt.Sprint(i)
			for j := range f.Cells[i].Traces {
				f.Cells[i].Traces[j].Judge = ""
			}
		}
		for i := range f.Pairs {
			f.Pairs[i].Before, f.Pairs[i].After, f.Pairs[i].Judge = "", "", ""
		}
		return f
	}
	a, _ := json.Marshal(plain(first))
	b, _ := json.Marshal(plain(second))
	if len(a) < 2000 || !bytes.Equal(a, b) {
		t.Errorf("the findings differ:\n%s\n%s", a, b)
	}
	out := filepath.Join(t.TempDir(), "again.jsonl")
	must(t, "store", "export", second, "-o", out)
	x, errX := os.ReadFile(file)
	y, errY := os.ReadFile(out)
	_, x, _ = bytes.Cut(x, []byte("\n")) // the head has the models' ids
	_, y, _ = bytes.Cut(y, []byte("\n"))
	if errX != nil || errY != nil || !bytes.Equal(x, y) {
		t.Errorf("the replay exports %d bytes, the run %d: %v, %v", len(y), len(x), errY, errX)
	}
	if _, diff, _ := command(t, "store", "diff", first, second); !strings.Contains(diff, "in the first alone 0, in the second alone 0") || !strings.Contains(diff, "texts: 0 of") {
		t.Errorf("store diff: %s", diff)
	}
	must(t, "store", "verify", second)
	again[len(again)-3] = "5"
	if status, _, errs := command(t, append([]string{"steps", "-o", second}, again...)...); status != exitFailure || !strings.Contains(errs, "requests failed") {
		t.Errorf("items that were never asked: status %d\n%s", status, errs)
	}
}
