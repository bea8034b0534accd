package evidence

import (
	"math"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// moved is what one counterfactual moved on the full evidence.
func (r *reading) moved(c change) Change {
	out := Change{Family: c.Family, Edit: c.Edit, State: c.table.state, Why: c.table.why, Before: c.Before, After: c.After}
	base, gold := r.byName[askedAs{c.In, 0}], r.columns[r.s.Case.Gold]
	row := int(base.rowOf[lattice.Full(base.units())]) - 1
	if row < 0 {
		out.State, out.Why = Waiting, "the full evidence was not asked"
		return out
	}
	before, bound := base.at(row)
	if _, usable := base.lead(row); !usable {
		out.State, out.Why = Unscored, "the full evidence has no usable answer"
		return out
	}
	if out.State != Scored {
		return out
	}
	after, boundAfter := c.table.at(0)
	if bound[gold] || boundAfter[gold] {
		out.State, out.Why = Censored, "the gold's letter was not among those that the back-end returned"
		return out
	}
	rival := strongestRival(before, gold)
	out.Competitor = r.names[rival]
	out.Target = percuss.Num(after[gold] - before[gold])
	out.Rival = percuss.Num(after[rival] - before[rival])
	out.Margin = percuss.Num(c.table.margin(0, gold) - base.margin(row, gold))
	out.RankBefore, out.RankAfter = rankOf(before, gold), rankOf(after, gold)
	return out
}

// strongestRival is the candidate other than d with the highest score, the first of equals.
func strongestRival(scores []float64, d int) int {
	best, at := math.Inf(-1), -1
	for i, s := range scores {
		if i != d && (at < 0 || s > best) {
			best, at = s, i
		}
	}
	return at
}

// rankOf is the place of candidate d, from 1: one more than the candidates with a higher score.
func rankOf(scores []float64, d int) int {
	place := 1
	for _, s := range scores {
		if s > scores[d]+rounding {
			place++
		}
	}
	return place
}
