package step_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// tableOf is a table of the findings.
func tableOf(t *testing.T, f step.Findings, id string) percuss.Table {
	t.Helper()
	for _, a := range f.Analyses {
		for _, table := range a.Tables {
			if table.ID == id {
				return table
			}
		}
	}
	t.Fatalf("there is no table %s", id)
	return percuss.Table{}
}

// under is a cell of a row, by the id of its column.
func under(t *testing.T, table percuss.Table, row int, id string) percuss.Cell {
	t.Helper()
	at := slices.IndexFunc(table.Columns, func(c percuss.Column) bool { return c.ID == id })
	if at < 0 || row >= len(table.Rows) {
		t.Fatalf("table %s has no column %s in row %d: %s", table.ID, id, row, table.Absent)
	}
	return table.Rows[row].Cells[at]
}

// near fails where an estimate is not the value.
func near(t *testing.T, what string, e percuss.Estimate, want float64) {
	t.Helper()
	if v, ok := e.Value.Get(); !ok || math.Abs(v-want) > 1e-9 {
		t.Errorf("%s is %+v, not %v", what, e, want)
	}
}

// steps are the records with something done to each step that a judge said something of, in the light of its chain.
func steps(records []percuss.Record, change func(chain *step.Chain, s *step.Step, at int)) []percuss.Record {
	for _, r := range records {
		chains := r.(step.Record).Chains
		for i := range chains {
			for at := range chains[i].Views[0].Steps {
				if s := &chains[i].Views[0].Steps[at]; len(s.Says) > 0 {
					change(&chains[i], s, at)
				}
			}
		}
	}
	return records
}

// countedOf is the error rate by judge one under a view, counted step by step, of the steps that are wanted.
func countedOf(records []percuss.Record, view int, wanted func(r step.Record, chain, at int, s step.Step) bool) float64 {
	errors, n := 0.0, 0.0
	for _, record := range records {
		r := record.(step.Record)
		for i, c := range r.Chains {
			if view >= len(c.Views) {
				continue
			}
			for at, s := range c.Views[view].Steps {
				if len(s.Says) > 0 && s.Says[0].Says.Judges() && wanted(r, i, at, s) {
					n++
					if s.Says[0].Says.IsError() {
						errors++
					}
				}
			}
		}
	}
	return errors / n
}

// withView shows the first chains under another view, too, where a share of the errors is not seen.
func withView(records []percuss.Record, view string, chains int, missed float64) []percuss.Record {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, r := range records {
		for i := range chains {
			c := &r.(step.Record).Chains[i]
			v := step.Viewed{View: view, Steps: slices.Clone(c.Views[0].Steps)}
			for at, s := range v.Steps {
				v.Steps[at].Says = slices.Clone(s.Says)
				for j := range s.Says {
					if s.Says[j].Says.IsError() && rng.Float64() < missed {
						v.Steps[at].Says[j].Says = step.Correct
					}
				}
			}
			c.Views = append(c.Views, v)
		}
	}
	return records
}

// A change that is one of the view goes away under the other one, and stays where the other one shows the same. The rates are
// those of the chains that were judged under both.
func TestControlsOfViews(t *testing.T) {
	o := compared()
	o.Views, o.Judged, o.Control = options().Views[:2], 4, 2
	for missed, want := range map[float64]string{0: "stays", 0.75: "cannot be told", 1: "turns round"} {
		old, new := withView(planted("old", 80, 0.5, 0.1, 1), "raw", 2, 0), withView(planted("new", 80, 0.8, 0.4, 2), "raw", 2, missed)
		f := summarised(t, o, old, new)
		pairs := tableOf(t, f, "control_view_pairs")
		if got := under(t, pairs, 0, "kept").Text; got != want {
			t.Errorf("with %.0f %% of the errors missed: %s, not %s", 100*missed, got, want)
		}
		inBoth := func(_ step.Record, chain, _ int, _ step.Step) bool { return chain < 2 }
		first, now := countedOf(new, 0, inBoth)-countedOf(old, 0, inBoth), countedOf(new, 1, inBoth)-countedOf(old, 1, inBoth)
		near(t, "the change under the first view", under(t, pairs, 0, "first").Estimate, first)
		near(t, "the change under the other view", under(t, pairs, 0, "errors").Estimate, now)
		near(t, "what is between", under(t, pairs, 0, "between").Estimate, now-first)
		views := tableOf(t, f, "control_views")
		near(t, "new under raw less under markers", under(t, views, 2, "difference").Estimate, countedOf(new, 1, inBoth)-countedOf(new, 0, inBoth))
		if gap := under(t, views, 2, "difference").Estimate; (missed > 0) != (gap.Hi.Or(9) < 0) {
			t.Errorf("with %.0f %% missed the views differ by %+v", 100*missed, gap)
		}
	}
}

