package stat

import (
	"math/bits"
	"slices"
)

// units are the items that count towards a metric, a list of them for each resampling key. They are never changed, so that
// metrics share them.
type units []unitsOf

// unitsOf are those of one key: a bit for each item.
type unitsOf struct {
	key string
	in  []uint64
}

// newUnits are the items of a sample that match.
func newUnits(key string, items int, in func(i int) bool) units {
	out := make([]uint64, (items+63)/64)
	for i := range items {
		if in(i) {
			out[i/64] |= 1 << (i % 64)
		}
	}
	return units{{key, out}}
}

// count returns the number of items over all keys, the number of keys, and the items of the smallest one.
func (u units) count() (total, keys, smallest int) {
	for _, of := range u {
		n := 0
		for _, word := range of.in {
			n += bits.OnesCount64(word)
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

// with are these items and those of another metric.
func (u units) with(other units) units {
	if len(u) == 0 {
		return other
	}
	out := slices.Clone(u)
	for _, o := range other {
		i := slices.IndexFunc(out, func(of unitsOf) bool { return of.key == o.key })
		if i < 0 {
			out = append(out, o)
			continue
		}
		out[i].in = slices.Clone(out[i].in)
		for k, word := range o.in { // as many, for lists of items with one key are the same
			out[i].in[k] |= word
		}
	}
	return out
}
