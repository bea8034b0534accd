package stat

import (
	"slices"

	"github.com/percuss/percuss"
)

// Holm adjusts p-values of one family of tests so that rejecting those at or below α keeps the chance of any false
// rejection at α or less, whatever their dependence (Holm 1979). A missing p-value, or one outside 0–1, stays missing
// and does not count in the family.
func Holm(p []percuss.Number) []percuss.Number {
	return adjusted(p, func(sorted []float64) {
		n, largest := len(sorted), 0.0
		for i, v := range sorted {
			largest = max(largest, min(1, float64(n-i)*v))
			sorted[i] = largest
		}
	})
}

// BenjaminiHochberg adjusts p-values of one family so that rejecting those at or below q keeps the expected share of
// false rejections among all rejections at q or less, for independent or positively dependent tests (Benjamini and
// Hochberg 1995). Missing p-values are treated as in Holm.
func BenjaminiHochberg(p []percuss.Number) []percuss.Number {
	return adjusted(p, func(sorted []float64) {
		n, smallest := float64(len(sorted)), 1.0
		for i := len(sorted) - 1; i >= 0; i-- {
			smallest = min(smallest, sorted[i]*n/float64(i+1))
			sorted[i] = smallest
		}
	})
}

// Discoveries is the largest p-value that the rule of Benjamini and Hochberg rejects at rate q, the highest k-th smallest
// one that is at most q·k/tests: those at or below it are the list. Of the p-values of the tests only those at or below q
// need be given, for no other can be on it; p is sorted. Missing: the list is empty.
func Discoveries(p []float64, tests int, q float64) percuss.Number {
	slices.Sort(p)
	for i := len(p) - 1; i >= 0; i-- {
		if p[i] >= 0 && p[i] <= q*float64(i+1)/float64(tests) {
			return percuss.Num(p[i])
		}
	}
	return percuss.Number{}
}

// adjusted applies a step rule to the sorted p-values and puts the results back in their places.
func adjusted(p []percuss.Number, step func(sorted []float64)) []percuss.Number {
	out := make([]percuss.Number, len(p))
	var order []int
	for i, v := range p {
		if x, ok := v.Get(); ok && x >= 0 && x <= 1 {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(i, j int) int {
		switch a, b := p[i].Or(0), p[j].Or(0); {
		case a < b:
			return -1
		case a > b:
			return 1
		}
		return 0
	})
	sorted := make([]float64, len(order))
	for r, i := range order {
		sorted[r] = p[i].Or(0)
	}
	step(sorted)
	for r, i := range order {
		out[i] = percuss.Num(sorted[r])
	}
	return out
}
