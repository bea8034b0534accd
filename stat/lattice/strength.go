package lattice

import (
	"cmp"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// OrderStrength tells how much of a game lies at one order. Those of several games may be added up, field by field.
type OrderStrength struct {
	Order    int     `json:"order"`    // the size of the sets, from 1
	Count    int     `json:"count"`    // interactions at or above the threshold
	Strength float64 `json:"strength"` // their strengths |I(S)|, summed, in the unit of v
	Missing  int     `json:"missing"`  // interactions that are missing
}

// ByOrder tells for each order, from 1 to that of the game, how many interactions reach a strength |I(S)| of threshold and
// how strong they are together. With a threshold of 0 all count, those of strength 0 too.
func (g *Game) ByOrder(threshold float64) []OrderStrength {
	out := make([]OrderStrength, g.order)
	for i := range out {
		out[i].Order = i + 1
	}
	for s := 1; s < len(g.moebius); s++ {
		size := Set(s).Size()
		if size > g.order {
			continue
		}
		o := &out[size-1]
		x, ok := percuss.Num(math.Abs(g.moebius[s])).Get()
		switch {
		case !ok:
			o.Missing++
		case x >= threshold:
			o.Count++
			o.Strength += x
		}
	}
	return out
}

// Shares returns each order's part of the strength of all orders in the list, from 0 to 1. All are missing where an
// interaction is missing, because the whole is not known then, or where the whole is 0
// or too large for a float64.
func Shares(orders []OrderStrength) []percuss.Number {
	total := 0.0
	for _, o := range orders {
		if o.Missing > 0 {
			total = math.NaN()
		}
		total += o.Strength
	}
	out := make([]percuss.Number, len(orders))
	if math.IsInf(total, 1) {
		return out
	}
	for i, o := range orders {
		out[i] = percuss.Num(o.Strength / total)
	}
	return out
}

// Top returns the k sets of the strongest interactions, the strongest first and in canonical order among equals; fewer
// where fewer are known. The empty set is none of them, nor are sets whose interaction is missing or 0.
func (g *Game) Top(k int) []Set {
	if k <= 0 {
		return nil
	}
	strength := func(s Set) float64 { return math.Abs(g.moebius[s]) }
	stronger := func(a, b Set) int { return cmp.Or(cmp.Compare(strength(b), strength(a)), a.Compare(b)) }
	var best []Set
	floor := math.SmallestNonzeroFloat64
	for s := Set(1); int(s) < len(g.moebius); s++ {
		if x := strength(s); !(x >= floor && x <= math.MaxFloat64) {
			continue
		}
		best = append(best, s)
		if len(best) >= 2*min(k, len(g.moebius)) {
			// Only the best k so far can be among the best of all: the list stays short.
			slices.SortFunc(best, stronger)
			best = best[:k]
			floor = strength(best[k-1])
		}
	}
	slices.SortFunc(best, stronger)
	return slices.Clip(best[:min(k, len(best))])
}

// Jaccard returns the overlap of two lists, such as two games' strongest sets, by number or by the names of their units:
// what is in both divided by what is in either, from 0 to 1, each counted once. Of two empty lists it is missing.
func Jaccard[K comparable](a, b []K) percuss.Number {
	in := map[K]int{}
	for _, s := range a {
		in[s] |= 1
	}
	for _, s := range b {
		in[s] |= 2
	}
	both := 0
	for _, lists := range in {
		if lists == 3 {
			both++
		}
	}
	return percuss.Num(float64(both) / float64(len(in)))
}
