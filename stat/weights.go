package stat

import (
	"fmt"
	"math"
)

// Weights say how far two labels agree: Table[k][l] is from 0 to 1, 1 for a label with itself, the same both ways, in the
// order of the categories. The zero value is unweighted: two labels agree or they do not.
type Weights struct {
	Name  string // e.g. "linear": for Estimate.Method
	Table [][]float64
}

// LinearWeights take off an equal part for every step between two categories: 1 − |k − l|/(q − 1) (Cicchetti and Allison 1971).
func LinearWeights(categories int) Weights { return stepped("linear", categories, 1) }

// QuadraticWeights take off the square of that: 1 − (k − l)²/(q − 1)² (Fleiss and Cohen 1973).
func QuadraticWeights(categories int) Weights { return stepped("quadratic", categories, 2) }

// stepped are weights that fall with a power of the distance.
func stepped(name string, categories int, power float64) Weights {
	w := Weights{Name: name, Table: make([][]float64, max(categories, 0))}
	for k := range w.Table {
		w.Table[k] = make([]float64, categories)
		for l := range w.Table[k] {
			w.Table[k][l] = 1
			if k != l {
				w.Table[k][l] -= math.Pow(math.Abs(float64(k-l))/float64(categories-1), power)
			}
		}
	}
	return w
}

// told names the weights in a method; empty where there are none.
func (w Weights) told() string {
	switch {
	case w.Table == nil:
		return ""
	case w.Name == "":
		return " (weights of the caller's own)"
	}
	return " (" + w.Name + " weights)"
}

// disagreement is one less the weights. It fails on a table that is none of so many categories.
func (w Weights) disagreement(categories int) ([][]float64, error) {
	if w.Table != nil && len(w.Table) != categories {
		return nil, fmt.Errorf("weights of %d categories, where there are %d", len(w.Table), categories)
	}
	out := make([][]float64, categories)
	for k := range out {
		out[k] = make([]float64, categories)
		if w.Table != nil && len(w.Table[k]) != categories {
			return nil, fmt.Errorf("row %d of the weights has %d entries, where there are %d categories", k+1, len(w.Table[k]), categories)
		}
		for l := range out[k] {
			switch {
			case w.Table == nil && k != l:
				out[k][l] = 1
			case w.Table == nil:
			default:
				v := w.Table[k][l]
				if !(v >= 0 && v <= 1) || k == l && v != 1 || l < k && v != w.Table[l][k] {
					return nil, fmt.Errorf("weight %v of categories %d and %d: weights are from 0 to 1, 1 for a category with itself, and the same both ways", v, k+1, l+1)
				}
				out[k][l] = 1 - v
			}
		}
	}
	return out, nil
}
