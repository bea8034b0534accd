package stat

import (
	"math"

	"github.com/percuss/percuss"
)

// PValues are the two-sided bootstrap p-values of each metric against 0: twice the share of replicates on the rarer side
// of 0, where the sample itself counts as one replicate more, and at most 1 (Davison and Hinkley 1997, chapter 4;
// without the bound replicates that are exactly 0 would take it to 2). The smallest possible one is
// 2 ÷ (replicates + 1), see LeastP. Where the replicates do not show all (items that none of them moves, or few), it is at
// least that of a normal distribution as wide as the widened interval, so that both say the same. Missing where the metric
// is missing, or where no replicate has a value. It is meant for differences (see Subtract); of counts of changed items
// McNemar is exact.
func (d *Draws) PValues() []percuss.Number {
	out := make([]percuss.Number, len(d.metrics))
	var t tails
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
			p := min(1, 2*float64(1+min(below, above))/float64(n+1))
			out[j] = percuss.Num(max(p, d.widerP(m, &t)))
		}
	}
	return out
}

// LeastP is the smallest p-value that so many replicates can give.
func LeastP(replicates int) float64 { return 2 / float64(replicates+1) }

// widerP is the normal p-value of a metric by the width of its interval towards 0, where that was widened; else 0.
func (d *Draws) widerP(m drawn, t *tails) float64 {
	below, above := lacking(m.lacks, d.o.Level)
	lo, hi, _ := t.of(m.reps, (1-d.o.Level)/2, (1+d.o.Level)/2)
	shown, lacks := m.point-lo, below
	if m.point < 0 {
		shown, lacks = hi-m.point, above
	}
	if lacks <= rounding(m.point) {
		return 0
	}
	width := math.Hypot(max(0, shown), lacks) / normalQuantile(d.o.Level)
	return math.Erfc(math.Abs(m.point) / width / math.Sqrt2)
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
