package stat

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// Lightning-AI/torchmetrics#3510: a confidence of exactly 1 fell into a bin beyond the last. The first bin holds 0, empty
// bins are left out, and confidences that are all the same are one bin.
func TestBordersOfBins(t *testing.T) {
	one := func(c float64, right bool) Forecast { return Forecast{fmt.Sprint(c, right), c, right} }
	for _, c := range []struct {
		name string
		f    []Forecast
		ece  float64
		bins [][3]float64 // Lo, Hi, N
	}{
		{"exactly 1", []Forecast{one(.95, true), one(1, false)}, .475, [][3]float64{{.9, 1, 2}}},
		{"exactly 0", []Forecast{one(0, true), one(.1, false), one(.2, false)}, (2*.45 + .2) / 3, [][3]float64{{0, .1, 2}, {.1, .2, 1}}},
		{"on a border", []Forecast{one(.3, true), one(.7, false), one(math.Nextafter(.7, 1), false)}, .7, [][3]float64{{.2, .3, 1}, {.6, .7, 1}, {.7, .8, 1}}},
		{"all 1", []Forecast{one(1, true), one(1, false), one(1, false)}, 2. / 3, [][3]float64{{.9, 1, 3}}},
	} {
		got := calibrate(t, c.f, Binning{}, Options{Replicates: 50})
		near(t, c.name, got.ECE.Value, c.ece, 1e-12)
		var bins [][3]float64
		for _, b := range got.Bins {
			bins = append(bins, [3]float64{b.Lo, b.Hi, float64(b.N)})
		}
		if !slices.Equal(bins, c.bins) {
			t.Errorf("%s: bins %v, want %v", c.name, bins, c.bins)
		}
	}
}

func TestBinsOfEqualMass(t *testing.T) {
	var f []Forecast
	for i := range 90 {
		f = append(f, Forecast{fmt.Sprint(i), float64(i%9) / 10, true})
	}
	for i := range 60 { // as many of 1.0 as two bins hold
		f = append(f, Forecast{fmt.Sprint("sure", i), 1, true})
	}
	var masses []int
	for _, b := range calibrate(t, f, Binning{Bins: 5, EqualMass: true}, Options{Replicates: 50}).Bins {
		masses = append(masses, b.N)
	}
	if want := []int{30, 30, 30, 60}; !slices.Equal(masses, want) {
		t.Errorf("masses %v, want %v: equal confidences stay together", masses, want)
	}
}

func TestCalibrateRefuses(t *testing.T) {
	for _, c := range []struct {
		f     []Forecast
		b     Binning
		o     Options
		wants string
	}{
		{f: []Forecast{{"q7", math.NaN(), true}}, wants: `item "q7" has the confidence NaN`},
		{f: []Forecast{{"q1", .5, true}, {"q8", 1.01, true}}, wants: `item "q8" has the confidence 1.01`},
		{f: []Forecast{{"q9", -.01, true}}, wants: `item "q9"`},
		{b: Binning{Bins: -1}, wants: "-1 bins"},
		{o: Options{Level: 95}, wants: "confidence level 95"},
	} {
		if _, err := Calibrate(c.f, c.b, c.o); err == nil || !strings.Contains(err.Error(), c.wants) {
			t.Errorf("error %v, want %q", err, c.wants)
		}
		if _, err := PairedCalibration(c.f, c.f, c.b, c.o); err == nil || !strings.Contains(err.Error(), c.wants) {
			t.Errorf("paired: error %v, want %q", err, c.wants)
		}
	}
	empty := calibrate(t, nil, Binning{}, Options{})
	for _, e := range []percuss.Estimate{empty.ECE, empty.Brier, empty.Floor, empty.Overconfidence} {
		if e.Value.OK() || e.Why == "" {
			t.Errorf("without forecasts: %+v", e)
		}
	}
}

