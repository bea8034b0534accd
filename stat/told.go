package stat

import (
	"math"
	"slices"
)

// told reports whether every metric that has a value says how it is computed, so that the statistic need not be called for
// each resample.
func (d *Draws) told() bool {
	if len(d.o.Metrics) == 0 {
		return false
	}
	for j, is := range d.metrics {
		m := d.metric(j)
		if !math.IsNaN(is.point) && len(m.Terms) == 0 && len(m.Extreme.Of) == 0 && !(m.Constant.OK() && len(m.Parts) > 0) {
			return false
		}
	}
	return true
}

// columnsOf are the columns that metrics with a value of some draws are computed from, sorted.
func columnsOf(draws []*Draws) []int {
	var out []int
	for _, d := range draws {
		for j, is := range d.metrics {
			if math.IsNaN(is.point) {
				continue
			}
			for _, t := range d.metric(j).Terms {
				for _, q := range t.Mean {
					out = append(append(out, q.Num...), q.Den...)
					if q.Less != nil {
						out = append(append(out, q.Less.Num...), q.Less.Den...)
					}
				}
			}
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// division computes told metrics for a block of replicates at a time.
type division struct {
	num, den, less, term, total, count [block]float64
}

// columnSums are the sums of a block of replicates, column by column.
type columnSums struct {
	place []int // by column
	sums  []float64
	n     int // replicates
}

// of are the sums of a column.
func (c columnSums) of(column int) []float64 {
	at := c.place[column] * block
	return c.sums[at : at+c.n]
}

// enter computes the metrics of a draw that have a value, in a block that begins at a replicate.
func (v *division) enter(d *Draws, sums columnSums, from int) {
	for j, m := range d.metrics {
		if !math.IsNaN(m.point) {
			v.metric(d, j, from, m.reps[from:from+sums.n], sums)
		}
	}
}

// metric computes the replicates of a metric from those of its parts, or from the sums of columns. Those of an extreme are
// made of its metrics' when all are there.
func (v *division) metric(d *Draws, j, from int, reps []float64, sums columnSums) {
	m := d.metric(j)
	switch {
	case len(m.Extreme.Of) > 0:
	case len(m.Terms) == 1 && m.Terms[0].Factor == 1 && !m.Constant.OK():
		v.mean(m.Terms[0].Mean, reps, sums)
	default:
		constant, term := m.Constant.Or(0), v.term[:len(reps)]
		for r := range reps {
			reps[r] = constant
		}
		for _, t := range m.Terms {
			v.mean(t.Mean, term, sums)
			plusTimes(reps, t.Factor, term)
		}
		for _, part := range m.Parts {
			if len(m.Terms) == 0 {
				plusTimes(reps, part.Factor, d.metrics[part.Metric].reps[from:])
			}
		}
	}
}

// mean is the mean of the quotients that there are.
func (v *division) mean(of []Quotient, reps []float64, sums columnSums) {
	if len(of) == 1 {
		v.quotient(of[0], reps, sums)
		return
	}
	total, count := v.total[:len(reps)], v.count[:len(reps)]
	clear(total)
	clear(count)
	for _, q := range of {
		v.quotient(q, reps, sums)
		for r, x := range reps {
			if !math.IsNaN(x) {
				total[r] += x
				count[r]++
			}
		}
	}
	for r, x := range total {
		reps[r] = x / count[r] // 0 ÷ 0 where there is none
	}
}

// quotient is one quotient, NaN where it is missing.
func (v *division) quotient(q Quotient, reps []float64, sums columnSums) {
	v.divide(q, reps, sums)
	if q.Less == nil {
		return
	}
	less := v.less[:len(reps)]
	v.divide(*q.Less, less, sums)
	for r, x := range less {
		reps[r] -= x
	}
}

// divide leaves Less out.
func (v *division) divide(q Quotient, reps []float64, sums columnSums) {
	num, den := v.num[:len(reps)], v.den[:len(reps)]
	if len(q.Num) == 1 && q.Factors == nil {
		num = sums.of(q.Num[0])
	} else {
		clear(num)
		for i, c := range q.Num {
			if q.Factors == nil {
				plus(num, sums.of(c))
			} else {
				plusTimes(num, q.Factors[i], sums.of(c))
			}
		}
	}
	if len(q.Den) == 1 {
		den = sums.of(q.Den[0])
	} else {
		clear(den)
		for _, c := range q.Den {
			plus(den, sums.of(c))
		}
	}
	for r, x := range num {
		if d := den[r]; d != 0 {
			reps[r] = x / d
		} else {
			reps[r] = math.NaN()
		}
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

// upTo are the numbers from 0 to n − 1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
