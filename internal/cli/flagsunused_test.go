package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss/model/openai/openaitest"
)

// A flag that would change nothing is a mistake, told before anything is asked, with what to do.
func TestFlagsThatWouldChangeNothing(t *testing.T) {
	dir := t.TempDir()
	questions, cases := filepath.Join(dir, "questions"), filepath.Join(dir, "cases")
	chained := []string{"chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "M2-sex"}
	evident := []string{"evidence", "-m", "sim:additive", "-d", "demo", "-n", "1", "--order", "1", "--stability", "0", "--neutralize", "0",
		"--selectors", "0", "--counterfactuals", "0", "--floor", "0"}
	must(t, append(slices.Clone(chained), "-o", questions)...)
	must(t, append(slices.Clone(evident), "-o", cases)...)
	planned := append([]string{"plan"}, chained...)
	for _, c := range []struct {
		args  []string
		given string   // the flag that the error names, with its value
		with  []string // with these it is taken; nil: it never is here
	}{
		{chained, "--poll 1m", nil}, {append(slices.Clone(chained), "--batch=false"), "--poll 1m", nil},
		{planned, "--currency EUR", []string{"--price-output", "2"}},
		{planned, "--judge-family qwen", []string{"--judge", "sim:judge"}},
		{planned, "--system You", []string{"--prompt", "strict+self-grounding"}},
		{planned, "--system You", []string{"--tier", "medical"}},
		{append(slices.Clone(planned), "--all"), "--items 3", nil},
		{append([]string{"plan"}, evident...), "--families 2", []string{"--counterfactuals", "1"}},
		{append([]string{"plan"}, evident...), "--check-order 2", []string{"--stability", "1"}},
		{[]string{"report", questions, "--json"}, "--format tex", nil}, {[]string{"report", questions, "--json"}, "--full", nil},
		{[]string{"report", questions}, "--salience 2", nil}, {[]string{"report", cases}, "--margin 0.1", nil},
		{[]string{"show", questions}, "--key", []string{"1"}}, {[]string{"show", questions, "1", "--json"}, "--key", nil},
		{[]string{"data", "check", "demo", "--cases"}, "--battery extended", nil},
		{[]string{"data", "check", "ddxplus"}, "--battery extended", nil},
		{chained, "--threads 1", nil}, {chained, "--memory 6GB", nil}, {chained, "--parallel 2", nil}, {chained, "--lib x", nil},
		{chained, "--concurrency 2", nil}, {chained, "--rpm 5", nil}, {chained, "--tpm 5", nil}, {chained, "--patience 1m", nil},
		{chained, "--first-byte 1m", nil}, {evident, "--idle 1m", nil},
		{[]string{"probe", "-m", "sim:faithful"}, "--rpm 5", nil},
	} {
		args := append(slices.Clone(c.args), strings.Fields(c.given)...)
		if c.args[0] == "chain" || c.args[0] == "evidence" {
			args = append(args, "-o", filepath.Join(dir, "new"))
		}
		flag := strings.Fields(c.given)[0]
		status, out, said := command(t, args...)
		if status != exitUsage || !strings.Contains(said, flag) || out != "" || !strings.Contains(said, "leave") && !strings.Contains(said, "has none") {
			t.Errorf("%v: status %d, said %q, printed %.100q", args, status, said, out)
		}
		if c.with != nil {
			must(t, append(args, c.with...)...)
		}
	}
}

// One model that a flag is for is enough.
func TestFlagsForOneOfSeveralModels(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	answering(s)
	must(t, "chain", "-m", served(s, ""), "-m", "sim:faithful", "-d", "demo", "-n", "1", "--battery", "M2-sex", "--rpm", "100000", "--concurrency", "2",
		"-o", filepath.Join(t.TempDir(), "run"))
}

// A file of operators of which the battery has none is a mistake; one that names a battery of built-in operators is not.
func TestFileOfOperatorsThatTheBatteryDoesNotName(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "mine.yaml")
	own := `extends: [paper]
batteries:
  few: [F1, M2]
operators:
  - {family: X-smoking, title: smoker made a non-smoker, does: denies the first tobacco use, block: M, intent: D, locus: Sur, source: ours,
     version: X-smoking/1, edit: regexp, find: 'smokes', to: 'has never smoked', tokens: [never], variants: [{id: X-smoking-a, variant: a}]}
`
	if err := os.WriteFile(file, []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	args := []string{"plan", "chain", "-m", "sim:faithful", "-d", "demo", "-n", "1", "--operators", file}
	status, out, said := command(t, args...)
	if status != exitUsage || out != "" || !strings.Contains(said, file) || !strings.Contains(said, "--battery paper+FAMILY") {
		t.Errorf("status %d, said %q", status, said)
	}
	for _, battery := range []string{"paper+X-smoking", "X-smoking-a", "few"} {
		must(t, append(slices.Clone(args), "--battery", battery)...)
	}
}
