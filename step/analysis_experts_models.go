package step

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Columns of what experts say of a cell's steps, weighted.
const colExpertErrors, colExpertJudged = "errors", "judged"

// labelledRows are the labelled steps of a cell, an item a row.
func (s *summary) labelledRows(of *cell) (rows *stat.Rows, n int) {
	rows = stat.NewRows()
	if of != nil {
		n = s.addLabelled(rows, of, "")
	}
	return rows, n
}

// addLabelled adds the labelled steps of a cell to rows, under columns with a prefix.
func (s *summary) addLabelled(rows *stat.Rows, of *cell, prefix string) int {
	n := 0
	for _, e := range s.experts.steps {
		if e.of != of || !e.says.Judges() {
			continue
		}
		n++
		rows.Add(e.seen.item, prefix+colExpertJudged, e.weight)
		rows.Add(e.seen.item, prefix+colExpertErrors, e.weight*bit(e.says.IsError()))
	}
	return n
}

// expertRate is the share of a cell's steps that experts call an error, and how many they labelled.
func (s *summary) expertRate(of *cell) (rate percuss.Estimate, n int) {
	rows, n := s.labelledRows(of)
	if n == 0 {
		return percuss.Absent(noExpertly), 0
	}
	rows.Fill(of.subject.Set, s.o, []stat.Figure{{Into: &rate, Of: stat.Ratio{Num: colExpertErrors, Den: colExpertJudged}, Absent: noExpertly}})
	return rate, n
}

func (s *summary) expertRates() percuss.Table {
	t := percuss.Table{ID: "experts_rates", Title: "Error rates by experts and by judges",
		About: "Experts: share of the labelled steps that are an error to them, weighted to all judged steps of the model. Judge and corrected: the rates over all steps that the judge saw, as it says and as they are for its quality.",
		Columns: ofCells(column("steps", "Labelled steps", percuss.Whole), column("experts", "Experts", percuss.Percent), column("judge", "Judge", percuss.Words),
			column("errors", "Error rate by the judge", percuss.Percent), column("corrected", "Corrected", percuss.Percent))}
	for i, c := range s.found {
		rate, n := s.expertRate(s.cells[i])
		for _, j := range s.a.o.Judges {
			if tr, ok := c.trace(j.ID, s.firstView()); ok && len(s.experts.steps) > 0 {
				t.Rows = append(t.Rows, cellRow(c, percuss.Counted(n), percuss.Measured(rate), percuss.Said(j.ID), percuss.Measured(tr.Errors), percuss.Measured(tr.Corrected)))
			}
		}
	}
	t.Notes = append(t.Notes, "Where a judge's quality comes from these labels, its corrected rate rests on them, too: the two agree more than two independent measurements would.")
	return explained(t, orElse(s.experts.given(), noSettled, noExperts))
}

// expertChange is how the error rate changed to experts, over the items of which either model has a labelled step.
func (s *summary) expertChange(p Pair) (change percuss.Estimate, n int) {
	before, after := s.cellOf(p.Variant, p.Before, p.Set), s.cellOf(p.Variant, p.After, p.Set)
	if before == nil || after == nil {
		return percuss.Absent(noExpertly), 0
	}
	rows := stat.NewRows()
	a, b := s.addLabelled(rows, before, "a/"), s.addLabelled(rows, after, "b/")
	if a == 0 || b == 0 {
		return percuss.Absent("experts called no step of one of the two models correct or an error"), a + b
	}
	rows.Fill(p.Set, s.o, []stat.Figure{{Into: &change, Of: stat.Ratio{Num: "b/" + colExpertErrors, Den: "b/" + colExpertJudged},
		Less: stat.Ratio{Num: "a/" + colExpertErrors, Den: "a/" + colExpertJudged}, Absent: noExpertly}})
	return change, a + b
}

// agrees says whether experts see a change as a judge does.
func agrees(judge, experts percuss.Estimate) string {
	a, hasA := judge.Value.Get()
	b, hasB := experts.Value.Get()
	switch {
	case !hasA || !hasB:
		return "cannot be told"
	case a*b < 0 && sign(experts) != 0:
		return "no: the other way"
	case a*b < 0:
		return "the other way, but the experts' interval holds zero"
	case a*b == 0:
		return "no change in one of the two"
	case sign(experts) == 0:
		return "the same way, but the experts' interval holds zero"
	}
	return "yes"
}

