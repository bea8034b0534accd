package stat

import (
	"fmt"
	"math"
)

// Mean is an Average to which the parts come one after the other, so that each can be let go before the next is drawn. It
// must not be used from several goroutines at once.
type Mean struct {
	parts   int
	frame   Draws // what the parts have in common
	added   int
	metrics []meaning
}

// meaning is a metric on its way to being averaged.
type meaning struct {
	has    int // in how many parts it has a value
	in     int // of these, how many have been added
	drawn  drawn
	each   string // how the first of them was combined
	uneven bool   // and another one was combined in another way
}

// NewMean is the mean of so many parts. has says, metric by metric, in how many of them it has a value: what a part
// contributes to a mean depends on that.
func NewMean(parts int, has []int) *Mean {
	m := &Mean{parts: parts, metrics: make([]meaning, len(has))}
	for j, n := range has {
		m.metrics[j] = meaning{has: n, drawn: drawn{point: math.NaN(), num: math.NaN(), den: math.NaN(), changed: -1}}
	}
	return m
}

// Add adds a part. It fails as Average does, and the mean is then of no use.
func (m *Mean) Add(part *Draws) error {
	if part == nil {
		return fmt.Errorf("part %d of the combination was never drawn", m.added)
	}
	if part.released() {
		return fmt.Errorf("part %d of the combination was released before it was added", m.added)
	}
	if m.added == 0 {
		m.frame.o, m.frame.own = part.o, &replicates{from: part.o.Resamples}
	}
	m.added++
	if o := m.frame.o; part.o.Seed != o.Seed || part.o.Replicates != o.Replicates || part.o.Level != o.Level {
		return fmt.Errorf("draws of different seed, replicates or level cannot be combined: draw all with the same options")
	}
	// A sample without items has no metrics where the options describe none.
	if n := len(part.metrics); n > 0 && n != len(m.metrics) {
		return fmt.Errorf("draws of %d and of %d metrics cannot be combined", len(m.metrics), n)
	}
	for _, s := range part.samples {
		s.Sums = make(Sums, len(s.Sums)) // how many items there are is all that is kept of them
		m.frame.samples = append(m.frame.samples, s)
	}
	inParallel(len(part.metrics), func() func(int) {
		return func(j int) { m.metrics[j].add(part.metrics[j], part.o.Replicates, m.frame.own) }
	})
	return nil
}

// add adds a metric's values in one part. The mean's replicates stand in room.
func (m *meaning) add(part drawn, n int, room *replicates) {
	if math.IsNaN(part.point) {
		return
	}
	out, k := &m.drawn, float64(m.has)
	if m.in++; m.in == 1 {
		m.each = part.how
		*out = drawn{rate: true, averaged: true, reps: room.take(n)}
		clear(out.reps)
	}
	m.uneven = m.uneven || part.how != m.each
	out.point += part.point / k
	out.num += part.num
	out.den += part.den
	out.rate, out.band = out.rate && part.rate, out.band || part.band
	out.units = out.units.with(part.units)
	out.lacks = plusLacks(out.lacks, 1/k, part.lacks)
	if part.changed < 0 || out.changed < 0 {
		out.changed = -1
	} else {
		out.changed += part.changed
	}
	for r, v := range part.reps {
		out.reps[r] += v / k
	}
}

// Draws are the draws of the mean, when all parts have been added. It fails when they are not so many as NewMean was told,
// or when one resampling key stands for different items.
func (m *Mean) Draws() (*Draws, error) {
	if m.added != m.parts {
		return nil, fmt.Errorf("a mean of %d draws was given %d", m.parts, m.added)
	}
	if m.parts == 0 {
		return nil, fmt.Errorf("nothing to combine: no draws")
	}
	if err := checkKeys(m.frame.samples); err != nil {
		return nil, err
	}
	d := m.frame
	d.bare = true
	d.metrics = make([]drawn, len(m.metrics))
	for j, own := range m.metrics {
		if own.in != own.has {
			return nil, fmt.Errorf("metric %d has a value in %d parts of a mean, not in %d", j, own.in, own.has)
		}
		if d.metrics[j] = own.drawn; own.in == 0 {
			continue
		}
		// With k lists of items, "none in any list" has at most probability (1−p)^(k·smallest), whatever the lists' own
		// rates are: so many items does a mean of rates have when no resample differs.
		_, keys, smallest := own.drawn.units.count()
		d.metrics[j].independent = keys * smallest
		d.metrics[j].how = own.name(m.parts)
	}
	return &d, nil
}
