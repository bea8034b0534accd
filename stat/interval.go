package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// missingShare is the share of replicates without a value above which an estimate carries a warning.
const missingShare = 0.05

// Estimates returns the metrics with their intervals.
func (d *Draws) Estimates() []percuss.Estimate {
	out := make([]percuss.Estimate, len(d.metrics))
	var t tails
	for j := range d.metrics {
		out[j] = d.estimate(j, &t, out[:j])
	}
	return out
}

// estimate makes the estimate of one metric.
func (d *Draws) estimate(j int, t *tails, earlier []percuss.Estimate) percuss.Estimate {
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
	lo, hi, present := t.of(m.reps, (1-d.o.Level)/2, (1+d.o.Level)/2)
	if present == 0 {
		e.Level, e.Warnings = 0, append(e.Warnings, "no interval: no replicate has a value")
		return e
	}
	e.Lo, e.Hi = number(lo), number(hi)
	tolerance := rounding(m.point)
	if hi-lo <= tolerance && d.degenerate(&e, j, earlier) {
		return e
	}
	if lost := len(m.reps) - present; float64(lost) > missingShare*float64(len(m.reps)) {
		e.Warnings = append(e.Warnings, fmt.Sprintf("no value in %d of %d replicates: the interval is that of the others", lost, len(m.reps)))
	}
	if hi-lo > tolerance && (m.point < lo-tolerance || m.point > hi+tolerance) {
		e.Warnings = append(e.Warnings, "the value lies outside its percentile interval: resampling shifts this statistic")
	}
	return e
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

// degenerate replaces a percentile interval of zero width, and reports true, or says what it means.
func (d *Draws) degenerate(e *percuss.Estimate, j int, earlier []percuss.Estimate) bool {
	m := d.metrics[j]
	combined := ""
	if m.how != "" {
		combined = m.how + "; "
	}
	if m.rate && m.point >= 0 && m.point <= 1 && m.independent > 0 {
		n := float64(m.independent)
		lo, hi := wilson(m.point*n, n, d.o.Level)
		e.Lo, e.Hi = number(lo), number(hi)
		e.Method = combined + wilsonMethod + " (the bootstrap was degenerate)"
		return true
	}
	if lo, hi, ok := fromParts(m.point, d.metric(j).Parts, earlier); ok {
		e.Lo, e.Hi = number(lo), number(hi)
		e.Method = combined + "sum of its parts' intervals (the bootstrap was degenerate)"
		return true
	}
	e.Lo, e.Hi = e.Value, e.Value
	e.Warnings = append(e.Warnings, unvaried(m, e.N, d.o.Level))
	return false
}

// fromParts adds up the intervals of a linear combination around its value. ok is false when they have no width
// either, or when a part has no interval.
func fromParts(point float64, parts []Part, earlier []percuss.Estimate) (lo, hi float64, ok bool) {
	lo, hi = point, point
	for _, part := range parts {
		p := earlier[part.Metric]
		value, has := p.Value.Get()
		low, hasLow := p.Lo.Get()
		high, hasHigh := p.Hi.Get()
		if !has || !hasLow || !hasHigh {
			return 0, 0, false
		}
		a, b := part.Factor*(low-value), part.Factor*(high-value)
		lo, hi = lo+min(a, b), hi+max(a, b)
	}
	return lo, hi, hi-lo > rounding(point)
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
