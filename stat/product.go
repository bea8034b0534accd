package stat

import "slices"

// laneLimit is the largest sum that a lane can hold, and so the most items whose weights it can add up; mostCount is the
// largest entry of a column of counts, which has no more bits than are worth going through one by one.
const laneLimit, mostCount = 1<<16 - 1, 1 << 12

// product computes weights × columns for blocks of replicates, for one column of each class. Most columns are small counts,
// and most of their entries 0: such a column is split into the bits of its entries, of each bit only the items that have it,
// or those that lack it where they are fewer, are gone through, and the weights of the replicates that share a word are added
// at once, exactly, for no lane can overflow. The other columns are summed as floats, over their items that are not 0 in the
// order of the items. Neither depends on how the work is split.
type product struct {
	items  int
	bits   int // of a replicate in a lane
	counts []count
	reals  []amounts
}

// count is a column of counts: its class and its bits, the lowest first. A column of zeros has none.
type count struct {
	class int
	bits  []plane
}

// plane are the items with a bit, or all but those that lack it. Each is given by its first lane.
type plane struct {
	lanes  []int32
	absent bool
}

// amounts are another column: its class, the items where it is not 0 and what it is there.
type amounts struct {
	class  int
	items  []int32
	values []float64
}

// newProduct prepares the first column of each class.
func newProduct(x *matrix, c classes) *product {
	m := &product{items: x.items, bits: Resampler{Items: x.items}.bits()}
	for class, j := range c.first {
		if column := x.columns[j]; isCount(column) {
			m.counts = append(m.counts, count{class, m.planes(column)})
		} else {
			m.reals = append(m.reals, newAmounts(class, column))
		}
	}
	return m
}

// planes splits a column of counts into its bits.
func (m *product) planes(column []float64) []plane {
	var out []plane
	for bit, most := 0, int(slices.Max(column)); most>>bit > 0; bit++ {
		var has, lacks []int32
		for i, v := range column {
			at := int32(i * lanesOf(m.bits))
			if int(v)>>bit&1 == 1 {
				has = append(has, at)
			} else {
				lacks = append(lacks, at)
			}
		}
		if len(lacks) < len(has) {
			out = append(out, plane{lacks, true})
		} else {
			out = append(out, plane{has, false})
		}
	}
	return out
}

func newAmounts(class int, column []float64) amounts {
	out := amounts{class: class}
	for i, v := range column {
		if v != 0 {
			out.items, out.values = append(out.items, int32(i)), append(out.values, v)
		}
	}
	return out
}

// tile is the number of items whose weights, as floats, stay in the cache while the real columns pass over them.
const tile = 32

// scratch holds one worker's room.
type scratch struct {
	weights []float64 // of a tile of items, each in the replicates of a block
	done    []int     // by real column: its items of earlier tiles
}

// sum sets the sums of each class in the first n replicates of a block, class after class, a block for each.
func (m *product) sum(sums []float64, n int, weights []lane, s *scratch) {
	for _, c := range m.counts {
		own := sums[c.class*block:][:n]
		if len(c.bits) == 0 {
			clear(own)
		}
		for bit, p := range c.bits {
			m.bit(own, bit, p, weights)
		}
	}
	if len(m.reals) > 0 {
		m.addReals(sums, n, weights, s)
	}
}

// bit sets the sums to those of the lowest bit, or adds those of a higher one.
func (m *product) bit(sums []float64, bit int, p plane, weights []lane) {
	each := len(lane{}) * 64 / m.bits // replicates of one lane
	for in := 0; in*each < len(sums); in++ {
		var l lane
		l.add(weights[in:], p.lanes)
		if p.absent {
			l.rest(uint64(m.items), m.bits)
		}
		own := sums[in*each : min(len(sums), (in+1)*each)]
		if bit == 0 {
			l.unpack(own, m.bits)
		} else {
			l.unpackMore(own, m.bits, float64(int(1)<<bit))
		}
	}
}

// addReals sets the sums of the columns that are no counts.
func (m *product) addReals(sums []float64, n int, weights []lane, s *scratch) {
	s.weights, s.done = sized(s.weights, tile*block), zeroed(s.done, len(m.reals))
	for _, c := range m.reals {
		clear(sums[c.class*block:][:n])
	}
	per := lanesOf(m.bits)
	for from := 0; from < m.items; from += tile {
		to := min(from+tile, m.items)
		for i := from; i < to; i++ {
			own := s.weights[(i-from)*block:][:block]
			for in := range per {
				weights[i*per+in].unpack(own[in*block/per:][:block/per], m.bits)
			}
		}
		for k, c := range m.reals {
			own := sums[c.class*block:][:n]
			for ; s.done[k] < len(c.items) && int(c.items[s.done[k]]) < to; s.done[k]++ {
				at := s.done[k]
				plusTimes(own, c.values[at], s.weights[(int(c.items[at])-from)*block:])
			}
		}
	}
}

// add adds the lanes at some places.
func (l *lane) add(weights []lane, at []int32) {
	for ; len(at) >= 4; at = at[4:] {
		a, b, c, d := &weights[at[0]], &weights[at[1]], &weights[at[2]], &weights[at[3]]
		for i := range l {
			l[i] += a[i] + b[i] + c[i] + d[i]
		}
	}
	for _, i := range at {
		for k, w := range &weights[i] {
			l[k] += w
		}
	}
}

// rest takes the lane from one that holds a number in every replicate.
func (l *lane) rest(number uint64, bits int) {
	all := number
	for ; bits < 64; bits *= 2 {
		all |= all << bits
	}
	for i := range l {
		l[i] = all - l[i]
	}
}

// unpack sets out to what the lane holds for its first replicates.
func (l *lane) unpack(out []float64, bits int) {
	mask, per := uint64(1)<<bits-1, 64/bits
	for _, w := range l {
		own := out[:min(per, len(out))]
		for k := range own {
			own[k] = float64(int64(w & mask))
			w >>= bits
		}
		if out = out[len(own):]; len(out) == 0 {
			return
		}
	}
}

// unpackMore adds a factor times what the lane holds for its first replicates.
func (l *lane) unpackMore(out []float64, bits int, factor float64) {
	var own [block]float64
	l.unpack(own[:len(out)], bits)
	plusTimes(out, factor, own[:])
}