// A small sample of a perfectly calibrated forecaster has an ECE that is noise; a large one of an overconfident one has not.
func TestNoiseIsToldFromMiscalibration(t *testing.T) {
	draw := func(n int, chance func(c float64) float64) Calibration {
		rng := percuss.Rand(4, "", "", "forecasts")
		f := make([]Forecast, n)
		for i := range f {
			c := .3 + .7*rng.Float64()
			f[i] = Forecast{fmt.Sprint(i), c, rng.Float64() < chance(c)}
		}
		return calibrate(t, f, Binning{}, Options{Replicates: 400})
	}
	noise := draw(60, func(c float64) float64 { return c })
	if ece, most := noise.ECE.Value.Or(0), noise.Floor.Hi.Or(0); ece > most || ece < noise.Floor.Lo.Or(1) {
		t.Errorf("ECE %v outside the range of perfect calibration, %v to %v", ece, noise.Floor.Lo, most)
	}
	if !slices.ContainsFunc(noise.ECE.Warnings, func(w string) bool { return strings.Contains(w, "under perfect calibration") }) {
		t.Errorf("no warning that it is noise: %q", noise.ECE.Warnings)
	}
	fault := draw(2000, func(c float64) float64 { return c - .15 })
	if fault.ECE.Lo.Or(0) < fault.Floor.Hi.Or(1) || len(fault.ECE.Warnings) > 0 {
		t.Errorf("ECE %+v, floor %+v", fault.ECE, fault.Floor)
	}
	near(t, "ECE", fault.ECE.Value, .15, .03)
	near(t, "overconfidence", fault.Overconfidence.Value, .15, .03)
	if lo := fault.Overconfidence.Lo.Or(0); lo < .1 || lo > .15 {
		t.Errorf("overconfidence from %v on", lo)
	}
}

func TestCalibrationDoesNotDependOnProcessors(t *testing.T) {
	f, o := forecasts(150, 16), Options{Seed: 3, Replicates: 300}
	want := calibrate(t, f, Binning{}, o)
	for _, n := range []int{1, 8} {
		withProcessors(n, func() {
			if d := cmp.Diff(want, calibrate(t, f, Binning{}, o), exactly); d != "" {
				t.Errorf("%d processors: %s", n, d)
			}
		})
	}
}

func TestPairedCalibrationIsPaired(t *testing.T) {
	before, after := forecasts(200, 16), forecasts(200, 16)
	slices.Reverse(after)
	same, err := PairedCalibration(before, after, Binning{}, Options{Replicates: 200})
	if err != nil {
		t.Fatal(err)
	}
	for name, e := range map[string]percuss.Estimate{"ECE": same.ECE, "Brier": same.Brier, "accuracy": same.Accuracy, "resolution": same.Resolution} {
		if e.Value.Or(9) != 0 || e.Lo.Or(9) != 0 || e.Hi.Or(9) != 0 {
			t.Errorf("%s of an arm against itself: %+v", name, e)
		}
	}
	if w := strings.Join(same.ECE.Warnings, " "); strings.Contains(w, "perfect calibration") {
		t.Errorf("of an arm against itself: %q", w)
	}
	for i := range after {
		after[i].Confidence = 1 // sure of everything
	}
	o := Options{Seed: 6, Replicates: 1000}
	change, err := PairedCalibration(before, after, Binning{}, o)
	if err != nil {
		t.Fatal(err)
	}
	x, y := calibrate(t, before, Binning{}, o), calibrate(t, after, Binning{}, o)
	near(t, "ECE", change.ECE.Value, y.ECE.Value.Or(9)-x.ECE.Value.Or(0), 1e-12)
	near(t, "Brier", change.Brier.Value, y.Brier.Value.Or(9)-x.Brier.Value.Or(0), 1e-12)
	near(t, "floor", change.Floor, y.Floor.Value.Or(9)-x.Floor.Value.Or(0), 1e-12)
	near(t, "accuracy", change.Accuracy.Value, 0, 0)
	if change.ECE.Lo.Or(0) <= 0 || !strings.Contains(change.ECE.Method, "paired difference") || !strings.Contains(change.ECE.Method, "10 bins of equal width") {
		t.Errorf("%+v", change.ECE)
	}
	if change.Floor.Or(0) >= 0 {
		t.Errorf("floor %v: who is sure of everything has none", change.Floor)
	}
	if _, err := PairedCalibration(before, append(after[:150:150], Forecast{"stray", .5, true}), Binning{}, o); err == nil || !strings.Contains(err.Error(), "one arm only: 51 (") {
		t.Errorf("error %v, want one that tells the items of one arm", err)
	}
}

