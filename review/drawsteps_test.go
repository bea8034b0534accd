package review

import (
	"bytes"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/step"
)

// stepRun is a run of the step audit: two models on two sets, two chains an item of four steps, the second of which is blank. The
// judge calls the last step of every third item an error; both chains of the first item are the same.
func stepRun(items int) Steps {
	var all []Stepped
	for _, model := range []string{"model-a", "model-b"} {
		for _, set := range []string{"set-one", "set-two"} {
			for n := range items {
				id := percuss.SubjectID{Variant: "variant-v", Model: model, Set: set, Item: fmt.Sprintf("%s-%02d", set, n)}
				a := Stepped{Record: step.Record{Subject: id, Gold: "gold-b"}, Subject: percuss.Subject{SubjectID: id, Question: percuss.Question{Stem: fmt.Sprintf("Patient %d. What now?", n), Gold: "gold-b",
					Options: []percuss.Option{{Label: "A", Text: "one"}, {Label: "B", Text: "two"}}}}}
				for chain := range 2 {
					last := step.Correct
					if n%3 == 0 {
						last = step.Unsupported
					}
					says := func(s step.Says) []step.Verdict {
						return []step.Verdict{{Judge: "judge-j", Says: s}, {Judge: "judge-k", Says: step.Abstain}}
					}
					v := step.Viewed{View: "view-w", Steps: []step.Step{{Says: says(step.Correct)}, {Blank: true}, {Says: says(step.Missing)}, {Says: says(last)}, {}}}
					a.Record.Chains = append(a.Record.Chains, step.Chain{State: step.Read, Answer: "answer-c", Views: []step.Viewed{v}})
					a.Shown = append(a.Shown, []string{"First step.", "", fmt.Sprintf("Second step %d.", chain*min(n, 1)), "Last step.", "Not judged."})
				}
				all = append(all, a)
			}
		}
	}
	return Steps{Run: "run-r", View: "view-w", Tiers: map[string]string{"model-a": "tier-x"}, Subjects: func(wanted func(percuss.SubjectID) bool) iter.Seq[Stepped] {
		return func(yield func(Stepped) bool) {
			for _, a := range all {
				if (wanted == nil || wanted(a.Record.Subject)) && !yield(a) {
					return
				}
			}
		}
	}}
}

