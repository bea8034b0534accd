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

// total returns the column sums with unit weights.
func (x Sums) total(p int) []float64 {
	sums := make([]float64, p)
	for _, row := range x {
		for j, v := range row {
			sums[j] += v
		}
	}
	return sums
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

// Four counts share one word in the product below.
const (
	laneBits  = 16
	laneLimit = 1<<laneBits - 1
	lanes     = 64 / laneBits
)

// product computes weights × Sums for blocks of replicates. Columns of small counts, which most are, are packed four
// to a word: weight times word then adds four columns at once, exactly, for no lane can overflow. The other columns
// are summed as floats in the order of the items, so that the result does not depend on how the work is split.
type product struct {
	items, words, plain int
	packed              []uint64  // items × words
	dense               []float64 // items × plain
	counts, reals       []int     // the columns in packed and in dense, in order
}

// newProduct prepares a checked matrix of p columns.
func newProduct(x Sums, p int) *product {
	m := &product{items: len(x)}
	for j := range p {
		if x.isCount(j) {
			m.counts = append(m.counts, j)
		} else {
			m.reals = append(m.reals, j)
		}
	}
	m.words, m.plain = (len(m.counts)+lanes-1)/lanes, len(m.reals)
	m.packed = make([]uint64, m.items*m.words)
	m.dense = make([]float64, m.items*m.plain)
	for i, row := range x {
		for c, j := range m.counts {
			m.packed[i*m.words+c/lanes] |= uint64(row[j]) << (c % lanes * laneBits)
		}
		for c, j := range m.reals {
			m.dense[i*m.plain+c] = row[j]
		}
	}
	return m
}

// isCount reports whether a column fits a lane: whole, not negative, and so small that no resample's sum overflows.
func (x Sums) isCount(j int) bool {
	largest := 0.0
	for _, row := range x {
		v := row[j]
		if v < 0 || v != math.Trunc(v) {
			return false
		}
		largest = max(largest, v)
	}
	return largest*float64(len(x)) <= laneLimit
}

// tile is the number of items whose rows stay in the first-level cache while a block of replicates passes over them.
const tile = 64

// scratch holds one worker's accumulators.
type scratch struct {
	words []uint64
	reals []float64
}

// addTo adds the weighted column sums of each replicate of a block to out (replicates × p); weights holds one vector
// a replicate.
func (m *product) addTo(out []float64, p int, weights [][]uint32, s *scratch) {
	s.words = zeroed(s.words, len(weights)*m.words)
	s.reals = zeroed(s.reals, len(weights)*m.plain)
	for from := 0; from < m.items; from += tile {
		to := min(from+tile, m.items)
		for r, w := range weights {
			accumulate(s.words[r*m.words:(r+1)*m.words], m.packed, w, from, to)
			accumulate(s.reals[r*m.plain:(r+1)*m.plain], m.dense, w, from, to)
		}
	}
	for r := range weights {
		sums := out[r*p : (r+1)*p]
		for c, j := range m.counts {
			sums[j] += float64(s.words[r*m.words+c/lanes] >> (c % lanes * laneBits) & laneLimit)
		}
		for c, j := range m.reals {
			sums[j] += s.reals[r*m.plain+c]
		}
	}
}

// accumulate adds weight × row for the items from ≤ i < to; rows have the length of acc.
func accumulate[T uint64 | float64](acc, rows []T, weights []uint32, from, to int) {
	n := len(acc)
	if n == 0 {
		return
	}
	for i := from; i < to; i++ {
		w := T(weights[i])
		if w == 0 {
			continue
		}
		row := rows[i*n : (i+1)*n]
		acc := acc[:len(row)]
		for j, v := range row {
			acc[j] += w * v
		}
	}
}

// zeroed returns a cleared slice of the given length, reusing s where it can.
func zeroed[T any](s []T, n int) []T {
	if cap(s) < n {
		return make([]T, n)
	}
	s = s[:n]
	clear(s)
	return s
}
