package evidence

import (
	"math"

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
	ofA, ofB := a.top(order), b.top(order)
	c.Overlap = lattice.Jaccard(ofA, ofB)
	if kind == BySelector {
		return c
	}
	c.Chance = chanceOverlap(len(ofA), len(ofB), int(subsets(a.units(), order))-1)
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
	c.Centred = stat.Pearson(centred(x, a.width()), centred(y, a.width()), 0).Value
	return c
}

// centred are values, of so many candidates in turn, minus their candidate's mean: the correlation of the values
// themselves is high as soon as the candidates keep their levels, whatever the evidence does. What is only the rounding of
// sums is 0.
func centred(values []percuss.Number, candidates int) []percuss.Number {
	out := make([]percuss.Number, len(values))
	for d := range candidates {
		sum, n := 0.0, 0
		for i := d; i < len(values); i += candidates {
			if v, ok := values[i].Get(); ok {
				sum, n = sum+v, n+1
			}
		}
		for i := d; i < len(values); i += candidates {
			if v, ok := values[i].Get(); ok {
				if v -= sum / float64(n); math.Abs(v) < rounding {
					v = 0
				}
				out[i] = percuss.Num(v)
			}
		}
	}
	return out
}

// chanceOverlap is the Jaccard index that two lists of a and of b sets have on the mean where each is drawn at random from
// the same n: over the hypergeometric distribution of what they share. It is missing where both are empty.
func chanceOverlap(a, b, n int) percuss.Number {
	if a+b == 0 || a > n || b > n {
		return percuss.Number{}
	}
	mean := 0.0
	for both := max(0, a+b-n); both <= min(a, b); both++ {
		// C(a, both) C(n−a, b−both) / C(n, b)
		p := math.Exp(logChoose(a, both) + logChoose(n-a, b-both) - logChoose(n, b))
		mean += p * float64(both) / float64(a+b-both)
	}
	return percuss.Num(mean)
}

// logChoose is the log of the number of choices of k out of n.
func logChoose(n, k int) float64 {
	of := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	return of(n) - of(k) - of(n-k)
}

// top are the strongest sets up to an order, by the ids of their units. Sets of strength 0, or of what rounding leaves of
// it, are none.
func (m measuredTable) top(order int) []string {
	var out []string
	for _, i := range m.Interactions {
		if len(out) == strongest || i.strength() < rounding {
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

// find returns the interaction of a set, where the setting has one.
func (m measuredTable) find(s lattice.Set) (Interaction, bool) {
	for _, i := range m.Interactions {
		if i.Set == s {
			return i, true
		}
	}
	return Interaction{}, false
}
