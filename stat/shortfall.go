package stat

import "math"

// fewItems is the number of items below which the resamples of a rate are too alike: of 1 in 2 they hold no value above
// it a quarter of the time.
const fewItems = 10

// shortfall is a mean over items whose uncertainty resampling does not show in full: no resample differs from the sample,
// or there are few items. What is missing is added in quadrature to whatever the mean enters, a sum, a difference or a mean
// of means, as if the parts were independent (the square-and-add of Newcombe 1998 and of Zou and Donner 2008).
type shortfall struct {
	value, lo, hi float64 // the mean, and the least and most that one item can give
	items         int
	differs       bool    // a difference, or another sum that is no rate
	error         float64 // its standard error over the items: what the resamples do show
	name          string  // of the items and what is measured on them, the same for all models
}

// lack is a shortfall and the factor with which it enters a metric.
type lack struct {
	of     *shortfall
	factor float64
}

// widths are what is missing below and above the mean at a level. The whole width is Wilson's, in units of the range of an
// item, for no variable of that range and mean varies more than a rate does. Of a difference it is the share of the
// items that may differ all the same, Wilson's bound for none of them, times how far those could move it.
func (s shortfall) widths(level float64) (below, above float64) {
	n, span := float64(s.items), s.hi-s.lo
	if s.differs {
		_, share := wilson(0, n, level)
		return share * (s.value - s.lo), share * (s.hi - s.value)
	}
	u := (s.value - s.lo) / span
	lo, hi := wilson(u*n, n, level)
	shown := normalQuantile(level) * s.error
	return rest(span*(u-lo), shown), rest(span*(hi-u), shown)
}

// rest is what a width lacks to the whole.
func rest(whole, shown float64) float64 { return math.Sqrt(max(0, whole*whole-shown*shown)) }

// lacking adds up what some shortfalls leave out below and above a metric.
func lacking(of []lack, level float64) (below, above float64) {
	type sums struct{ plus, minus [2]float64 } // below and above, of either sign
	var order []*sums
	alike := map[string]*sums{}
	for _, l := range of {
		s := alike[l.of.name]
		if s == nil {
			s = &sums{}
			alike[l.of.name], order = s, append(order, s)
		}
		b, a := l.of.widths(level)
		if l.factor < 0 {
			s.minus[0], s.minus[1] = s.minus[0]-l.factor*a, s.minus[1]-l.factor*b
		} else {
			s.plus[0], s.plus[1] = s.plus[0]+l.factor*b, s.plus[1]+l.factor*a
		}
	}
	for _, s := range order {
		below = math.Hypot(below, math.Hypot(s.plus[0], s.minus[0]))
		above = math.Hypot(above, math.Hypot(s.plus[1], s.minus[1]))
	}
	return below, above
}

// plusLacks adds a factor times other lacks, joining those of one shortfall: a term that cancels lacks nothing.
func plusLacks(to []lack, factor float64, more []lack) []lack {
	for _, l := range more {
		known := false
		for i := range to {
			if to[i].of == l.of {
				to[i].factor, known = to[i].factor+factor*l.factor, true
				break
			}
		}
		if !known {
			to = append(to, lack{l.of, factor * l.factor})
		}
	}
	return to
}
