package stat

import (
	"math"
	"slices"
)

// Keep are the same draws with some metrics alone, and with those that these are made of: all others are missing, and their
// replicates are let go. It is for draws that outlive the tables they were made for, and their release.
func (d *Draws) Keep(metrics ...int) *Draws {
	kept := make([]bool, len(d.metrics))
	for _, j := range metrics {
		if j >= 0 && j < len(kept) {
			kept[j] = true
		}
	}
	if d.released() {
		return d
	}
	out := *d
	out.own = nil
	out.metrics, out.o.Metrics = make([]drawn, len(d.metrics)), slices.Clone(d.o.Metrics)
	var compared []int
	for j := len(kept) - 1; j >= 0; j-- { // parts are earlier metrics
		if !kept[j] {
			out.metrics[j] = drawn{point: math.NaN(), num: math.NaN(), den: math.NaN(), changed: -1}
			continue
		}
		out.metrics[j] = d.metrics[j]
		m := d.metric(j)
		if len(m.Den) > 0 {
			compared = append(compared, j)
		}
		for _, p := range m.Parts {
			kept[p.Metric] = true
		}
	}
	copied(out.metrics)
	out.narrow(compared)
	return &out
}

// narrow leaves of the samples what Subtract compares: numerator and denominator of some metrics in each item.
func (d *Draws) narrow(compared []int) {
	samples := slices.Clone(d.samples)
	for i, s := range samples {
		x, all := make(Sums, len(s.Sums)), make([]float64, 0, 2*len(compared)*len(s.Sums))
		for r, row := range s.Sums {
			from := len(all)
			for _, j := range compared {
				m := d.metric(j)
				all = append(all, columns(row, m.Num), columns(row, m.Den))
			}
			x[r] = all[from:len(all):len(all)]
		}
		samples[i].Sums = x
	}
	d.samples = samples
	for at, j := range compared {
		d.o.Metrics[j].Num, d.o.Metrics[j].Den = []int{2 * at}, []int{2*at + 1}
	}
}
