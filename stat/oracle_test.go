package stat

import (
	"math"
	"testing"

	"github.com/percuss/percuss"
)

// The reference values of this file were printed by testdata/oracle/stat.py with scipy 1.17.1, statsmodels 0.15.0 and
// numpy 2.4.6.

func near(t *testing.T, what string, got percuss.Number, want, tolerance float64) {
	t.Helper()
	v, ok := got.Get()
	if !ok || math.Abs(v-want) > tolerance {
		t.Errorf("%s = %v (present: %v), want %v", what, v, ok, want)
	}
}

func numbers(v ...float64) []percuss.Number {
	out := make([]percuss.Number, len(v))
	for i, x := range v {
		out[i] = percuss.Num(x)
	}
	return out
}

func TestWilsonAgainstStatsmodels(t *testing.T) {
	for _, c := range []struct {
		k, n          int
		level, lo, hi float64
	}{
		{0, 50, .95, 0, 0.071347599133},
		{50, 50, .95, 0.928652400867, 1},
		{1, 8, .95, 0.022417491450, 0.470888182213},
		{7, 20, .9, 0.202260040057, 0.533487311152},
		{133, 200, .99, 0.574959933308, 0.744444006131},
		{0, 1, 0, 0, 0.793450685623},
	} {
		e := Wilson(c.k, c.n, c.level)
		near(t, "lo", e.Lo, c.lo, 1e-11)
		near(t, "hi", e.Hi, c.hi, 1e-11)
		near(t, "value", e.Value, float64(c.k)/float64(c.n), 0)
	}
}

func TestMcNemarAgainstStatsmodels(t *testing.T) {
	for _, c := range []struct {
		b, c       int
		exact, mid float64
	}{
		{0, 1, 1, 0.5},
		{0, 6, 0.03125, 0.015625},
		{2, 8, 0.109375, 0.0654296875},
		{5, 6, 1, 0.7744140625},
		{10, 25, 0.0166738478001, 0.0113309841836},
		{120, 160, 0.0196067272903, 0.0168692963401},
		{900, 1100, 8.4570895355e-06, 7.65662834776e-06},
	} {
		near(t, "exact", McNemar(c.b, c.c), c.exact, c.exact*1e-9)
		near(t, "exact, turned", McNemar(c.c, c.b), c.exact, c.exact*1e-9)
		near(t, "mid-p", McNemarMidP(c.b, c.c), c.mid, c.mid*1e-9)
	}
}

func TestMultiplicityAgainstStatsmodels(t *testing.T) {
	p := numbers(.01, .04, .03, .005, .2, .04, .9)
	holm, bh := Holm(p), BenjaminiHochberg(p)
	for i, want := range []float64{.06, .16, .15, .035, .4, .16, .9} {
		near(t, "Holm", holm[i], want, 1e-12)
	}
	for i, want := range []float64{.035, .056, .056, .035, .233333333333, .056, .9} {
		near(t, "Benjamini-Hochberg", bh[i], want, 1e-12)
	}
}

func TestCorrelationAgainstScipy(t *testing.T) {
	x := numbers(.57, .48, .51, .60, .44, .57, .39, .52, .55, .48)
	y := numbers(.21, .30, .22, .18, .30, .25, .41, .22, .19, .35)
	r := Pearson(x, y, .95)
	near(t, "r", r.Value, -0.880374415779, 1e-11)
	near(t, "lo", r.Lo, -0.971494580263, 1e-11)
	near(t, "hi", r.Hi, -0.562602624359, 1e-11)
	near(t, "tau", KendallTauB(x, y, .95).Value, -0.720930232558, 1e-11)
	tied := KendallTauB(numbers(1, 1, 2, 2, 2, 3, 4, 4), numbers(1, 2, 1, 2, 2, 3, 3, 3), .95)
	near(t, "tau-b with ties", tied.Value, 0.728025208309, 1e-11)
}

func TestQuantileAgainstNumpy(t *testing.T) {
	for _, c := range []struct{ q, want float64 }{
		{0, -1}, {.025, -.79}, {.3, .405}, {.5, 2.675}, {.975, 8.3875}, {1, 9},
	} {
		got := quantile([]float64{3.1, .2, 5.5, 5.5, -1, 2.25, 9, .2}, c.q)
		if math.Abs(got-c.want) > 1e-12 {
			t.Errorf("quantile %v = %v, want %v", c.q, got, c.want)
		}
	}
}

// A ratio of sums over items: scipy.stats.bootstrap with 200,000 replicates of its own gave [0.22727, 0.44].
func TestRatioAgainstScipyBootstrap(t *testing.T) {
	num := []float64{0, 2, 1, 5, 0, 3, 4, 1, 0, 2, 6, 1, 2, 0, 3, 1, 0, 4, 2, 1}
	den := []float64{6, 6, 5, 8, 4, 6, 6, 3, 5, 6, 8, 6, 7, 2, 6, 6, 4, 8, 6, 5}
	x := make(Sums, len(num))
	for i := range x {
		x[i] = []float64{num[i], den[i]}
	}
	e := bootstrap(t, x, Options{Seed: 1, Replicates: 20000, Metrics: []Metric{rate}})[0]
	near(t, "value", e.Value, 0.336283185840708, 1e-12)
	near(t, "lo", e.Lo, 0.22727272727, 0.004)
	near(t, "hi", e.Hi, 0.44, 0.004)
	near(t, "num", e.Num, 38, 0)
	near(t, "den", e.Den, 113, 0)
	if e.N != 20 {
		t.Errorf("N = %d, want the 20 items", e.N)
	}
}
