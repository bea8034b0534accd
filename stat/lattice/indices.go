package lattice

import (
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Shapley returns each unit's Shapley value, Σ_{S∋i} I(S)/|S|: every interaction is shared equally among its units. The
// values sum to v(N) − v(∅). A value is missing where an interaction of its unit is.
func (g *Game) Shapley() []percuss.Number {
	return g.shared(func(size int) float64 { return 1 / float64(size) })
}

// Banzhaf returns each unit's Banzhaf value, Σ_{S∋i} I(S)/2^{|S|−1}: what the unit adds, on the mean over all subsets of
// the others. A value is missing where an interaction of its unit is.
func (g *Game) Banzhaf() []percuss.Number {
	return g.shared(func(size int) float64 { return math.Ldexp(1, 1-size) })
}

// shared gives every unit a part of each interaction that it takes part in.
func (g *Game) shared(part func(size int) float64) []percuss.Number {
	out := make([]float64, g.units)
	for s := 1; s < len(g.moebius); s++ {
		x := g.moebius[s] * part(Set(s).Size())
		for i := range Set(s).Units() {
			out[i] += x
		}
	}
	return numbers(out...)
}

// SII returns the Shapley interaction index of each set of at most order units, at its index: Σ_{T⊇S} I(T)/(|T|−|S|+1),
// what S does together beyond its parts, on the mean over the orders in which the other units could come. That of one
// unit is its Shapley value. Larger sets are missing, and sets that an interaction of a superset is missing for. An
// order below 0 is an error, one above n is the same as n.
//
// It takes about n sweeps over the sets, n²·2^n/4 additions in all.
func (g *Game) SII(order int) ([]percuss.Number, error) {
	order, err := orderOf(order, g.units)
	if err != nil {
		return nil, err
	}
	return g.spread(order, func(_, more int) float64 { return 1 / float64(more+1) }), nil
}

// KSII returns the k-SII of order k of each set of at most k units, at its index: the SII, with what belongs to larger
// sets taken out by Bernoulli numbers (B₁ = −1/2), so that from k = 1 on the indices of all sets but the empty one sum to
// v(N) − v(∅). The empty set has v(∅). With k = 1 they are the Shapley values, with k = n the interactions themselves.
// Interactions of more than k units, which k-SII shares out among sets of up to k, must be known: a missing one makes the
// index of its subsets missing. A k below 0 is an error, one above n is the same as n. Its cost is that of SII.
func (g *Game) KSII(k int) ([]percuss.Number, error) {
	k, err := orderOf(k, g.units)
	if err != nil {
		return nil, err
	}
	b := bernoulli()
	part := make([][]float64, k+1) // by order and number of further units
	for size := range part {
		part[size] = make([]float64, g.units-size+1)
		for more := range part[size] {
			part[size][more] = keptBySet(b, k-size, more)
		}
	}
	out := g.spread(k, func(size, more int) float64 { return part[size][more] })
	out[0] = percuss.Num(g.moebius[0])
	return out, nil
}

// keptBySet returns the part of I(T) that k-SII gives to a subset S with |S| = k − below and |T| = |S| + more:
// Σ_{j≤below} C(more, j)·B_j/(more−j+1). SII gives I(T) to the sets between S and T, and k-SII takes back
// from those of up to k units.
func keptBySet(b []float64, below, more int) float64 {
	if more == 0 {
		return 1
	}
	head, tail, choose := 0.0, 0.0, 1.0
	for j := range more + 1 {
		term := choose * b[j] / float64(more-j+1)
		if j <= below {
			head += term
		} else {
			tail += term
		}
		choose = choose * float64(more-j) / float64(j+1)
	}
	// Head and tail cancel, by the definition of the Bernoulli numbers. The shorter of the two is exact where it is 0:
	// where S and T are both within k, and where the one further Bernoulli number is 0.
	if 2*below > more {
		return -tail
	}
	return head
}

// bernoulli returns the Bernoulli numbers B_0 to B_20, with B_1 = −1/2: as fractions, because their recursion loses three
// digits by B_16.
func bernoulli() []float64 {
	return []float64{
		1, -1. / 2, 1. / 6, 0, -1. / 30, 0, 1. / 42, 0, -1. / 30, 0, 5. / 66,
		0, -691. / 2730, 0, 7. / 6, 0, -3617. / 510, 0, 43867. / 798, 0, -174611. / 330,
	}
}

// spread returns Σ_{T⊇S} part(|S|, |T|−|S|)·I(T) of every set of at most order units, the others missing. A part of 0
// takes no missing value over.
func (g *Game) spread(order int, part func(size, more int) float64) []percuss.Number {
	up := slices.Clone(g.moebius) // Σ I(T) over the sets T ⊇ S that hold so many units more than S
	sum := make([]float64, len(up))
	all := Full(g.units)
	for more := 0; more <= g.units; more++ {
		for s := range up {
			size := Set(s).Size()
			if size+more > g.units {
				continue
			}
			if more > 0 {
				// Each T is reached through each of its further units. Larger sets come later: they are not overwritten yet.
				reached := 0.0
				for rest := all &^ Set(s); rest != 0; rest &= rest - 1 {
					reached += up[Set(s)|rest&-rest]
				}
				up[s] = reached / float64(more)
			}
			if size > order {
				continue
			}
			if p := part(size, more); p != 0 {
				sum[s] += p * up[s]
			}
		}
	}
	out := numbers(sum...)
	for s := range out {
		if Set(s).Size() > order {
			out[s] = percuss.Number{}
		}
	}
	return out
}
