package stat

import (
	"math"

	"github.com/percuss/percuss"
)

// PValues are the two-sided bootstrap p-values of each metric against 0: twice the share of replicates on the rarer side
// of 0, where the sample itself counts as one replicate more, and at most 1 (Davison and Hinkley 1997, chapter 4;
// without the bound replicates that are exactly 0 would take it to 2). The smallest possible one is
// 2 ÷ (replicates + 1). Missing where the metric is missing, or where no replicate has a value. It is meant for
// differences (see Subtract); of counts of changed items McNemar is exact.
func (d *Draws) PValues() []percuss.Number {
	out := make([]percuss.Number, len(d.metrics))
	for j, m := range d.metrics {
		if math.IsNaN(m.point) {
			continue
		}
		below, above, n := 0, 0, 0
		for _, v := range m.reps {
			if math.IsNaN(v) {
				continue
			}
			n++
			if v <= 0 {
				below++
			}
			if v >= 0 {
				above++
			}
		}
		if n > 0 {
			out[j] = percuss.Num(min(1, 2*float64(1+min(below, above))/float64(n+1)))
		}
	}
	return out
}

// At are the same draws with intervals of another level, e.g. 0.90 for two one-sided tests at 0.05. A level that is no
// share between 0 and 1 leaves them as they are.
func (d *Draws) At(level float64) *Draws {
	if !(level > 0 && level < 1) {
		return d
	}
	out := *d
	out.o.Level = level
	return &out
}
