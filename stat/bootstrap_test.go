package stat

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"gonum.org/v1/gonum/stat/distuv"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

var exactly = cmp.Comparer(func(a, b percuss.Number) bool { return a == b })

// rate describes the metric that ratio returns.
var rate = Metric{Num: []int{0}, Den: []int{1}}

// ratio is column 0 over column 1, missing where that is 0.
func ratio(sums []float64) []percuss.Number {
	return []percuss.Number{percuss.Num(sums[0] / sums[1])}
}

// fractions of a constant denominator: k ones among n items.
func ones(k, n int) Sums {
	x := make(Sums, n)
	for i := range x {
		x[i] = []float64{0, 1}
		if i < k {
			x[i][0] = 1
		}
	}
	return x
}

func bootstrap(t testing.TB, x Sums, o Options) []percuss.Estimate {
	t.Helper()
	e, err := Bootstrap(x, ratio, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// NVIDIA/garak#2076: resamples of constants do not vary, and the interval read as certainty.
func TestNoneOrAllNeverHaveZeroWidth(t *testing.T) {
	o := Options{Seed: 3, Replicates: 200, Metrics: []Metric{rate}}
	for _, c := range []struct {
		k      int
		lo, hi float64
	}{{0, 0, .0713}, {50, .9287, 1}} {
		e := Wilson(c.k, 50, .95)
		near(t, "Wilson lo", e.Lo, c.lo, 5e-5)
		near(t, "Wilson hi", e.Hi, c.hi, 5e-5)
		if e.Method != "Wilson score" {
			t.Errorf("method %q", e.Method)
		}
		b := bootstrap(t, ones(c.k, 50), o)[0]
		near(t, "bootstrap lo", b.Lo, c.lo, 5e-5)
		near(t, "bootstrap hi", b.Hi, c.hi, 5e-5)
		if b.Method != "Wilson score (the bootstrap was degenerate)" {
			t.Errorf("method %q", b.Method)
		}
	}
}

// Many trials of few items must not be taken for many units.
func TestDegenerateIntervalCountsItemsNotTrials(t *testing.T) {
	x := make(Sums, 10)
	for i := range x {
		x[i] = []float64{0, 30}
	}
	x[9][1] = 0 // no parsed trial: not a unit of this rate
	e := bootstrap(t, x, Options{Metrics: []Metric{rate}})[0]
	near(t, "hi", e.Hi, Wilson(0, 9, .95).Hi.Or(-1), 1e-12)
	near(t, "den", e.Den, 270, 0)
	if e.N != 9 {
		t.Errorf("N = %d, want 9", e.N)
	}
}

// The bootstrap distribution of a proportion is known: binomial(n, k/n) ÷ n.
func TestProportionAgainstItsExactDistribution(t *testing.T) {
	e := bootstrap(t, ones(30, 100), Options{Seed: 1, Replicates: 20000, Metrics: []Metric{rate}})[0]
	exact := distuv.Binomial{N: 100, P: .3}
	quantileOf := func(q float64) float64 {
		k := 0.0
		for exact.CDF(k) < q {
			k++
		}
		return k / 100
	}
	near(t, "lo", e.Lo, quantileOf(.025), .0101)
	near(t, "hi", e.Hi, quantileOf(.975), .0101)
}

func TestMissingReplicatesAreCounted(t *testing.T) {
	x := ones(0, 40)
	for i := range x {
		x[i][1] = 0
	}
	x[0], x[1] = []float64{1, 1}, []float64{0, 1} // two of forty items count: missing in e^-2 of the resamples
	e := bootstrap(t, x, Options{Replicates: 1000, Metrics: []Metric{rate}})[0]
	if len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "of 1000 replicates") {
		t.Fatalf("warnings %q", e.Warnings)
	}
	near(t, "value", e.Value, .5, 0)
	if e.N != 2 {
		t.Errorf("N = %d, want 2", e.N)
	}
	full := bootstrap(t, ones(20, 40), Options{Metrics: []Metric{rate}})[0]
	if len(full.Warnings) > 0 {
		t.Errorf("unexpected warnings %q", full.Warnings)
	}
}

func TestMissingMetricSaysWhy(t *testing.T) {
	x := Sums{{0, 0}, {0, 0}}
	e := bootstrap(t, x, Options{Metrics: []Metric{{Num: []int{0}, Den: []int{1}, Absent: "M2 fired nowhere"}}})[0]
	if e.Value.OK() || e.Lo.OK() || e.Why != "M2 fired nowhere" {
		t.Errorf("%+v", e)
	}
	e = bootstrap(t, nil, Options{Metrics: []Metric{rate}})[0]
	if e.Value.OK() || e.Why != "there are no items" {
		t.Errorf("no items: %+v", e)
	}
}

// FCS of a model that never flips is exactly 0.5 in every resample; its parts are known only within their intervals.
func TestDegenerateScoreTakesItsPartsIntervals(t *testing.T) {
	x := make(Sums, 50)
	for i := range x {
		x[i] = []float64{0, 3, 0, 2}
	}
	stat := func(s []float64) []percuss.Number {
		d, p := s[0]/s[1], s[2]/s[3]
		return []percuss.Number{percuss.Num(d), percuss.Num(p), percuss.Num(.5*d + .5*(1-p))}
	}
	metrics := []Metric{rate, {Num: []int{2}, Den: []int{3}}, {Parts: []Part{{0, .5}, {1, -.5}}}}
	e, err := Bootstrap(x, stat, Options{Metrics: metrics})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "fcs", e[2].Value, .5, 0)
	near(t, "lo", e[2].Lo, .5-.071347599133/2, 1e-9)
	near(t, "hi", e[2].Hi, .5+.071347599133/2, 1e-9)
	// Without parts the estimate keeps the zero width and says that it is no certainty.
	metrics[2] = Metric{}
	if e, err = Bootstrap(x, stat, Options{Metrics: metrics}); err != nil {
		t.Fatal(err)
	}
	if e[2].Lo != e[2].Hi || len(e[2].Warnings) != 1 {
		t.Errorf("%+v", e[2])
	}
}

