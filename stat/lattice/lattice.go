// Package lattice computes which combinations of units move a value: interactions, Shapley and Banzhaf values and
// interaction indices of a game, a function v on the subsets of n units.
//
// A set of units is a number whose bit i stands for unit i, so that a function on all subsets is a slice of 2^n values
// with the set as its index. The interaction of S is
//
//	I(S) = Σ_{T⊆S} (−1)^{|S|−|T|} v(T)
//
// which is the Möbius transform of v: what S adds beyond all that its proper subsets explain. Interactions are complete:
// those of all sets but ∅ sum to v(N) − v(∅), N being the set of all units. They come in the unit of v, nats for the
// margins of an audit.
//
// A value that was not measured is a missing percuss.Number. It makes exactly those results missing that depend on it,
// and so does a result that is too large for a float64.
//
// All functions are deterministic and may be called at once from several goroutines, on slices that no other call
// writes. Game theory's terms are those of Grabisch and Roubens (1999), for k-SII of Bordt and von Luxburg (2023).
package lattice

import (
	"cmp"
	"fmt"
	"iter"
	"math/bits"
)

// MaxUnits is the largest number of units: one function on the subsets of 20 units holds a million values.
const MaxUnits = 20

// Set is a set of units: bit i is set when unit i, counted from 0, is in it. The zero value is the empty set.
type Set uint32

// Size returns the number of units in the set, which is the order of its interaction.
func (s Set) Size() int { return bits.OnesCount32(uint32(s)) }

// Has reports whether the unit is in the set.
func (s Set) Has(unit int) bool { return unit >= 0 && s>>unit&1 == 1 }

// Units yields the units of the set, the lowest first.
func (s Set) Units() iter.Seq[int] {
	return func(yield func(int) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(bits.TrailingZeros32(uint32(s))) {
				return
			}
		}
	}
}

// Compare orders sets canonically, by size and then by value, as slices.SortFunc wants it.
func (s Set) Compare(other Set) int {
	return cmp.Or(cmp.Compare(s.Size(), other.Size()), cmp.Compare(s, other))
}

// Full returns the set of all of n units. n is from 0 to MaxUnits; for any other number the set is empty.
func Full(n int) Set {
	if n < 0 || n > MaxUnits {
		return 0
	}
	return 1<<n - 1
}

// Subsets lists the subsets of n units that hold at most order of them, in canonical order, from the empty set on. Their
// values are all that the interactions up to this order need: 93 for 8 units and order 3. The set of all units is among
// them only where order ≥ n. An order above n is the same as n; an order below 0 or an n outside 0 to MaxUnits is an
// error.
func Subsets(n, order int) ([]Set, error) {
	if n < 0 || n > MaxUnits {
		return nil, fmt.Errorf("subsets of %d units: give 0 to %d units", n, MaxUnits)
	}
	order, err := orderOf(order, n)
	if err != nil {
		return nil, err
	}
	total, ofSize := 1, 1
	for size := 1; size <= order; size++ {
		ofSize = ofSize * (n - size + 1) / size
		total += ofSize
	}
	out := append(make([]Set, 0, total), 0)
	for size := 1; size <= order; size++ {
		for s := Full(size); s <= Full(n); s = next(s) {
			out = append(out, s)
		}
	}
	return out, nil
}

// next returns the next larger set of the same size, which is not empty.
func next(s Set) Set {
	lowest := s & -s
	ripple := s + lowest
	return ripple | (s^ripple)/lowest>>2
}

// orderOf checks an order of interactions; more than n is the same as n.
func orderOf(order, n int) (int, error) {
	if order < 0 {
		return 0, fmt.Errorf("order %d of interactions: give 0 to %d, the number of units", order, n)
	}
	return min(order, n), nil
}

// unitsOf returns the number of units on whose subsets so many values are a function.
func unitsOf(what string, length int) (int, error) {
	n := bits.Len(uint(length)) - 1
	if n < 0 || n > MaxUnits || length != 1<<n {
		return 0, fmt.Errorf("%d %s: give one for each of the 2^n subsets of n units, n from 0 to %d", length, what, MaxUnits)
	}
	return n, nil
}
