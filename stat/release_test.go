package stat

import (
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// TestReleased: draws made in the memory of others, by several goroutines at once, are those made in memory of their own.
func TestReleased(t *testing.T) {
	metrics, stat := toldMetrics()
	rapid.Check(t, func(t *rapid.T) {
		o := Options{Seed: 3, Replicates: 150, Metrics: metrics}
		if rapid.Bool().Draw(t, "called") {
			o.Metrics = untold(metrics)
		}
		samples := make([][]Sample, rapid.IntRange(1, 4).Draw(t, "lists"))
		for i := range samples {
			for k := range rapid.IntRange(1, 3).Draw(t, "samples") {
				samples[i] = append(samples[i], drawnSample(t, string(rune('a'+k))))
			}
		}
		want := make([][]percuss.Estimate, len(samples))
		for i, of := range samples {
			want[i] = estimatedEach(t, of, stat, o)
		}
		o.Resamples = &Resamples{}
		for range 2 { // the second time in memory that was given back
			got := make([][]percuss.Estimate, len(samples))
			var wg sync.WaitGroup
			for i, of := range samples {
				wg.Go(func() { got[i] = estimatedEach(t, of, stat, o) })
			}
			wg.Wait()
			if d := cmp.Diff(want, got, exactly); d != "" {
				t.Fatal(d)
			}
		}
	})
}

// estimatedEach are the estimates of some samples, of all pooled and of their mean, each released when it was asked.
func estimatedEach(t *rapid.T, samples []Sample, stat Statistic, o Options) (out []percuss.Estimate) {
	var kept []*Draws
	pooled, err := DrawEach(samples, stat, o, func(_ int, d *Draws) {
		out, kept = append(out, d.Estimates()...), append(kept, d.Keep(upTo(len(o.Metrics))...))
	})
	if err != nil {
		t.Error(err)
		return nil
	}
	out = append(out, pooled.Estimates()...)
	pooled.Release()
	mean, err := Average(kept...)
	if err != nil {
		t.Error(err)
		return nil
	}
	defer mean.Release()
	return append(out, mean.Recombined(5).Estimates()...)
}

// TestUseAfterRelease: released draws have no value and cannot be combined, whatever is drawn in their memory meanwhile; what
// was kept of them is as it was.
func TestUseAfterRelease(t *testing.T) {
	metrics, stat := toldMetrics()
	o := Options{Replicates: 200, Metrics: metrics, Resamples: &Resamples{}}
	sample := func(factor int) Sample {
		s := Sample{Key: "a", Sums: make(Sums, 40)}
		for i := range s.Sums {
			s.Sums[i] = []float64{float64(i * factor % 2), 1, float64(i % 3), 2}
		}
		return s
	}
	draw := func(factor int) *Draws {
		d, err := Draw(sample(factor), stat, o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d := draw(1)
	kept, recombined, narrow := d.Keep(0), d.Recombined(5), d.At(0.9)
	want := kept.Estimates()[0]
	d.Release()
	d.Release()
	other := draw(3)
	if left := len(o.Resamples.free[o.Replicates]); left != 0 {
		t.Errorf("of what was given back %d arrays were not drawn in", left)
	}
	for name, gone := range map[string]*Draws{"itself": d, "recombined": recombined, "at another level": narrow, "kept afterwards": d.Keep(0), "recombined afterwards": d.Recombined(5)} {
		for _, e := range gone.Estimates() {
			if e.Value.OK() || e.Why == "" {
				t.Errorf("%s: %+v", name, e)
			}
		}
		for _, p := range gone.PValues() {
			if p.OK() {
				t.Errorf("%s: p = %v", name, p)
			}
		}
		_, average := Average(other, gone)
		_, difference := Subtract(gone, other)
		mean := NewMean(1, make([]int, len(metrics)))
		for _, err := range []error{average, difference, mean.Add(gone)} {
			if err == nil || !strings.Contains(err.Error(), "released") {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
	if got := kept.Estimates()[0]; !cmp.Equal(want, got, exactly) {
		t.Error(cmp.Diff(want, got, exactly))
	}
	(*Draws)(nil).Release()
}
