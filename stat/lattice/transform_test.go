package lattice

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// someValues draws the values of a game, in 64ths, so that sums of them are exact.
func someValues(t *rapid.T, units int) []float64 {
	sixtyFourths := rapid.SliceOfN(rapid.IntRange(-1<<20, 1<<20), 1<<units, 1<<units).Draw(t, "values")
	v := make([]float64, len(sixtyFourths))
	for i, x := range sixtyFourths {
		v[i] = float64(x) / 64
	}
	return v
}

func someUnits(t *rapid.T) int { return rapid.IntRange(0, 8).Draw(t, "units") }

// sumOverSubsets is Σ_{T⊆S} sign^{|S|−|T|} v(T), by its definition.
func sumOverSubsets(v []float64, s Set, sign float64) float64 {
	sum := 0.0
	for t := range Set(len(v)) {
		if t&^s == 0 {
			sum += math.Pow(sign, float64(s.Size()-t.Size())) * v[t]
		}
	}
	return sum
}

func TestTransformsByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := someValues(t, someUnits(t))
		for _, c := range []struct {
			name      string
			transform func([]float64) error
			sign      float64
		}{{"zeta", Zeta, 1}, {"Möbius", Moebius, -1}} {
			got := slices.Clone(v)
			if err := c.transform(got); err != nil {
				t.Fatal(err)
			}
			for s := range got {
				if want := sumOverSubsets(v, Set(s), c.sign); got[s] != want {
					t.Fatalf("%s of %b is %v, want %v", c.name, s, got[s], want)
				}
			}
		}
	})
}

func TestMoebiusInvertsZeta(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := someValues(t, rapid.IntRange(0, 11).Draw(t, "units"))
		got := slices.Clone(v)
		for _, transform := range []func([]float64) error{Zeta, Moebius, Moebius, Zeta} {
			if err := transform(got); err != nil {
				t.Fatal(err)
			}
		}
		if !slices.Equal(got, v) {
			t.Fatal("the transforms do not undo each other")
		}
	})
}

func TestMoebiusIsLinear(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := someUnits(t)
		a, b := someValues(t, units), someValues(t, units)
		k := float64(rapid.IntRange(-9, 9).Draw(t, "k"))
		both := make([]float64, len(a))
		for i := range both {
			both[i] = a[i] + k*b[i]
		}
		for _, v := range [][]float64{a, b, both} {
			if err := Moebius(v); err != nil {
				t.Fatal(err)
			}
		}
		for i := range both {
			if both[i] != a[i]+k*b[i] {
				t.Fatalf("at %b: %v, want %v + %v·%v", i, both[i], a[i], k, b[i])
			}
		}
	})
}

func TestNaNSpreadsUpwardsOnly(t *testing.T) {
	for name, transform := range map[string]func([]float64) error{"zeta": Zeta, "Möbius": Moebius} {
		v := make([]float64, 64)
		hole := Set(0b010010)
		v[hole] = math.NaN()
		if err := transform(v); err != nil {
			t.Fatal(err)
		}
		for s := range v {
			if above := Set(s)&hole == hole; math.IsNaN(v[s]) != above {
				t.Errorf("%s: %b is %v", name, s, v[s])
			}
		}
	}
}

func TestTransformsAllocateNothing(t *testing.T) {
	v := make([]float64, 1<<10)
	for name, transform := range map[string]func([]float64) error{"zeta": Zeta, "Möbius": Moebius} {
		if n := testing.AllocsPerRun(20, func() {
			if err := transform(v); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%s allocates %v times", name, n)
		}
	}
}
