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

// laneLimit is the largest sum that a lane can hold, and so the most items whose weights it can add up; mostCount is the
// largest entry of a column of counts, which has no more bits than are worth going through one by one.
const laneLimit, mostCount = 1<<16 - 1, 1 << 12

// product computes weights × Sums for blocks of replicates. Most columns are small counts, and most of their entries 0:
// such a column is split into the bits of its entries, of each bit only the items that have it are gone through, and the
// weights of the replicates that share a word are added at once, exactly, for no lane can overflow. The other columns are
// summed as floats in the order of the items. Neither depends on how the work is split.
type product struct {
	items int
	bits  int      // of a replicate in a lane
	set   []planes // columns of counts, in order
	dense []float64
	reals []int // the columns in dense, items × columns, in order
}

// planes are the bits of a column of counts, the lowest first: the items that have each.
type planes struct {
	column int
	with   [][]int32
}

// newProduct prepares some columns of a checked matrix.
func newProduct(x Sums, columns []int) *product {
	m := &product{items: len(x), bits: Resampler{Items: len(x)}.bits()}
	for _, j := range columns {
		if !x.isCount(j) {
			m.reals = append(m.reals, j)
			continue
		}
		c := planes{column: j}
		for i, row := range x {
			for bit, v := 0, uint(row[j]); v > 0; bit, v = bit+1, v>>1 {
				for len(c.with) <= bit {
					c.with = append(c.with, nil)
				}
				if v&1 == 1 {
					c.with[bit] = append(c.with[bit], int32(i))
				}
			}
		}
		if len(c.with) > 0 {
			m.set = append(m.set, c)
		}
	}
	m.dense = make([]float64, m.items*len(m.reals))
	for i, row := range x {
		for c, j := range m.reals {
			m.dense[i*len(m.reals)+c] = row[j]
		}
	}
	return m
}

// isCount reports whether a column can be split into bits: whole, not negative, small, and of so few items that no
// resample's sum of one bit overflows.
func (x Sums) isCount(j int) bool {
	for _, row := range x {
		v := row[j]
		if v < 0 || v > mostCount || v != math.Trunc(v) {
			return false
		}
	}
	return len(x) <= laneLimit
}

// tile is the number of items whose rows stay in the first-level cache while a block of replicates passes over them.
const tile = 64

// scratch holds one worker's accumulators.
type scratch struct {
	sum   lane
	reals []float64
}

// places says where the sums of a block go: that of a column in a replicate to column·across + replicate·down, by the
// place that a column has.
type places struct {
	of           []int // by column of the matrix
	across, down int
}

// addTo adds the weighted column sums of the first n replicates of a block to out.
func (m *product) addTo(out []float64, to places, n int, weights []lane, s *scratch) {
	per := lanesOf(m.bits)
	each := len(lane{}) * 64 / m.bits // replicates of one lane
	for _, c := range m.set {
		base := to.of[c.column] * to.across
		for bit, with := range c.with {
			unit := float64(int(1) << bit)
			for in := 0; in*each < n; in++ {
				s.sum.add(weights, with, per, in)
				s.sum.unpack(out[base+in*each*to.down:], to.down, min(each, n-in*each), m.bits, unit)
			}
		}
	}
	k := len(m.reals)
	if k == 0 {
		return
	}
	s.reals = zeroed(s.reals, n*k)
	for from := 0; from < m.items; from += tile {
		to := min(from+tile, m.items)
		for r := range n {
			m.accumulate(s.reals[r*k:(r+1)*k], weights, r, from, to)
		}
	}
	for r := range n {
		for c, j := range m.reals {
			out[to.of[j]*to.across+r*to.down] += s.reals[r*k+c]
		}
	}
}

// add sets a lane to the sum of the weights of some items, of which each has per lanes.
func (l *lane) add(weights []lane, items []int32, per, in int) {
	clear(l[:])
	for ; len(items) >= 4; items = items[4:] {
		a, b := &weights[int(items[0])*per+in], &weights[int(items[1])*per+in]
		c, d := &weights[int(items[2])*per+in], &weights[int(items[3])*per+in]
		for i := range l {
			l[i] += a[i] + b[i] + c[i] + d[i]
		}
	}
	for _, item := range items {
		for i, w := range &weights[int(item)*per+in] {
			l[i] += w
		}
	}
}

// unpack adds unit times what the lane holds for its first n replicates to out, down apart.
func (l *lane) unpack(out []float64, down, n, bits int, unit float64) {
	mask := uint64(1)<<bits - 1
	k := 0
	for _, w := range l {
		for shift := 0; shift < 64; shift += bits {
			if k >= n*down {
				return
			}
			out[k] += unit * float64(int64(w>>shift&mask))
			k += down
		}
	}
}

// accumulate adds weight × row in one replicate for the items from ≤ i < to; acc has an entry for each column of dense.
func (m *product) accumulate(acc []float64, weights []lane, replicate, from, to int) {
	n, per := len(acc), lanesOf(m.bits)
	in, word, shift := at(replicate, m.bits)
	mask := uint64(1)<<m.bits - 1
	for i := from; i < to; i++ {
		w := float64(weights[i*per+in][word] >> shift & mask)
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
