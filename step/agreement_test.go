package step_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/step"
)

// Models are told apart where a feature of their steps differs, and not where features are drawn alike; few items tell nothing.
func TestLeakTest(t *testing.T) {
	model := func(name string, items int, own uint16, seed uint64) []percuss.Record {
		rng := rand.New(rand.NewPCG(seed, 1))
		return steps(planted(name, items, 0.5, 0.1, seed), func(_ *step.Chain, s *step.Step, _ int) {
			for f := range uint16(20) {
				if rng.Float64() < 0.4 {
					s.Features = append(s.Features, f)
				}
			}
			s.Raw = append(slices.Clone(s.Features), 900+own)
			if rng.Float64() < 0.5 {
				s.Features = append(s.Features, 500+own)
			}
		})
	}
	for _, c := range []struct {
		items int
		own   uint16
		says  string
	}{{60, 2, "yes"}, {60, 1, "no"}, {5, 2, "cannot be told"}} {
		f := summarised(t, compared(), model("old", c.items, 1, 1), model("new", c.items, c.own, 2))
		table := tableOf(t, f, "leak")
		auc, raw := under(t, table, 0, "auc").Estimate, under(t, table, 0, "auc_raw").Estimate
		if got := under(t, table, 0, "says").Text; got != c.says || len(table.Rows) != 1 {
			t.Errorf("%d items, marks 1 and %d: told apart %s, AUC %+v", c.items, c.own, got, auc)
		}
		if c.items == 5 {
			if !strings.Contains(auc.Why, "5 items") {
				t.Errorf("of five items: %+v", auc)
			}
			continue
		}
		if hits := under(t, table, 0, "hits").Estimate; (c.own == 2) != (hits.Lo.Or(0) > 0.6) {
			t.Errorf("marks 1 and %d: hits %+v", c.own, hits)
		}
		if (c.own == 2) != (raw.Value.Or(0) == 1) {
			t.Errorf("marks 1 and %d: as written %+v", c.own, raw)
		}
	}
}

// labelsOf are the labels of two judges without the kind of an error; empty where there is none.
func labelsOf(records []percuss.Record, of func(s step.Step) []step.Verdict) (out [][]string) {
	for _, r := range records {
		for _, c := range r.(step.Record).Chains {
			for _, s := range c.Views[0].Steps {
				if len(s.Says) == 0 {
					continue
				}
				var row []string
				for _, v := range of(s) {
					label := string(v.Says)
					switch {
					case v.Says.IsError():
						label = "error"
					case v.Says == step.Missing:
						label = ""
					}
					row = append(row, label)
				}
				out = append(out, row)
			}
		}
	}
	return out
}

