package evidence

import (
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// floors are the floors of the noise between repetitions of the same prompts, by order from 1, nats; nil where no order
// has one above 0.
func floors(rows []FloorRow) map[int]float64 {
	out, noisy := map[int]float64{}, false
	for _, row := range rows {
		if floor, ok := row.Floor.Get(); ok && row.Source == noiseBatch && row.Order > 0 {
			out[row.Order] = floor
			noisy = noisy || row.SD.Or(0) >= exact
		}
	}
	if !noisy {
		return nil
	}
	return out
}

// noiseShares set the strength by order beside what independent noise of the size of that between repetitions would
// have: the mean size of normal noise is its standard deviation × √(2/π), in each of the many sets of a large order.
func (c *cell) noiseShares(out *Cell) {
	size := map[int]float64{}
	for order := range floors(out.Floor) {
		for _, row := range out.Floor {
			if row.Source == noiseBatch && row.Order == order {
				size[order] = row.SD.Or(0) * math.Sqrt(2/math.Pi)
			}
		}
	}
	noise, strength, sums := 0.0, 0.0, c.main.sums()
	for _, o := range out.Strength {
		s, ok := size[o.Order]
		if !ok && o.Count > 0 {
			return // of an order nothing was repeated
		}
		noise += s * float64(o.Count)
		strength += sums[c.main.column(orderColumn(o.Order, "all/strength"))]
	}
	for i := range out.Strength {
		o := &out.Strength[i]
		of := size[o.Order] * float64(o.Count)
		o.Noise = NoiseShare{percuss.Num(of / noise), percuss.Num(of / strength)}
	}
	out.ByNoise = c.noiseAbove(size)
}

// noiseAbove is the noise's share above order 3, a mean over the cases that were asked at all orders.
func (c *cell) noiseAbove(size map[int]float64) NoiseShare {
	var alone, most []float64
	for i, units := range c.cases.aboveUnits {
		high, all, sets := 0.0, 0.0, 1.0
		for k := 1; k <= units; k++ {
			sets *= float64(units-k+1) / float64(k)
			all += sets * size[k]
			if k > depth {
				high += sets * size[k]
			}
		}
		alone, most = append(alone, high/all), append(most, high/c.cases.aboveStrength[i])
	}
	return NoiseShare{average(alone), average(most)}
}

// average is the mean of values, whose order does not move a digit; missing where there is none.
func average(values []float64) percuss.Number {
	sum := 0.0
	for _, v := range slices.Sorted(slices.Values(values)) {
		sum += v
	}
	return percuss.Num(sum / float64(len(values)))
}
