package stat

import (
	"math"
	"slices"
)

// Keep are the same draws with some metrics alone, and with those that these are made of: all others are missing, and their
// replicates are let go. It is for draws that outlive the tables they were made for.
func (d *Draws) Keep(metrics ...int) *Draws {
	kept := make([]bool, len(d.metrics))
	for _, j := range metrics {
		if j >= 0 && j < len(kept) {
			kept[j] = true
		}
	}
	var used []int
	out := *d
	out.metrics, out.o.Metrics = make([]drawn, len(d.metrics)), slices.Clone(d.o.Metrics)
	for j := len(kept) - 1; j >= 0; j-- { // parts are earlier metrics
		if !kept[j] {
			out.metrics[j] = drawn{point: math.NaN(), num: math.NaN(), den: math.NaN(), changed: -1}
			continue
		}
		out.metrics[j] = d.metrics[j]
		m := d.metric(j)
		used = slices.Concat(used, m.Num, m.Den)
		for _, p := range m.Parts {
			kept[p.Metric] = true
		}
	}
	slices.Sort(used)
	out.narrow(slices.Compact(used))
	return &out
}

// narrow leaves only some columns of the samples, which Subtract compares.
func (d *Draws) narrow(used []int) {
	places := func(columns []int) []int {
		var out []int
		for _, c := range columns {
			if at, ok := slices.BinarySearch(used, c); ok {
				out = append(out, at)
			}
		}
		return out
	}
	for j, m := range d.o.Metrics {
		d.o.Metrics[j].Num, d.o.Metrics[j].Den = places(m.Num), places(m.Den)
	}
	d.samples = slices.Clone(d.samples)
	for i, s := range d.samples {
		x := make(Sums, len(s.Sums))
		all := make([]float64, len(x)*len(used))
		for r, row := range s.Sums {
			x[r] = all[r*len(used) : (r+1)*len(used)]
			for at, c := range used {
				x[r][at] = columns(row, []int{c})
			}
		}
		d.samples[i].Sums = x
	}
}
