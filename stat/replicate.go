package stat

import (
	"fmt"
	"math"
	"sync/atomic"
)

// replicate fills in the replicates of a draw of some samples, and of the draws of each of them where there are any, in
// parallel. It fails when the statistic changes its number of metrics.
func replicate(pooled *Draws, each []*Draws, samples []*matrix, stat Statistic) error {
	if pooled.p < 0 {
		return nil
	}
	w := newWork(pooled, each, samples, stat)
	if !w.all() {
		return fmt.Errorf("the statistic returned %d metrics for the sample and another number for a resample", len(pooled.metrics))
	}
	inParallel(len(w.targets), func() func(int) {
		return func(i int) {
			w.targets[i].lacks(w.targets[i].of)
			w.targets[i].band()
		}
	})
	return nil
}

// target is a draw that is to be filled in: what it is of, how its columns are sorted and, of a told one, how its metrics
// are computed.
type target struct {
	*Draws
	of       []*matrix
	classes  classes
	formulas *formulas
}

// work is what the workers of one call share, and do not change but for the replicates: no two write the same one.
type work struct {
	targets  []*target // the pooled one first
	each     []*target // by sample; nil: only the pooled one is wanted
	samples  []*matrix
	stat     Statistic
	columns  []int
	classes  []classes  // by sample
	products []*product // by sample
}

func newWork(pooled *Draws, each []*Draws, samples []*matrix, stat Statistic) *work {
	w := &work{samples: samples, stat: stat, targets: []*target{{Draws: pooled, of: samples}}}
	for i, d := range each {
		t := &target{Draws: d, of: samples[i : i+1]}
		w.each = append(w.each, t)
		if d.p >= 0 {
			w.targets = append(w.targets, t)
		}
	}
	told := true
	w.columns = upTo(pooled.p)
	for _, t := range w.targets {
		told = told && t.told()
	}
	if told {
		w.columns = columnsOf(w.targets)
	}
	w.sort()
	inParallel(len(w.targets), func() func(int) {
		return func(i int) {
			t := w.targets[i]
			if told {
				t.formulas = formulasOf(t.Draws, t.classes)
			}
			t.allocate()
		}
	})
	return w
}

// sort sorts the columns of each sample, and of all together, and prepares the products.
func (w *work) sort() {
	w.classes, w.products = make([]classes, len(w.samples)), make([]*product, len(w.samples))
	inParallel(len(w.samples), func() func(int) {
		return func(i int) {
			if x := w.samples[i]; x.items > 0 {
				w.classes[i] = x.classes(w.columns)
				w.products[i] = newProduct(x, w.classes[i])
			}
		}
	})
	pooled := w.targets[0]
	for i, c := range w.classes {
		switch {
		case w.samples[i].items == 0:
			continue
		case pooled.classes.of == nil:
			pooled.classes = c
		default:
			pooled.classes = pooled.classes.both(c, w.columns)
		}
		if w.each != nil {
			w.each[i].classes = c
		}
	}
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
				missing = make([]float64, t.o.Replicates)
				for r := range missing {
					missing[r] = math.NaN()
				}
			}
			m.reps = missing
		case t.formulas != nil && t.formulas.metrics[j].like != none:
			m.reps = t.metrics[t.formulas.metrics[j].like].reps
		default:
			m.reps = make([]float64, t.o.Replicates)
		}
	}
}

// all computes every replicate. It reports false when the statistic changed its number of metrics.
func (w *work) all() bool {
	var odd atomic.Bool
	n := w.targets[0].o.Replicates
	inParallel((n+block-1)/block, func() func(int) {
		own := worker{work: w}
		return func(i int) {
			if !odd.Load() && !own.run(i*block, min((i+1)*block, n)) {
				odd.Store(true)
			}
		}
	})
	return !odd.Load()
}

// width is the number of sums that the metrics of a draw are computed from: those of the classes and, of a told draw, those of
// the formulas.
func (t *target) width() int {
	if t.formulas == nil {
		return len(t.classes.first)
	}
	return len(t.classes.first) + len(t.formulas.sums)
}

// width is the number of sums that are made of a sample.
func (w *work) width(sample int) int {
	switch {
	case w.each != nil:
		return w.each[sample].width()
	case len(w.samples) == 1:
		return w.targets[0].width()
	}
	return len(w.classes[sample].first)
}

// worker computes blocks of replicates. What it works in is its own.
type worker struct {
	*work
	weights  []lane
	sums     []float64 // of a sample, a block each: first those of its classes, then what its draw makes of them
	pool     []float64 // of all samples
	row      []float64
	scratch  scratch
	division division
}

// run computes the replicates from ≤ r < to.
func (w *worker) run(from, to int) bool {
	n, pooled := to-from, w.targets[0]
	w.pool = zeroed(w.pool, pooled.width()*block)
	for i, x := range w.samples {
		if x.items == 0 {
			continue
		}
		rs := Resampler{Seed: pooled.o.Seed, Key: x.key, Items: x.items}
		w.sums = sized(w.sums, w.width(i)*block)
		w.products[i].sum(w.sums, n, pooled.o.Resamples.block(rs, from, n, &w.weights), &w.scratch)
		if w.each != nil && !w.enter(w.each[i], w.sums, from, n) {
			return false
		}
		if len(w.samples) == 1 {
			return w.enter(pooled, w.sums, from, n)
		}
		for k, j := range pooled.classes.first {
			plus(w.pool[k*block:][:n], w.sums[w.classes[i].of[j]*block:][:n])
		}
	}
	return w.enter(pooled, w.pool, from, n)
}

// enter computes the metrics of a draw from the sums of a block.
func (w *worker) enter(t *target, sums []float64, from, n int) bool {
	if t.formulas != nil {
		w.division.enter(t.Draws, t.formulas, sums, from, n)
		return true
	}
	for r := range n {
		w.row = zeroed(w.row, t.p)
		for j, class := range t.classes.of {
			w.row[j] = sums[class*block+r]
		}
		values := w.stat(w.row)
		if len(values) != len(t.metrics) {
			return false
		}
		for j, v := range values {
			if m := &t.metrics[j]; !math.IsNaN(m.point) {
				m.reps[from+r] = v.Or(math.NaN())
			}
		}
	}
	return true
}
