package stat

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// Average is the unweighted mean of several draws, metric by metric and replicate by replicate. Averages may be
// averaged again: a panel is the mean of models, each the mean of its data sets, and items that models share are
// resampled together. A part in which a metric is missing is left out of that metric's mean, which the estimate says;
// a replicate counts as missing where one of the parts that are in has no value, for the mean of the others would
// estimate something else. Numerator and denominator are totals over the parts, missing where the value is not their
// quotient.
//
// It fails when the draws differ in seed, replicates, level or number of metrics, or when one resampling key stands
// for different items.
func Average(parts ...*Draws) (*Draws, error) {
	frame, err := joined(parts)
	if err != nil {
		return nil, err
	}
	has := make([]int, len(frame.metrics))
	for _, part := range parts {
		for j, m := range part.metrics {
			if !math.IsNaN(m.point) {
				has[j]++
			}
		}
	}
	mean := NewMean(len(parts), has)
	for _, part := range parts {
		if err := mean.Add(part); err != nil {
			return nil, err
		}
	}
	d, err := mean.Draws()
	if err != nil {
		return nil, err
	}
	d.samples, d.bare = frame.samples, frame.bare
	return d, nil
}

// Recombined has some metrics, each a linear combination of earlier ones, computed anew from the draws of their parts. Of an
// Average that is the combination of the means, in place of the mean of the combinations, which lacks every sample that
// lacks one part. A metric that is missing stays missing, as does one of which a part is.
func (d *Draws) Recombined(metrics ...int) *Draws {
	if d.released() {
		return d
	}
	out := *d
	out.metrics = slices.Clone(d.metrics)
	for _, j := range metrics {
		if j >= 0 && j < len(out.metrics) && !math.IsNaN(out.metrics[j].point) {
			out.metrics[j] = d.combined(j)
		}
	}
	return &out
}

// combined is a linear combination. Where a part is a simultaneous band, whose replicates lie on the other side of its value
// than the resamples do, the other parts are turned as well.
func (d *Draws) combined(j int) drawn {
	m, out := d.metric(j), d.metrics[j]
	out.point, out.lacks, out.band, out.units = m.Constant.Or(0), nil, false, nil
	out.how = "composite of its parts' means"
	out.reps = make([]float64, len(out.reps))
	for _, p := range m.Parts {
		part := d.metrics[p.Metric]
		out.point += p.Factor * part.point
		out.units = out.units.with(part.units)
		out.lacks, out.band = plusLacks(out.lacks, p.Factor, part.lacks), out.band || part.band
	}
	for _, p := range m.Parts {
		part, factor := d.metrics[p.Metric], p.Factor
		if out.band && !part.band {
			factor = -factor
		}
		for r := range out.reps {
			if len(part.reps) != len(out.reps) {
				out.reps[r] = math.NaN()
				continue
			}
			out.reps[r] += factor * (part.reps[r] - part.point)
		}
	}
	for r := range out.reps {
		out.reps[r] += out.point
	}
	return out
}

// name says what was averaged, e.g. "mean of 4, each the mean of 3".
func (m meaning) name(parts int) string {
	name := fmt.Sprintf("mean of %d", m.in)
	if m.in < parts {
		name = fmt.Sprintf("mean of %d of %d (missing in the others)", m.in, parts)
	}
	switch {
	case m.uneven || m.each == "":
		return name
	case strings.HasPrefix(m.each, "mean"):
		return name + ", each the " + m.each
	case strings.HasPrefix(m.each, "pooled"):
		return name + ", each " + m.each
	}
	return name + ", each a " + m.each
}

// differenceName says what was subtracted, e.g. "paired difference, each side the mean of 3".
func differenceName(a, b *Draws, x, y drawn) string {
	name := "difference"
	if a.shares(b) {
		name = "paired difference"
	}
	switch {
	case x.how == "" || x.how != y.how:
		return name
	case strings.HasPrefix(x.how, "mean"):
		return name + ", each side the " + x.how
	}
	return name + ", each side " + x.how
}

// Subtract is a − b, metric by metric and replicate by replicate. Where both hold the same items (equal keys) the
// difference is paired; else the two are independent. It fails as Average does. A metric that is missing in either is
// missing.
func Subtract(a, b *Draws) (*Draws, error) {
	d, err := joined([]*Draws{a, b})
	if err != nil {
		return nil, err
	}
	for j := range d.metrics {
		out := drawn{point: math.NaN(), num: math.NaN(), den: math.NaN(), changed: -1}
		if j < len(a.metrics) && j < len(b.metrics) {
			x, y := a.metrics[j], b.metrics[j]
			out.point = x.point - y.point
			out.units = x.units.with(y.units)
			out.lacks = plusLacks(plusLacks(nil, 1, x.lacks), -1, y.lacks)
			out.how, out.band = differenceName(a, b, x, y), x.band || y.band
			out.changed = changedItems(a, b, d.metric(j))
			// Without items a draw has no replicates; its point is missing, and so is the difference.
			if len(x.reps) == len(y.reps) {
				out.reps = make([]float64, len(x.reps))
				for r := range out.reps {
					out.reps[r] = x.reps[r] - y.reps[r]
				}
			}
		}
		d.metrics[j] = out
	}
	return d, nil
}

// shares reports whether every list of items of a is one of b, and the other way round.
func (d *Draws) shares(other *Draws) bool {
	keys := map[string]int{}
	for _, s := range d.samples {
		keys[s.Key] |= 1
	}
	for _, s := range other.samples {
		keys[s.Key] |= 2
	}
	for _, sides := range keys {
		if sides != 3 {
			return false
		}
	}
	return true
}

// changedItems counts the items whose numerator or denominator differs between two draws over the same samples; -1
// where that cannot be said.
func changedItems(a, b *Draws, m Metric) int {
	if len(m.Den) == 0 || len(a.samples) != len(b.samples) || a.bare || b.bare {
		return -1
	}
	n := 0
	for i, s := range a.samples {
		t := b.samples[i]
		if s.Key != t.Key || len(s.Sums) != len(t.Sums) {
			return -1
		}
		for r, row := range s.Sums {
			other := t.Sums[r]
			if columns(row, m.Num) != columns(other, m.Num) || columns(row, m.Den) != columns(other, m.Den) {
				n++
			}
		}
	}
	return n
}

// joined checks that draws can be combined and returns a frame for the result.
func joined(parts []*Draws) (*Draws, error) {
	d := &Draws{}
	q := 0
	for i, part := range parts {
		if part == nil {
			return nil, fmt.Errorf("part %d of the combination was never drawn", i)
		}
		if part.released() {
			return nil, fmt.Errorf("part %d of the combination was released before it was combined", i)
		}
		if i == 0 {
			d.o = part.o
		}
		if part.o.Seed != d.o.Seed || part.o.Replicates != d.o.Replicates || part.o.Level != d.o.Level {
			return nil, fmt.Errorf("draws of different seed, replicates or level cannot be combined: draw all with the same options")
		}
		// A sample without items has no metrics where the options describe none.
		if n := len(part.metrics); n > 0 {
			if q > 0 && n != q {
				return nil, fmt.Errorf("draws of %d and of %d metrics cannot be combined", q, n)
			}
			q = n
		}
		d.samples, d.bare = append(d.samples, part.samples...), d.bare || part.bare
	}
	if len(parts) == 0 {
		return nil, fmt.Errorf("nothing to combine: no draws")
	}
	if err := checkKeys(d.samples); err != nil {
		return nil, err
	}
	d.metrics = make([]drawn, q)
	return d, nil
}
