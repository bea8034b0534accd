package stat

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Pearson is the product-moment correlation of paired values with Fisher's z interval (Fisher 1921), which assumes
// independent pairs from a roughly bivariate normal distribution. Pairs with a missing value are left out and
// counted in a warning. It is absent with fewer than two pairs, or when one side does not vary; below four pairs, or
// on a line, there is a value without interval. Level 0 means DefaultLevel.
func Pearson(x, y []percuss.Number, level float64) percuss.Estimate {
	a, b, e, ok := pairs(x, y, level)
	if !ok {
		return e
	}
	scale(a)
	scale(b)
	n := float64(len(a))
	var ma, mb float64
	for i := range a {
		ma += a[i] / n
		mb += b[i] / n
	}
	r := moment(a, b, ma, mb)
	e.Method = "Pearson r, Fisher z interval"
	return withFisher(e, r, 1, 3)
}

// KendallTauB is Kendall's rank correlation τ-b of paired values, which allows for ties on either side (Kendall 1945;
// Agresti 2010, section 7.1). The interval is that of Bonett and Wright (2000), approximate and best for |τ| below
// 0.8. Missing values and short lists are treated as in Pearson, with at least five pairs for an interval. It compares
// all pairs of pairs: time grows with the square of their number.
func KendallTauB(x, y []percuss.Number, level float64) percuss.Estimate {
	a, b, e, ok := pairs(x, y, level)
	if !ok {
		return e
	}
	var score, tiedA, tiedB, all float64
	for i := range a {
		for j := range i {
			sa, sb := sign(a[i]-a[j]), sign(b[i]-b[j])
			score += sa * sb
			all++
			if sa == 0 {
				tiedA++
			}
			if sb == 0 {
				tiedB++
			}
		}
	}
	tau := score / (math.Sqrt(all-tiedA) * math.Sqrt(all-tiedB))
	e.Method = "Kendall tau-b, Bonett-Wright interval"
	return withFisher(e, tau, 0.437, 4)
}

// Spearman is the rank correlation of paired values, the product-moment correlation of their ranks; ties have the mean
// of their ranks. The interval is that of Bonett and Wright (2000), approximate and best for |ρ| below 0.95. Missing
// values and short lists are treated as in Pearson.
func Spearman(x, y []percuss.Number, level float64) percuss.Estimate {
	a, b, e, ok := pairs(x, y, level)
	if !ok {
		return e
	}
	a, b = ranks(a), ranks(b)
	middle := float64(len(a)+1) / 2
	r := moment(a, b, middle, middle)
	e.Method = "Spearman rho, Bonett-Wright interval"
	return withFisher(e, r, 1+r*r/2, 3)
}

// moment is the product-moment correlation of two lists around their means.
func moment(a, b []float64, meanA, meanB float64) float64 {
	var saa, sbb, sab float64
	for i := range a {
		da, db := a[i]-meanA, b[i]-meanB
		saa += da * da
		sbb += db * db
		sab += da * db
	}
	return sab / (math.Sqrt(saa) * math.Sqrt(sbb))
}

// ranks are the places of values in their order, from 1; equal values share the mean of their places.
func ranks(v []float64) []float64 {
	order := make([]int, len(v))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(v[i], v[j]) })
	out := make([]float64, len(v))
	for from := 0; from < len(order); {
		to := from + 1
		for to < len(order) && v[order[to]] == v[order[from]] {
			to++
		}
		for _, i := range order[from:to] {
			out[i] = float64(from+1+to) / 2
		}
		from = to
	}
	return out
}

// withFisher adds the value and the interval on the scale of atanh, whose variance is factor ÷ (n − less).
func withFisher(e percuss.Estimate, r, factor float64, less int) percuss.Estimate {
	if math.IsNaN(r) {
		e.Level, e.Why = 0, "the values are too close together for floating-point arithmetic"
		return e
	}
	r = max(-1, min(1, r))
	if 1-math.Abs(r) < 1e-12 {
		r = math.Copysign(1, r)
	}
	e.Value = percuss.Num(r)
	switch {
	case math.Abs(r) == 1:
		e.Level, e.Warnings = 0, append(e.Warnings, "no interval: the agreement of the pairs is perfect, which says nothing about its spread")
	case e.N <= less:
		e.Level, e.Warnings = 0, append(e.Warnings, fmt.Sprintf("no interval: it takes more than %d pairs", less))
	default:
		half := normalQuantile(e.Level) * math.Sqrt(factor/float64(e.N-less))
		e.Lo, e.Hi = percuss.Num(math.Tanh(math.Atanh(r)-half)), percuss.Num(math.Tanh(math.Atanh(r)+half))
	}
	return e
}

// pairs returns the complete pairs and an estimate that has everything but value and interval; ok is false when there
// is nothing to correlate, and the estimate says why.
func pairs(x, y []percuss.Number, level float64) (a, b []float64, e percuss.Estimate, ok bool) {
	level, err := levelOf(level)
	if err != nil {
		return nil, nil, percuss.Absent(err.Error()), false
	}
	if len(x) != len(y) {
		return nil, nil, percuss.Absent(fmt.Sprintf("%d values cannot be paired with %d", len(x), len(y))), false
	}
	for i := range x {
		u, hasU := x[i].Get()
		v, hasV := y[i].Get()
		if hasU && hasV {
			a, b = append(a, u), append(b, v)
		}
	}
	e = percuss.Estimate{Level: level, N: len(a)}
	if lost := len(x) - len(a); lost > 0 {
		e.Warnings = append(e.Warnings, fmt.Sprintf("%d of %d pairs left out: a value is missing", lost, len(x)))
	}
	switch {
	case len(a) < 2:
		e.Why = fmt.Sprintf("a correlation takes at least two pairs, there are %d", len(a))
	case constant(a) || constant(b):
		e.Why = "one of the two does not vary"
	default:
		return a, b, e, true
	}
	e.Level = 0
	return nil, nil, e, false
}

// scale divides values by the largest magnitude, so that no sum of squares overflows; correlations do not change.
func scale(v []float64) {
	largest := 0.0
	for _, x := range v {
		largest = max(largest, math.Abs(x))
	}
	for i := range v {
		v[i] /= largest
	}
}

// constant reports whether all values are equal.
func constant(v []float64) bool {
	for _, x := range v {
		if x != v[0] {
			return false
		}
	}
	return true
}

// sign is −1, 0 or 1.
func sign(v float64) float64 {
	switch {
	case v < 0:
		return -1
	case v > 0:
		return 1
	}
	return 0
}
