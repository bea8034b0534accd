package evidence

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// The coarse classes whose strength models are ranked by.
const (
	faithful = "faithful/plausible"
	conflict = "conflict"
)

// ranks sets the models of each set side by side, in the order of the cells; nil where no set has two. A model that was
// run under several variants enters once, under the first.
func ranks(cells []Cell, level float64) *Ranks {
	out := &Ranks{}
	for _, c := range cells {
		at := slices.IndexFunc(out.Rows, func(r RankRow) bool { return r.Set == c.Set })
		if at < 0 {
			at = len(out.Rows)
			out.Rows = append(out.Rows, RankRow{Set: c.Set})
		}
		row := &out.Rows[at]
		if slices.ContainsFunc(row.Models, func(m RankedModel) bool { return m.Model == c.Model }) {
			continue
		}
		row.Models = append(row.Models, RankedModel{Model: c.Model, Accuracy: c.Accuracy.Value,
			Faithful: weightOf(c.Gold.Coarse, faithful), Conflict: weightOf(c.Gold.Coarse, conflict)})
	}
	out.Rows = slices.DeleteFunc(out.Rows, func(r RankRow) bool { return len(r.Models) < 2 })
	if len(out.Rows) == 0 {
		return nil
	}
	for i := range out.Rows {
		out.Rows[i].rank(level)
	}
	return out
}

// weightOf is the strength share of a mechanism.
func weightOf(of []Mechanism, name string) percuss.Number {
	for _, m := range of {
		if m.Name == name {
			return m.Weight.Value
		}
	}
	return percuss.Number{}
}

// rank fills in places and their agreement.
func (r *RankRow) rank(level float64) {
	column := func(of func(RankedModel) percuss.Number) []percuss.Number {
		out := make([]percuss.Number, len(r.Models))
		for i, m := range r.Models {
			out[i] = of(m)
		}
		return out
	}
	accuracy := column(func(m RankedModel) percuss.Number { return m.Accuracy })
	faith := column(func(m RankedModel) percuss.Number { return m.Faithful })
	conf := column(func(m RankedModel) percuss.Number { return m.Conflict })
	byAcc, byFaith, byConf := places(accuracy), places(faith), places(conf)
	for i := range r.Models {
		r.Models[i].ByAcc, r.Models[i].ByFaith, r.Models[i].ByConf = byAcc[i], byFaith[i], byConf[i]
	}
	r.Faithful = stat.KendallTauB(accuracy, faith, level)
	r.Conflict = stat.KendallTauB(accuracy, conf, level)
}

// places are the ranks of values, the largest first from 1; equal ones share their mean place, missing ones have none.
func places(values []percuss.Number) []percuss.Number {
	out := make([]percuss.Number, len(values))
	for i, v := range values {
		x, ok := v.Get()
		if !ok {
			continue
		}
		place := 0.5
		for _, w := range values {
			if y, ok := w.Get(); ok {
				place += bit(y > x) + bit(y == x)/2
			}
		}
		out[i] = percuss.Num(place)
	}
	return out
}