// A forecaster that becomes surer and stays calibrated has less noise in its ECE, which reads as an improvement; one that
// becomes overconfident has a change of its own.
func TestPairedCalibrationTellsTheFloorsChange(t *testing.T) {
	const runs = 40
	arm := func(run uint64, least, bias float64) (f []Forecast) {
		rng := percuss.Rand(run, "", "", fmt.Sprint(least, bias))
		for i := range 150 {
			c := least + (1-least)*rng.Float64()
			f = append(f, Forecast{fmt.Sprint(i), c, rng.Float64() < c-bias})
		}
		return f
	}
	for _, c := range []struct{ least, bias, found, told float64 }{
		{.9, 0, .8, .8}, // excludes zero nearly always, and says why nearly always
		{.3, .3, .8, 0},
	} {
		found, told := 0., 0.
		for run := range uint64(runs) {
			change, err := PairedCalibration(arm(run, .3, 0), arm(run, c.least, c.bias), Binning{}, Options{Seed: run, Replicates: 200})
			if err != nil {
				t.Fatal(err)
			}
			found += bit(change.ECE.Lo.Or(0) > 0 || change.ECE.Hi.Or(0) < 0) / runs
			told += bit(strings.Contains(strings.Join(change.ECE.Warnings, " "), "perfect calibration in both arms")) / runs
		}
		if found < c.found || told < c.told || c.told == 0 && told > .05 {
			t.Errorf("least %v, bias %v: a change is found in %.2f of runs, said to be the floor's in %.2f", c.least, c.bias, found, told)
		}
	}
}

func TestFloorWarning(t *testing.T) {
	for _, c := range []struct {
		lo, hi, floor float64
		warns         bool
	}{
		{.02, .06, .01, false}, {.02, .06, .03, true}, {.02, .06, .09, true}, {.02, .06, -.05, false},
		{-.06, -.02, -.01, false}, {-.06, -.02, -.03, true}, {-.06, -.02, -.09, true}, {-.06, -.02, .05, false},
		{-.01, .06, .03, false}, {-.06, .01, -.09, false},
	} {
		w := floorWarning(percuss.Estimate{Lo: percuss.Num(c.lo), Hi: percuss.Num(c.hi)}, percuss.Num(c.floor))
		if (len(w) > 0) != c.warns {
			t.Errorf("%v to %v, the floor by %v: %q", c.lo, c.hi, c.floor, w)
		}
	}
	if w := floorWarning(percuss.Absent("none"), percuss.Num(.1)); w != nil {
		t.Errorf("without an interval: %q", w)
	}
}

func someForecasts(t *rapid.T) []Forecast {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Forecast {
		of := rapid.SampledFrom([]int{1, 3, 10, 64}).Draw(t, "of")
		return Forecast{rapid.SampledFrom([]string{"a", "b", "c", "d", "e", "f"}).Draw(t, "item"),
			float64(rapid.IntRange(0, of).Draw(t, "votes")) / float64(of), rapid.Bool().Draw(t, "right")}
	}), 1, 40).Draw(t, "forecasts")
}

func TestCalibrationProperties(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		f := someForecasts(rt)
		b := Binning{rapid.IntRange(1, 20).Draw(rt, "bins"), rapid.Bool().Draw(rt, "mass")}
		o := Options{Replicates: 20, Seed: rapid.Uint64().Draw(rt, "seed")}
		c := calibrate(t, f, b, o)
		v := func(e percuss.Estimate) float64 { return e.Value.Or(math.NaN()) }
		if sum := v(c.Reliability) - v(c.Resolution) + v(c.Uncertainty) + v(c.Within); math.Abs(sum-v(c.Brier)) > 1e-12 {
			rt.Fatalf("the terms add up to %v, the Brier score is %v", sum, v(c.Brier))
		}
		if math.Abs(v(c.Within)-v(c.WithinVariance)+v(c.WithinCovariance)) > 1e-12 {
			rt.Fatalf("within %v, variance %v, covariance %v", c.Within.Value, c.WithinVariance.Value, c.WithinCovariance.Value)
		}
		if over := math.Abs(v(c.Overconfidence)); over > v(c.ECE)+1e-12 || v(c.ECE) > v(c.MCE)+1e-12 || v(c.MCE) > 1 || c.ECE.Lo.Or(0) < 0 || c.ECE.Hi.Or(0) > 1 {
			rt.Fatalf("overconfidence %v, ECE %+v, MCE %v", over, c.ECE, c.MCE.Value)
		}
		n := 0
		for i, bin := range c.Bins {
			n += bin.N
			if conf := v(bin.Confidence); conf > bin.Hi+1e-12 || conf < bin.Lo-1e-12 || i > 0 && bin.Lo < c.Bins[i-1].Hi {
				rt.Fatalf("bin %+v", bin)
			}
		}
		if n != len(f) {
			rt.Fatalf("%d forecasts in bins, of %d", n, len(f))
		}
		mixed := rapid.Permutation(f).Draw(rt, "mixed")
		if d := cmp.Diff(c, calibrate(t, mixed, b, o), exactly); d != "" {
			rt.Fatalf("the order matters: %s", d)
		}
	})
}