func drawnSteps(t *testing.T, c Steps, o Options) Sample {
	t.Helper()
	s, err := DrawSteps(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// Each model gives the same number to each bucket, its sets in turns; what is missing is told, and the weights make up all judged steps.
func TestDrawSteps(t *testing.T) {
	s := drawnSteps(t, stepRun(12), Options{Seed: 3, Quotas: []Quota{{erroneous, 41}, {others, 20}}})
	got := strata(s)
	for bucket, want := range map[string]Stratum{erroneous + ", model-a": {There: 14, Drawn: 14}, others + ", model-a": {There: 102, Drawn: 10}, others + ", model-b": {There: 102, Drawn: 10}} {
		if x := got[bucket]; x.There != want.There || x.Drawn != want.Drawn {
			t.Errorf("%s: %+v, want %+v", bucket, x, want)
		}
	}
	if a, b := got[erroneous+", model-a"].Wanted, got[erroneous+", model-b"].Wanted; a+b != 41 || a < 20 || b < 20 {
		t.Errorf("of 41 wanted the models share %d and %d", a, b)
	}
	weights, sets, places := map[string]float64{}, map[string]int{}, map[int]int{}
	for i, k := range s.Keys {
		weights[k.Bucket+", "+k.Model] += k.Weight
		alike := 1.0
		if k.Step == 1 || strings.HasSuffix(k.Item, "-00") { // both chains have it
			alike = 2
		}
		if k.Bucket == others && math.Abs(k.Weight-alike*51/5) > 1e-9 {
			t.Errorf("%+v weighs %g: 5 of 51 were drawn, and %g look like it", k, k.Weight, alike)
		}
		sets[k.Bucket+k.Model+k.Set]++
		places[k.Step]++
		steps := s.Items[i].Parts[2]
		shown := map[int]int{1: 1, 3: 2, 4: 3}[k.Step] // the blank one is not
		last := steps.Rows[len(steps.Rows)-1]
		if len(steps.Rows) != shown || !last.Marked || steps.Rows[0].Marked && shown > 1 || !strings.HasPrefix(last.Text, []string{"First", "Second", "Last"}[shown-1]) {
			t.Errorf("step %d of the chain is shown as %+v", k.Step, steps)
		}
	}
	for _, name := range []string{erroneous + ", model-a", erroneous + ", model-b"} {
		if math.Abs(weights[name]-16) > 1e-9 { // on 2 sets 4 items of 2 chains, all drawn
			t.Errorf("%s: weights sum to %g, want 16", name, weights[name])
		}
	}
	if sets[others+"model-aset-one"] != 5 || sets[others+"model-bset-two"] != 5 || places[1] == 0 || places[3] == 0 || places[4] < 28 {
		t.Errorf("by set %v, by place %v", sets, places)
	}
	more := drawnSteps(t, stepRun(12), Options{Seed: 3, Quotas: []Quota{{erroneous, 41}, {others, 30}}})
	for _, id := range ids(s) {
		if !slices.Contains(ids(more), id) {
			t.Errorf("%s is not in the larger sample", id)
		}
	}
	if other := drawnSteps(t, stepRun(12), Options{Seed: 4}); slices.Contains(ids(other), ids(s)[0]) {
		t.Error("another seed draws the same")
	}
}

// What raters get names neither model nor judge, item, answer or label, and its order does not follow the strata; ids need the run.
func TestStepsAreBlind(t *testing.T) {
	s := drawnSteps(t, stepRun(30), Options{Seed: 3})
	form, err := blind.FormOf(blind.Steps)
	if err != nil {
		t.Fatal(err)
	}
	p, key, err := s.Compose(Composing{Form: form, Attention: 1, Repeats: 3})
	if err != nil {
		t.Fatal(err)
	}
	var raters bytes.Buffer
	if err := blind.WritePackage(&raters, p); err != nil {
		t.Fatal(err)
	}
	for _, secret := range []string{"model-a", "tier-x", "set-one", "variant-v", "view-w", "judge-j", "run-r", `"no error"`} {
		if strings.Contains(raters.String(), secret) || !bytes.Contains(key, []byte(secret)) {
			t.Errorf("%s is told, or not in the key", secret)
		}
	}
	for _, secret := range []string{"gold-b", "answer-c", "Not judged", "weight"} {
		if strings.Contains(raters.String(), secret) {
			t.Errorf("%s is told", secret)
		}
	}
	half := map[string]int{}
	for i, k := range s.Keys {
		if i < len(s.Keys)/2 {
			half[k.Bucket]++
			half[k.Model]++
		}
	}
	for _, name := range []string{erroneous, others, "model-a", "model-b"} {
		if n := half[name]; n < len(s.Keys)/8 || n > 3*len(s.Keys)/8 {
			t.Errorf("of the first half of %d items %d are %s", len(s.Keys), n, name)
		}
	}
	changed := stepRun(30)
	whole := changed.Subjects
	changed.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[Stepped] {
		return func(yield func(Stepped) bool) {
			for a := range whole(wanted) {
				if a.Record.Subject.Item == "set-two-29" {
					a.Record.Chains[1].Views[0].Steps[2].Says[1].Says = step.Correct
				}
				if !yield(a) {
					return
				}
			}
		}
	}
	if two := ids(drawnSteps(t, changed, Options{Seed: 3})); slices.ContainsFunc(two, func(id string) bool { return slices.Contains(ids(s), id) }) {
		t.Error("ids stay where a verdict of the run differs")
	}
}

// Where the judges saw a step in other words than this version has, that is told.
func TestStepsInOtherWords(t *testing.T) {
	for text, other := range map[string]bool{"The step:\n> First step.": false, "The step:\n> The first step.": true} {
		c := stepRun(2)
		whole := c.Subjects
		c.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[Stepped] {
			return func(yield func(Stepped) bool) {
				for a := range whole(wanted) {
					trial := percuss.Trial{ID: "c1/view-w/1/judge:judge-j"}
					trial.Ask(percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: text}}})
					a.Trials = []percuss.Trial{trial}
					if !yield(a) {
						return
					}
				}
			}
		}
		s := drawnSteps(t, c, Options{Seed: 3, Quotas: []Quota{{others, 100}}})
		if told := strings.HasPrefix(s.Lacks, "8 of the steps"); told != other { // both models, both sets, two items; the second chain's first step looks like it
			t.Errorf("a judge that saw %q: %q", text, s.Lacks)
		}
	}
}

func TestNoStepsToDraw(t *testing.T) {
	c := stepRun(2)
	c.View = "another view"
	if _, err := DrawSteps(c, Options{}); err == nil || !strings.Contains(err.Error(), "--judge") {
		t.Errorf("no step was judged: %v", err)
	}
}