// Kappas of judges are those that package stat computes of the same labels; their intervals are those of items.
func TestAgreementIsThatOfStat(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 5))
	records := steps(planted("old", 30, 0.5, 0.3, 1), func(_ *step.Chain, s *step.Step, _ int) {
		third := []step.Says{step.Correct, step.Factual, step.Abstain, step.Missing}[rng.IntN(4)]
		s.Says = append(s.Says, step.Verdict{Judge: "three", Says: third})
		if rng.IntN(3) == 0 {
			s.Again = slices.Clone(s.Says)
			s.Again[1].Says = step.Correct
		}
	})
	o := compared()
	o.Judges = append(o.Judges, step.Model{ID: "three"})
	f := summarised(t, o, records)
	ratings, err := stat.NewRatings(nil, labelsOf(records, func(s step.Step) []step.Verdict { return s.Says }))
	if err != nil {
		t.Fatal(err)
	}
	table := tableOf(t, f, "judge_agreement")
	for row, of := range [][]int{{0, 1}, {0, 2}, {1, 2}} {
		r := ratings.Of(of...)
		near(t, fmt.Sprint("kappa of ", of), under(t, table, row, "kappa").Estimate, stat.CohenKappa(r, stat.Weights{}, stat.Options{}).Value.Or(9))
		near(t, fmt.Sprint("agreement of ", of), under(t, table, row, "agreement").Estimate, stat.PercentAgreement(r, stat.Options{}).Value.Or(9))
	}
	near(t, "Fleiss's kappa", under(t, table, 3, "kappa").Estimate, stat.FleissKappa(ratings, stat.Weights{}, stat.Options{}).Value.Or(9))
	if n := under(t, table, 3, "kappa").Estimate.N; n != 30 {
		t.Errorf("the interval is over %d items, not 30", n)
	}
	again := tableOf(t, f, "judge_repeats")
	if e := under(t, again, 0, "kappa").Estimate; e.Value.Or(0) != 1 || e.Lo.OK() || len(e.Warnings) == 0 {
		t.Errorf("a judge that says the same each time: %+v", e)
	}
	pairs, err := stat.NewRatings(nil, labelsOf(records, func(s step.Step) []step.Verdict {
		if len(s.Again) == 0 {
			return []step.Verdict{{Says: step.Missing}, {Says: step.Missing}}
		}
		return []step.Verdict{s.Says[1], s.Again[1]}
	}))
	if err != nil {
		t.Fatal(err)
	}
	near(t, "judge two with itself", under(t, again, 1, "agreement").Estimate, stat.PercentAgreement(pairs, stat.Options{}).Value.Or(9))
	near(t, "kappa of judge two with itself", under(t, again, 1, "kappa").Estimate, stat.CohenKappa(pairs, stat.Weights{}, stat.Options{}).Value.Or(9))
	replies := tableOf(t, f, "judge_replies")
	sum := 0.0
	for _, id := range []string{"correct", "errors", "abstain", "missing"} {
		sum += under(t, replies, 2, id).Estimate.Value.Or(9)
	}
	if math.Abs(sum-1) > 1e-9 || under(t, replies, 2, "missing").Estimate.Value.Or(0) < 0.1 {
		t.Errorf("replies of judge three add up to %v", sum)
	}
}

// The grid has a row for each judge; arithmetic stands in the boundary check and not in the share that agrees.
func TestGridCounts(t *testing.T) {
	o := compared()
	o.Models["new"] = step.Described{Role: step.After, Params: percuss.Num(7e9)}
	other := func(records []percuss.Record) []percuss.Record {
		for i, r := range records {
			rec := r.(step.Record)
			rec.Subject.Set, rec.Domain = "sums", "arithmetic"
			records[i] = rec
		}
		return records
	}
	f := summarised(t, o, planted("old", 120, 0.5, 0.1, 1), planted("new", 120, 0.8, 0.3, 2), other(planted("old", 120, 0.5, 0.3, 3)), other(planted("new", 120, 0.8, 0.05, 4)))
	grid, shares, boundary := tableOf(t, f, "grid"), tableOf(t, f, "grid_shares"), tableOf(t, f, "boundary")
	if len(grid.Rows) != 2 || len(boundary.Rows) != 2 || len(shares.Rows) != 5 {
		t.Fatalf("%d rows in the grid, %d at the boundary, %d shares", len(grid.Rows), len(boundary.Rows), len(shares.Rows))
	}
	near(t, "size of the student", under(t, grid, 0, "student_size").Estimate, 7)
	if e := under(t, grid, 0, "teacher_size").Estimate; e.Value.OK() || !strings.Contains(e.Why, "no teacher") {
		t.Errorf("the size of no teacher: %+v", e)
	}
	share := under(t, shares, 4, "share").Estimate
	if want := stat.Wilson(2, 2, 0.95); under(t, shares, 4, "verdict").Text != string(step.UpDown) || share.Value != want.Value || share.Lo != want.Lo || share.N != 2 {
		t.Errorf("the share that agrees is %+v", share)
	}
	if got := under(t, boundary, 0, "expected").Text; got != "yes" || under(t, boundary, 0, "domain").Text != "arithmetic" {
		t.Errorf("steps and answers that improve together are as expected: %q", got)
	}
}
