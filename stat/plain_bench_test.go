package stat

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/percuss/percuss"
)

// toldOperators are flip rate and accuracy of each operator of a cell, and the mean of either.
func toldOperators() []Metric {
	var out []Metric
	var flips, right []Quotient
	for op := range 30 {
		flips, right = append(flips, rateOf(4*op+2, 4*op+1)), append(right, rateOf(4*op+3, 4*op))
		out = append(out, Metric{Num: []int{4*op + 2}, Den: []int{4*op + 1}, Terms: []Term{{1, flips[op : op+1]}}},
			Metric{Num: []int{4*op + 3}, Den: []int{4 * op}, Terms: []Term{{1, right[op : op+1]}}})
	}
	return append(out, Metric{Terms: []Term{{1, flips}}}, Metric{Terms: []Term{{1, right}}})
}

// overOperators is the statistic that toldOperators tell.
func overOperators(s []float64) []percuss.Number {
	out := perOperator(s)
	var flips, right float64
	for op := range 30 {
		flips, right = flips+out[2*op].Or(math.NaN()), right+out[2*op+1].Or(math.NaN())
	}
	return append(out, percuss.Num(flips/30), percuss.Num(right/30))
}

// plainly is the bootstrap as one writes it down: for each replicate the weighted sums of all columns, the metrics, and at
// last two quantiles of each sorted column.
func plainly(x Sums, metrics int, replicates int) (lo, hi []float64) {
	reps := make([][]float64, metrics)
	var w []uint32
	for r := range replicates {
		w = Resampler{Key: itemsKey, Items: len(x)}.Weights(r, w)
		sums := make([]float64, len(x[0]))
		for i, row := range x {
			for j, v := range row {
				sums[j] += float64(w[i]) * v
			}
		}
		for j, v := range overOperators(sums) {
			reps[j] = append(reps[j], v.Or(math.NaN()))
		}
	}
	for _, v := range reps {
		slices.Sort(v)
		lo, hi = append(lo, v[int(.025*float64(len(v)-1))]), append(hi, v[int(.975*float64(len(v)-1))])
	}
	return lo, hi
}

// BenchmarkAgainstPlain is one cell of 200 items × 30 operators with 10,000 replicates and 62 told metrics, in turns with
// the plain loop on one processor. It prints how many times as long the loop takes, and how many replicates of a metric are
// made in a microsecond.
//
//	go test -run '^$' -bench AgainstPlain -cpu 1,2 ./stat
func BenchmarkAgainstPlain(b *testing.B) {
	const replicates = 10_000
	x, metrics := cell(1), toldOperators()
	shared := &Resamples{} // as the cells of an audit share them
	var ours, plain time.Duration
	for b.Loop() {
		began := time.Now()
		if _, err := Bootstrap(x, overOperators, Options{Replicates: replicates, Metrics: metrics, Resamples: shared}); err != nil {
			b.Fatal(err)
		}
		ours += time.Since(began)
		began = time.Now()
		plainly(x, len(metrics), replicates)
		plain += time.Since(began)
	}
	b.ReportMetric(plain.Seconds()/ours.Seconds(), "plain/ours")
	b.ReportMetric(float64(b.N*len(metrics)*replicates)/float64(ours.Microseconds()), "replicates/µs")
}