func TestBadInputIsAnError(t *testing.T) {
	nan := math.NaN()
	for name, f := range map[string]func() error{
		"ragged":       func() error { _, err := Bootstrap(Sums{{1, 1}, {1}}, ratio, Options{}); return err },
		"NaN":          func() error { _, err := Bootstrap(Sums{{1, nan}}, ratio, Options{}); return err },
		"level":        func() error { _, err := Bootstrap(ones(1, 2), ratio, Options{Level: 95}); return err },
		"replicates":   func() error { _, err := Bootstrap(ones(1, 2), ratio, Options{Replicates: -1}); return err },
		"no key":       func() error { _, err := Draw(Sample{Sums: ones(1, 2)}, ratio, Options{}); return err },
		"ids":          func() error { _, err := Draw(Sample{"a", []string{"x"}, ones(1, 2)}, ratio, Options{}); return err },
		"descriptions": func() error { _, err := Bootstrap(ones(1, 2), ratio, Options{Metrics: make([]Metric, 2)}); return err },
		"later part": func() error {
			_, err := Bootstrap(ones(1, 2), ratio, Options{Metrics: []Metric{{Parts: []Part{{0, 1}}}}})
			return err
		},
		"changing number": func() error {
			_, err := Bootstrap(ones(1, 2), func(s []float64) []percuss.Number { return make([]percuss.Number, 1+int(s[0])) }, Options{})
			return err
		},
	} {
		if err := f(); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// The nominal 95 % interval of a clustered rate should hold the truth nearly that often. Items have rates of their
// own; treating trials as independent would cover far less.
func TestPercentileIntervalCovers(t *testing.T) {
	const runs, items, trials = 400, 60, 10
	hits, naive := 0, 0
	for run := range runs {
		rng := percuss.Rand(uint64(run), "", "", "coverage")
		x := make(Sums, items)
		k := 0
		for i := range x {
			own := 0.1
			if rng.Float64() < 0.5 {
				own = 0.6
			}
			x[i] = []float64{0, trials}
			for range trials {
				if rng.Float64() < own {
					x[i][0]++
					k++
				}
			}
		}
		e := bootstrap(t, x, Options{Seed: uint64(run), Replicates: 300, Metrics: []Metric{rate}})[0]
		if e.Lo.Or(1) <= .35 && .35 <= e.Hi.Or(0) {
			hits++
		}
		if w := Wilson(k, items*trials, .95); w.Lo.Or(1) <= .35 && .35 <= w.Hi.Or(0) {
			naive++
		}
	}
	share := float64(hits) / runs
	t.Logf("coverage: items %.3f, trials taken as independent %.3f", share, float64(naive)/runs)
	if share < .90 || share > .985 {
		t.Errorf("coverage %.3f, want about 0.94", share)
	}
	if naive >= hits {
		t.Error("the simulation has no clustering: it tests nothing")
	}
}

// For every rate: the interval holds the value, stays in 0–1 and is never of zero width.
func TestRateIntervalProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 30).Draw(t, "n")
		x := make(Sums, n)
		counted := false
		for i := range x {
			den := rapid.IntRange(0, 4).Draw(t, "den")
			x[i] = []float64{float64(rapid.IntRange(0, den).Draw(t, "num")), float64(den)}
			counted = counted || den > 0
		}
		es, err := Bootstrap(x, ratio, Options{Replicates: 150, Metrics: []Metric{rate}})
		if err != nil {
			t.Fatal(err)
		}
		e := es[0]
		if !counted {
			if e.Value.OK() || e.Why == "" {
				t.Fatalf("no denominator, yet %+v", e)
			}
			return
		}
		lo, v, hi := e.Lo.Or(-1), e.Value.Or(-1), e.Hi.Or(-1)
		if lo < 0 || hi > 1 || hi <= lo {
			t.Fatalf("interval [%v, %v] of %v", lo, hi, v)
		}
		if (v < lo || v > hi) && len(e.Warnings) == 0 {
			t.Fatalf("%v outside [%v, %v] without a warning", v, lo, hi)
		}
	})
}

// TestResamplesChangeNothing: draws that share their resamples are those that make them anew, whatever the number of
// replicates and of items, also where several draw at once.
func TestResamplesChangeNothing(t *testing.T) {
	shared := new(Resamples)
	for _, n := range []int{1, 7, 40} {
		for _, replicates := range []int{1, 127, 128, 300} {
			x := make(Sums, n)
			for i := range x {
				x[i] = []float64{float64(i % 3), 1, float64(i) / 7}
			}
			mean := func(s []float64) []percuss.Number {
				return []percuss.Number{percuss.Num(s[0] / s[1]), percuss.Num(s[2] / s[1])}
			}
			draw := func(k *Resamples) []drawn {
				d, err := Draw(Sample{Key: "k", Sums: x}, mean, Options{Seed: 3, Replicates: replicates, Resamples: k})
				if err != nil {
					t.Fatal(err)
				}
				return d.metrics
			}
			want := draw(nil)
			var wg sync.WaitGroup
			for range 3 {
				wg.Go(func() {
					for j, m := range draw(shared) {
						if !slices.Equal(m.reps, want[j].reps) {
							t.Errorf("%d items, %d replicates: metric %d differs", n, replicates, j)
						}
					}
				})
			}
			wg.Wait()
		}
	}
	if len(shared.kept) == 0 {
		t.Error("nothing was kept")
	}
}
