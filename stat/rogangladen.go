package stat

import (
	"fmt"
	"math"
	"strconv"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/percuss/percuss"
)

// Quality is how well a judge of cases, e.g. of steps that are right or in error, finds the positive ones.
type Quality struct {
	Sensitivity float64 // share of positive cases that it calls positive, 0 to 1
	Specificity float64 // share of negative cases that it calls negative, 0 to 1
	// Positives and Negatives are the independent cases that the two were measured on; 0: known exactly.
	Positives, Negatives int
}

// Youden is Youden's (1950) index, sensitivity + specificity − 1: 0 for a judge that guesses, 1 for one without error. Its
// interval is that of Newcombe (1998) from two Wilson intervals, and is without width where both are known exactly. N is
// the number of cases behind them. Absent where a rate is no number from 0 to 1 or a count is negative.
func (q Quality) Youden(level float64) percuss.Estimate {
	level, err := levelOf(level)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	for _, v := range []float64{q.Sensitivity, q.Specificity} {
		if !(v >= 0 && v <= 1) {
			return percuss.Absent(fmt.Sprintf("sensitivity %v and specificity %v of the judge: give numbers from 0 to 1", q.Sensitivity, q.Specificity))
		}
	}
	if q.Positives < 0 || q.Negatives < 0 {
		return percuss.Absent(fmt.Sprintf("a judge measured on %d positive and %d negative cases: give no negative counts", q.Positives, q.Negatives))
	}
	below, above := 0.0, 0.0
	for _, of := range []struct {
		rate float64
		n    int
	}{{q.Sensitivity, q.Positives}, {q.Specificity, q.Negatives}} {
		if of.n > 0 {
			lo, hi := wilson(of.rate*float64(of.n), float64(of.n), level)
			below, above = math.Hypot(below, of.rate-lo), math.Hypot(above, hi-of.rate)
		}
	}
	j := q.Sensitivity + q.Specificity - 1
	e := percuss.Estimate{Value: percuss.Num(j), Lo: percuss.Num(max(-1, j-below)), Hi: percuss.Num(min(1, j+above)), Level: level, N: q.Positives + q.Negatives}
	e.Method = "Youden's index; Wilson score of both rates, added in quadrature (Newcombe)"
	return e
}

// refusal says why rates cannot be corrected for such a judge; empty: they can.
func (q Quality) refusal(level float64) string {
	j := q.Youden(level)
	v, ok := j.Value.Get()
	switch lo := j.Lo.Or(0); {
	case !ok:
		return j.Why
	case v <= 0:
		return fmt.Sprintf("sensitivity %.2f + specificity %.2f is no more than 1: such a judge tells no more than a guess", q.Sensitivity, q.Specificity)
	case lo <= 0:
		return fmt.Sprintf("it cannot be told whether the judge is better than a guess: Youden's index %.2f, interval %.2f to %.2f, from %d positive and %d negative cases", v, lo, j.Hi.Or(1), q.Positives, q.Negatives)
	}
	return ""
}

// String names the two rates and what is behind them.
func (q Quality) String() string {
	of := func(n int) string {
		if n == 0 {
			return ""
		}
		return " of " + strconv.Itoa(n)
	}
	return fmt.Sprintf("sensitivity %.3g%s, specificity %.3g%s", q.Sensitivity, of(q.Positives), q.Specificity, of(q.Negatives))
}

// draws are one sensitivity and one specificity for each replicate: from the Beta distributions that Jeffreys' prior gives for
// the counts, or the rates themselves where they are known exactly. Equal seeds give the same, so that differences between
// what one judge says are paired.
func (q Quality) draws(o Options) (sensitivity, specificity []float64) {
	of := func(rate float64, n int, name string) []float64 {
		out := make([]float64, o.Replicates)
		x, rng := rate*float64(n), percuss.Rand(o.Seed, "judge", "", name)
		for r := range out {
			out[r] = rate
			if n > 0 {
				out[r] = distuv.Beta{Alpha: x + .5, Beta: float64(n) - x + .5, Src: rng}.Rand()
			}
		}
		return out
	}
	return of(q.Sensitivity, q.Positives, "sensitivity"), of(q.Specificity, q.Negatives, "specificity")
}

