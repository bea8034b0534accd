package stat

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// spreading are the means of four columns, their spread, and the largest absolute mean, over the number of items in the
// last column.
func spreading(sums []float64) []percuss.Number {
	n := sums[4]
	out := make([]percuss.Number, 4, 7)
	least, most, absolute := sums[0]/n, sums[0]/n, 0.0
	for j := range 4 {
		v := sums[j] / n
		out[j] = percuss.Num(v)
		least, most, absolute = min(least, v), max(most, v), max(absolute, v, -v)
	}
	return append(out, percuss.Num(most-least), percuss.Num(absolute), percuss.Num(sums[0]/n-2*(most-least)))
}

// extremes describes them; bands: with their simultaneous bands.
func extremes(seed uint64, bands bool) Options {
	o := Options{Seed: seed, Replicates: 1000, Metrics: make([]Metric, 7)}
	if bands {
		o.Metrics[4].Extreme = Extreme{Of: []int{0, 1, 2, 3}}
		o.Metrics[5].Extreme = Extreme{Of: []int{0, 1, 2, 3}, Absolute: true}
		o.Metrics[6].Parts = []Part{{Metric: 0, Factor: 1}, {Metric: 4, Factor: -2}}
	}
	return o
}

func spread(t *testing.T, x Sums, o Options) []percuss.Estimate {
	t.Helper()
	e, err := Bootstrap(x, spreading, o)
	if err != nil {
		t.Fatal(err)
	}
	return e
}

// drawnAround are n items whose four values have the given means and standard deviation 1.
func drawnAround(rng *rand.Rand, n int, means [4]float64) Sums {
	x := make(Sums, n)
	for i := range x {
		x[i] = []float64{0, 0, 0, 0, 1}
		for j, m := range means {
			x[i][j] = m + rng.NormFloat64()
		}
	}
	return x
}

// TestBandCovers: the band of an extreme holds the truth at its level whether the means are equal, nearly so, or apart.
// With equal ones the percentile interval never does.
func TestBandCovers(t *testing.T) {
	const simulations = 300
	for name, c := range map[string]struct {
		means [4]float64
		truth [3]float64 // spread, largest absolute value, combination
	}{
		"equal":  {[4]float64{}, [3]float64{0, 0, 0}},
		"nearly": {[4]float64{0.05, 0, 0, 0.02}, [3]float64{0.05, 0.05, -0.05}},
		"one":    {[4]float64{2, 0, 0, 0}, [3]float64{2, 2, -2}},
		"two":    {[4]float64{-2, 1, 0, 0}, [3]float64{3, 2, -8}},
	} {
		rng := rand.New(rand.NewPCG(5, 6))
		var hold [3]float64
		plain := 0.0
		for s := range simulations {
			x := drawnAround(rng, 80, c.means)
			e := spread(t, x, extremes(uint64(s), true))
			for k := range hold {
				if lo, hi := e[4+k].Lo.Or(9), e[4+k].Hi.Or(-9); lo <= c.truth[k] && c.truth[k] <= hi {
					hold[k] += 1.0 / simulations
				}
			}
			if p := spread(t, x, extremes(uint64(s), false))[4]; p.Lo.Or(9) <= c.truth[0] && c.truth[0] <= p.Hi.Or(-9) {
				plain += 1.0 / simulations
			}
		}
		t.Logf("%s: spread %.3f, absolute %.3f, combination %.3f; percentile interval of the spread %.3f", name, hold[0], hold[1], hold[2], plain)
		for k, share := range hold {
			if share < 0.91 || share > 0.99 { // 0.95 as far as 300 simulations tell; a spread that is nearly 0 has more
				t.Errorf("%s: %.3f of the bands hold metric %d", name, share, 4+k)
			}
		}
		if name == "equal" && plain > 0.05 {
			t.Errorf("the percentile interval holds 0 in %.3f: the band would not be needed", plain)
		}
	}
}

// TestBandIsCarried: a mean and a difference of bands say that they are, and keep their values.
func TestBandIsCarried(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var parts []*Draws
	var values [2]float64
	for i, key := range []string{"a", "b"} {
		d, err := Draw(Sample{Key: key, Sums: drawnAround(rng, 50, [4]float64{1, 0, 0, 0})}, spreading, extremes(1, true))
		if err != nil {
			t.Fatal(err)
		}
		values[i] = d.Estimates()[4].Value.Or(-1)
		parts = append(parts, d)
	}
	mean, err := Average(parts...)
	if err != nil {
		t.Fatal(err)
	}
	minus, err := Subtract(parts[0], parts[1])
	if err != nil {
		t.Fatal(err)
	}
	for want, d := range map[float64]*Draws{(values[0] + values[1]) / 2: mean, values[0] - values[1]: minus} {
		e := d.Estimates()
		if got := e[4].Value.Or(-9); got < want-1e-12 || got > want+1e-12 {
			t.Errorf("%g, want %g", got, want)
		}
		for j, band := range []bool{false, false, false, false, true, true, true} {
			if strings.Contains(e[j].Method, "simultaneous band") != band {
				t.Errorf("metric %d: %s", j, e[j].Method)
			}
		}
		if lo, hi := e[4].Lo.Or(9), e[4].Hi.Or(-9); lo >= want || hi <= want {
			t.Errorf("%g to %g does not lie around %g", lo, hi, want)
		}
	}
}

// TestExtremesOfEarlierMetrics: an extreme of itself or of a later metric is an error.
func TestExtremesOfEarlierMetrics(t *testing.T) {
	for _, j := range []int{-1, 4, 5} {
		o := extremes(1, true)
		o.Metrics[4].Extreme.Of = []int{0, j}
		if _, err := Bootstrap(Sums{{1, 2, 3, 4, 1}}, spreading, o); err == nil || !strings.Contains(err.Error(), "no earlier one") {
			t.Errorf("extreme of %d: %v", j, err)
		}
	}
}
