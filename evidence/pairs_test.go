package evidence

import (
	"math"
	"testing"

	"github.com/percuss/percuss/stat/lattice"
)

// Planted interactions, of which the indices are known: a pair has of an interaction of k units 1/(k−1) by the SII; by the
// k-SII of order 3 a triple keeps what it has, and takes an equal part of what lies above it from its pairs.
func TestPairs(t *testing.T) {
	mind := goldOnly(func(text string) float64 {
		return -20 + 2*shown(text, "a", "b") - shown(text, "b", "c") + 1.5*shown(text, "a", "b", "d") + 3*shown(text, "e")
	})
	base := record(t, audit(func(o *Options) { o.MaxOrder = 0 }), subject(patient()), mind).Base
	sii := map[lattice.Set]float64{0b11: 2.75, 0b110: -1, 0b1001: 0.75, 0b1010: 0.75}
	kept := map[lattice.Set]float64{0b11: 2, 0b110: -1, 0b1001: 0, 0b1010: 0}
	if len(base.Pairs) != len(sii) || base.Pairs[0].Set != 0b11 || base.Pairs[1].Set != 0b110 || base.Pairs[2].Set != 0b1001 {
		t.Fatalf("pairs %+v", base.Pairs)
	}
	if u := base.Pairs[0].Units; len(u) != 2 || u[0] != "a" || u[1] != "b" {
		t.Errorf("units %q", u)
	}
	for _, p := range base.Pairs {
		if math.Abs(p.SII.Or(9)-sii[p.Set]) > 1e-9 || math.Abs(p.KSII.Or(9)-kept[p.Set]) > 1e-9 {
			t.Errorf("%b: SII %s, want %g; k-SII %s, want %g", p.Set, p.SII.Format(6), sii[p.Set], p.KSII.Format(6), kept[p.Set])
		}
	}
	if few := record(t, audit(nil), subject(patient()), mind).Base; few.Pairs != nil {
		t.Errorf("pairs without all orders: %+v", few.Pairs)
	}
}

// Only the strongest are kept.
func TestTenPairs(t *testing.T) {
	mind := func(text, candidate string) float64 {
		sum := 0.0
		for k, l := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			sum += float64(k+1) * shown(text, l)
		}
		if candidate == "d0" {
			return -9000 + sum*sum
		}
		return -1
	}
	pairs := record(t, audit(func(o *Options) { o.MaxOrder = 0 }), subject(patient()), mind).Base.Pairs
	// The square of a sum has 2·i·j at units i and j: the largest are those of the last units.
	if len(pairs) != 10 || pairs[0].Set != 0b11000000 || math.Abs(pairs[0].SII.Or(0)-2*7*8) > 1e-6 || math.Abs(pairs[9].SII.Or(0)) < 48-1e-6 {
		t.Errorf("%+v", pairs)
	}
}
