package stat

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// toldMetrics are one metric of each form, over four columns, and the statistic that they tell.
func toldMetrics() ([]Metric, Statistic) {
	first, second := Quotient{Num: []int{0}, Den: []int{1}}, Quotient{Num: []int{2, 0}, Factors: []float64{100, -100}, Den: []int{3, 1}, Range: [2]float64{-100, 100}}
	less := first
	less.Less = &Quotient{Num: []int{2}, Den: []int{3}}
	metrics := []Metric{
		{Num: []int{0}, Den: []int{1}, Terms: []Term{{1, []Quotient{first}}}},
		{Num: []int{2}, Den: []int{3}, Terms: []Term{{1, []Quotient{{Num: []int{2}, Den: []int{3}}}}}},
		{Terms: []Term{{1, []Quotient{first, second}}}},
		{Terms: []Term{{1, []Quotient{less}}}},
		{Terms: []Term{{0.5, []Quotient{first}}, {-2, []Quotient{second}}}, Constant: percuss.Num(1)},
		{Parts: []Part{{0, 0.5}, {1, -0.5}}, Constant: percuss.Num(0.5)},
		{Extreme: Extreme{Of: []int{0, 1}}},
	}
	div := func(a, b float64) percuss.Number {
		if b == 0 {
			return percuss.Number{}
		}
		return percuss.Num(a / b)
	}
	both := func(x, y percuss.Number, f func(x, y float64) float64) percuss.Number {
		a, okA := x.Get()
		b, okB := y.Get()
		if !okA || !okB {
			return percuss.Number{}
		}
		return percuss.Num(f(a, b))
	}
	return metrics, func(s []float64) []percuss.Number {
		a, b, c := div(s[0], s[1]), div(s[2], s[3]), div(100*(s[2]-s[0]), s[3]+s[1])
		mean := both(a, c, func(x, y float64) float64 { return (x + y) / 2 })
		if !mean.OK() {
			mean = percuss.Num(a.Or(c.Or(math.NaN())))
		}
		return []percuss.Number{a, b, mean,
			both(a, b, func(x, y float64) float64 { return x - y }),
			both(a, c, func(x, y float64) float64 { return 1 + 0.5*x - 2*y }),
			both(a, b, func(x, y float64) float64 { return 0.5*x + 0.5*(1-y) }),
			both(a, b, func(x, y float64) float64 { return math.Abs(x - y) })}
	}
}

// untold are the same metrics without what they tell.
func untold(metrics []Metric) []Metric {
	out := slices.Clone(metrics)
	for i := range out {
		out[i].Terms, out[i].Constant = nil, percuss.Number{}
	}
	return out
}

// drawnSample has rows of few ones, so that some resamples miss a denominator.
func drawnSample(t *rapid.T, key string) Sample {
	n := rapid.SampledFrom([]int{0, 1, 3, 20, 260}).Draw(t, key)
	share := rapid.SampledFrom([]int{0, 1, 5, 10}).Draw(t, key+" share")
	s := Sample{Key: key, Sums: make(Sums, n)}
	for i := range s.Sums {
		s.Sums[i] = []float64{float64(i % 2), float64(i % 3 % 2), 0, 0}
		if i%10 < share {
			s.Sums[i][2], s.Sums[i][3] = float64(i%4)/8, 1
		}
	}
	return s
}

// same compares replicates and points up to rounding.
func same(t *rapid.T, name string, a, b *Draws) {
	t.Helper()
	for j := range a.metrics {
		x, y := a.metrics[j], b.metrics[j]
		if !close(x.point, y.point) || len(x.reps) != len(y.reps) {
			t.Fatalf("%s, metric %d: %v of %d replicates, want %v of %d", name, j, x.point, len(x.reps), y.point, len(y.reps))
		}
		for r := range x.reps {
			if !close(x.reps[r], y.reps[r]) {
				t.Fatalf("%s, metric %d, replicate %d: %v, want %v", name, j, r, x.reps[r], y.reps[r])
			}
		}
	}
}

func close(a, b float64) bool {
	return math.IsNaN(a) && math.IsNaN(b) || math.Abs(a-b) <= 1e-9*max(1, math.Abs(b))
}

