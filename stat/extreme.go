package stat

import (
	"math"
	"slices"
)

// Extreme makes a metric the spread of earlier metrics, largest minus smallest, or the largest of their absolute values.
// Its sample value lies above its true one on average, the more the closer those metrics are to each other, and resampling
// shifts it a second time: the percentile interval may then miss the truth nearly always.
//
// Instead: a spread is the largest of the differences of two of its metrics, and it errs upwards by no more than the largest
// error among the differences that may be the largest. Those are the ones that are so in some resample; the bound's quantile
// over the resamples is the reach of the interval, a simultaneous band, downwards; upwards the same with the signs turned.
// The band holds the truth at least at its level where there are many items. See also Andrews and Soares (2010), who choose
// the differences by a threshold.
type Extreme struct {
	Of       []int // indices of earlier metrics; empty: the metric is no extreme
	Absolute bool  // the largest absolute value, not the spread
}

// contrast is one of the quantities of which an extreme is the largest: one metric, or none, minus another, or none.
type contrast struct{ plus, minus int }

// none is in the place of a metric where a contrast has one term.
const none = -1

// contrasts are those of an extreme.
func (x Extreme) contrasts() []contrast {
	var out []contrast
	for _, i := range x.Of {
		if x.Absolute {
			out = append(out, contrast{i, none}, contrast{none, i})
			continue
		}
		for _, j := range x.Of {
			if i != j {
				out = append(out, contrast{i, j})
			}
		}
	}
	return out
}

// in is a contrast of the values of metrics; NaN where it has none.
func (c contrast) in(values []float64) float64 {
	v := 0.0
	if c.plus != none {
		v = values[c.plus]
	}
	if c.minus != none {
		v -= values[c.minus]
	}
	return v
}

// largest returns the place of the largest of some contrasts, and its value; none where there is no value.
func largest(of []contrast, values []float64) (at int, most float64) {
	at, most = none, math.NaN()
	for i, c := range of {
		if v := c.in(values); !math.IsNaN(v) && (at == none || v > most) {
			at, most = i, v
		}
	}
	return at, most
}

// rivals are the contrasts that are the largest in the sample or in some resample.
func (x Extreme) rivals(d []drawn, replicates int) []contrast {
	all := x.contrasts()
	keep, values := make([]bool, len(all)), make([]float64, len(d))
	for r := -1; r < replicates; r++ {
		for _, j := range x.Of {
			if values[j] = d[j].point; r >= 0 {
				values[j] = d[j].reps[r]
			}
		}
		if at, _ := largest(all, values); at != none {
			keep[at] = true
		}
	}
	var out []contrast
	for i, c := range all {
		if keep[i] {
			out = append(out, c)
		}
	}
	return out
}

// reach puts the replicates of an extreme below its value by the largest error of its rivals, and every other one above it
// by the largest with the sign turned. For a combination, rest is what its other terms err by, and factor the extreme's.
func (x Extreme) reach(d []drawn, rivals []contrast, to *drawn, factor float64, rest func(replicate int) float64) {
	errors := make([]float64, len(d))
	for r := range to.reps {
		side := 1 - 2*float64(r%2)
		for _, j := range x.Of {
			errors[j] = side * factor * (d[j].reps[r] - d[j].point)
		}
		_, e := largest(rivals, errors)
		to.reps[r] = to.point - rest(r) - side*e
	}
}

// band gives the replicates of extremes, and of combinations that hold one, the spread of their simultaneous band, so that
// the percentile interval is the band, also of a mean of samples.
func (d *Draws) band() {
	rivals := make([][]contrast, len(d.metrics))
	for j := range d.metrics {
		m, is := d.metric(j), &d.metrics[j]
		held := slices.IndexFunc(m.Parts, func(p Part) bool { return rivals[p.Metric] != nil })
		switch {
		case math.IsNaN(is.point):
		case len(m.Extreme.Of) > 0:
			is.band, rivals[j] = true, m.Extreme.rivals(d.metrics, len(is.reps))
			m.Extreme.reach(d.metrics, rivals[j], is, 1, func(int) float64 { return 0 })
		case held >= 0:
			is.band = true
			part := m.Parts[held]
			d.metric(part.Metric).Extreme.reach(d.metrics, rivals[part.Metric], is, part.Factor, func(r int) float64 {
				rest := 0.0
				for i, part := range m.Parts {
					if p := d.metrics[part.Metric]; i != held {
						rest += part.Factor * (p.reps[r] - p.point)
					}
				}
				return rest
			})
		}
	}
}
