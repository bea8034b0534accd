package judge_test

import (
	"os"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
)

// FuzzLoadSteps: a rubric is read or refused by the name of its file; what is read asks for every step in the same bytes each
// time, and shows the step.
func FuzzLoadSteps(f *testing.F) {
	built, err := os.ReadFile("steps.yaml")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(built), "He coughs.", "VERDICT: ERROR (factual)")
	f.Add(strings.Replace(string(built), "name:", "nom:", 1), "", "")
	f.Add(strings.Replace(string(built), "{{", "{{.Nobody", 1), "{{.Text}}", "VERDICT: CORRECT\nVERDICT: ERROR")
	f.Add("name: a\nmax_tokens: -1\n", "\xff", "verdict : nothing to check")
	f.Fuzz(func(t *testing.T, file, step, said string) {
		r, err := judge.LoadSteps(strings.NewReader(file), "fuzzed.yaml")
		if err != nil {
			if !strings.Contains(err.Error(), "fuzzed.yaml") {
				t.Errorf("an error without the file's name: %v", err)
			}
			return
		}
		c := judge.Step{Item: "q", Question: "Why?", Before: []string{"He is ill."}, Text: step}
		one, two := r.Ask(c, "j", 1), r.Ask(c, "j", 1)
		if one.Key() != two.Key() || len(one.Messages) == 0 {
			t.Errorf("%d messages, asked in two ways", len(one.Messages))
		}
		answer := percuss.Answer{Outcome: percuss.OK, Text: said}
		if v := r.Read(answer); v.Label == judge.StepMalformed {
			r.Repair(c, "j", 1, answer)
		}
		r.Paraphrase(step, "n")
		r.Paraphrased(answer)
	})
}
