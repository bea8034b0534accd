package stat

import (
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Quantile is the q-quantile of values by linear interpolation between order statistics (Hyndman and Fan 1996, type 7).
// It leaves values as they are, and is missing where there are none, where one is no number, or where q is not from 0 to 1.
func Quantile(values []float64, q float64) percuss.Number {
	if len(values) == 0 || !(q >= 0 && q <= 1) || slices.ContainsFunc(values, math.IsNaN) {
		return percuss.Number{}
	}
	return percuss.Num(quantile(slices.Clone(values), q))
}

// quantile returns the q-quantile of values by linear interpolation between order statistics (Hyndman and Fan 1996,
// type 7, the default of R and NumPy). It reorders values, of which there must be at least one.
func quantile(values []float64, q float64) float64 {
	h := q * float64(len(values)-1)
	k := min(max(int(math.Floor(h)), 0), len(values)-1)
	low := selected(values, k)
	share := h - float64(k)
	if share <= 0 || k+1 >= len(values) {
		return low
	}
	// Selection left everything that is not smaller to the right of k.
	high := values[k+1]
	for _, v := range values[k+2:] {
		high = min(high, v)
	}
	return low + share*(high-low)
}

// selected puts the k-th smallest value at index k, smaller ones before it and larger ones after it, and returns it
// (Hoare's selection, with the middle of three as pivot).
func selected(values []float64, k int) float64 {
	lo, hi := 0, len(values)-1
	for lo < hi {
		pivot := middle(values[lo], values[lo+(hi-lo)/2], values[hi])
		i, j := lo, hi
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i++
				j--
			}
		}
		switch {
		case k <= j:
			hi = j
		case k >= i:
			lo = i
		default:
			return values[k]
		}
	}
	return values[k]
}

// middle returns the second largest of three values.
func middle(a, b, c float64) float64 { return max(min(a, b), min(max(a, b), c)) }
