package stat

import (
	"encoding/binary"
	"math"
	"slices"
)

// formulas are how the told metrics of a draw are computed from the sums of its columns. What several metrics have in
// common is there once: the sum of some columns, a quotient, and all that a metric is.
type formulas struct {
	of        classes
	sums      []linear
	quotients []quotient
	metrics   []formula
}

// linear is a sum of classes of columns, each times a factor where there are factors.
type linear struct {
	classes []int
	factors []float64
}

// quotient is a Quotient of sums: a class, or, from the number of classes on, one of the formulas' sums.
type quotient struct {
	num, den int
	less     int // a quotient that is taken from it; none: there is none
	metric   int // the metric that it is the whole of, and among whose replicates it stands; none: of none
}

// formula is a metric: another one's, a quotient, or a constant and some terms.
type formula struct {
	skip     bool // it has no value, or it is an extreme, which is made of others when all replicates are there
	like     int  // an earlier metric that is computed alike, and whose replicates are its own; none: it has its own
	whole    int  // the quotient that it is; none: it is more than one
	bare     bool // the mean of its one term
	constant float64
	terms    []term
	parts    []Part
}

// term is a mean of quotients, times a factor.
type term struct {
	factor float64
	mean   []int
}

// formulasOf are those of a draw whose columns are sorted.
func formulasOf(d *Draws, of classes) *formulas {
	f := &formulas{of: of, metrics: make([]formula, len(d.metrics))}
	known := map[string]int{}
	for j, is := range d.metrics {
		m := d.metric(j)
		own := formula{like: none, whole: none, skip: math.IsNaN(is.point) || len(m.Extreme.Of) > 0}
		if own.skip {
			f.metrics[j] = own
			continue
		}
		own.constant = m.Constant.Or(0)
		own.bare = len(m.Terms) == 1 && m.Terms[0].Factor == 1 && !m.Constant.OK()
		for _, t := range m.Terms {
			mean := make([]int, len(t.Mean))
			for i, q := range t.Mean {
				mean[i] = f.quotient(q, known)
			}
			own.terms = append(own.terms, term{t.Factor, mean})
		}
		if len(m.Terms) == 0 {
			own.parts = m.Parts
		} else if i, ok := known[own.name()]; ok {
			own.like = i
		} else {
			known[own.name()] = j
		}
		if own.like == none && own.bare && len(own.terms[0].mean) == 1 {
			own.whole = own.terms[0].mean[0]
			f.quotients[own.whole].metric = j
		}
		f.metrics[j] = own
	}
	return f
}

// name tells formulas of terms apart.
func (own formula) name() string {
	out := naming('m', math.Float64bits(own.constant))
	if own.bare {
		out = naming('b')
	}
	for _, t := range own.terms {
		out = append(out, naming('t', math.Float64bits(t.factor))...)
		for _, q := range t.mean {
			out = append(out, naming('q', uint64(q))...)
		}
	}
	return string(out)
}

// naming is a part of a name: of what kind it is, and some numbers.
func naming(kind byte, of ...uint64) []byte {
	out := []byte{kind}
	for _, v := range of {
		out = binary.LittleEndian.AppendUint64(out, v)
	}
	return out
}

// quotient is the place of a quotient.
func (f *formulas) quotient(q Quotient, known map[string]int) int {
	own := quotient{num: f.sum(q.Num, q.Factors, known), den: f.sum(q.Den, nil, known), less: none, metric: none}
	if q.Less != nil {
		own.less = f.quotient(*q.Less, known)
	}
	name := string(naming('/', uint64(own.num), uint64(own.den), uint64(own.less)))
	i, ok := known[name]
	if !ok {
		i = len(f.quotients)
		known[name] = i
		f.quotients = append(f.quotients, own)
	}
	return i
}

// sum is the place of a sum of columns.
func (f *formulas) sum(columns []int, factors []float64, known map[string]int) int {
	if len(columns) == 1 && factors == nil {
		return f.of.of[columns[0]]
	}
	own, name := linear{factors: factors}, naming('+')
	for i, j := range columns {
		own.classes = append(own.classes, f.of.of[j])
		name = append(name, naming('c', uint64(f.of.of[j]))...)
		if factors != nil {
			name = append(name, naming('x', math.Float64bits(factors[i]))...)
		}
	}
	i, ok := known[string(name)]
	if !ok {
		i = len(f.of.first) + len(f.sums)
		known[string(name)] = i
		f.sums = append(f.sums, own)
	}
	return i
}