// Errors that hang on the length of a step alone make no change between steps of equal length.
func TestControlOfLength(t *testing.T) {
	lengths := func(name string, long float64, seed uint64) []percuss.Record {
		rng := rand.New(rand.NewPCG(seed, 1))
		return steps(planted(name, 100, 0.5, 0, seed), func(_ *step.Chain, s *step.Step, _ int) {
			rate := 0.05
			if s.Words = 6; rng.Float64() < long {
				s.Words, rate = 40, 0.5
			}
			if s.Says[0].Says == step.Correct && rng.Float64() < rate {
				s.Says[0].Says = step.Factual
			}
		})
	}
	old, new := lengths("old", 0.2, 100), lengths("new", 0.8, 101)
	f := summarised(t, compared(), old, new)
	pairs, rates := tableOf(t, f, "control_length_pairs"), tableOf(t, f, "control_lengths")
	if raw := under(t, pairs, 0, "errors").Estimate; !(raw.Lo.Or(0) > 0.1) {
		t.Errorf("the rates do not differ: %+v", raw)
	}
	if equal := under(t, pairs, 0, "standardised").Estimate; !holds(equal, 0) || under(t, pairs, 0, "kept").Text != "cannot be told" {
		t.Errorf("at one mix of lengths: %+v, %s", equal, under(t, pairs, 0, "kept").Text)
	}
	near(t, "long steps of new", under(t, rates, 2, "long").Estimate, countedOf(new, 0, func(_ step.Record, _, _ int, s step.Step) bool { return s.Words == 40 }))
	if middle := under(t, rates, 0, "middle").Estimate; middle.Value.OK() || middle.Why == "" {
		t.Errorf("there is no step of middle length, and its rate is %+v", middle)
	}
	near(t, "steps a chain", under(t, rates, 0, "steps_chain").Estimate, 6)
}

// Chains with a wrong answer have the errors, and the votes of the two decide which items are compared.
func TestControlsOfAnswers(t *testing.T) {
	wrong := func(records []percuss.Record) []percuss.Record {
		return steps(records, func(c *step.Chain, s *step.Step, _ int) {
			if s.Says[0].Says.Judges() {
				s.Says[0].Says = map[bool]step.Says{true: step.Correct, false: step.Factual}[c.Correct]
			}
		})
	}
	old, new := wrong(planted("old", 60, 0.5, 0, 1)), wrong(planted("new", 60, 0.8, 0, 2))
	f := summarised(t, compared(), old, new)
	chains, votes := tableOf(t, f, "control_chains"), tableOf(t, f, "control_votes")
	near(t, "right chains", under(t, chains, 0, "right").Estimate, 0)
	near(t, "wrong chains", under(t, chains, 0, "wrong").Estimate, 1)
	near(t, "their difference", under(t, chains, 0, "difference").Estimate, 1)
	items := 0.0
	for row, says := range []string{"both right", "both wrong", "one right"} {
		if got := under(t, votes, row, "votes").Text; got != says {
			t.Errorf("row %d is %q", row, got)
		}
		items += under(t, votes, row, "items").Estimate.Value.Or(0)
		b, a, d := under(t, votes, row, "errors_before").Estimate, under(t, votes, row, "errors_after").Estimate, under(t, votes, row, "difference").Estimate
		near(t, says, d, a.Value.Or(9)-b.Value.Or(9))
	}
	if items != 60 {
		t.Errorf("%v items in all, not 60", items)
	}
	if right, wrong := under(t, votes, 0, "errors_before").Estimate, under(t, votes, 1, "errors_before").Estimate; right.Value.Or(1) >= wrong.Value.Or(0) {
		t.Errorf("errors on items that both answer correctly %+v, wrongly %+v", right, wrong)
	}
}

// Errors that stand in the last third only are found there.
func TestPositionOfErrors(t *testing.T) {
	f := summarised(t, compared(), steps(planted("old", 20, 0.5, 0, 1), func(_ *step.Chain, s *step.Step, at int) {
		if at == 3 { // with the blank one and the one without a verdict behind it, of six
			s.Says[0].Says = step.Unsupported
		}
	}))
	p := tableOf(t, f, "position")
	near(t, "first third", under(t, p, 0, "first").Estimate, 0)
	near(t, "second third", under(t, p, 0, "second").Estimate, 0.5)
	if last := under(t, p, 0, "third").Estimate; last.Value.OK() || !strings.Contains(last.Why, "three steps") {
		t.Errorf("the last third has no step with a label, and %+v", last)
	}
}
