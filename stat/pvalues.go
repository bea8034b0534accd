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
	if d.released() {
		return out
	}
	inParallel(len(d.metrics), func() func(int) {
		var t tails
		return func(j int) { out[j] = d.pValue(d.metrics[j], &t) }
	})
	return out
}

// pValue is the two-sided p-value of a metric.
func (d *Draws) pValue(m drawn, t *tails) percuss.Number {
	if math.IsNaN(m.point) {
		return percuss.Number{}
	}
	below, above, n := 0, 0, 0
	for _, v := range m.reps {
		if v <= 0 {
			below++
		}
		if v >= 0 {
			above++
		}
		if !math.IsNaN(v) {
			n++
		}
	}
	if n == 0 {
		return percuss.Number{}
	}
	p := min(1, 2*float64(1+min(below, above))/float64(n+1))
	return percuss.Num(max(p, d.widerP(m, t)))
}

// LeastP is the smallest p-value that so many replicates can give.
func LeastP(replicates int) float64 { return 2 / float64(replicates+1) }

// widerP is the normal p-value of a metric by the width of its interval towards 0, where that was widened; else 0.
func (d *Draws) widerP(m drawn, t *tails) float64 {
	lacks, above := lacking(m.lacks, d.o.Level)
	if m.point < 0 {
		lacks = above
	}
	if lacks <= rounding(m.point) {
		return 0
	}
	lo, hi, _ := t.of(m.reps, (1-d.o.Level)/2, (1+d.o.Level)/2)
	shown := m.point - lo
	if m.point < 0 {
		shown = hi - m.point
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