// TestToldEqualsCalled: a metric that tells how it is computed has the replicates that the statistic gives, in every form,
// over one sample and several, missing values included.
func TestToldEqualsCalled(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		metrics, stat := toldMetrics()
		samples := []Sample{drawnSample(t, "a"), drawnSample(t, "b")}
		o := Options{Seed: rapid.Uint64().Draw(t, "seed"), Replicates: rapid.SampledFrom([]int{1, 128, 300}).Draw(t, "replicates"), Metrics: metrics}
		calls := 0
		told, err := DrawPooled(samples, func(s []float64) []percuss.Number { calls++; return stat(s) }, o)
		if err != nil {
			t.Fatal(err)
		}
		if calls > 1 {
			t.Errorf("the statistic was called %d times", calls)
		}
		o.Metrics = untold(metrics)
		called, err := DrawPooled(samples, stat, o)
		if err != nil {
			t.Fatal(err)
		}
		same(t, "told", told, called)
	})
}

// TestDrawEachEqualsDraw: the one pass gives what a pass for each gives.
func TestDrawEachEqualsDraw(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		metrics, stat := toldMetrics()
		if rapid.Bool().Draw(t, "untold") {
			metrics = untold(metrics)
		}
		samples := []Sample{drawnSample(t, "a"), drawnSample(t, "b"), drawnSample(t, "c")}
		o := Options{Seed: 3, Replicates: 200, Metrics: metrics}
		var shown []int
		pooled, err := DrawEach(samples, stat, o, func(i int, each *Draws) {
			shown = append(shown, i)
			one, err := Draw(samples[i], stat, o)
			if err != nil {
				t.Fatal(err)
			}
			same(t, samples[i].Key, each, one)
			if diff := cmp.Diff(one.Estimates(), each.Estimates(), cmpopts.EquateComparable(percuss.Number{})); diff != "" {
				t.Fatal(diff)
			}
		})
		if err != nil {
			t.Fatal(err)
		}
		want, err := DrawPooled(samples, stat, o)
		if err != nil {
			t.Fatal(err)
		}
		if same(t, "pooled", pooled, want); !slices.Equal(shown, []int{0, 1, 2}) {
			t.Errorf("samples %v were shown", shown)
		}
	})
	if _, err := DrawEach([]Sample{{Key: "a", Sums: Sums{{1}}}, {Key: "b", Sums: Sums{{1, 2}}}}, ratio, Options{}, func(int, *Draws) {}); err == nil {
		t.Error("samples of different columns are drawn together")
	}
}

// TestTailsEqualQuantiles: the quick quantiles are those of sorting, with ties, missing values and odd orders, where
// the guessed thresholds hold and where they do not.
func TestTailsEqualQuantiles(t *testing.T) {
	var reused tails
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{0, 1, 5, 127, 128, 129, 1000, 3000}).Draw(t, "n")
		rng := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		form := rapid.SampledFrom([]string{"normal", "few values", "one value", "sorted", "periodic"}).Draw(t, "form")
		missing := rapid.SampledFrom([]float64{0, 0.1, 0.95, 1}).Draw(t, "missing")
		v := make([]float64, n)
		for i := range v {
			v[i] = map[string]float64{"normal": rng.NormFloat64(), "few values": float64(rng.IntN(4)), "one value": 2, "sorted": float64(i),
				"periodic": float64(i % max(1, n/sampled))}[form]
			if rng.Float64() < missing {
				v[i] = math.NaN()
			}
		}
		p := rapid.SampledFrom([]float64{0, 0.005, 0.025, 0.05, 0.4}).Draw(t, "p")
		q := rapid.SampledFrom([]float64{0.5, 0.95, 0.975, 1}).Draw(t, "q")
		present := slices.DeleteFunc(slices.Clone(v), math.IsNaN)
		lo, hi, got := reused.of(v, p, q)
		if got != len(present) {
			t.Fatalf("%d values, want %d", got, len(present))
		}
		if got > 0 && (lo != quantile(present, p) || hi != quantile(present, q)) {
			t.Fatalf("%v to %v, want %v to %v", lo, hi, quantile(present, p), quantile(present, q))
		}
	})
}
