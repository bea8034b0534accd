package stat

import (
	"fmt"
	"testing"

	"github.com/percuss/percuss"
)

// The reference values of this file were printed by testdata/oracle/calibration.py with scipy 1.17.1, scikit-learn 1.9.1
// and numpy 2.4.6.

// forecasts are those of the script, each of an item of its own.
func forecasts(n, of int) []Forecast {
	out := make([]Forecast, n)
	for i := range out {
		m := i * 37 % (of + 1)
		out[i] = Forecast{fmt.Sprint(i), float64(m) / float64(of), (i*i*29+i*13)%101*of < 20*of+60*m}
	}
	return out
}

func calibrate(t testing.TB, f []Forecast, b Binning, o Options) Calibration {
	t.Helper()
	c, err := Calibrate(f, b, o)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestCalibrationAgainstNumpy(t *testing.T) {
	for _, c := range []struct {
		n, of, bins                                  int
		mass                                         bool
		ece, mce, brier, rel, res, unc, varies, both float64
	}{
		{2, 64, 10, false, 0.710937500000, 1.000000000000, 0.588989257812, 0.588989257812, 0.000000000000, 0.000000000000, 0.000000000000, 0.000000000000},
		{2, 64, 10, true, 0.710937500000, 1.000000000000, 0.588989257812, 0.588989257812, 0.000000000000, 0.000000000000, 0.000000000000, 0.000000000000},
		{60, 64, 10, false, 0.175520833333, 0.377604166667, 0.219930013021, 0.040956139943, 0.071349206349, 0.248888888889, 0.000861273872, -0.000572916667},
		{60, 64, 10, true, 0.178645833333, 0.377604166667, 0.219930013021, 0.042156304253, 0.071111111111, 0.248888888889, 0.000863986545, 0.000868055556},
		{97, 10, 10, false, 0.159793814433, 0.355555555556, 0.198659793814, 0.034507445590, 0.085190302429, 0.247847805293, 0.000463917526, -0.001030927835},
		{97, 10, 10, true, 0.159793814433, 0.355555555556, 0.198659793814, 0.034507445590, 0.085190302429, 0.247847805293, 0.000463917526, -0.001030927835},
		{200, 16, 5, false, 0.123750000000, 0.177083333333, 0.243945312500, 0.017569473468, 0.030726887031, 0.249375000000, 0.003745013298, -0.003982712766},
		{200, 16, 5, true, 0.148750000000, 0.180357142857, 0.243945312500, 0.023166642920, 0.031152418946, 0.249375000000, 0.003704834726, 0.001148746201},
		{50, 20, 15, false, 0.182000000000, 0.450000000000, 0.203800000000, 0.048230000000, 0.090400000000, 0.248400000000, 0.000370000000, 0.002800000000},
		{50, 20, 15, true, 0.188000000000, 0.400000000000, 0.203800000000, 0.046788333333, 0.093733333333, 0.248400000000, 0.000345000000, -0.002000000000},
	} {
		got := calibrate(t, forecasts(c.n, c.of), Binning{c.bins, c.mass}, Options{Replicates: 10})
		name := fmt.Sprintf("%d forecasts in steps of 1/%d, %s: ", c.n, c.of, Binning{c.bins, c.mass})
		near(t, name+"ECE", got.ECE.Value, c.ece, 1e-11)
		near(t, name+"MCE", got.MCE.Value, c.mce, 1e-11)
		near(t, name+"Brier", got.Brier.Value, c.brier, 1e-11)
		near(t, name+"reliability", got.Reliability.Value, c.rel, 1e-11)
		near(t, name+"resolution", got.Resolution.Value, c.res, 1e-11)
		near(t, name+"uncertainty", got.Uncertainty.Value, c.unc, 1e-11)
		near(t, name+"variance within", got.WithinVariance.Value, c.varies, 1e-11)
		near(t, name+"covariance within", got.WithinCovariance.Value, c.both, 1e-11)
	}
}

func TestReliabilityDiagramAgainstSklearn(t *testing.T) {
	for mass, want := range map[bool][][2]float64{
		false: {{0.046875, 0.142857142857}, {0.146875, 0}, {0.2421875, 0.5}, {0.3515625, 0.333333333333}, {0.455729166667, 0.833333333333},
			{0.5546875, 0.666666666667}, {0.6484375, 0.833333333333}, {0.752604166667, 0.666666666667}, {0.846875, 0.6}, {0.953125, 0.714285714286}},
		true: {{0.0390625, 0.166666666667}, {0.138020833333, 0}, {0.2421875, 0.5}, {0.3515625, 0.333333333333}, {0.455729166667, 0.833333333333},
			{0.5546875, 0.666666666667}, {0.6484375, 0.833333333333}, {0.752604166667, 0.666666666667}, {0.856770833333, 0.666666666667}, {0.9609375, 0.666666666667}},
	} {
		bins := calibrate(t, forecasts(60, 64), Binning{EqualMass: mass}, Options{Replicates: 10}).Bins
		if len(bins) != len(want) {
			t.Fatalf("%d bins, want %d", len(bins), len(want))
		}
		for i, bin := range bins {
			near(t, "confidence", bin.Confidence.Value, want[i][0], 1e-11)
			near(t, "accuracy", bin.Accuracy.Value, want[i][1], 1e-11)
		}
	}
}

// The mean absolute deviation of two binomial counts.
func TestFloorAgainstScipy(t *testing.T) {
	var f []Forecast
	for i := range 65 {
		one := Forecast{Item: fmt.Sprint(i), Confidence: .7, Correct: i%2 == 0}
		if i >= 40 {
			one.Confidence = .2
		}
		f = append(f, one)
	}
	floor := calibrate(t, f, Binning{}, Options{Seed: 2, Replicates: 10000}).Floor
	near(t, "floor", floor.Value, 0.059424015482, 0.0015)
	if lo, hi := floor.Lo.Or(9), floor.Hi.Or(0); lo > .02 || hi < .1 || hi > .16 {
		t.Errorf("range %v to %v", lo, hi)
	}
}

// A bootstrap of its own over 48 items of one to three forecasts gave ECE [0.12699916 0.25730371], Brier [0.15418348
// 0.24927191].
func TestCalibrationResamplesItems(t *testing.T) {
	f := forecasts(97, 10)[:96]
	for i, at := 0, 0; i < 48; i++ {
		for range i%3 + 1 {
			f[at].Item = fmt.Sprint("item", i)
			at++
		}
	}
	c := calibrate(t, f, Binning{}, Options{Seed: 1, Replicates: 10000})
	for _, is := range []struct {
		name   string
		e      percuss.Estimate
		lo, hi float64
	}{{"ECE", c.ECE, 0.12699916, 0.25730371}, {"Brier", c.Brier, 0.15418348, 0.24927191}} {
		near(t, is.name+" lo", is.e.Lo, is.lo, 0.004)
		near(t, is.name+" hi", is.e.Hi, is.hi, 0.004)
		if is.e.N != 48 {
			t.Errorf("%s: N = %d, want the 48 items", is.name, is.e.N)
		}
	}
	if len(c.Floor.Warnings) == 0 {
		t.Error("the floor does not say that items have several forecasts")
	}
}
