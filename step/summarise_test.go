package step_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// planted are records of a model with known rates: of right chains and of wrong steps, as a perfect judge sees them, and of
// judge two, which finds 8 of 10 errors and calls 1 of 10 correct steps one.
func planted(model string, items int, right, wrong float64, seed uint64) []percuss.Record {
	rng := rand.New(rand.NewPCG(seed, 7))
	var out []percuss.Record
	for i := range items {
		r := step.Record{Subject: percuss.SubjectID{Variant: "neutral", Model: model, Set: "mine", Item: fmt.Sprint("q", i)}, Gold: "B", Options: 4}
		for range 4 {
			c := step.Chain{State: step.Read, Outcome: percuss.OK, Answer: "A", Tokens: 40, Words: 30}
			if c.Correct = rng.Float64() < right; c.Correct {
				c.Answer = "B"
			}
			v := step.Viewed{View: "markers"}
			for range 5 {
				s := step.Step{Words: 6, Hedged: rng.Float64() < 0.2}
				one, two := step.Correct, step.Correct
				if bad := rng.Float64() < wrong; bad {
					one = step.Factual
					if rng.Float64() < 0.8 {
						two = step.Erroneous
					}
				} else if rng.Float64() < 0.1 {
					two = step.Unsupported
				}
				s.Says = []step.Verdict{{Judge: "one", Says: one, Asked: 1}, {Judge: "two", Says: two, Asked: 1}}
				v.Steps = append(v.Steps, s)
			}
			v.Steps[4] = step.Step{Words: 4, Blank: true}
			v.Steps = append(v.Steps, step.Step{Words: 3, Says: []step.Verdict{{Judge: "one", Says: step.Missing}, {Judge: "two", Says: step.Abstain}}})
			c.Views = []step.Viewed{v}
			r.Chains = append(r.Chains, c)
		}
		out = append(out, r)
	}
	return out
}

func summarised(t *testing.T, o step.Options, records ...[]percuss.Record) step.Findings {
	t.Helper()
	o.Bootstrap = 500
	return step.New(o).Summarise(slices.Values(slices.Concat(records...))).(step.Findings)
}

func compared() step.Options {
	o := options()
	o.K, o.Views, o.Neutral = 4, o.Views[:1], nil
	o.Pairs = []step.Pairing{{Before: "old", After: "new"}}
	o.Models = map[string]step.Described{"old": {Role: step.Before}, "new": {Role: step.After}}
	o.Quality = map[string]step.Quality{"two": {Sensitivity: 0.8, Specificity: 0.9, From: "given"}}
	return o
}

func holds(e percuss.Estimate, truth float64) bool {
	return e.Lo.Or(math.Inf(1)) <= truth && truth <= e.Hi.Or(math.Inf(-1))
}

// Planted rates are found within their intervals; a judge of known quality is corrected to them.
func TestPlantedRates(t *testing.T) {
	f := summarised(t, compared(), planted("old", 80, 0.5, 0.1, 1), planted("new", 80, 0.8, 0.3, 2))
	if len(f.Cells) != 2 || len(f.Cells[0].Traces) != 2 {
		t.Fatalf("%d cells", len(f.Cells))
	}
	for i, truth := range []struct{ right, wrong float64 }{{0.5, 0.1}, {0.8, 0.3}} {
		c := f.Cells[i]
		one, two := c.Traces[0], c.Traces[1]
		if !holds(c.Accuracy, truth.right) || !holds(one.Errors, truth.wrong) || !holds(two.Corrected, truth.wrong) || !holds(c.Hedged, 0.2*4/6) {
			t.Errorf("%s: accuracy %+v, errors %+v, corrected %+v, hedged %+v", c.Model, c.Accuracy, one.Errors, two.Corrected, c.Hedged)
		}
		if seen := truth.wrong*0.8 + (1-truth.wrong)*0.1; !holds(two.Errors, seen) {
			t.Errorf("%s: judge two should see %.3f, shows %+v", c.Model, seen, two.Errors)
		}
		if one.Corrected.Value.OK() || one.Corrected.Why == "" {
			t.Errorf("a judge of unknown quality is corrected: %+v", one.Corrected)
		}
		if one.Steps != 80*4*6 || one.Abstained != 80*4 || one.Missing != 80*4 || two.Abstained != 2*80*4 {
			t.Errorf("steps of judge one: %d, without claim %d, without verdict %d; of two %d", one.Steps, one.Abstained, one.Missing, two.Abstained)
		}
		if want := 1 - math.Pow(1-truth.wrong, 4); !holds(one.Chains, want) {
			t.Errorf("%s: %.3f of the chains should have an error, %+v", c.Model, want, one.Chains)
		}
	}
	if c := f.Cells[0]; len(c.Curve) != 3 || c.Curve[2].K != 4 || c.Curve[0].Accuracy.Value != c.Accuracy.Value {
		t.Errorf("the curve is %+v, accuracy %+v", c.Curve, c.Accuracy)
	}
}

