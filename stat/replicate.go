package stat

import (
	"fmt"
	"math"
	"runtime"
	"sync"
	"sync/atomic"
)

// replicate fills in the replicates of a draw of some samples, and of the draws of each of them where there are any, in
// parallel. It fails when the statistic changes its number of metrics.
func replicate(pooled *Draws, each []*Draws, stat Statistic) error {
	if pooled.p < 0 {
		return nil
	}
	all := pooled.parts(each)
	w := worker{pooled: pooled, each: each, stat: stat, told: true, columns: upTo(pooled.p)}
	for _, d := range all {
		d.allocate()
		w.told = w.told && d.told()
	}
	if w.told {
		w.columns = columnsOf(all)
	}
	w.to = pooled.places(w.columns, w.told)
	for _, s := range pooled.samples {
		w.products = append(w.products, newProduct(s.Sums, w.columns))
	}
	if !w.all() {
		return fmt.Errorf("the statistic returned %d metrics for the sample and another number for a resample", len(pooled.metrics))
	}
	for _, d := range all {
		d.lacks()
		d.band()
	}
	return nil
}

// parts are the draws that are to be filled in.
func (d *Draws) parts(each []*Draws) []*Draws {
	out := []*Draws{d}
	for _, e := range each {
		if e.p >= 0 {
			out = append(out, e)
		}
	}
	return out
}

// allocate makes room for the replicates. Those of missing metrics, which are missing too, share theirs.
func (d *Draws) allocate() {
	var missing []float64
	for j := range d.metrics {
		m := &d.metrics[j]
		if !math.IsNaN(m.point) {
			m.reps = make([]float64, d.o.Replicates)
			continue
		}
		if missing == nil {
			missing = make([]float64, d.o.Replicates)
			for r := range missing {
				missing[r] = math.NaN()
			}
		}
		m.reps = missing
	}
}

// places are where the sums of a block go: the sums of a replicate side by side for a statistic, those of a column for
// metrics that are told.
func (d *Draws) places(columns []int, told bool) places {
	if !told {
		return places{columns, 1, d.p}
	}
	to := places{make([]int, d.p), block, 1}
	for i, j := range columns {
		to.of[j] = i
	}
	return to
}

// worker computes blocks of replicates. No two workers write the same replicate.
type worker struct {
	pooled   *Draws
	each     []*Draws // by sample; nil: only the pooled one is wanted
	stat     Statistic
	told     bool // every metric says how it is computed
	columns  []int
	to       places
	products []*product
	weights  []lane
	sums     []float64 // of the samples, or of one of them
	pool     []float64 // of all samples, where each is wanted
	scratch  scratch
	division division
}

// all computes every replicate. It reports false when the statistic changed its number of metrics.
func (w worker) all() bool {
	var next atomic.Int64
	var odd atomic.Bool
	var wg sync.WaitGroup
	n := w.pooled.o.Replicates
	for range min(runtime.GOMAXPROCS(0), (n+block-1)/block) {
		wg.Go(func() {
			own := w
			for !odd.Load() {
				from := int(next.Add(block)) - block
				if from >= n {
					return
				}
				if !own.run(from, min(from+block, n)) {
					odd.Store(true)
				}
			}
		})
	}
	wg.Wait()
	return !odd.Load()
}

// run computes the replicates from ≤ r < to.
func (w *worker) run(from, to int) bool {
	n, size := to-from, len(w.columns)*block
	w.sums = zeroed(w.sums, size)
	if w.each != nil {
		w.pool = zeroed(w.pool, size)
	}
	for i, s := range w.pooled.samples {
		if len(s.Sums) == 0 {
			continue
		}
		rs := Resampler{Seed: w.pooled.o.Seed, Key: s.Key, Items: len(s.Sums)}
		w.products[i].addTo(w.sums, w.to, n, w.pooled.o.Resamples.block(rs, from, n, &w.weights), &w.scratch)
		if w.each == nil {
			continue
		}
		if !w.enter(w.each[i], w.sums, from, n) {
			return false
		}
		for k, v := range w.sums {
			w.pool[k] += v
		}
		clear(w.sums)
	}
	if w.each != nil {
		return w.enter(w.pooled, w.pool, from, n)
	}
	return w.enter(w.pooled, w.sums, from, n)
}

// enter computes the metrics of a draw from the sums of a block.
func (w *worker) enter(d *Draws, sums []float64, from, n int) bool {
	if w.told {
		w.division.enter(d, columnSums{w.to.of, sums, n}, from)
		return true
	}
	for r := range n {
		values := w.stat(sums[r*d.p : (r+1)*d.p : (r+1)*d.p])
		if len(values) != len(d.metrics) {
			return false
		}
		for j, v := range values {
			if m := &d.metrics[j]; !math.IsNaN(m.point) {
				m.reps[from+r] = v.Or(math.NaN())
			}
		}
	}
	return true
}
