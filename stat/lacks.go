package stat

import (
	"fmt"
	"math"
	"slices"
)

// lacks finds the shortfalls of every metric, when its replicates are there.
func (d *Draws) lacks(of []*matrix) {
	known := &shortfalls{by: map[string]*shortfall{}}
	for j := range d.metrics {
		m, is := d.metric(j), &d.metrics[j]
		switch {
		case math.IsNaN(is.point):
		case len(m.Extreme.Of) > 0:
			is.lacks = d.extremeLacks(m.Extreme)
		case len(m.Terms) > 0:
			is.lacks = d.termLacks(of, m.Terms, known)
		case len(m.Parts) > 0:
			for _, p := range m.Parts {
				is.lacks = plusLacks(is.lacks, p.Factor, d.metrics[p.Metric].lacks)
			}
		}
		d.wholeLack(j)
	}
}

// shortfalls are those of the quotients of a draw, by name; nil for one that lacks nothing.
type shortfalls struct {
	by   map[string]*shortfall
	room itemSums
}

// plainRate reports whether a metric is one rate, whose interval on few items is Wilson's and needs nothing added.
func (m Metric) plainRate() bool {
	return !m.Difference && len(m.Terms) == 1 && len(m.Terms[0].Mean) == 1 && m.Terms[0].Mean[0].Less == nil || len(m.Terms) == 0 && len(m.Den) > 0 && !m.Difference
}

// wholeLack replaces the shortfalls of a metric that no resample moves by that of the metric itself where it is the wider:
// the operators of one item are no independent items.
func (d *Draws) wholeLack(j int) {
	is := &d.metrics[j]
	lo, hi, known := d.metric(j).bounds()
	if is.rate {
		lo, hi, known = 0, 1, true
	}
	if !known || !(is.point >= lo && is.point <= hi) || is.independent == 0 {
		return
	}
	if !isFlat(is.reps, is.point) {
		if is.rate && len(d.metric(j).Terms) == 0 && is.independent < fewItems {
			is.lacks = []lack{{&shortfall{value: is.point, hi: 1, items: is.independent, error: deviation(is.reps), name: fmt.Sprint(d.keys(), j)}, 1}}
		}
		return
	}
	own := []lack{{&shortfall{value: is.point, lo: lo, hi: hi, differs: !is.rate, items: is.independent, name: fmt.Sprint(d.keys(), j)}, 1}}
	below, above := lacking(is.lacks, d.o.Level)
	b, a := lacking(own, d.o.Level)
	if below+above < b+a {
		is.lacks = own
	}
}

// bounds are the least and the most that a sum of terms can be, where all their ranges are known.
func (m Metric) bounds() (lo, hi float64, known bool) {
	lo = m.Constant.Or(0)
	hi = lo
	for _, t := range m.Terms {
		for _, q := range t.Mean {
			if q.Range == ([2]float64{}) || q.Less != nil {
				return 0, 0, false
			}
			f := t.Factor / float64(len(t.Mean))
			a, b := f*q.Range[0], f*q.Range[1]
			lo, hi = lo+min(a, b), hi+max(a, b)
		}
	}
	return lo, hi, len(m.Terms) > 0
}

// deviation is the standard deviation of the replicates with a value.
func deviation(reps []float64) float64 {
	n, sum, squares := 0.0, 0.0, 0.0
	for _, v := range reps {
		if !math.IsNaN(v) {
			n, sum, squares = n+1, sum+v, squares+v*v
		}
	}
	return math.Sqrt(max(0, squares/n-sum/n*sum/n))
}

// isFlat reports whether no replicate with a value differs from the sample.
func isFlat(reps []float64, point float64) bool {
	tolerance := rounding(point)
	for _, v := range reps {
		if math.Abs(v-point) > tolerance {
			return false
		}
	}
	return true
}

// termLacks are those of a sum of means of quotients.
func (d *Draws) termLacks(of []*matrix, terms []Term, known *shortfalls) []lack {
	var out []lack
	for _, t := range terms {
		var there []Quotient
		for _, q := range t.Mean {
			if total(of, q.Den) != 0 && (q.Less == nil || total(of, q.Less.Den) != 0) {
				there = append(there, q)
			}
		}
		for _, q := range there {
			factor := t.Factor / float64(len(there))
			if s := d.shortfallOf(of, q, known); s != nil {
				out = plusLacks(out, factor, []lack{{s, 1}})
			}
			if q.Less == nil {
				continue
			}
			if s := d.shortfallOf(of, *q.Less, known); s != nil {
				out = plusLacks(out, -factor, []lack{{s, 1}})
			}
		}
	}
	return out
}

