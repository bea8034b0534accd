package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// NoResampleDiffers begins the warning of an estimate that every resample gives the same value for, and whose interval
// has only the width that its parts lend it.
const NoResampleDiffers = "no resample differs from the sample"

// missingShare is the share of replicates without a value above which an estimate carries a warning.
const missingShare = 0.05

// Estimates returns the metrics with their intervals.
func (d *Draws) Estimates() []percuss.Estimate {
	if d.released() {
		return slices.Repeat([]percuss.Estimate{percuss.Absent("its draws were released before it was asked for")}, len(d.metrics))
	}
	out, intervals := make([]percuss.Estimate, len(d.metrics)), d.intervals()
	for j := range d.metrics {
		out[j] = d.estimate(j, intervals[j], out[:j])
	}
	return out
}

// interval is the percentile interval of a metric, and the number of replicates that have a value.
type interval struct {
	lo, hi float64
	n      int
}

// intervals are those of all metrics with a value. Metrics that share their replicates have one.
func (d *Draws) intervals() []interval {
	out, of := make([]interval, len(d.metrics)), make([]int, len(d.metrics))
	var own []int
	known := map[*float64]int{}
	for j, m := range d.metrics {
		of[j] = j
		if math.IsNaN(m.point) || len(m.reps) == 0 {
			continue
		}
		if first, ok := known[&m.reps[0]]; ok {
			of[j] = first
			continue
		}
		known[&m.reps[0]] = j
		own = append(own, j)
	}
	inParallel(len(own), func() func(int) {
		var t tails
		return func(i int) {
			j := own[i]
			out[j].lo, out[j].hi, out[j].n = t.of(d.metrics[j].reps, (1-d.o.Level)/2, (1+d.o.Level)/2)
		}
	})
	for j, first := range of {
		out[j] = out[first]
	}
	return out
}

// estimate makes the estimate of one metric.
func (d *Draws) estimate(j int, of interval, earlier []percuss.Estimate) percuss.Estimate {
	m := d.metrics[j]
	n, _, _ := m.units.count()
	if math.IsNaN(m.point) {
		e := percuss.Absent(d.why(j))
		e.N = n
		return e
	}
	e := percuss.Estimate{Value: number(m.point), Level: d.o.Level, N: n}
	if !m.averaged || m.quotient() {
		e.Num, e.Den = number(m.num), number(m.den)
	}
	e.Method = fmt.Sprintf("percentile bootstrap over items, %d replicates", d.o.Replicates)
	if m.band {
		e.Method = fmt.Sprintf("simultaneous band for what an extreme is taken of; bootstrap over items, %d replicates", d.o.Replicates)
	}
	if m.how != "" {
		e.Method = m.how + "; " + e.Method
	}
	lo, hi, present := of.lo, of.hi, of.n
	if present == 0 {
		e.Level, e.Warnings = 0, append(e.Warnings, "no interval: no replicate has a value")
		return e
	}
	e.Lo, e.Hi = number(lo), number(hi)
	tolerance := rounding(m.point)
	if hi-lo <= tolerance {
		switch {
		case d.degenerate(&e, j, earlier):
		case d.widened(&e, j, earlier):
			e.Warnings = append(e.Warnings, NoResampleDiffers+": the interval has its width from rates that none moves")
		case e.N == 1: // an interval of no width would read as certainty
			e.Lo, e.Hi, e.Level = percuss.Number{}, percuss.Number{}, 0
			e.Warnings = append(e.Warnings, "no interval: of one item every resample is that item")
		default:
			e.Lo, e.Hi = e.Value, e.Value
			e.Warnings = append(e.Warnings, unvaried(m, e.N, d.o.Level))
		}
		return e
	}
	d.widened(&e, j, earlier)
	if lost := len(m.reps) - present; float64(lost) > missingShare*float64(len(m.reps)) {
		e.Warnings = append(e.Warnings, fmt.Sprintf("no value in %d of %d replicates: the interval is that of the others", lost, len(m.reps)))
	}
	if m.point < lo-tolerance || m.point > hi+tolerance {
		e.Warnings = append(e.Warnings, "the value lies outside its percentile interval: resampling shifts this statistic")
	}
	return e
}