func (s *summary) expertPairs() percuss.Table {
	t := percuss.Table{ID: "experts_pairs", Title: "The change of the error rate by experts and by judges",
		About: "After less before: by the judge over all judged steps of the items that both models have, by experts over the labelled ones.",
		Columns: []percuss.Column{column("before", "Before", percuss.Words), column("after", "After", percuss.Words), column("set", "Data set", percuss.Words), column("prompt", "Prompt", percuss.Words),
			column("judge", "Judge", percuss.Words), column("errors", "By the judge", percuss.ShareDiff), column("steps", "Labelled steps", percuss.Whole), column("experts", "By experts", percuss.ShareDiff), column("same", "The same way", percuss.Words)}}
	for _, p := range s.compared {
		if p.View != s.firstView() || len(s.experts.steps) == 0 {
			continue
		}
		change, n := s.expertChange(p)
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(p.Before), percuss.Said(p.After), percuss.Said(p.Set), percuss.Said(p.Variant), percuss.Said(p.Judge), percuss.Measured(p.Errors),
			percuss.Counted(n), percuss.Measured(change), percuss.Said(agrees(p.Errors, change))}})
	}
	return explained(t, orElse(len(s.a.o.Pairs) == 0, "no models are compared", orElse(s.experts.given(), noSettled, noExperts)))
}

// ordered is a model with its error rate by a judge and by experts.
type ordered struct {
	model          string
	judge, experts percuss.Estimate
}

func (s *summary) expertOrder() percuss.Table {
	t := percuss.Table{ID: "experts_order", Title: "The order of the models by experts and by judges",
		About: "From the model with the fewest errors to that with the most, whatever the intervals. Pairs: of all pairs of models, those that stand in the same order.",
		Columns: []percuss.Column{column("set", "Data set", percuss.Words), column("prompt", "Prompt", percuss.Words), column("judge", "Judge", percuss.Words), column("models", "Models", percuss.Whole),
			column("by_judge", "By the judge", percuss.Words), column("by_experts", "By experts", percuss.Words), column("pairs", "Pairs in the same order", percuss.Percent)}}
	done := map[[2]string]bool{}
	for _, c := range s.found {
		place := [2]string{c.Set, c.Variant}
		if done[place] || len(s.experts.steps) == 0 {
			continue
		}
		done[place] = true
		for _, j := range s.a.o.Judges {
			if all := s.orderedModels(c.Set, c.Variant, j.ID); len(all) > 1 {
				t.Rows = append(t.Rows, orderRow(c, j.ID, all))
			}
		}
	}
	return explained(t, orElse(s.experts.given(), "fewer than two models have steps that experts labelled", noExperts))
}

// orderedModels are the models of a set and prompt of which experts labelled steps.
func (s *summary) orderedModels(set, variant, judge string) []ordered {
	var all []ordered
	for i, c := range s.found {
		if c.Set != set || c.Variant != variant {
			continue
		}
		tr, ok := c.trace(judge, s.firstView())
		rate, _ := s.expertRate(s.cells[i])
		if ok && tr.Errors.Value.OK() && rate.Value.OK() {
			all = append(all, ordered{c.Model, tr.Errors, rate})
		}
	}
	return all
}

// orderRow holds the two orders of some models against each other.
func orderRow(c Cell, judge string, all []ordered) percuss.Row {
	same, pairs := 0, 0
	for i, a := range all {
		for _, b := range all[i+1:] {
			pairs++
			if higher(a.judge, b.judge) == higher(a.experts, b.experts) {
				same++
			}
		}
	}
	names := func(of func(ordered) percuss.Estimate) string {
		list := slices.Clone(all)
		slices.SortStableFunc(list, func(a, b ordered) int { return higher(of(a), of(b)) })
		var out []string
		for _, m := range list {
			out = append(out, fmt.Sprintf("%s %s", m.model, of(m).Value.Format(3)))
		}
		return strings.Join(out, ", ")
	}
	return percuss.Row{Cells: []percuss.Cell{percuss.Said(c.Set), percuss.Said(c.Variant), percuss.Said(judge), percuss.Counted(len(all)), percuss.Said(names(func(o ordered) percuss.Estimate { return o.judge })),
		percuss.Said(names(func(o ordered) percuss.Estimate { return o.experts })), percuss.Measured(share(float64(same), float64(pairs), ""))}}
}