// total is the sum of some columns over all items.
func total(of []*matrix, which []int) float64 {
	t := 0.0
	for _, x := range of {
		t += columns(x.total, which)
	}
	return t
}

// shortfallOf is that of a quotient; nil where the resamples show all, or its range is not known. It is one and the same for
// all metrics of a draw that the quotient enters.
func (d *Draws) shortfallOf(of []*matrix, q Quotient, known *shortfalls) *shortfall {
	if q.Range == ([2]float64{}) {
		return nil
	}
	name := q.name()
	if s, ok := known.by[name]; ok {
		return s
	}
	s := newShortfall(of, q, &known.room)
	if s != nil {
		s.name = fmt.Sprint(d.keys(), q.Num, q.Factors, q.Den)
	}
	known.by[name] = s
	return s
}

// keys are the resampling keys of the samples.
func (d *Draws) keys() []string {
	var out []string
	for _, s := range d.samples {
		if !slices.Contains(out, s.Key) {
			out = append(out, s.Key)
		}
	}
	return out
}

// name tells quotients apart, Less left out.
func (q Quotient) name() string {
	out := naming('/')
	for _, j := range q.Num {
		out = append(out, naming('n', uint64(j))...)
	}
	for _, f := range q.Factors {
		out = append(out, naming('x', math.Float64bits(f))...)
	}
	for _, j := range q.Den {
		out = append(out, naming('d', uint64(j))...)
	}
	return string(out)
}

// newShortfall is that of a quotient, Less left out.
func newShortfall(of []*matrix, q Quotient, in *itemSums) *shortfall {
	in.enter(of, q)
	num, den := 0.0, 0.0
	in.each(func(n, m float64) bool {
		num, den = num+n, den+m
		return true
	})
	out := &shortfall{value: num / den, lo: q.Range[0], hi: q.Range[1], differs: q.Range[0] < 0, items: in.count(of)}
	lo, hi, squares := out.lo-rounding(out.lo), out.hi+rounding(out.hi), 0.0
	// A single item can be enough to see that nothing lacks: the error only grows.
	if lacks := in.each(func(n, m float64) bool {
		squares += (n - out.value*m) * (n - out.value*m)
		out.error = math.Sqrt(squares) / den
		v := n / m
		return v >= lo && v <= hi && (out.items < fewItems || out.error <= rounding(out.value))
	}); !lacks {
		return nil
	}
	return out
}

// itemSums are numerator and denominator of a quotient in each item of some samples. They are room that is used again.
type itemSums struct{ num, den [][]float64 }

func (s *itemSums) enter(of []*matrix, q Quotient) {
	if s.num == nil {
		s.num, s.den = make([][]float64, len(of)), make([][]float64, len(of))
	}
	for k, x := range of {
		s.num[k], s.den[k] = x.weighted(q, s.num[k]), x.sum(q.Den, s.den[k])
	}
}

// each calls do with the items that have a denominator while it says so, and reports whether it did to the end.
func (s *itemSums) each(do func(num, den float64) bool) bool {
	for k, den := range s.den {
		for i, m := range den {
			if m != 0 && !do(s.num[k][i], m) {
				return false
			}
		}
	}
	return true
}

// count is the number of different items with a denominator.
func (s *itemSums) count(of []*matrix) int {
	var u units
	for k, x := range of {
		u = u.with(newUnits(x.key, x.items, func(i int) bool { return s.den[k][i] != 0 }))
	}
	n, _, _ := u.count()
	return n
}

// extremeLacks is the largest that the contrasts lack which may be the extreme, on either side.
func (d *Draws) extremeLacks(x Extreme) []lack {
	var out []lack
	if !slices.ContainsFunc(x.Of, func(j int) bool { return len(d.metrics[j].lacks) > 0 }) {
		return out
	}
	widest := 0.0
	for _, c := range x.rivals(d.metrics, d.o.Replicates) {
		var own []lack
		if c.plus != none {
			own = plusLacks(own, 1, d.metrics[c.plus].lacks)
		}
		if c.minus != none {
			own = plusLacks(own, -1, d.metrics[c.minus].lacks)
		}
		below, above := lacking(own, d.o.Level)
		if w := below + above; w > widest {
			out, widest = own, w
		}
	}
	return out
}
