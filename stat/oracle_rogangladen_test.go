package stat

import (
	"fmt"
	"testing"
)

// The reference values of this file were printed by testdata/oracle/rogangladen.py with scipy 1.17.1 and numpy 2.4.6.

// drawnRate draws the rate of column 0 over column 1.
func drawnRate(t testing.TB, x Sums, o Options) *Draws {
	t.Helper()
	o.Metrics = []Metric{rate}
	d, err := Draw(Sample{Key: "items", Sums: x}, ratio, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// measured is a quality of counts.
func measured(rightPositive, positives, rightNegative, negatives int) Quality {
	return Quality{float64(rightPositive) / float64(positives), float64(rightNegative) / float64(negatives), positives, negatives}
}

// Of single cases the interval is that of a binomial count and two Beta draws, within what 10,000 replicates differ by, and
// close to the one of Lang and Reiczigel (2014), which is another method.
func TestCorrectedAgainstNumpyAndLangReiczigel(t *testing.T) {
	for _, c := range []struct {
		k, n, rightPositive, positives, rightNegative, negatives int
		value, lrLo, lrHi, lo, hi                                float64
	}{
		{60, 200, 45, 50, 90, 100, 0.250000000000, 0.1469, 0.3543, 0.1419, 0.3506},
		{30, 300, 80, 100, 190, 200, 0.066666666667, 0.0060, 0.1289, 0.0011, 0.1231},
		{8, 120, 40, 60, 95, 100, 0.027027027027, 0.0000, 0.1404, 0.0000, 0.1188},
		{150, 200, 36, 40, 34, 40, 0.800000000000, 0.6785, 0.9631, 0.6841, 0.9739},
	} {
		q := measured(c.rightPositive, c.positives, c.rightNegative, c.negatives)
		e := drawnRate(t, ones(c.k, c.n), Options{Seed: 2, Replicates: 10000}).Corrected(q)[0]
		name := fmt.Sprintf("%d of %d, %s: ", c.k, c.n, q)
		near(t, name+"value", e.Value, c.value, 1e-11)
		near(t, name+"lo", e.Lo, c.lo, .006)
		near(t, name+"hi", e.Hi, c.hi, .006)
		near(t, name+"lo of Lang and Reiczigel", e.Lo, c.lrLo, .012)
		near(t, name+"hi of Lang and Reiczigel", e.Hi, c.lrHi, .024)
	}
}

func TestYoudenAgainstScipy(t *testing.T) {
	for _, c := range []struct {
		q          Quality
		j, lo, hi  float64
		n          int
		canCorrect bool
	}{
		{measured(45, 50, 90, 100), 0.8, 0.664221734278, 0.872106999094, 150, true},
		{measured(7, 10, 5, 10), 0.2, -0.201654941240, 0.526078819998, 20, false},
		{Quality{Sensitivity: .7, Specificity: .5}, .2, .2, .2, 0, true},
	} {
		e := c.q.Youden(0)
		near(t, "J", e.Value, c.j, 1e-11)
		near(t, "lo", e.Lo, c.lo, 1e-11)
		near(t, "hi", e.Hi, c.hi, 1e-11)
		if e.N != c.n || (c.q.refusal(.95) == "") != c.canCorrect {
			t.Errorf("%s: N = %d, refusal %q", c.q, e.N, c.q.refusal(.95))
		}
	}
}
