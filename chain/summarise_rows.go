package chain

import (
	"iter"
	"math/bits"

	"github.com/percuss/percuss/stat"
)

// packed is a row in little room: of most columns it says that they are 1, or by saying nothing that they are 0. A run's rows
// are all there until its tables are drawn; as floats they would take fifty times as much.
type packed struct {
	ones   []uint64 // a bit for each column
	others []entry  // what is neither 0 nor 1
}

// entry is a column and its value.
type entry struct {
	column int
	value  float64
}

// pack packs a row.
func pack(row []float64) packed {
	p := packed{ones: make([]uint64, (len(row)+63)/64)}
	for i, v := range row {
		switch v {
		case 0:
		case 1:
			p.ones[i/64] |= 1 << (i % 64)
		default:
			p.others = append(p.others, entry{i, v})
		}
	}
	return p
}

// addTo adds the row to column sums.
func (p packed) addTo(to sums) {
	for i, word := range p.ones {
		for ; word > 0; word &= word - 1 {
			to[64*i+bits.TrailingZeros64(word)]++
		}
	}
	for _, e := range p.others {
		to[e.column] += e.value
	}
}

// sample lays a cell's rows out along the items of its data set; an item that the cell lacks contributes nothing.
func sample(set string, items []string, rows map[string][]float64, width int) stat.Sample {
	empty := make([]float64, width)
	out := stat.Sample{Key: set, Items: items, Sums: make(stat.Sums, len(items))}
	for i, id := range items {
		out.Sums[i] = empty
		if row, ok := rows[id]; ok {
			out.Sums[i] = row
		}
	}
	return out
}

// sample lays the packed rows of a cell out, so many columns wide.
func (s *summary) sample(set string, rows map[string]packed, width int) stat.Sample {
	return sample(set, s.items[set], unpacked(rows, width), width)
}

// unpacked are rows as floats, so many columns wide.
func unpacked(rows map[string]packed, width int) map[string][]float64 {
	out := make(map[string][]float64, len(rows))
	all := make(sums, len(rows)*width)
	for id, p := range rows {
		out[id], all = all[:width:width], all[width:]
		p.addTo(out[id])
	}
	return out
}

// zeros are so many, in into where it is large enough.
func zeros(into []float64, width int) []float64 {
	if cap(into) < width {
		return make([]float64, width)
	}
	into = into[:width]
	for i := range into {
		into[i] = 0
	}
	return into
}

// aheadOf is how many values are handed over at a time, and how often ahead of their use.
const aheadOf, aheadTimes = 32, 4

// ahead yields the values of a sequence, which are made meanwhile on another goroutine, some way ahead. When it ends, also
// where no more are wanted, that goroutine has ended.
func ahead[T any](values iter.Seq[T]) iter.Seq[T] {
	return func(yield func(T) bool) {
		made, stop := make(chan []T, aheadTimes), make(chan struct{})
		go func() {
			defer close(made)
			batch := make([]T, 0, aheadOf)
			for v := range values {
				if batch = append(batch, v); len(batch) < aheadOf {
					continue
				}
				select {
				case made <- batch:
				case <-stop:
					return
				}
				batch = make([]T, 0, aheadOf)
			}
			select {
			case made <- batch:
			case <-stop:
			}
		}()
		defer func() {
			close(stop)
			for range made { // until it is closed
			}
		}()
		for batch := range made {
			for _, v := range batch {
				if !yield(v) {
					return
				}
			}
		}
	}
}
