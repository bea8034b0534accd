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

// tails finds two quantiles of many values in one pass over them; it can be used again. From a sample it guesses two
// thresholds that little lies outside of, and looks for the quantiles there.
type tails struct {
	sample, low, high, all []float64
}

// sampled is about how many values the thresholds are guessed from: few enough to be quick, enough for thresholds that leave
// little outside.
const sampled = 256

// of returns the two quantiles, p below q, as quantile does, and the number of values; NaN is no value.
func (t *tails) of(values []float64, p, q float64) (lo, hi float64, n int) {
	t.sample = t.sample[:0]
	for i := 0; i < len(values); i += max(1, len(values)/sampled) {
		if v := values[i]; !math.IsNaN(v) {
			t.sample = append(t.sample, v)
		}
	}
	if len(t.sample) < sampled || p >= q {
		return t.plainly(values, p, q)
	}
	m := float64(len(t.sample))
	reach := func(share float64) int { return min(len(t.sample)-1, int(share*m+3*math.Sqrt(share*m)+1)) }
	from, to := selected(t.sample, reach(p)), selected(t.sample, len(t.sample)-1-reach(1-q))
	t.low, t.high = t.low[:0], t.high[:0]
	atFrom, atTo := 0, 0
	for _, v := range values {
		if v > from && v < to { // most of them
			continue
		}
		switch {
		case v < from:
			t.low = append(t.low, v)
		case v == from:
			atFrom++
		case math.IsNaN(v):
			n--
		}
		switch {
		case v > to:
			t.high = append(t.high, v)
		case v == to:
			atTo++
		}
	}
	n += len(values)
	lo, found := between(n, p, func(k int) (float64, bool) {
		if k < len(t.low) {
			return selected(t.low, k), true
		}
		return from, k < len(t.low)+atFrom
	})
	hi, also := between(n, q, func(k int) (float64, bool) {
		if above := n - len(t.high); k >= above {
			return selected(t.high, k-above), true
		}
		return to, k >= n-len(t.high)-atTo
	})
	if !found || !also {
		return t.plainly(values, p, q)
	}
	return lo, hi, n
}

// plainly finds the two quantiles one after the other.
func (t *tails) plainly(values []float64, p, q float64) (lo, hi float64, n int) {
	t.all = t.all[:0]
	for _, v := range values {
		if !math.IsNaN(v) {
			t.all = append(t.all, v)
		}
	}
	if len(t.all) == 0 {
		return 0, 0, 0
	}
	return quantile(t.all, p), quantile(t.all, q), len(t.all)
}

// between is the q-quantile of n values by the order statistics next to it; false where one of them is not known.
func between(n int, q float64, order func(k int) (float64, bool)) (float64, bool) {
	h := q * float64(n-1)
	k := min(max(int(math.Floor(h)), 0), n-1)
	low, ok := order(k)
	share := h - float64(k)
	if !ok || share <= 0 || k+1 >= n {
		return low, ok
	}
	high, ok := order(k + 1)
	return low + share*(high-low), ok
}
