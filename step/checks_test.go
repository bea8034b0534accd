package step_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// checked are records of a model: of every n-th item the calculation is wrong and the judge says so; of every other one a number
// is from nowhere and the judge calls it right.
func checked(model string, items, n int) []percuss.Record {
	var out []percuss.Record
	for i := range items {
		r := few(fmt.Sprint("q", i), step.Correct, step.Correct, step.Correct)
		r.Subject.Model = model
		steps := r.Chains[0].Views[0].Steps
		steps[0].Checks = step.Checks{Sums: 2, Numbers: 3}
		if i%n == 0 {
			steps[0].Checks.WrongSums, steps[0].Says[0].Says = 1, step.Arithmetic
		}
		if i%2 == 0 {
			steps[1].Checks = step.Checks{Numbers: 1, NewNumbers: 1}
		}
		out = append(out, r)
	}
	return out
}

func TestChecksBesideJudgesAndExperts(t *testing.T) {
	o := compared()
	o.K, o.Judges, o.Quality = 1, o.Judges[:1], nil
	old, later := checked("old", 40, 4), checked("new", 40, 2)
	for i, r := range old[:20] {
		s := r.Of()
		for n, says := range []step.Says{step.Correct, step.Correct, step.Factual} {
			if n == 0 && i%8 == 0 {
				says = step.Arithmetic // experts call half of the wrong calculations an error
			}
			o.Experts = append(o.Experts, step.Label{Rater: "Ann", Model: s.Model, Item: s.Item, Chain: 1, Step: n + 1, Says: says})
		}
	}
	f := summarised(t, o, old, later)
	table := tableIn(t, f, "checks")
	for row, want := range map[int][3]float64{0: {80, 10.0 / 80, 100 * 10.0 / 120}, 1: {140, 20.0 / 140, 100 * 20.0 / 120}, 3: {80, 20.0 / 80, 100 * 20.0 / 120}} {
		for i, column := range []string{"looked", "wrong", "steps"} {
			if e := cellIn(t, table, row, column).Estimate; math.Abs(e.Value.Or(9)-want[i]) > 1e-9 || i > 0 && !holds(e, want[i]) {
				t.Errorf("row %d, %s: %+v, want %g", row, column, e, want[i])
			}
		}
	}
	if e := cellIn(t, table, 2, "wrong").Estimate; e.Value.OK() || e.Why == "" {
		t.Errorf("nothing was stated of age, sex or side: %+v", e)
	}
	if e := cellIn(t, tableIn(t, f, "checks_pairs"), 0, "change").Estimate; math.Abs(e.Value.Or(9)-10.0/80) > 1e-9 || !holds(e, 10.0/80) {
		t.Errorf("wrong calculations after less before: %+v", e)
	}
	judges := tableIn(t, f, "checks_judges")
	for row, want := range [][3]float64{{30, 1, 0}, {40, 0, 30.0 / 200}} { // the judge calls all 30 wrong calculations of 240 steps an error
		for i, column := range []string{"flagged", "precision", "quiet"} {
			if e := cellIn(t, judges, row, column).Estimate; math.Abs(e.Value.Or(9)-want[i]) > 1e-9 {
				t.Errorf("judge, row %d, %s: %+v, want %g", row, column, e, want[i])
			}
		}
	}
	experts := tableIn(t, f, "checks_experts")
	for row, want := range [][4]float64{{60, 5, 3.0 / 5, 20.0 / 55}, {60, 10, 0, 23.0 / 50}} {
		for i, column := range []string{"steps", "flagged", "precision", "quiet"} {
			if e := cellIn(t, experts, row, column).Estimate; math.Abs(e.Value.Or(9)-want[i]) > 1e-9 {
				t.Errorf("experts, row %d, %s: %+v, want %g", row, column, e, want[i])
			}
		}
	}
	if e := cellIn(t, experts, 2, "precision").Estimate; e.Value.OK() || e.Why == "" {
		t.Errorf("a check that flags nothing has a precision: %+v", e)
	}
}
