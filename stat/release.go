package stat

import (
	"slices"
	"sync"
)

// replicates are the arrays that a draw's replicates stand in, until it is released. Draws that were made of it and have the
// same arrays have the same replicates.
type replicates struct {
	from *Resamples // where they are taken from and given back to

	mu       sync.Mutex
	arrays   [][]float64
	released bool
}

// take is an array of n values, whatever they are.
func (r *replicates) take(n int) []float64 {
	a := r.from.take(n)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.arrays = append(r.arrays, a)
	return a
}

// Release gives the memory of the replicates back to Options.Resamples, and later draws of the same Options are made in it. It
// is for whoever makes many draws one after the other; others leave it to the garbage collector. The draws must not be in
// use elsewhere. Released are also those that At and Recombined made of them, which have the same replicates, and not those of
// Keep, Average and Subtract. No estimate of released draws has a value, and they cannot be combined. Of nil, and of draws
// that are released already, nothing happens.
func (d *Draws) Release() {
	if d == nil || d.own == nil {
		return
	}
	d.own.mu.Lock()
	defer d.own.mu.Unlock()
	if !d.own.released {
		d.own.from.give(d.own.arrays...)
	}
	d.own.arrays, d.own.released = nil, true
}

// released reports whether the replicates are another draw's by now.
func (d *Draws) released() bool {
	if d.own == nil {
		return false
	}
	d.own.mu.Lock()
	defer d.own.mu.Unlock()
	return d.own.released
}

// take is an array of n values, whatever they are: one that was given back, where there is one.
func (k *Resamples) take(n int) []float64 {
	if k == nil {
		return make([]float64, n)
	}
	k.mu.Lock()
	free := k.free[n]
	if last := len(free) - 1; last >= 0 {
		a := free[last]
		free[last] = nil
		k.free[n] = free[:last]
		k.mu.Unlock()
		return a
	}
	k.mu.Unlock()
	return make([]float64, n)
}

// give gives arrays back, which nobody may use any more.
func (k *Resamples) give(arrays ...[]float64) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.free == nil {
		k.free = map[int][][]float64{}
	}
	for _, a := range arrays {
		k.free[len(a)] = append(k.free[len(a)], a)
	}
}

// copied are the metrics with replicates of their own; metrics that share theirs still do.
func copied(metrics []drawn) {
	known := map[*float64][]float64{}
	for j := range metrics {
		m := &metrics[j]
		if len(m.reps) == 0 {
			continue
		}
		first := &m.reps[0]
		if known[first] == nil {
			known[first] = slices.Clone(m.reps)
		}
		m.reps = known[first]
	}
}
