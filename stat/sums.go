package stat

import (
	"fmt"
	"math"
)

// Sums holds the sufficient statistics of a sample: one row an item, one column a quantity that is summed over items,
// e.g. "fired, parsed trials of F1-50" and "flips among them". Every row has the same number of columns; an item that
// contributes nothing is a row of zeros.
type Sums [][]float64

// width returns the number of columns, or an error for a ragged row or a value that is no finite number.
func (x Sums) width() (int, error) {
	if len(x) == 0 {
		return 0, nil
	}
	p := len(x[0])
	for i, row := range x {
		if len(row) != p {
			return 0, fmt.Errorf("row %d has %d columns, the first row %d: give every item the same columns", i, len(row), p)
		}
		for j, v := range row {
			if math.IsNaN(v) || math.IsInf(v, 0) {
				return 0, fmt.Errorf("row %d, column %d: %v is no number; leave the item out by a zero denominator", i, j, v)
			}
		}
	}
	return p, nil
}

// columns returns the sum of some columns of a row; a column that is not there counts 0.
func columns(row []float64, which []int) float64 {
	s := 0.0
	for _, j := range which {
		if j >= 0 && j < len(row) {
			s += row[j]
		}
	}
	return s
}

// sized returns a slice of the given length, reusing s where it can; what it holds is left over.
func sized[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	return s[:n]
}

// zeroed is sized and cleared.
func zeroed[T any](s []T, n int) []T {
	s = sized(s, n)
	clear(s)
	return s
}
