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

// Four replicates share one word in the product below.
const (
	laneBits  = 16
	laneLimit = 1<<laneBits - 1
	lanes     = 64 / laneBits
)

// product computes weights × Sums for blocks of replicates. Most columns are small counts, and most of their entries 0:
// of those only the items that have one are gone through, and the weights of four replicates, packed in a word, are added
// at once, exactly, for no lane can overflow. The other columns are summed as floats in the order of the items. Neither
// depends on how the work is split.
type product struct {
	items  int
	counts []counted // columns of counts, in order
	plain  int
	dense  []float64 // items × plain
	reals  []int     // the columns in dense, in order
}

// counted is a column of counts.
type counted struct {
	column int
	ones   []int32 // items that count 1
	more   []int32 // items that count more, each followed by how much
}

// newProduct prepares a checked matrix of p columns.
func newProduct(x Sums, p int) *product {
	m := &product{items: len(x)}
	for j := range p {
		if !x.isCount(j) {
			m.reals = append(m.reals, j)
			continue
		}
		c := counted{column: j}
		for i, row := range x {
			switch v := row[j]; {
			case v == 1:
				c.ones = append(c.ones, int32(i))
			case v > 1:
				c.more = append(c.more, int32(i), int32(v))
			}
		}
		if len(c.ones)+len(c.more) > 0 {
			m.counts = append(m.counts, c)
		}
	}
	m.plain = len(m.reals)
	m.dense = make([]float64, m.items*m.plain)
	for i, row := range x {
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
	sums  [abreast]lane
	reals []float64
}

// abreast is the number of columns that are written to the replicates' sums at once: they share a cache line there.
const abreast = 8

// addTo adds the weighted column sums of the first n replicates of a block to out (replicates × p).
func (m *product) addTo(out []float64, p, n int, weights []lane, s *scratch) {
	for from := 0; from < len(m.counts); from += abreast {
		some := m.counts[from:min(from+abreast, len(m.counts))]
		for k := range some {
			some[k].sum(&s.sums[k], weights)
		}
		for r := range n {
			row, shift := out[r*p:(r+1)*p], r%lanes*laneBits
			for k := range some {
				row[some[k].column] += float64(s.sums[k][r/lanes] >> shift & laneLimit)
			}
		}
	}
	if m.plain == 0 {
		return
	}
	s.reals = zeroed(s.reals, n*m.plain)
	for from := 0; from < m.items; from += tile {
		to := min(from+tile, m.items)
		for r := range n {
			m.accumulate(s.reals[r*m.plain:(r+1)*m.plain], weights, r, from, to)
		}
	}
	for r := range n {
		sums := out[r*p : (r+1)*p]
		for c, j := range m.reals {
			sums[j] += s.reals[r*m.plain+c]
		}
	}
}

// sum adds up a column in every replicate of a block.
func (c counted) sum(into *lane, weights []lane) {
	clear(into[:])
	ones := c.ones
	for ; len(ones) >= 4; ones = ones[4:] {
		a, b, d, e := &weights[ones[0]], &weights[ones[1]], &weights[ones[2]], &weights[ones[3]]
		for i := range into {
			into[i] += a[i] + b[i] + d[i] + e[i]
		}
	}
	for _, item := range ones {
		for i, w := range &weights[item] {
			into[i] += w
		}
	}
	for k := 0; k < len(c.more); k += 2 {
		n := uint64(c.more[k+1])
		for i, w := range &weights[c.more[k]] {
			into[i] += n * w
		}
	}
}

// accumulate adds weight × row in one replicate for the items from ≤ i < to; acc has an entry for each column of dense.
func (m *product) accumulate(acc []float64, weights []lane, replicate, from, to int) {
	n, at, shift := len(acc), replicate/lanes, replicate%lanes*laneBits
	for i := from; i < to; i++ {
		w := float64(weights[i][at] >> shift & laneLimit)
		if w == 0 {
			continue
		}
		row := m.dense[i*n : (i+1)*n]
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