// widened adds what the replicates do not show to an interval, and says so; false: they show all. A metric of few items gets
// the wider of that and the interval that rates of so few items have: Wilson's, or that of its parts put together.
func (d *Draws) widened(e *percuss.Estimate, j int, earlier []percuss.Estimate) bool {
	m := d.metrics[j]
	lo, hi := e.Lo.Or(m.point), e.Hi.Or(m.point)
	var below, above float64
	if m.averaged || !d.metric(j).plainRate() {
		below, above = lacking(m.lacks, d.o.Level)
	}
	to := [2]float64{min(lo, m.point-math.Hypot(max(0, m.point-lo), below)), max(hi, m.point+math.Hypot(max(0, hi-m.point), above))}
	how := "; widened by what resamples do not show of rates that none of them moves or on few items (Wilson)"
	n := m.independent
	if m.averaged { // of which a part on few items widens only its own share
		n = e.N
	}
	if n > 0 && n < fewItems {
		var low, high float64
		has := false
		if m.rate && m.point >= 0 && m.point <= 1 {
			low, high = wilson(m.point*float64(n), float64(n), d.o.Level)
			has = true
		} else {
			low, high, has = fromParts(m.point, d.metric(j).Parts, earlier, math.Hypot)
		}
		if has && (low < to[0] || high > to[1]) {
			to = [2]float64{min(low, to[0]), max(high, to[1])}
			how = fmt.Sprintf("; Wilson's where that is wider, for it stands on %d items", n)
		}
	}
	if m.rate {
		to[0], to[1] = min(lo, max(0, to[0])), max(hi, min(1, to[1]))
	}
	if tolerance := rounding(m.point); to[0] >= lo-tolerance && to[1] <= hi+tolerance {
		return false
	}
	e.Lo, e.Hi = number(to[0]), number(to[1])
	e.Method += how
	return true
}

// quotient says whether the value is that of its numerator and denominator. It is not in a mean of samples, whose totals
// would only mislead whoever divides them.
func (m drawn) quotient() bool {
	return math.Abs(m.num/m.den-m.point) <= 1e-9*max(1, math.Abs(m.point)) // false for NaN
}

// rounding is a width that floating-point sums in another order can make.
func rounding(v float64) float64 { return 1e-12 * max(1, math.Abs(v)) }

// why says why a metric has no value.
func (d *Draws) why(j int) string {
	items := 0
	for _, s := range d.samples {
		items += len(s.Sums)
	}
	if items == 0 {
		return "there are no items"
	}
	if m := d.metric(j); m.Absent != "" {
		return m.Absent
	}
	return "no item counts towards it"
}

// degenerate replaces a percentile interval of zero width, and reports true; false where nothing can stand in.
func (d *Draws) degenerate(e *percuss.Estimate, j int, earlier []percuss.Estimate) bool {
	m := d.metrics[j]
	combined := ""
	if m.how != "" {
		combined = m.how + "; "
	}
	if m.rate && m.point >= 0 && m.point <= 1 && m.independent > 0 {
		n := float64(m.independent)
		lo, hi := wilson(m.point*n, n, d.o.Level)
		e.Method = combined + wilsonMethod + " (the bootstrap was degenerate)"
		if below, above := lacking(m.lacks, d.o.Level); below > m.point-lo+rounding(1) || above > hi-m.point+rounding(1) {
			lo, hi = max(0, min(lo, m.point-below)), min(1, max(hi, m.point+above))
			e.Method = combined + wilsonMethod + " of its rates, added in quadrature (the bootstrap was degenerate)"
		}
		e.Lo, e.Hi = number(lo), number(hi)
		return true
	}
	if lo, hi, ok := fromParts(m.point, d.metric(j).Parts, earlier, plainSum); ok {
		e.Lo, e.Hi = number(lo), number(hi)
		e.Method = combined + "sum of its parts' intervals (the bootstrap was degenerate)"
		return true
	}
	return false
}

func plainSum(a, b float64) float64 { return a + b }

// fromParts puts the intervals of a linear combination together around its value: the widths of its parts on either side
// are added up by add, the plain sum or that in quadrature. ok is false when they have no width either, or when a part has
// no interval or one of no width.
func fromParts(point float64, parts []Part, earlier []percuss.Estimate, add func(a, b float64) float64) (lo, hi float64, ok bool) {
	below, above := 0.0, 0.0
	for _, part := range parts {
		p := earlier[part.Metric]
		value, has := p.Value.Get()
		low, hasLow := p.Lo.Get()
		high, hasHigh := p.Hi.Get()
		if !has || !hasLow || !hasHigh {
			return 0, 0, false
		}
		if high-low <= rounding(value) { // which is no sign of certainty
			return 0, 0, false
		}
		a, b := part.Factor*(low-value), part.Factor*(high-value)
		below, above = add(below, max(0, -min(a, b))), add(above, max(a, b, 0))
	}
	return point - below, point + above, below+above > rounding(point)
}

// unvaried says what an interval of zero width leaves open.
func unvaried(m drawn, n int, level float64) string {
	switch {
	case m.changed == 0 && n > 0:
		_, most := wilson(0, float64(n), level)
		return fmt.Sprintf("0 changed items of %d: the interval has no width; up to %.1f %% of such items may change (Wilson upper bound, level %g)", n, 100*most, level)
	case m.changed > 0:
		return fmt.Sprintf("%d changed items of %d, and every resample gives the same value: the interval has no width and is no sign of certainty", m.changed, n)
	}
	return fmt.Sprintf("every resample of the %d items gives the same value: the interval has no width and is no sign of certainty", n)
}
