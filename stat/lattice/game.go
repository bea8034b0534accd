package lattice

import (
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Game is a function on the subsets of units, held by its interactions up to an order. It does not change once made.
type Game struct {
	units, order int
	moebius      []float64 // by set; NaN where missing, and above order
}

// FromValues makes a game of the values of sets, values[S] being that of S. Its interactions up to order need the values
// of Subsets(n, order) only; other values are not looked at and may be missing, and interactions above order are
// missing. The length of values must be 2^n with n from 0 to MaxUnits, and order 0 or more; an order above n is the same
// as n. To ask for fewer orders changes no bit of the interactions that remain.
func FromValues(values []percuss.Number, order int) (*Game, error) {
	g, err := newGame("values", values, order)
	if err != nil {
		return nil, err
	}
	moebius(g.moebius, g.units)
	return g, nil
}

// FromInteractions makes a game of its interactions, interactions[S] being that of S, and interactions[0] the value of
// the empty set. Lengths, order and errors are those of FromValues; interactions above order count as missing.
func FromInteractions(interactions []percuss.Number, order int) (*Game, error) {
	return newGame("interactions", interactions, order)
}

func newGame(what string, x []percuss.Number, order int) (*Game, error) {
	n, err := unitsOf(what, len(x))
	if err != nil {
		return nil, err
	}
	if order, err = orderOf(order, n); err != nil {
		return nil, err
	}
	m := make([]float64, len(x))
	for s := range m {
		if Set(s).Size() > order {
			m[s] = math.NaN()
		} else {
			m[s] = x[s].Or(math.NaN())
		}
	}
	return &Game{units: n, order: order, moebius: m}, nil
}

// Units returns the number of units.
func (g *Game) Units() int { return g.units }

// Order returns the order up to which interactions are held, from 0 to the number of units.
func (g *Game) Order() int { return g.order }

// Interaction returns I(s), missing where a value that it needs is missing or s is not a set of the game's units. That of
// the empty set is its value.
func (g *Game) Interaction(s Set) percuss.Number {
	if int64(s) >= int64(len(g.moebius)) {
		return percuss.Number{}
	}
	return percuss.Num(g.moebius[s])
}

// Interactions returns I(S) of each set S, at index S.
func (g *Game) Interactions() []percuss.Number { return numbers(g.moebius...) }

// Values returns v(S) of each set S, at index S, computed back from the interactions: missing where one of a subset is.
func (g *Game) Values() []percuss.Number {
	v := slices.Clone(g.moebius)
	zeta(v, g.units)
	return numbers(v...)
}

// Sum returns Σ I(S) over the sets of size 1 to order. With all orders it is v(N) − v(∅); with fewer, what is left to
// that difference is what higher orders carry in sum. It is missing where one of the interactions is.
func (g *Game) Sum(order int) percuss.Number {
	sum, lost := 0.0, 0.0
	for s := 1; s < len(g.moebius); s++ {
		if Set(s).Size() > order {
			continue
		}
		// Neumaier's compensation: a million terms of both signs sum to a small number.
		x := g.moebius[s]
		t := sum + x
		if math.Abs(sum) >= math.Abs(x) {
			lost += (sum - t) + x
		} else {
			lost += (x - t) + sum
		}
		sum = t
	}
	return percuss.Num(sum + lost)
}

func numbers(x ...float64) []percuss.Number {
	out := make([]percuss.Number, len(x))
	for i, v := range x {
		out[i] = percuss.Num(v)
	}
	return out
}