// Corrected are the metrics as shares of truly positive cases, where they are shares of cases that a judge of such quality
// calls positive: (p + specificity − 1) ÷ (sensitivity + specificity − 1) (Rogan and Gladen 1978), cut to 0 to 1, which a
// warning tells. The intervals hold both the sampling of items and, where the quality was measured, that of the judge: each
// replicate has a sensitivity and a specificity of its own. What Estimates adds to a metric's own interval, where its
// resamples do not show all, is added here, too. Without counts in the quality it is the metric's interval, moved.
//
// The correction is linear, so that a mean of rates is corrected as one rate is. It holds for shares of single cases, not of
// groups such as "chains with at least one error", and for a judge that is as good on these cases as on those that it was
// measured on. A metric is absent where sensitivity + specificity is 1 or less, or where the interval of that − 1 includes 0
// (see Quality.Youden).
func (d *Draws) Corrected(q Quality) []percuss.Estimate {
	return d.corrected(q, false)
}

// CorrectedDifference are the metrics as differences between shares of truly positive cases, where they are differences between
// shares that the same judge calls positive: difference ÷ (sensitivity + specificity − 1), cut to −1 to 1. Intervals and
// absences are as those of Corrected. It holds where the judge is as good on one side as on the other: it cannot tell a change
// of the cases from a change of how well the judge finds them.
func (d *Draws) CorrectedDifference(q Quality) []percuss.Estimate {
	return d.corrected(q, true)
}

// correction is the line on which rates or differences are corrected, and such a line for each replicate.
type correction struct {
	q           Quality
	difference  bool
	se, sp      []float64
	least, most float64
}

// of corrects a value by a sensitivity and a specificity; NaN where these are no better than a guess.
func (c correction) of(v, se, sp float64) float64 {
	j := se + sp - 1
	if j <= 0 {
		return math.NaN()
	}
	if !c.difference {
		v += sp - 1
	}
	return v / j
}

// corrected makes the estimates of all metrics.
func (d *Draws) corrected(q Quality, difference bool) []percuss.Estimate {
	out, why := d.Estimates(), q.refusal(d.o.Level)
	c := correction{q: q, difference: difference, most: 1}
	if difference {
		c.least = -1
	}
	if why == "" {
		c.se, c.sp = q.draws(d.o)
	}
	for j, e := range out {
		switch {
		case !e.Value.OK():
		case why != "":
			out[j] = percuss.Absent(why)
			out[j].N = e.N
		default:
			out[j] = c.estimate(e, d.metrics[j], d.o.Level)
		}
	}
	return out
}

// estimate corrects one metric from its own estimate and replicates.
func (c correction) estimate(e percuss.Estimate, m drawn, level float64) percuss.Estimate {
	v := c.of(m.point, c.q.Sensitivity, c.q.Specificity)
	out := percuss.Estimate{Value: number(min(c.most, max(c.least, v))), N: e.N, Warnings: e.Warnings}
	out.Method = fmt.Sprintf("Rogan and Gladen's correction (%s); %s", c.q, e.Method)
	if v < c.least || v > c.most {
		out.Warnings = append(out.Warnings, c.cut(m.point, v))
	}
	low, hasLow := e.Lo.Get()
	high, hasHigh := e.Hi.Get()
	if !hasLow || !hasHigh {
		return out
	}
	reps := make([]float64, len(m.reps))
	for r, p := range m.reps {
		reps[r] = c.of(p, c.se[r], c.sp[r])
	}
	var t tails
	plainLow, plainHigh, _ := t.of(m.reps, (1-level)/2, (1+level)/2)
	lo, hi, n := t.of(reps, (1-level)/2, (1+level)/2)
	if n == 0 {
		out.Warnings = append(out.Warnings, "no interval: no replicate has a value")
		return out
	}
	j := c.q.Sensitivity + c.q.Specificity - 1
	below, above := rest(max(0, m.point-low), max(0, m.point-plainLow))/j, rest(max(0, high-m.point), max(0, plainHigh-m.point))/j
	lo, hi = min(lo, v-math.Hypot(max(0, v-lo), below)), max(hi, v+math.Hypot(max(0, hi-v), above))
	out.Lo, out.Hi, out.Level = number(min(c.most, max(c.least, lo))), number(min(c.most, max(c.least, hi))), level
	if c.q.Positives+c.q.Negatives > 0 {
		out.Method += ", each with a sensitivity and specificity drawn from its Beta distribution"
	}
	return out
}

// cut says why a corrected value was cut.
func (c correction) cut(apparent, v float64) string {
	switch {
	case c.difference:
		return fmt.Sprintf("the corrected difference would be %.3f: it is larger than differences can be, and was cut", v)
	case v < 0:
		return fmt.Sprintf("the judge's rate of %.3f is below what it calls positive among negative cases alone (1 − specificity = %.3f): the corrected rate was cut to 0", apparent, 1-c.q.Specificity)
	}
	return fmt.Sprintf("the judge's rate of %.3f is above its sensitivity of %.3f: the corrected rate was cut to 1", apparent, c.q.Sensitivity)
}
