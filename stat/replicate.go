package stat

import (
	"fmt"
	"math"
	"sync/atomic"
)

// laying is what the draws of some samples have in common: how the columns of the samples are sorted, and their products.
type laying struct {
	samples  []*matrix
	stat     Statistic
	told     bool       // every metric of every draw is told
	classes  []classes  // by sample
	products []*product // by sample
	pooled   classes    // of all samples together
}

// newLaying is that of samples for draws which are of one of them or of all.
func newLaying(draws []*Draws, samples []*matrix, stat Statistic) *laying {
	l := &laying{samples: samples, stat: stat, told: true, classes: make([]classes, len(samples)), products: make([]*product, len(samples))}
	p := 0
	for _, d := range draws {
		l.told, p = l.told && (d.p < 0 || d.told()), max(p, d.p)
	}
	wanted := upTo(p)
	if l.told {
		wanted = columnsOf(draws)
	}
	inParallel(len(samples), func() func(int) {
		return func(i int) {
			if x := samples[i]; x.items > 0 {
				l.classes[i] = x.classes(wanted)
				l.products[i] = newProduct(x, l.classes[i])
			}
		}
	})
	for i, c := range l.classes {
		switch {
		case samples[i].items == 0:
		case l.pooled.of == nil:
			l.pooled = c
		default:
			l.pooled = l.pooled.both(c, wanted)
		}
	}
	return l
}

// target is a draw that is to be filled in: how its columns are sorted and, of a told one, how its metrics are computed.
type target struct {
	*Draws
	classes  classes
	formulas *formulas
}

// source gives the sums of the classes of a draw in n replicates from a given one, a block for each class, with room for a
// draw's formulas behind them. They stand in the worker's room.
type source func(w *worker, from, n int) []float64

// fill fills in the replicates of a draw of some samples, in parallel. It fails when the statistic changes its number of
// metrics.
func (l *laying) fill(d *Draws, samples []*matrix, c classes, sums source) error {
	if d.p < 0 {
		return nil
	}
	t := &target{Draws: d, classes: c}
	if l.told {
		t.formulas = formulasOf(d, c)
	}
	t.allocate()
	var odd atomic.Bool
	n := d.o.Replicates
	inParallel((n+block-1)/block, func() func(int) {
		own := worker{target: t, stat: l.stat}
		return func(i int) {
			from, count := i*block, min(block, n-i*block)
			if !odd.Load() && !own.enter(sums(&own, from, count), from, count) {
				odd.Store(true)
			}
		}
	})
	if odd.Load() {
		return fmt.Errorf("the statistic returned %d metrics for the sample and another number for a resample", len(d.metrics))
	}
	d.lacks(samples)
	d.band()
	return nil
}

// ofSample gives the sums of a sample, and adds them to those of a pool where there is one.
func (l *laying) ofSample(i int, to pool) source {
	return func(w *worker, from, n int) []float64 {
		w.sums = sized(w.sums, max(w.width(), len(l.classes[i].first))*block)
		l.enter(w, i, w.sums, from, n)
		for k, all := range to {
			plus(all[from:from+n], w.sums[l.classes[i].of[l.pooled.first[k]]*block:][:n])
		}
		return w.sums
	}
}

// ofAll gives the sums over all samples.
func (l *laying) ofAll() source {
	if len(l.samples) == 1 {
		return l.ofSample(0, nil)
	}
	return func(w *worker, from, n int) []float64 {
		w.pool = zeroed(w.pool, w.width()*block)
		for i, x := range l.samples {
			if x.items > 0 {
				w.sums = sized(w.sums, len(l.classes[i].first)*block)
				l.enter(w, i, w.sums, from, n)
				for k, j := range l.pooled.first {
					plus(w.pool[k*block:][:n], w.sums[l.classes[i].of[j]*block:][:n])
				}
			}
		}
		return w.pool
	}
}

// enter sets the sums of a sample's classes.
func (l *laying) enter(w *worker, i int, sums []float64, from, n int) {
	rs := Resampler{Seed: w.o.Seed, Key: l.samples[i].key, Items: l.samples[i].items}
	l.products[i].sum(sums, n, w.o.Resamples.block(rs, from, n, &w.weights), &w.scratch)
}

// pool holds the sums over all samples, by class and replicate.
type pool [][]float64

// newPool is one of zeros, in the memory of released draws.
func (l *laying) newPool(o Options) pool {
	out := make(pool, len(l.pooled.first))
	for k := range out {
		out[k] = o.Resamples.take(o.Replicates)
		clear(out[k])
	}
	return out
}

// source gives the sums of a pool to which all samples have been added.
func (p pool) source(w *worker, from, n int) []float64 {
	w.sums = sized(w.sums, w.width()*block)
	for k, all := range p {
		copy(w.sums[k*block:], all[from:from+n])
	}
	return w.sums
}

// allocate makes room for the replicates. Those of missing metrics, which are missing too, share theirs, and so do metrics
// that are computed alike.
func (t *target) allocate() {
	var missing []float64
	for j := range t.metrics {
		m := &t.metrics[j]
		switch {
		case math.IsNaN(m.point):
			if missing == nil {
				missing = t.own.take(t.o.Replicates)
				for r := range missing {
					missing[r] = math.NaN()
				}
			}
			m.reps = missing
		case t.formulas != nil && t.formulas.metrics[j].like != none:
			m.reps = t.metrics[t.formulas.metrics[j].like].reps
		default:
			if m.reps = t.own.take(t.o.Replicates); t.formulas != nil && t.formulas.metrics[j].skip {
				clear(m.reps) // nothing is written there before it is read
			}
		}
	}
}

// width is the number of sums that the metrics of a draw are computed from: those of the classes and, of a told draw, those of
// the formulas.
func (t *target) width() int {
	if t.formulas == nil {
		return len(t.classes.first)
	}
	return len(t.classes.first) + len(t.formulas.sums)
}

// worker computes blocks of replicates of a draw. What it works in is its own.
type worker struct {
	*target
	stat     Statistic
	weights  []lane
	sums     []float64 // of a sample, a block each: first those of its classes, then what its draw makes of them
	pool     []float64 // of all samples
	row      []float64
	scratch  scratch
	division division
}

// enter computes the metrics from the sums of a block; false: the statistic changed their number.
func (w *worker) enter(sums []float64, from, n int) bool {
	if w.formulas != nil {
		w.division.enter(w.Draws, w.formulas, sums, from, n)
		return true
	}
	for r := range n {
		w.row = zeroed(w.row, w.p)
		for j, class := range w.classes.of {
			w.row[j] = sums[class*block+r]
		}
		values := w.stat(w.row)
		if len(values) != len(w.metrics) {
			return false
		}
		for j, v := range values {
			if m := &w.metrics[j]; !math.IsNaN(m.point) {
				m.reps[from+r] = v.Or(math.NaN())
			}
		}
	}
	return true
}
