package llamacpp

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
)

// LogSumExp returns the log of the sum of the exponentials, without overflow; of nothing it is -Inf. The
// log-probability of a label is that of its surface forms' log-probabilities.
func LogSumExp(xs ...float64) float64 {
	if len(xs) == 0 {
		return math.Inf(-1)
	}
	top := slices.Max(xs)
	if math.IsInf(top, -1) {
		return top
	}
	sum := 0.0
	for _, x := range xs {
		sum += math.Exp(x - top)
	}
	return top + math.Log(sum)
}

// normalizer returns the log of the sum of the exponentials of all logits, in float64.
func normalizer(logits []float32) float64 {
	top := float64(logits[argMax(logits)])
	sum := 0.0
	for _, l := range logits {
		if x := float64(l) - top; x > -80 { // below, it cannot reach the sum's last bit
			sum += math.Exp(x)
		}
	}
	return top + math.Log(sum)
}

// argMax returns the index of the greatest logit, the lowest of equals. A NaN is never the greatest.
func argMax(logits []float32) int {
	best, at := float32(math.Inf(-1)), 0
	for i, l := range logits {
		if l > best {
			best, at = l, i
		}
	}
	return at
}

// sampler draws tokens at a temperature above zero.
type sampler struct {
	temperature float64
	topP        float64
	rng         *rand.Rand
	order       []int32   // scratch
	weight      []float64 // scratch
}

// draw returns the index of a token: softmax at the temperature, cut to the smallest set of most probable tokens
// whose probability reaches topP (Holtzman et al. 2020), and one uniform number. Of equally probable tokens the
// lower id comes first.
func (s *sampler) draw(logits []float32) int {
	top := float64(logits[argMax(logits)])
	s.weight = s.weight[:0]
	total := 0.0
	for _, l := range logits {
		w := math.Exp((float64(l) - top) / s.temperature)
		if math.IsNaN(w) {
			w = 0
		}
		s.weight = append(s.weight, w)
		total += w
	}
	u := s.rng.Float64()
	if s.topP <= 0 || s.topP >= 1 {
		return pick(s.weight, nil, u*total)
	}
	s.order = s.order[:0]
	for i, w := range s.weight {
		if w > 0 {
			s.order = append(s.order, int32(i))
		}
	}
	slices.SortFunc(s.order, func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.weight[b], s.weight[a]), cmp.Compare(a, b))
	})
	kept, n := 0.0, 0
	for n < len(s.order) && kept < s.topP*total {
		kept += s.weight[s.order[n]]
		n++
	}
	return pick(s.weight, s.order[:n], u*kept)
}

// pick returns the index at which the running sum of the weights passes x, in the given order; nil is ascending.
func pick(weight []float64, order []int32, x float64) int {
	n := len(order)
	if order == nil {
		n = len(weight)
	}
	last := 0
	for k := range n {
		i := k
		if order != nil {
			i = int(order[k])
		}
		if weight[i] == 0 {
			continue
		}
		last = i
		if x -= weight[i]; x < 0 {
			return i
		}
	}
	return last // rounding only
}