func TestVerdicts(t *testing.T) {
	o := compared()
	for _, c := range []struct {
		right, wrong float64
		want         step.Direction
	}{{0.8, 0.3, step.UpDown}, {0.8, 0.02, step.UpUp}, {0.2, 0.3, step.DownDown}, {0.2, 0.02, step.DownUp}, {0.5, 0.3, step.Untold}, {0.8, 0.1, step.Untold}} {
		f := summarised(t, o, planted("old", 120, 0.5, 0.1, 1), planted("new", 120, c.right, c.wrong, 5))
		p := f.Pairs[0]
		if p.Verdict != c.want || (p.Why == "") != (c.want != step.Untold) || p.Judge != "one" || p.Items != 120 {
			t.Errorf("accuracy %.1f, errors %.2f: %s %q; accuracy %+v, errors %+v", c.right, c.wrong, p.Verdict, p.Why, p.Accuracy, p.Errors)
		}
		if q := f.Pairs[1]; q.Judge != "two" || math.Abs(q.Corrected.Value.Or(9)-q.Errors.Value.Or(0)/(0.8+0.9-1)) > 1e-12 || !holds(q.Corrected, q.Corrected.Value.Or(9)) {
			t.Errorf("the corrected difference of judge two is %+v, the raw one %+v", q.Corrected, q.Errors)
		}
	}
}

// A change of style alone moves nothing.
func TestTheSameStepsMoveNothing(t *testing.T) {
	f := summarised(t, compared(), planted("old", 60, 0.6, 0.2, 3), planted("new", 60, 0.6, 0.2, 3))
	p := f.Pairs[0]
	if v, ok := p.Errors.Value.Get(); !ok || v != 0 || p.Verdict != step.Untold || len(p.Errors.Warnings) == 0 {
		t.Errorf("the same chains differ: %+v, %s", p.Errors, p.Verdict)
	}
}

func TestNothingToSummarise(t *testing.T) {
	f := summarised(t, compared())
	if len(f.Cells) != 0 || len(f.Pairs) != 0 || len(f.Analyses) == 0 {
		t.Errorf("findings of nothing: %+v", f)
	}
	for _, a := range f.Analyses {
		for _, table := range a.Tables {
			if len(table.Rows) == 0 && table.Absent == "" {
				t.Errorf("table %s has no rows and does not say why", table.ID)
			}
		}
	}
	none := step.Record{Subject: percuss.SubjectID{Model: "old", Set: "mine", Item: "q"}, Gold: "A", Chains: []step.Chain{{State: step.NoCall}, {State: step.NoCall}, {State: step.NoCall}, {State: step.NoCall}}}
	f = summarised(t, compared(), []percuss.Record{none})
	if c := f.Cells[0]; c.Accuracy.Value.OK() || c.Majority.Value.OK() || c.ECE.Value.OK() || c.Accuracy.Why == "" || c.Majority.Why == "" || c.ECE.Why == "" || c.Unvoted != 1 {
		t.Errorf("a cell without answers: %+v", c)
	}
}

// Every row has a cell for each column, and every missing estimate says why.
func TestTablesAreWhole(t *testing.T) {
	f := summarised(t, compared(), planted("old", 20, 0.5, 0.1, 1), planted("new", 20, 0.8, 0.3, 2))
	ids := map[string]bool{}
	for _, a := range f.Analyses {
		for _, table := range a.Tables {
			if ids[table.ID] {
				t.Errorf("two tables are called %s", table.ID)
			}
			ids[table.ID] = true
			for _, row := range table.Rows {
				if len(row.Cells) != len(table.Columns) {
					t.Errorf("table %s: %d cells in a row, %d columns", table.ID, len(row.Cells), len(table.Columns))
					break
				}
				for i, c := range row.Cells {
					if table.Columns[i].Scale != percuss.Words && !c.Estimate.Value.OK() && c.Estimate.Why == "" {
						t.Errorf("table %s: column %s is missing and does not say why", table.ID, table.Columns[i].ID)
					}
				}
			}
		}
	}
}
