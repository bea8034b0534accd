package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// Draws are the metrics of a sample, or of a combination of samples, on the sample itself and on every resample.
// Average and Subtract combine them replicate by replicate, so that a cell is resampled once however many tables it
// enters. A Draws is never changed after it was made.
type Draws struct {
	o       Options
	samples []Sample
	p       int // columns of the samples; -1: no item at all
	metrics []drawn
}

// drawn is one metric. NaN stands for a missing value, inside this package only.
type drawn struct {
	point    float64
	reps     []float64 // by replicate
	num, den float64   // sums of the metric's columns; NaN where it has none
	units    units
	// independent is the number of items that Wilson's interval may count on when no resample differs.
	independent int
	changed     int    // items that differ between the arms of a difference; -1: not known
	averaged    bool   // num and den are totals over samples, and the point a mean over them
	rate        bool   // lies between 0 and 1, so that Wilson's interval may stand in
	band        bool   // the replicates are those of a simultaneous band, see Extreme
	how         string // how parts were combined, e.g. "mean of 3"
	lacks       []lack // what the replicates do not show
}

// units are the items that count towards a metric, by resampling key.
type units map[string][]bool

// count returns the number of items over all keys, the number of keys, and the items of the smallest one.
func (u units) count() (total, keys, smallest int) {
	for _, mask := range u {
		n := 0
		for _, in := range mask {
			if in {
				n++
			}
		}
		if n == 0 {
			continue
		}
		if keys == 0 || n < smallest {
			smallest = n
		}
		total += n
		keys++
	}
	return total, keys, smallest
}

// add joins the items of another metric to u.
func (u units) add(other units) {
	for key, mask := range other {
		if u[key] == nil {
			u[key] = make([]bool, len(mask))
		}
		for i, in := range mask {
			u[key][i] = u[key][i] || in
		}
	}
}

// Draw resamples one sample. It fails on a sample without key, ragged rows, values that are no numbers, options that
// are out of range, and a statistic that does not return one number for each of Options.Metrics. Without items every
// metric is missing, and the statistic is not called.
func Draw(s Sample, stat Statistic, o Options) (*Draws, error) {
	return DrawPooled([]Sample{s}, stat, o)
}

// DrawPooled resamples every sample by itself and applies the statistic to the sums over all of them; samples with
// equal keys share their resamples. All samples need the same columns. Its errors are those of Draw.
func DrawPooled(samples []Sample, stat Statistic, o Options) (*Draws, error) {
	d, err := prepared(samples, stat, o)
	if err != nil {
		return nil, err
	}
	return d, replicate(d, nil, stat)
}

// DrawEach draws each of some samples and all of them pooled, as Draw and DrawPooled do, from one pass over the resamples.
// Its errors are those of Draw.
func DrawEach(samples []Sample, stat Statistic, o Options) (each []*Draws, pooled *Draws, err error) {
	if pooled, err = prepared(samples, stat, o); err != nil {
		return nil, nil, err
	}
	for _, s := range samples {
		d, err := prepared([]Sample{s}, stat, o)
		if err != nil {
			return nil, nil, err
		}
		each = append(each, d)
	}
	return each, pooled, replicate(pooled, each, stat)
}

// prepared is a draw without its replicates.
func prepared(samples []Sample, stat Statistic, o Options) (*Draws, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	if err := checkKeys(samples); err != nil {
		return nil, err
	}
	d := &Draws{o: o, samples: samples}
	if d.p, err = d.width(); err != nil {
		return nil, err
	}
	if d.p < 0 {
		d.metrics = d.describe(make([]percuss.Number, len(o.Metrics)), nil)
		return d, nil
	}
	total := make([]float64, d.p)
	for _, s := range samples {
		for j, v := range s.Sums.total(d.p) {
			total[j] += v
		}
	}
	point := stat(append([]float64(nil), total...))
	if len(o.Metrics) > 0 && len(point) != len(o.Metrics) {
		return nil, fmt.Errorf("the statistic returned %d metrics, the options describe %d", len(point), len(o.Metrics))
	}
	d.metrics = d.describe(point, total)
	return d, nil
}

// width checks the matrices and returns their common number of columns, -1 when there is no item at all.
func (d *Draws) width() (int, error) {
	p := -1
	for _, s := range d.samples {
		w, err := s.Sums.width()
		if err != nil {
			return 0, fmt.Errorf("%s: %w", s.Key, err)
		}
		if len(s.Sums) == 0 {
			continue
		}
		if p >= 0 && w != p {
			return 0, fmt.Errorf("%s: %d columns where another sample has %d", s.Key, w, p)
		}
		p = w
	}
	return p, nil
}

// metric returns the description of a metric, empty where the caller gave none.
func (d *Draws) metric(j int) Metric {
	if j < len(d.o.Metrics) {
		return d.o.Metrics[j]
	}
	return Metric{}
}

// describe fills in everything but the replicates.
func (d *Draws) describe(point []percuss.Number, total []float64) []drawn {
	out := make([]drawn, len(point))
	for j, v := range point {
		m := d.metric(j)
		e := drawn{point: v.Or(math.NaN()), num: math.NaN(), den: math.NaN(), units: units{}, changed: -1}
		if len(m.Den) > 0 {
			e.num, e.den = columns(total, m.Num), columns(total, m.Den)
			e.rate = !m.Difference
		}
		if m.Changed != nil {
			e.changed = 0
		}
		for _, s := range d.samples {
			mask := make([]bool, len(s.Sums))
			for i, row := range s.Sums {
				mask[i] = len(m.Den) == 0 || columns(row, m.Den) > 0
				if m.Changed != nil && m.Changed(row) {
					e.changed++
				}
			}
			e.units.add(units{s.Key: mask})
		}
		e.independent, _, _ = e.units.count()
		if len(d.samples) > 1 {
			e.how = fmt.Sprintf("pooled over %d samples", len(d.samples))
		}
		out[j] = e
	}
	return out
}
