package stat

import (
	"fmt"
	"math"
	"strconv"

	"github.com/percuss/percuss"
)

// floor is the ECE under perfect calibration, as Calibration tells it. Each answer of a sample is right with the chance that
// its confidence says, independently of the others.
func (x binned) floor(o Options) percuss.Estimate {
	if len(x.items) == 0 {
		return percuss.Absent("there are no items")
	}
	n := 0.0
	expected := make([]float64, len(x.confidences)) // right answers of a bin
	for i, bin := range x.confidences {
		n += float64(len(bin))
		for _, c := range bin {
			expected[i] += c
		}
	}
	samples := make([]float64, o.Replicates)
	inParallel(len(samples), func() func(int) {
		return func(r int) {
			rng := percuss.Rand(o.Seed, itemsKey, strconv.Itoa(r), "perfect calibration")
			for i, bin := range x.confidences {
				right := 0.0
				for _, c := range bin {
					if rng.Float64() < c {
						right++
					}
				}
				samples[r] += math.Abs(right-expected[i]) / n
			}
		}
	})
	mean := 0.0
	for _, v := range samples {
		mean += v / float64(len(samples))
	}
	var t tails
	lo, hi, _ := t.of(samples, (1-o.Level)/2, (1+o.Level)/2)
	e := percuss.Estimate{Value: number(mean), Lo: number(lo), Hi: number(hi), Level: o.Level, N: len(x.items)}
	e.Method = fmt.Sprintf("over %s; mean and range of %d simulated samples, each answer right with the chance that its confidence says", x.by, o.Replicates)
	if int(n) > len(x.items) {
		e.Warnings = []string{"items have several forecasts, whose answers are simulated as independent: the floor may be too low"}
	}
	return e
}
