package main

import (
	"slices"

	"github.com/percuss/percuss"
)

// spread is the least, the median and the most of some runs. All are missing of none.
type spread struct{ least, median, most percuss.Number }

func spreadOf(x []float64) spread {
	if len(x) == 0 {
		return spread{}
	}
	x = slices.Sorted(slices.Values(x))
	n := len(x)
	return spread{percuss.Num(x[0]), percuss.Num((x[(n-1)/2] + x[n/2]) / 2), percuss.Num(x[n-1])}
}

// quotients divides run by run. A run without one of the two, or whose divisor is 0, is left out.
func quotients(above, below []sample, of func(sample) percuss.Number) []float64 {
	var out []float64
	for i := range min(len(above), len(below)) {
		a, okA := of(above[i]).Get()
		b, okB := of(below[i]).Get()
		if okA && okB && b != 0 {
			out = append(out, a/b)
		}
	}
	return out
}

// figures are the values of the runs that have one.
func figures(samples []sample, of func(sample) percuss.Number) []float64 {
	var out []float64
	for _, s := range samples {
		if v, ok := of(s).Get(); ok {
			out = append(out, v)
		}
	}
	return out
}
