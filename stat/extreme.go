package stat

import (
	"math"
	"slices"
)

// Extreme makes a metric the spread of earlier metrics, largest minus smallest, or the largest of their absolute values.
// Its sample value lies above its true one on average, the more the closer those metrics are to each other, and resampling
// shifts it a second time: the percentile interval may then miss the truth nearly always.
//
// Instead, no extreme errs by more than its metrics do: with e the errors of the metrics, a spread by at most
// max(e) − min(e), a largest absolute value by at most max|e|. The interval is the value plus and minus the quantile of that
// bound over the resamples, a simultaneous band. It holds the truth at least at its level.
type Extreme struct {
	Of       []int // indices of earlier metrics; empty: the metric is no extreme
	Absolute bool  // the largest absolute value, not the spread
}

// reach is by how much the extreme may err in one replicate, given how far each of its metrics lies from its value; NaN
// where none has one.
func (x Extreme) reach(d []drawn, replicate int) float64 {
	least, most, n := 0.0, 0.0, 0
	for _, j := range x.Of {
		if len(d[j].reps) == 0 {
			continue
		}
		e := d[j].reps[replicate] - d[j].point
		if math.IsNaN(e) {
			continue
		}
		if n == 0 {
			least, most = e, e
		}
		least, most, n = min(least, e), max(most, e), n+1
	}
	switch {
	case n == 0:
		return math.NaN()
	case x.Absolute:
		return max(most, -least)
	}
	return most - least
}

// band gives the replicates of extremes, and of combinations that hold one, the spread of their simultaneous band: the bound
// is added in every other replicate and taken away in the rest, so that the percentile interval is the band, also of a mean
// of samples or of a sum in which the extreme is one term.
func (d *Draws) band() {
	for j := range d.metrics {
		m, is := d.metric(j), &d.metrics[j]
		held := slices.ContainsFunc(m.Parts, func(p Part) bool { return d.metrics[p.Metric].band })
		if math.IsNaN(is.point) || len(m.Extreme.Of) == 0 && !held {
			continue
		}
		is.band = true
		for r := range is.reps {
			if !held {
				is.reps[r] = is.point + (1-2*float64(r%2))*m.Extreme.reach(d.metrics, r)
				continue
			}
			is.reps[r] = is.point
			for _, part := range m.Parts {
				p := d.metrics[part.Metric]
				is.reps[r] += part.Factor * (p.reps[r] - p.point)
			}
		}
	}
}
