package stat

import (
	"math"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
)

// withProcessors calls do with another number of processors.
func withProcessors(n int, do func()) {
	before := runtime.GOMAXPROCS(n)
	defer runtime.GOMAXPROCS(before)
	do()
}

func TestBootstrapDoesNotDependOnProcessors(t *testing.T) {
	x := make(Sums, 150)
	for i := range x {
		x[i] = []float64{math.Sin(float64(i)), float64(i % 3)}
	}
	o := Options{Seed: 9, Replicates: 777, Metrics: []Metric{{Num: []int{0}, Den: []int{1}, Difference: true}}}
	want := bootstrap(t, x, o)
	for _, n := range []int{1, 2, 8} {
		withProcessors(n, func() {
			if d := cmp.Diff(want, bootstrap(t, x, o), exactly); d != "" {
				t.Errorf("%d processors: %s", n, d)
			}
		})
	}
	o.Seed = 10
	if cmp.Equal(want, bootstrap(t, x, o), exactly) {
		t.Error("another seed gives the same interval")
	}
}

// TestDrawsDoNotDependOnProcessors: every replicate, interval and p-value of told metrics, of samples, pooled and averaged.
func TestDrawsDoNotDependOnProcessors(t *testing.T) {
	metrics, stat := toldMetrics()
	samples := make([]Sample, 3)
	for k := range samples {
		samples[k] = Sample{Key: string(rune('a' + k)), Sums: make(Sums, 100*k+60)}
		for i := range samples[k].Sums {
			samples[k].Sums[i] = []float64{float64(i % 2), 1, math.Sqrt(float64(i % 7)), float64(i % 3)}
		}
	}
	type result struct {
		Estimates [][]percuss.Estimate
		P         [][]percuss.Number
	}
	drawAll := func() (out result) {
		mean := NewMean(len(samples), slices.Repeat([]int{len(samples)}, len(metrics)))
		enter := func(d *Draws) {
			out.Estimates, out.P = append(out.Estimates, d.Estimates()), append(out.P, d.PValues())
		}
		pooled, err := DrawEach(samples, stat, Options{Seed: 2, Replicates: 700, Metrics: metrics, Resamples: &Resamples{}}, func(_ int, d *Draws) {
			enter(d)
			if err := mean.Add(d); err != nil {
				t.Fatal(err)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		enter(pooled)
		m, err := mean.Draws()
		if err != nil {
			t.Fatal(err)
		}
		enter(m)
		return out
	}
	want := drawAll()
	for _, n := range []int{1, 2, 8} {
		withProcessors(n, func() {
			if d := cmp.Diff(want, drawAll(), exactly); d != "" {
				t.Errorf("%d processors: %s", n, d)
			}
		})
	}
}

// TestInParallel: each call is made once, and each goroutine has a room of its own.
func TestInParallel(t *testing.T) {
	for _, processors := range []int{1, 3} {
		withProcessors(processors, func() {
			for _, n := range []int{0, 1, 2, 50} {
				calls, rooms := make([]int, n), atomic.Int64{}
				inParallel(n, func() func(int) {
					rooms.Add(1)
					return func(i int) { calls[i]++ }
				})
				if int(rooms.Load()) != min(n, processors) || slices.ContainsFunc(calls, func(k int) bool { return k != 1 }) {
					t.Errorf("%d calls on %d processors: %v, in %d rooms", n, processors, calls, rooms.Load())
				}
			}
		})
	}
}
