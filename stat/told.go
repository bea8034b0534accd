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

// upTo are the numbers from 0 to n − 1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}
