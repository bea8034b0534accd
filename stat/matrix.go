package stat

import (
	"fmt"
	"math"
	"slices"
)

// matrix is a checked sample column by column, for whatever goes over the items goes over those of a few columns.
type matrix struct {
	key     string
	items   int
	columns [][]float64
	total   []float64 // the sum of each column with unit weights, added in the order of the items
}

// newMatrix lays a sample out. It fails on a ragged row and on a value that is no finite number.
func newMatrix(s Sample) (*matrix, error) {
	p, err := s.Sums.width()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Key, err)
	}
	n := len(s.Sums)
	m := &matrix{key: s.Key, items: n, columns: make([][]float64, p), total: make([]float64, p)}
	all := make([]float64, n*p)
	for j := range m.columns {
		m.columns[j] = all[j*n : (j+1)*n]
	}
	for i, row := range s.Sums {
		plus(m.total, row)
		for j, v := range row {
			m.columns[j][i] = v
		}
	}
	return m, nil
}

// sum adds up some columns of each item, in into where that is large enough; a column that is not there counts 0.
func (m *matrix) sum(which []int, into []float64) []float64 {
	into = zeroed(into, m.items)
	for _, j := range which {
		if j >= 0 && j < len(m.columns) {
			plus(into, m.columns[j])
		}
	}
	return into
}

// weighted is the numerator of a quotient in each item, in into where that is large enough.
func (m *matrix) weighted(q Quotient, into []float64) []float64 {
	if q.Factors == nil {
		return m.sum(q.Num, into)
	}
	into = zeroed(into, m.items)
	for i, j := range q.Num {
		if m.items > 0 { // else there are no columns
			plusTimes(into, q.Factors[i], m.columns[j])
		}
	}
	return into
}

// isCount reports whether a column can be split into bits: whole, not negative, small, and of so few items that no
// resample's sum of one bit overflows.
func isCount(column []float64) bool {
	for _, v := range column {
		if v < 0 || v > mostCount || v != math.Trunc(v) {
			return false
		}
	}
	return len(column) <= laneLimit
}

// classes sort columns by their content. In an audit many are alike, such as the edits that fired and those that were read:
// what is computed from them is computed once.
type classes struct {
	of    []int // by column: its class; 0 for columns that are not wanted
	first []int // by class: the first of its columns
}

// classes sorts the wanted columns of a matrix.
func (m *matrix) classes(wanted []int) classes {
	c := classes{of: make([]int, len(m.columns))}
	alike := map[uint64][]int{}
	for _, j := range wanted {
		own := m.columns[j]
		name := shape(own)
		class := slices.IndexFunc(alike[name], func(k int) bool { return slices.Equal(m.columns[c.first[k]], own) })
		if class >= 0 {
			c.of[j] = alike[name][class]
			continue
		}
		c.of[j] = len(c.first)
		alike[name] = append(alike[name], len(c.first))
		c.first = append(c.first, j)
	}
	return c
}

// shape is the same for equal columns, and another for most others.
func shape(column []float64) (h uint64) {
	for _, v := range column {
		h = (h ^ math.Float64bits(v+0)) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// both sorts columns that are sorted in one sample already by their content in another as well.
func (c classes) both(other classes, wanted []int) classes {
	out := classes{of: make([]int, len(c.of))}
	seen := map[[2]int]int{}
	for _, j := range wanted {
		name := [2]int{c.of[j], other.of[j]}
		k, ok := seen[name]
		if !ok {
			k = len(out.first)
			seen[name] = k
			out.first = append(out.first, j)
		}
		out.of[j] = k
	}
	return out
}
