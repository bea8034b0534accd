package simulated

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
)

var stepRubric = judge.DefaultSteps()

// put asks a judge about a step, and once more where its reply is malformed.
func put(t testing.TB, m *Model, s judge.Step) (judge.StepVerdict, int) {
	t.Helper()
	r := stepRubric
	identity := m.Capabilities().Identity
	first := m.answer(r.Ask(s, identity, 1))
	if v := r.Read(first); v.Label != judge.StepMalformed {
		return v, 1
	}
	return r.Read(m.answer(r.Repair(s, identity, 1, first))), 2
}

func sumStep(i int, right bool) judge.Step {
	result := 5 * (i + 10)
	if !right {
		result++
	}
	return judge.Step{Item: fmt.Sprint("q", i%7), Question: kneeCase, Text: fmt.Sprintf("%d times 5 is %d.", i+10, result)}
}

func TestAPerfectJudgeOfSteps(t *testing.T) {
	m := judgeOf(t, "step-judge")
	if id := m.Capabilities().Identity; id != "sim:step-judge?abstain=0&malformed=0&mend=0.5&rate=0.1&repeat=0&seed=0&sensitivity=1&specificity=1&style_bias=0" {
		t.Errorf("identity %q", id)
	}
	for text, want := range map[string]judge.StepVerdict{
		"The patient is 54 years old.":        {Label: judge.StepCorrect},
		"The patient is female.":              {Label: judge.StepError, Kind: "contradicts_case"},
		"The text names the right knee.":      {Label: judge.StepError, Kind: "contradicts_case"},
		"Ticks carry malaria.":                {Label: judge.StepError, Kind: "factual"},
		"One symptom proves the disease.":     {Label: judge.StepError, Kind: "unsupported"},
		"12 plus 15 is 28.":                   {Label: judge.StepError, Kind: "arithmetic"},
		"We look at the options one by one.":  {Label: judge.StepAbstain},
		"Step 1: So **the patient is male.**": {Label: judge.StepCorrect},
	} {
		for _, before := range [][]string{nil, {"The step:", "The patient is female."}} {
			s := judge.Step{Item: "q1", Question: kneeCase, Before: before, Text: text, Gold: "A. Rest"}
			if got, n := put(t, m, s); got != want || n != 1 {
				t.Errorf("%q is judged %v after %d calls, want %v", text, got, n, want)
			}
		}
	}
	if a := m.answer(percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: "What next?"}}}); stepRubric.Read(a).Label != judge.StepMalformed {
		t.Errorf("a question is answered %q", a.Text)
	}
}

// nearRate reports whether a share of n draws is within four standard deviations of its rate.
func nearRate(got, n int, rate float64) bool {
	return math.Abs(float64(got)-rate*float64(n)) <= 4*math.Sqrt(rate*(1-rate)*float64(n))+1e-9
}

func TestAJudgeOfStepsErrsAtItsRates(t *testing.T) {
	const n = 500
	m := judgeOf(t, "step-judge?sensitivity=0.8&specificity=0.9&abstain=0.1&malformed=0.2&mend=0.7&seed=3")
	hits, alarms, silent, asked, missing := 0, 0, 0, 0, 0
	for i := range n {
		for _, right := range []bool{true, false} {
			v, calls := put(t, m, sumStep(i, right))
			asked += calls - 1
			switch {
			case v.Label == judge.StepMalformed:
				missing++
			case v.Label == judge.StepAbstain:
				silent++
			case v.Label == judge.StepError && right:
				alarms++
			case v.Label == judge.StepError && v.Kind == "arithmetic":
				hits++
			}
		}
	}
	read := 1 - 0.2*0.3
	for what, ok := range map[string]bool{"asked once more": nearRate(asked, 2*n, 0.2), "without a verdict": nearRate(missing, 2*n, 0.06), "nothing to check": nearRate(silent, 2*n, read*0.1),
		"found errors": nearRate(hits, n, read*0.9*0.8), "false alarms": nearRate(alarms, n, read*0.9*0.1)} {
		if !ok {
			t.Errorf("%s: not at its rate (asked %d, missing %d, silent %d, hits %d, alarms %d)", what, asked, missing, silent, hits, alarms)
		}
	}
}

// Another order of the examples moves a verdict at the rate that was asked for, and nothing else does.
func TestAJudgeOfStepsRepeats(t *testing.T) {
	const n = 500
	for _, repeat := range []float64{0, 0.3} {
		m := judgeOf(t, fmt.Sprintf("step-judge?sensitivity=0.5&specificity=0.5&repeat=%g", repeat))
		moved := 0
		for i := range n {
			s := sumStep(i, i%2 == 0)
			first, _ := put(t, m, s)
			s.Draw = 1
			if again, _ := put(t, m, s); again.Label != first.Label {
				moved++
			}
		}
		if !nearRate(moved, n, repeat/2) { // other draws of a fair coin agree half of the time
			t.Errorf("repeat=%g: %d of %d verdicts moved", repeat, moved, n)
		}
	}
}

// A step that no simulator wrote is an error at the base rate, the same for every judge and in every style.
func TestAJudgeOfRealSteps(t *testing.T) {
	const n = 400
	one, two := judgeOf(t, "step-judge?rate=0.25&seed=1"), judgeOf(t, "step-judge?rate=0.25&seed=2")
	errors := 0
	for i := range n {
		s := judge.Step{Item: "q", Question: "Who is ill?", Text: fmt.Sprintf("Since the value is %d, the old cause is ruled out.", i)}
		a, _ := put(t, one, s)
		b, _ := put(t, two, s)
		styled, reworded := s, s
		styled.Text = fmt.Sprintf("Step %d: So **%s** Let me double-check.", i%9+1, s.Text)
		reworded.Text = otherWords(s.Text)
		c, _ := put(t, one, styled)
		d, _ := put(t, one, reworded)
		if a.Label == judge.StepError {
			errors++
		}
		if a != b || a.Label != c.Label || a.Label != d.Label || reworded.Text == s.Text {
			t.Errorf("%q is judged %v, %v, %v and as %q %v", s.Text, a, b, c, reworded.Text, d)
		}
	}
	if !nearRate(errors, n, 0.25) {
		t.Errorf("%d of %d steps are errors, want a quarter", errors, n)
	}
}

// A judge that is biased by style calls steps errors for their looks, and none that it sees without them.
func TestAJudgeBiasedByStyle(t *testing.T) {
	const n = 300
	m := judgeOf(t, "step-judge?style_bias=0.4")
	marked, plain := 0, 0
	for i := range n {
		s := sumStep(i, true)
		if v, _ := put(t, m, s); v.Label == judge.StepError {
			plain++
		}
		s.Text = "Step 1: I think that " + s.Text
		if v, _ := put(t, m, s); v.Label == judge.StepError {
			marked++
		}
	}
	if plain != 0 || !nearRate(marked, n, 0.4) {
		t.Errorf("%d of %d plain steps and %d of those with style are called errors", plain, n, marked)
	}
}

func TestParameters(t *testing.T) {
	for spec, says := range map[string]string{"step-judge?sensitivity=2": "probability", "stepwise?steps=0": "from 1 to 40", "stepwise?steps=2.5": "whole number",
		"stepwise?style=loud": "plain, markdown, chatty", "paraphraser?style=plain": "latency, seed", "stepwise?flip_d=1": "no_claim"} {
		if _, err := New(nil, nil, spec); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want an error that says %q", spec, err, says)
		}
	}
}
