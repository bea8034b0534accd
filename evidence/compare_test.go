package evidence

import (
	"math"
	"testing"

	"github.com/percuss/percuss/stat/lattice"
)

// Steady levels between candidates make a correlation high though the evidence does other things; centred it is not.
func TestCentredCorrelation(t *testing.T) {
	mind := func(second float64) reasoner {
		return func(text, candidate string) float64 {
			level := -10 * has(candidate, "d5")
			return level + has(candidate, "d0")*0.3*(shown(text, "a")*(1-has(text, "Interview"))+second*shown(text, "b")*has(text, "Interview"))
		}
	}
	for second, least := range map[float64]float64{1: -0.2, 0: 0} {
		rec := record(t, audit(everyCheck), subject(patient()), mind(second))
		for _, c := range compared(rec, ByWording) {
			v, ok := c.Centred.Get()
			if c.Correlation.Or(0) < 0.99 || ok != (second > 0) || ok && (v < least || v > 0.2) {
				t.Errorf("second %g: correlation %s, centred %s", second, c.Correlation.Format(4), c.Centred.Format(4))
			}
		}
		for _, c := range compared(rec, ByOrdering) {
			if v, ok := c.Centred.Get(); ok && math.Abs(v-1) > 1e-9 {
				t.Errorf("orders: centred %g", v)
			}
		}
	}
}

// What random sets share, by counting all lists.
func TestChanceOverlap(t *testing.T) {
	for _, c := range []struct{ a, b, n int }{{2, 3, 5}, {3, 3, 6}, {1, 4, 4}, {0, 2, 5}} {
		fixed := lattice.Full(c.a)
		sum, lists := 0.0, 0.0
		for s := lattice.Set(0); int(s) < 1<<c.n; s++ {
			if s.Size() == c.b {
				sum, lists = sum+float64((s&fixed).Size())/float64((s|fixed).Size()), lists+1
			}
		}
		if got, ok := chanceOverlap(c.a, c.b, c.n).Get(); !ok || math.Abs(got-sum/lists) > 1e-12 {
			t.Errorf("%+v: %g, want %g", c, got, sum/lists)
		}
	}
	for _, c := range []struct{ a, b, n int }{{0, 0, 5}, {6, 1, 5}, {1, 6, 5}} {
		if chanceOverlap(c.a, c.b, c.n).OK() {
			t.Errorf("%+v has an overlap", c)
		}
	}
}

// Strengths that are the rounding of sums are on no list of the strongest.
func TestRoundingIsNoStrength(t *testing.T) {
	m := measuredTable{Measured: Measured{Interactions: []Interaction{inter(0b1, 1, "6"), inter(0b10, -1e-15, "4a")}}, ids: []UnitRecord{{ID: "a"}, {ID: "b"}}}
	if top := m.top(2); len(top) != 1 {
		t.Errorf("%q", top)
	}
}