// division computes told metrics for a block of replicates at a time. It is one worker's room.
type division struct {
	quotients []float64 // those that are no metric's, a block each
	at        [][]float64
	gaps      []bool // by quotient: it is missing in some replicate
	term      [block]float64
	count     [block]float64
}

// enter computes the metrics of a draw in the n replicates from a given one. sums are those of the classes, a block each, with
// room for the formulas' behind them.
func (v *division) enter(d *Draws, f *formulas, sums []float64, from, n int) {
	f.add(sums, n)
	v.at, v.gaps = slices.Grow(v.at[:0], len(f.quotients)), v.gaps[:0]
	v.quotients = sized(v.quotients, len(f.quotients)*block)
	for i, q := range f.quotients {
		out := v.quotients[i*block:][:n]
		if q.metric != none {
			out = d.metrics[q.metric].reps[from : from+n]
		}
		gaps := divide(out, sums[q.num*block:][:n], sums[q.den*block:][:n])
		if q.less != none {
			minus(out, v.at[q.less])
			gaps = gaps || v.gaps[q.less]
		}
		v.at, v.gaps = append(v.at, out), append(v.gaps, gaps)
	}
	for j, m := range f.metrics {
		if !m.skip && m.like == none && m.whole == none {
			v.metric(d, m, d.metrics[j].reps[from:from+n], from)
		}
	}
}

// add adds up the formulas' sums.
func (f *formulas) add(sums []float64, n int) {
	for k, l := range f.sums {
		own := sums[(len(f.of.first)+k)*block:][:n]
		clear(own)
		for i, c := range l.classes {
			if l.factors == nil {
				plus(own, sums[c*block:][:n])
			} else {
				plusTimes(own, l.factors[i], sums[c*block:])
			}
		}
	}
}

// metric computes the replicates of a metric that is no plain quotient.
func (v *division) metric(d *Draws, m formula, reps []float64, from int) {
	if m.bare {
		v.mean(m.terms[0].mean, reps)
		return
	}
	for r := range reps {
		reps[r] = m.constant
	}
	term := v.term[:len(reps)]
	for _, t := range m.terms {
		v.mean(t.mean, term)
		plusTimes(reps, t.factor, term)
	}
	for _, part := range m.parts {
		plusTimes(reps, part.Factor, d.metrics[part.Metric].reps[from:])
	}
}

// mean is the mean of the quotients that there are.
func (v *division) mean(of []int, reps []float64) {
	if len(of) == 1 {
		copy(reps, v.at[of[0]])
		return
	}
	clear(reps)
	count, all := v.count[:len(reps)], 0.0
	clear(count)
	for _, q := range of {
		if !v.gaps[q] {
			plus(reps, v.at[q])
			all++
			continue
		}
		for r, x := range v.at[q] {
			if !math.IsNaN(x) {
				reps[r] += x
				count[r]++
			}
		}
	}
	for r := range reps {
		reps[r] /= all + count[r] // 0 ÷ 0 where there is none
	}
}

// divide sets some quotients, NaN where the denominator is 0, and reports whether there is such a one.
func divide(out, num, den []float64) (gaps bool) {
	num, den = num[:len(out)], den[:len(out)]
	for r := range out {
		d := den[r]
		if d == 0 {
			out[r], gaps = math.NaN(), true
			continue
		}
		out[r] = num[r] / d
	}
	return gaps
}

// minus takes some values from others.
func minus(from, x []float64) {
	x = x[:len(from)]
	for r := range from {
		from[r] -= x[r]
	}
}

// plus adds a column to another.
func plus(to, x []float64) {
	to = to[:len(x)]
	for r, v := range x {
		to[r] += v
	}
}

// plusTimes adds a factor times some values.
func plusTimes(to []float64, factor float64, x []float64) {
	x = x[:len(to)]
	for r := range to {
		to[r] += factor * x[r]
	}
}
