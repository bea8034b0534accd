package stat

import (
	"cmp"
	"maps"
	"slices"

	"github.com/percuss/percuss"
)

// Vote is the majority vote over the answers of an item's chains (self-consistency; Wang et al. 2023). An empty answer is no
// vote. share is that of the winner among the votes cast, above 0 up to 1, and missing where there is none. Where several
// answers have the most votes there is no winner: tied are these, sorted, and share is that of each; see BreakTie. The order
// of the answers does not matter.
func Vote(answers []string) (winner string, share percuss.Number, tied []string) {
	votes, cast := counted(answers)
	most := 0
	for _, n := range votes {
		most = max(most, n)
	}
	for answer, n := range votes {
		if n == most {
			tied = append(tied, answer)
		}
	}
	switch len(tied) {
	case 0:
		return "", percuss.Number{}, nil
	case 1:
		return tied[0], percuss.Num(float64(most) / float64(cast)), nil
	}
	slices.Sort(tied)
	return "", percuss.Num(float64(most) / float64(cast)), tied
}

// counted are the votes of each answer, and of all.
func counted(answers []string) (votes map[string]int, cast int) {
	votes = map[string]int{}
	for _, answer := range answers {
		if answer != "" {
			votes[answer]++
			cast++
		}
	}
	return votes, cast
}

// BreakTie chooses one of some answers by the item's order of them, which seed, item and answer alone decide: it is the same
// for every model and whatever else is tied. Empty where there is none.
func BreakTie(tied []string, seed uint64, item string) string {
	if len(tied) == 0 {
		return ""
	}
	return slices.MinFunc(tied, func(a, b string) int { return tieOrder(a, b, seed, item) })
}

// tieOrder compares two answers by their place in an item's order: the first one wins a tie.
func tieOrder(a, b string, seed uint64, item string) int {
	place := func(answer string) uint64 { return percuss.Rand(seed, item, answer, "tie").Uint64() }
	return cmp.Or(cmp.Compare(place(a), place(b)), cmp.Compare(a, b))
}

// Ballot is what an item's chains answered.
type Ballot struct {
	Item    string
	Gold    string   // the right answer
	Answers []string // one for each chain; empty: it has no vote
}

// MostChains is the largest number of chains of an item: beyond it the numbers of subsets are no float64.
const MostChains = 1000

// Accuracies are the chances that the majority of so many chains is right, one for each of sizes: the share among all
// subsets of that many of the item's chains, drawn without replacement, in which the right answer wins, ties broken as by
// BreakTie. It is exact, not simulated: of one chain it is the share of right ones, and of all chains 1 or 0. Subsets
// without a vote are left out. Missing where no chain has a vote, and for a size that is not from 1 to the number of
// chains, of which there may be MostChains.
func (b Ballot) Accuracies(sizes []int, seed uint64) []percuss.Number {
	out := make([]percuss.Number, len(sizes))
	votes, cast := counted(b.Answers)
	k := len(b.Answers)
	if cast == 0 || k > MostChains {
		return out
	}
	wins := b.wins(votes, k-cast, seed)
	all, blank := choose(k), choose(k-cast)
	for i, size := range sizes {
		if size < 1 || size > k {
			continue
		}
		subsets := all[size]
		if size < len(blank) {
			subsets -= blank[size]
		}
		out[i] = percuss.Num(min(1, wins[size]/subsets)) // rounding may lead above 1
	}
	return out
}

// wins counts, for each size, the subsets of chains in which the right answer wins. blank is the number of chains without
// a vote. For every number of right answers in a subset the ways in which the other chains can be in it without winning are
// the coefficients of a product, one factor for each other answer: the coefficient of x to the i is the number of ways to
// have i of its chains.
func (b Ballot) wins(votes map[string]int, blank int, seed uint64) []float64 {
	k, right := len(b.Answers), choose(votes[b.Gold])
	out := make([]float64, k+1)
	others := slices.Sorted(maps.Keys(votes))
	first := make([]bool, len(others)) // wins a tie against the right answer
	for i, other := range others {
		first[i] = tieOrder(other, b.Gold, seed, b.Item) < 0
	}
	for g := 1; g < len(right); g++ {
		ways := choose(blank)
		for i, other := range others {
			if other == b.Gold {
				continue
			}
			most := g
			if first[i] {
				most = g - 1
			}
			of := choose(votes[other])
			ways = multiplied(ways, of[:min(most+1, len(of))])
		}
		for i, n := range ways {
			out[g+i] += right[g] * n
		}
	}
	return out
}

// choose are the binomial coefficients of n over 0 to n, the second half being the first one turned, so that the last is 1.
func choose(n int) []float64 {
	out := make([]float64, n+1)
	out[0], out[n] = 1, 1
	for i := 1; i <= n/2; i++ {
		out[i] = out[i-1] * float64(n-i+1) / float64(i)
		out[n-i] = out[i]
	}
	return out
}

// multiplied are the coefficients of a product of two polynomials.
func multiplied(a, b []float64) []float64 {
	out := make([]float64, len(a)+len(b)-1)
	for i, x := range a {
		for j, y := range b {
			out[i+j] += x * y
		}
	}
	return out
}
