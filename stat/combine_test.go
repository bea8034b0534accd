package stat

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
)

func draw(t *testing.T, key string, x Sums, o Options) *Draws {
	t.Helper()
	d, err := Draw(Sample{Key: key, Sums: x}, ratio, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func average(t *testing.T, parts ...*Draws) *Draws {
	t.Helper()
	d, err := Average(parts...)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// varied has a rate that differs from item to item and arm to arm.
func varied(n, shift int) Sums {
	x := make(Sums, n)
	for i := range x {
		x[i] = []float64{float64((i*i + shift) % 4), 5}
	}
	return x
}

var rates = Options{Seed: 4, Replicates: 500, Metrics: []Metric{rate}}

func TestMeanOfStrata(t *testing.T) {
	strata := []Sample{{Key: "medqa", Sums: ones(10, 100)}, {Key: "medmcqa", Sums: ones(60, 100)}, {Key: "empty", Sums: Sums{{0, 0}}}}
	es, err := BootstrapStrata(strata, ratio, MeanOfStrata, rates)
	if err != nil {
		t.Fatal(err)
	}
	e := es[0]
	near(t, "value", e.Value, .35, 1e-12)
	near(t, "num", e.Num, 70, 0)
	if e.N != 200 || !strings.HasPrefix(e.Method, "mean of 2 of 3 (missing in the others); percentile bootstrap") {
		t.Errorf("N %d, method %q", e.N, e.Method)
	}
	// Strata resampled by themselves: the variance of the mean is a quarter of the sum of the variances.
	half := (e.Hi.Or(0) - e.Lo.Or(0)) / 2
	want := 1.96 * math.Sqrt((.1*.9+.6*.4)/100) / 2
	if math.Abs(half-want) > .2*want {
		t.Errorf("half-width %.4f, want about %.4f", half, want)
	}
}

// A mean of samples shows no numerator and denominator that do not give it; where they do, they stay.
func TestMeansAreNoQuotients(t *testing.T) {
	unlike := average(t, draw(t, "a", ones(10, 100), rates), draw(t, "b", ones(20, 40), rates)).Estimates()[0]
	near(t, "value", unlike.Value, 0.3, 1e-12)
	if unlike.Num.OK() || unlike.Den.OK() {
		t.Errorf("30 of 140 is not 0.3: %+v", unlike)
	}
	alike := average(t, draw(t, "a", ones(10, 100), rates), draw(t, "b", ones(20, 100), rates)).Estimates()[0]
	near(t, "num", alike.Num, 30, 0)
	near(t, "den", alike.Den, 200, 0)
}

func TestPooledStrata(t *testing.T) {
	strata := []Sample{{Key: "a", Sums: ones(10, 100)}, {Key: "b", Sums: ones(20, 40)}}
	es, err := BootstrapStrata(strata, ratio, PooledSums, rates)
	if err != nil {
		t.Fatal(err)
	}
	e := es[0]
	near(t, "value", e.Value, 30./140, 1e-12)
	near(t, "den", e.Den, 140, 0)
	if e.N != 140 || !strings.HasPrefix(e.Method, "pooled over 2 samples") {
		t.Errorf("N %d, method %q", e.N, e.Method)
	}
}

// Pooling one sample is bootstrapping it.
func TestOneStratumIsThePlainBootstrap(t *testing.T) {
	x := varied(30, 1)
	want := bootstrap(t, x, rates)[0]
	for _, how := range []Combination{MeanOfStrata, PooledSums} {
		es, err := BootstrapStrata([]Sample{{Key: itemsKey, Sums: x}}, ratio, how, rates)
		if err != nil {
			t.Fatal(err)
		}
		got := es[0]
		got.Method = want.Method
		if d := cmp.Diff(want, got, exactly); d != "" {
			t.Errorf("combination %d: %s", how, d)
		}
	}
}

func TestDegenerateMeanHasWidth(t *testing.T) {
	e := average(t, draw(t, "a", ones(0, 100), rates), draw(t, "b", ones(0, 40), rates)).Estimates()[0]
	// Two lists of items, the smaller of 40: as good as 80 units, by which Wilson's bound is .0458; the two bounds added in
	// quadrature are a little wider.
	near(t, "hi", e.Hi, math.Hypot(Wilson(0, 100, .95).Hi.Or(-1), Wilson(0, 40, .95).Hi.Or(-1))/2, 1e-12)
	// Two models on the same items are not twice as many items.
	e = average(t, draw(t, "a", ones(0, 40), rates), draw(t, "a", ones(0, 40), rates)).Estimates()[0]
	near(t, "hi, shared items", e.Hi, Wilson(0, 40, .95).Hi.Or(-1), 1e-12)
	if e.N != 40 || e.Method != "mean of 2; Wilson score (the bootstrap was degenerate)" {
		t.Errorf("N %d, method %q", e.N, e.Method)
	}
}

// Models that share a data set's items share its resamples: a mean over identical models is no more certain than one.
func TestPanelSharesResamples(t *testing.T) {
	a, b := varied(40, 0), varied(30, 2)
	model := func() *Draws { return average(t, draw(t, "a", a, rates), draw(t, "b", b, rates)) }
	one := model().Estimates()[0]
	panel := average(t, model(), model(), model()).Estimates()[0]
	near(t, "lo", panel.Lo, one.Lo.Or(-1), 1e-12)
	near(t, "hi", panel.Hi, one.Hi.Or(-1), 1e-12)
	if panel.N != 70 || !strings.HasPrefix(panel.Method, "mean of 3, each the mean of 2; ") {
		t.Errorf("N %d, method %q", panel.N, panel.Method)
	}
}

func TestSubtractIsPaired(t *testing.T) {
	x := varied(50, 0)
	shifted := make(Sums, len(x))
	for i, row := range x {
		shifted[i] = []float64{row[0] + 1, row[1]}
	}
	d, err := Subtract(draw(t, "a", shifted, rates), draw(t, "a", x, rates))
	if err != nil {
		t.Fatal(err)
	}
	e := d.Estimates()[0]
	near(t, "value", e.Value, .2, 1e-12)
	near(t, "lo", e.Lo, .2, 1e-12)
	near(t, "hi", e.Hi, .2, 1e-12)
	if len(e.Warnings) != 1 || !strings.HasPrefix(e.Warnings[0], "50 changed items of 50") || !strings.HasPrefix(e.Method, "paired difference; ") {
		t.Errorf("%q %q", e.Method, e.Warnings)
	}
	if d, err = Subtract(draw(t, "a", x, rates), draw(t, "b", x, rates)); err != nil {
		t.Fatal(err)
	}
	e = d.Estimates()[0]
	if e.Hi.Or(0)-e.Lo.Or(0) < .05 || !strings.HasPrefix(e.Method, "difference; ") {
		t.Errorf("independent samples: %+v", e)
	}
	same, err := Subtract(draw(t, "a", x, rates), draw(t, "a", x, rates))
	if err != nil {
		t.Fatal(err)
	}
	if w := same.Estimates()[0].Warnings; len(w) != 1 || !strings.HasPrefix(w[0], "0 changed items of 50") {
		t.Errorf("warnings %q", w)
	}
}

func TestMethodsNameTheirParts(t *testing.T) {
	a, b := draw(t, "a", varied(20, 0), rates), draw(t, "b", varied(20, 1), rates)
	other := draw(t, "a", varied(20, 3), rates)
	pooled, err := DrawPooled([]Sample{{Key: "a", Sums: varied(20, 0)}, {Key: "b", Sums: varied(20, 1)}}, ratio, rates)
	if err != nil {
		t.Fatal(err)
	}
	difference := func(x, y *Draws) *Draws {
		d, err := Subtract(x, y)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	for want, d := range map[string]*Draws{
		"mean of 2, each pooled over 2 samples; ":       average(t, pooled, pooled),
		"mean of 2, each a paired difference; ":         average(t, difference(a, other), difference(other, a)),
		"mean of 2; ":                                   average(t, a, average(t, a, b)),
		"paired difference, each side the mean of 2; ":  difference(average(t, a, b), average(t, other, b)),
		"paired difference, each side pooled over 2 sa": difference(pooled, pooled),
	} {
		if got := d.Estimates()[0].Method; !strings.HasPrefix(got, want) {
			t.Errorf("method %q, want %q …", got, want)
		}
	}
}

func TestCombinationsRefuseWhatDoesNotFit(t *testing.T) {
	two := func([]float64) []percuss.Number { return make([]percuss.Number, 2) }
	other, err := Draw(Sample{Key: "b", Sums: ones(1, 3)}, two, Options{Seed: 4, Replicates: 500})
	if err != nil {
		t.Fatal(err)
	}
	ids := func(id ...string) *Draws {
		d, err := Draw(Sample{Key: "a", Items: id, Sums: ones(1, 2)}, ratio, rates)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	base := draw(t, "a", ones(1, 3), rates)
	for name, parts := range map[string][]*Draws{
		"nothing":         {},
		"never drawn":     {base, nil},
		"seed":            {base, draw(t, "b", ones(1, 3), Options{Seed: 5, Replicates: 500})},
		"items of a key":  {base, draw(t, "a", ones(1, 4), rates)},
		"order of items":  {ids("x", "y"), ids("y", "x")},
		"other statistic": {base, other},
	} {
		if _, err := Average(parts...); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
	if _, err := DrawPooled([]Sample{{Key: "a", Sums: ones(1, 2)}, {Key: "b", Sums: Sums{{1, 2, 3}}}}, ratio, rates); err == nil {
		t.Error("different columns: no error")
	}
}

func TestEmptyStratumIsLeftOut(t *testing.T) {
	e := average(t, draw(t, "a", nil, Options{Seed: 4, Replicates: 500}), draw(t, "b", ones(10, 20), rates)).Estimates()
	if len(e) != 1 {
		t.Fatalf("%d metrics", len(e))
	}
	near(t, "value", e[0].Value, .5, 1e-12)
	d, err := Subtract(draw(t, "a", nil, rates), draw(t, "b", ones(10, 20), rates))
	if err != nil {
		t.Fatal(err)
	}
	if e := d.Estimates()[0]; e.Value.OK() || e.Lo.OK() || e.Why == "" {
		t.Errorf("difference to nothing: %+v", e)
	}
}

// TestRecombined: two data sets, of which only the first has the second part. The mean of the combinations knows the first
// set alone; the combination of the means knows both.
func TestRecombined(t *testing.T) {
	o := Options{Replicates: 300, Metrics: []Metric{
		{Num: []int{0}, Den: []int{1}, Terms: []Term{{1, []Quotient{rateOf(0, 1)}}}},
		{Num: []int{2}, Den: []int{3}, Terms: []Term{{1, []Quotient{rateOf(2, 3)}}}},
		{Parts: []Part{{0, 0.5}, {1, -0.5}}, Constant: percuss.Num(0.5)}}}
	stat := func(s []float64) []percuss.Number {
		out := make([]percuss.Number, 3)
		out[0] = percuss.Num(s[0] / s[1])
		if s[3] > 0 {
			out[1] = percuss.Num(s[2] / s[3])
			out[2] = percuss.Num(0.5 + 0.5*s[0]/s[1] - 0.5*s[2]/s[3])
		}
		return out
	}
	set := func(key string, k, other int) *Draws {
		x := make(Sums, 40)
		for i := range x {
			x[i] = []float64{0, 1, 0, 0}
			if i < k {
				x[i][0] = 1
			}
			if other > 0 {
				x[i][2], x[i][3] = float64(i%other/(other-1)), 1
			}
		}
		d, err := Draw(Sample{Key: key, Sums: x}, stat, o)
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	mean := average(t, set("a", 10, 4), set("b", 30, 0))
	before, after := mean.Estimates()[2], mean.Recombined(2).Estimates()[2]
	near(t, "mean of the combinations", before.Value, 0.5+0.5*0.25-0.5*0.25, 1e-12)
	near(t, "combination of the means", after.Value, 0.5+0.5*0.5-0.5*0.25, 1e-12)
	if before.N != 40 || after.N != 80 || !strings.HasPrefix(after.Method, "composite of its parts' means; ") {
		t.Errorf("%d items, then %d; %s", before.N, after.N, after.Method)
	}
	// The replicates are those of the parts.
	d := mean.Recombined(2, 99, -1)
	for r := range 300 {
		if want := 0.5 + 0.5*d.metrics[0].reps[r] - 0.5*d.metrics[1].reps[r]; math.Abs(d.metrics[2].reps[r]-want) > 1e-12 {
			t.Fatalf("replicate %d: %g, want %g", r, d.metrics[2].reps[r], want)
		}
	}
	if alone := set("b", 30, 0).Recombined(2).Estimates()[2]; alone.Value.OK() {
		t.Errorf("without the part: %+v", alone)
	}
}

// TestFewItemsOfOnePart: that one data set has 2 items says nothing of a mean that other items make sure of.
func TestFewItemsOfOnePart(t *testing.T) {
	e := average(t, draw(t, "a", ones(20, 100), rates), draw(t, "b", ones(1, 2), rates)).Estimates()[0]
	if strings.Contains(e.Method, "stands on") || e.N != 102 {
		t.Errorf("N %d, %s", e.N, e.Method)
	}
	e = average(t, draw(t, "a", ones(1, 3), rates), draw(t, "b", ones(1, 2), rates)).Estimates()[0]
	if w := Wilson(2, 5, .95); e.Hi.Or(-1) < w.Hi.Or(2)-0.1 || e.N != 5 {
		t.Errorf("%+v", e)
	}
}
