package stat

import (
	"fmt"
	"math"
	"slices"
)

// lacks finds the shortfalls of every metric, when its replicates are there.
func (d *Draws) lacks() {
	known := map[string]*shortfall{}
	for j := range d.metrics {
		m, is := d.metric(j), &d.metrics[j]
		switch {
		case math.IsNaN(is.point):
		case len(m.Extreme.Of) > 0:
			is.lacks = d.extremeLacks(m.Extreme)
		case len(m.Terms) > 0:
			is.lacks = d.termLacks(m.Terms, known)
		case len(m.Parts) > 0:
			for _, p := range m.Parts {
				is.lacks = plusLacks(is.lacks, p.Factor, d.metrics[p.Metric].lacks)
			}
		}
		d.wholeLack(j)
	}
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
	for _, v := range reps {
		if math.Abs(v-point) > rounding(point) {
			return false
		}
	}
	return true
}

// termLacks are those of a sum of means of quotients.
func (d *Draws) termLacks(terms []Term, known map[string]*shortfall) []lack {
	var out []lack
	for _, t := range terms {
		var there []Quotient
		for _, q := range t.Mean {
			if d.total(q.Den) != 0 && (q.Less == nil || d.total(q.Less.Den) != 0) {
				there = append(there, q)
			}
		}
		for _, q := range there {
			factor := t.Factor / float64(len(there))
			if s := d.shortfallOf(q, known); s != nil {
				out = plusLacks(out, factor, []lack{{s, 1}})
			}
			if q.Less == nil {
				continue
			}
			if s := d.shortfallOf(*q.Less, known); s != nil {
				out = plusLacks(out, -factor, []lack{{s, 1}})
			}
		}
	}
	return out
}

// total is the sum of some columns over all items.
func (d *Draws) total(which []int) float64 {
	t := 0.0
	for _, s := range d.samples {
		for _, row := range s.Sums {
			t += columns(row, which)
		}
	}
	return t
}

// shortfallOf is that of a quotient; nil where the resamples show all, or its range is not known. It is one and the same for
// all metrics of a draw that the quotient enters.
func (d *Draws) shortfallOf(q Quotient, known map[string]*shortfall) *shortfall {
	if q.Range == ([2]float64{}) {
		return nil
	}
	name := fmt.Sprint(q.Num, q.Factors, q.Den)
	if s, ok := known[name]; ok {
		return s
	}
	s := d.newShortfall(q)
	if s != nil {
		s.name = fmt.Sprint(d.keys(), name)
	}
	known[name] = s
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

func (d *Draws) newShortfall(q Quotient) *shortfall {
	num, den := 0.0, 0.0
	each := func(do func(num, den float64)) {
		for _, s := range d.samples {
			for _, row := range s.Sums {
				if n := columns(row, q.Den); n != 0 {
					do(weighted(row, q), n)
				}
			}
		}
	}
	each(func(n, m float64) { num, den = num+n, den+m })
	out := &shortfall{value: num / den, lo: q.Range[0], hi: q.Range[1], differs: q.Range[0] < 0}
	fits, squares := true, 0.0
	each(func(n, m float64) {
		v := n / m
		fits = fits && v >= out.lo-rounding(out.lo) && v <= out.hi+rounding(out.hi)
		squares += (n - out.value*m) * (n - out.value*m)
	})
	out.error, out.items = math.Sqrt(squares)/den, d.itemsOf(q.Den)
	none := out.error <= rounding(out.value)
	if !fits || !none && out.items >= fewItems {
		return nil
	}
	return out
}

// weighted is the numerator of a quotient in a row.
func weighted(row []float64, q Quotient) float64 {
	if q.Factors == nil {
		return columns(row, q.Num)
	}
	v := 0.0
	for i, c := range q.Num {
		v += q.Factors[i] * row[c]
	}
	return v
}

// itemsOf is the number of different items with something in some columns.
func (d *Draws) itemsOf(which []int) int {
	u := units{}
	for _, s := range d.samples {
		mask := make([]bool, len(s.Sums))
		for i, row := range s.Sums {
			mask[i] = columns(row, which) != 0
		}
		u.add(units{s.Key: mask})
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
