package stat

import (
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Draws are the metrics of a sample, or of a combination of samples, on the sample itself and on every resample.
// Average and Subtract combine them replicate by replicate, so that a cell is resampled once however many tables it
// enters. A Draws is never changed after it was made.
type Draws struct {
	o       Options
	samples []Sample
	bare    bool // of the samples only the numbers of items are there
	p       int  // columns of the samples; -1: no item at all
	metrics []drawn
	own     *replicates // what they stand in; nil: they are nobody else's
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

// Draw resamples one sample. It fails on a sample without key, ragged rows, values that are no numbers, options that
// are out of range, and a statistic that does not return one number for each of Options.Metrics. Without items every
// metric is missing, and the statistic is not called.
func Draw(s Sample, stat Statistic, o Options) (*Draws, error) {
	return DrawPooled([]Sample{s}, stat, o)
}

// DrawPooled resamples every sample by itself and applies the statistic to the sums over all of them; samples with
// equal keys share their resamples. All samples need the same columns. Its errors are those of Draw.
func DrawPooled(samples []Sample, stat Statistic, o Options) (*Draws, error) {
	of, err := laidOut(samples)
	if err != nil {
		return nil, err
	}
	d, err := prepared(samples, of, stat, o)
	if err != nil {
		return nil, err
	}
	l := newLaying([]*Draws{d}, of, stat)
	return d, l.fill(d, of, l.pooled, l.ofAll())
}

// DrawEach draws all of some samples pooled, as DrawPooled does, and each of them alone, as Draw does, from one pass over the
// resamples. It gives the draws of each to show, in their order, and releases them when that returns: of many draws that are
// wanted for their estimates those of one are in memory. Its errors are those of Draw.
func DrawEach(samples []Sample, stat Statistic, o Options, show func(i int, d *Draws)) (pooled *Draws, err error) {
	of, err := laidOut(samples)
	if err != nil {
		return nil, err
	}
	if pooled, err = prepared(samples, of, stat, o); err != nil {
		return nil, err
	}
	draws := []*Draws{pooled}
	for i := range samples {
		d, err := prepared(samples[i:i+1:i+1], of[i:i+1], stat, o)
		if err != nil {
			return nil, err
		}
		draws = append(draws, d)
	}
	l := newLaying(draws, of, stat)
	all := l.newPool(pooled.o)
	defer pooled.o.Resamples.give(all...)
	for i, d := range draws[1:] {
		if err := l.fill(d, of[i:i+1], l.classes[i], l.ofSample(i, all)); err != nil {
			return nil, err
		}
		show(i, d)
		d.Release()
	}
	return pooled, l.fill(pooled, of, l.pooled, all.source)
}

// laidOut are the matrices of some samples.
func laidOut(samples []Sample) ([]*matrix, error) {
	if err := checkKeys(samples); err != nil {
		return nil, err
	}
	out, errs := make([]*matrix, len(samples)), make([]error, len(samples))
	inParallel(len(samples), func() func(int) {
		return func(i int) { out[i], errs[i] = newMatrix(samples[i]) }
	})
	for _, err := range errs {
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// prepared is a draw without its replicates.
func prepared(samples []Sample, of []*matrix, stat Statistic, o Options) (*Draws, error) {
	o, err := o.checked()
	if err != nil {
		return nil, err
	}
	d := &Draws{o: o, samples: samples, own: &replicates{from: o.Resamples}}
	if d.p, err = width(of); err != nil {
		return nil, err
	}
	if d.p < 0 {
		d.metrics = d.describe(make([]percuss.Number, len(o.Metrics)), nil, of)
		return d, nil
	}
	total := make([]float64, d.p)
	for _, x := range of {
		if x.items > 0 {
			plus(total, x.total)
		}
	}
	point := stat(slices.Clone(total))
	if len(o.Metrics) > 0 && len(point) != len(o.Metrics) {
		return nil, fmt.Errorf("the statistic returned %d metrics, the options describe %d", len(point), len(o.Metrics))
	}
	d.metrics = d.describe(point, total, of)
	return d, nil
}

// width is the common number of columns of some matrices, -1 when there is no item at all.
func width(of []*matrix) (int, error) {
	p := -1
	for _, x := range of {
		if x.items == 0 {
			continue
		}
		if w := len(x.columns); p >= 0 && w != p {
			return 0, fmt.Errorf("%s: %d columns where another sample has %d", x.key, w, p)
		}
		p = len(x.columns)
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
func (d *Draws) describe(point []percuss.Number, total []float64, of []*matrix) []drawn {
	out := make([]drawn, len(point))
	known := map[string]units{}
	for j, v := range point {
		m := d.metric(j)
		e := drawn{point: v.Or(math.NaN()), num: math.NaN(), den: math.NaN(), units: unitsOver(of, m.Den, known), changed: -1}
		if len(m.Den) > 0 {
			e.num, e.den = columns(total, m.Num), columns(total, m.Den)
			e.rate = !m.Difference
		}
		if m.Changed != nil {
			e.changed = d.changedBy(m.Changed)
		}
		e.independent, _, _ = e.units.count()
		if len(d.samples) > 1 {
			e.how = fmt.Sprintf("pooled over %d samples", len(d.samples))
		}
		out[j] = e
	}
	return out
}

// changedBy counts the items whose row differs between the arms of a difference.
func (d *Draws) changedBy(changed func(row []float64) bool) int {
	n := 0
	for _, s := range d.samples {
		for _, row := range s.Sums {
			if changed(row) {
				n++
			}
		}
	}
	return n
}

// unitsOver are the items with something in some columns; all where there are none. known are those of earlier metrics.
func unitsOver(of []*matrix, den []int, known map[string]units) units {
	name := naming('d')
	for _, j := range den {
		name = append(name, naming('c', uint64(j))...)
	}
	u, ok := known[string(name)]
	if ok {
		return u
	}
	var sums []float64
	for _, x := range of {
		sums = x.sum(den, sums)
		u = u.with(newUnits(x.key, x.items, func(i int) bool { return len(den) == 0 || sums[i] > 0 }))
	}
	known[string(name)] = u
	return u
}
