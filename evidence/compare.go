package evidence

import (
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
	"github.com/percuss/percuss/stat/lattice"
)

// strongest is how many sets are compared between two settings (spec/evidence-audit.md, section 4).
const strongest = 10

// measuredTable is the gold's margin under a setting, with the scores that it was computed from.
type measuredTable struct {
	*table
	Measured
	ids []UnitRecord // of its units
}

// compare sets every setting beside its reference; the first is the base setting. A setting in another wording is
// compared with the same order in the base's wording, another order with the base order in the same wording.
func compare(all []measuredTable) []Comparison {
	var out []Comparison
	base := all[0].Measured.Setting
	add := func(kind Kind, of measuredTable, with Setting) {
		for _, w := range all {
			if w.Measured.Setting == with {
				out = append(out, pair(kind, of, w))
			}
		}
	}
	for _, m := range all[1:] {
		s := m.Measured.Setting
		if s.Selector != "" {
			add(BySelector, m, base)
			continue
		}
		if s.Hide != base.Hide {
			add(ByHiding, m, base)
		}
		if with := s; s.Wording != base.Wording {
			with.Wording = base.Wording
			add(ByWording, m, with)
		}
		if with := s; s.Order != base.Order {
			with.Order = base.Order
			add(ByOrdering, m, with)
		}
	}
	return out
}

// pair compares two settings.
func pair(kind Kind, a, b measuredTable) Comparison {
	c := Comparison{Kind: kind, Of: a.Measured.Setting, With: b.Measured.Setting}
	if a.Answered && b.Answered {
		c.Agree = percuss.Num(0)
		if a.Prediction == b.Prediction && a.Prediction != "" {
			c.Agree = percuss.Num(1)
		}
	}
	if a.State != Scored || b.State != Scored {
		return c
	}
	order := min(a.table.Order, b.table.Order)
	c.Overlap = overlap(a.top(order), b.top(order))
	if kind == BySelector {
		return c
	}
	pairs := len(a.sets) * a.width()
	x, y := make([]percuss.Number, 0, pairs), make([]percuss.Number, 0, pairs)
	for row, shown := range a.sets {
		other := int(b.rowOf[shown]) - 1
		if other < 0 {
			continue
		}
		for d := range a.width() {
			x = append(x, percuss.Num(a.margin(row, d)))
			y = append(y, percuss.Num(b.margin(other, d)))
		}
	}
	c.Correlation = stat.Pearson(x, y, 0).Value
	return c
}

// top are the strongest sets up to an order, by the ids of their units. Sets of strength 0 are none.
func (m measuredTable) top(order int) []string {
	var out []string
	for _, i := range m.Interactions {
		if len(out) == strongest || i.Value == 0 {
			break
		}
		if i.Set.Size() > order {
			continue
		}
		key := ""
		for u := range i.Set.Units() {
			key += m.ids[u].ID + "\x00"
		}
		out = append(out, key)
	}
	return out
}

// overlap is the Jaccard index of two lists without repetitions; of two empty ones it is missing.
func overlap(a, b []string) percuss.Number {
	in := map[string]bool{}
	for _, x := range a {
		in[x] = true
	}
	both := 0
	for _, x := range b {
		if in[x] {
			both++
		}
	}
	return percuss.Num(float64(both) / float64(len(a)+len(b)-both))
}

// find returns the interaction of a set, where the setting has one.
func (m measuredTable) find(s lattice.Set) (Interaction, bool) {
	for _, i := range m.Interactions {
		if i.Set == s {
			return i, true
		}
	}
	return Interaction{}, false
}
