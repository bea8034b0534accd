package lattice

import (
	"fmt"
	"math"
	"math/big"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// joint is what the units of s add together to those of t: Σ_{L⊆s} (−1)^{|s|−|L|} v(t ∪ L).
func joint(v []float64, s, t Set) float64 {
	sum := 0.0
	for l := range s + 1 {
		if l&^s == 0 {
			sum += math.Pow(-1, float64(s.Size()-l.Size())) * v[t|l]
		}
	}
	return sum
}

// meanJoint weighs what s adds to each set without it by weight(size of that set, number of all units).
func meanJoint(v []float64, s Set, weight func(size, units int) float64) float64 {
	units := Full(MaxUnits).Size()
	for 1<<units != len(v) {
		units--
	}
	sum := 0.0
	for t := range Set(len(v)) {
		if t&s == 0 {
			sum += weight(t.Size(), units) * joint(v, s, t)
		}
	}
	return sum
}

func factorial(n int) float64 { return math.Gamma(float64(n + 1)) }

// byDefinition is the SII as Grabisch and Roubens define it, from the values, without a Möbius transform.
func byDefinition(v []float64, s Set) float64 {
	return meanJoint(v, s, func(size, units int) float64 {
		return factorial(units-size-s.Size()) * factorial(size) / factorial(units-s.Size()+1)
	})
}

func TestIndicesByDefinition(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(1, 6).Draw(t, "units")
		order := rapid.IntRange(0, units).Draw(t, "order")
		v := rapid.SliceOfN(rapid.Float64Range(-9, 9), 1<<units, 1<<units).Draw(t, "v")
		g := fromValues(t, units, v...)
		sii, err := g.SII(order)
		if err != nil {
			t.Fatal(err)
		}
		for s := range Set(len(v)) {
			if s.Size() > order {
				if sii[s].OK() {
					t.Fatalf("SII of %b, above order %d", s, order)
				}
				continue
			}
			near(t, "SII", sii[s], byDefinition(v, s), 1e-10)
		}
		for i := range units {
			one := Set(1 << i)
			near(t, "Shapley", g.Shapley()[i], byDefinition(v, one), 1e-10)
			near(t, "Banzhaf", g.Banzhaf()[i], meanJoint(v, one, func(int, int) float64 { return math.Ldexp(1, 1-units) }), 1e-10)
		}
	})
}

// Bordt and von Luxburg build k-SII up, order by order: the SII of the sets of k units is shared out to their subsets.
func TestKSIIByRecursion(t *testing.T) {
	b := []float64{1, -1. / 2, 1. / 6, 0, -1. / 30, 0, 1. / 42}
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(1, 6).Draw(t, "units")
		v := rapid.SliceOfN(rapid.Float64Range(-9, 9), 1<<units, 1<<units).Draw(t, "v")
		g := fromValues(t, units, v...)
		want := make([]float64, len(v))
		for k := 1; k <= units; k++ {
			for s := range Set(len(v)) {
				for u := range Set(len(v)) {
					if s&^u == 0 && u.Size() == k {
						want[s] += b[k-s.Size()] * byDefinition(v, u)
					}
				}
			}
			got, err := g.KSII(k)
			if err != nil {
				t.Fatal(err)
			}
			sum := 0.0
			for s := 1; s < len(v); s++ {
				if Set(s).Size() > k {
					continue
				}
				near(t, "k-SII", got[s], want[s], 1e-9)
				sum += got[s].Or(math.NaN())
			}
			near(t, "sum of k-SII", percuss.Num(sum), v[len(v)-1]-v[0], 1e-9)
			near(t, "k-SII of the empty set", got[0], v[0], 0)
		}
	})
}

func TestKSIIBetweenShapleyAndInteractions(t *testing.T) {
	rng := percuss.Rand(3, "", "", "k-SII")
	v := make([]float64, 1<<10)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	g := fromValues(t, 10, v...)
	one, err := g.KSII(1)
	if err != nil {
		t.Fatal(err)
	}
	for i, phi := range g.Shapley() {
		near(t, "1-SII", one[1<<i], phi.Or(math.NaN()), 1e-12)
	}
	for _, k := range []int{10, 12} {
		all, err := g.KSII(k)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(g.Interactions(), all, exact); diff != "" {
			t.Errorf("%d-SII of 10 units are not the interactions: %s", k, diff)
		}
	}
}

// With many units k-SII sums terms far larger than its result. An AND of all of them is still shared out to 1.
func TestKSIIOfManyUnits(t *testing.T) {
	x := make([]percuss.Number, 1<<16)
	for i := range x {
		x[i] = percuss.Num(0)
	}
	x[len(x)-1] = percuss.Num(1)
	g, err := FromInteractions(x, 16)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []int{1, 3, 8, 13, 15, 16} {
		got, err := g.KSII(k)
		if err != nil {
			t.Fatal(err)
		}
		sum, strength := 0.0, 0.0
		for _, y := range got[1:] {
			sum += y.Or(0)
			strength += math.Abs(y.Or(0))
		}
		near(t, "sum of k-SII", percuss.Num(sum), 1, 1e-14*strength)
	}
}

func TestShapleyAxioms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(2, 7).Draw(t, "units")
		i := rapid.IntRange(0, units-1).Draw(t, "i")
		j := rapid.IntRange(0, units-2).Draw(t, "j")
		if j >= i {
			j++
		}
		v, w := someValues(t, units), someValues(t, units)
		a, b := Set(1<<i), Set(1<<j)
		dummy, alike, sum := make([]float64, len(v)), make([]float64, len(v)), make([]float64, len(v))
		for s := range Set(len(v)) {
			dummy[s], alike[s], sum[s] = v[s&^a], v[s], v[s]+w[s]
			if s.Has(i) {
				dummy[s] += 5 // always as much as alone
			}
			if s.Has(j) && !s.Has(i) {
				alike[s] = v[s&^b|a] // either of the two has the same effect
			}
		}
		gv, gw, gsum := fromValues(t, units, v...), fromValues(t, units, w...), fromValues(t, units, sum...)
		gdummy, galike := fromValues(t, units, dummy...), fromValues(t, units, alike...)
		for name, value := range map[string]func(*Game) []percuss.Number{"Shapley": (*Game).Shapley, "Banzhaf": (*Game).Banzhaf} {
			near(t, name+" of a dummy", value(gdummy)[i], 5, 1e-6)
			near(t, name+" of two alike", value(galike)[i], value(galike)[j].Or(math.NaN()), 1e-6)
			for u := range units {
				near(t, name+" of a sum", value(gsum)[u], value(gv)[u].Or(math.NaN())+value(gw)[u].Or(math.NaN()), 1e-6)
			}
		}
		total := 0.0
		for _, phi := range gv.Shapley() {
			total += phi.Or(math.NaN())
		}
		near(t, "sum of Shapley values", percuss.Num(total), v[len(v)-1]-v[0], 1e-6)
	})
}

func TestIndicesOfMissingInteractions(t *testing.T) {
	x := numbers(1, 2, 3, 4, 5, 6, 7, 8)
	x[0b110] = percuss.Number{}
	g, err := FromInteractions(x, 3)
	if err != nil {
		t.Fatal(err)
	}
	known := func(name string, got []percuss.Number, want ...bool) {
		t.Helper()
		for i := range want {
			if got[i].OK() != want[i] {
				t.Errorf("%s at %b: present %v, want %v", name, i, got[i].OK(), want[i])
			}
		}
	}
	sii, err := g.SII(3)
	if err != nil {
		t.Fatal(err)
	}
	known("Shapley", g.Shapley(), true, false, false)
	known("Banzhaf", g.Banzhaf(), true, false, false)
	known("SII", sii, false, true, false, true, false, true, false, true)
	for k, want := range [][]bool{
		{true, false, false, false, false, false, false, false},
		{true, true, false, false, false, false, false, false},
		{true, true, true, true, true, true, false, false}, // pairs stay where they are: single units get none of them
		{true, true, true, true, true, true, false, true},
	} {
		ksii, err := g.KSII(k)
		if err != nil {
			t.Fatal(err)
		}
		known("k-SII", ksii, want...)
	}
}

// B₃, B₅, … are 0: k-SII gives nothing of a set of k+1 units to sets of k−2, k−4, … of them, so that these do not need it.
func TestKSIINeedsNothingThatCountsForNothing(t *testing.T) {
	for units := 3; units <= 12; units++ {
		x := numbers(make([]float64, 1<<units)...)
		x[len(x)-1] = percuss.Number{}
		g, err := FromInteractions(x, units)
		if err != nil {
			t.Fatal(err)
		}
		k := units - 1
		got, err := g.KSII(k)
		if err != nil {
			t.Fatal(err)
		}
		for s := range Set(len(x)) {
			below := k - s.Size()
			if want := s == 0 || below >= 2 && below%2 == 0; got[s].OK() != want {
				t.Errorf("%d-SII of %b of %d units: present %v, want %v", k, s, units, got[s].OK(), want)
			}
		}
	}
}

// The parts are small differences of large terms. With exact fractions there is nothing to lose.
func TestKSIIPartsAgainstFractions(t *testing.T) {
	b := make([]*big.Rat, MaxUnits+1)
	for m := range b { // Σ_{j≤m} C(m+1, j)·B_j = 0
		b[m] = new(big.Rat)
		if m == 0 {
			b[m].SetInt64(1)
		}
		for j := range m {
			term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(m+1), int64(j)))
			b[m].Sub(b[m], term.Mul(term, b[j]))
		}
		b[m].Quo(b[m], big.NewRat(int64(m+1), 1))
	}
	for more := range MaxUnits + 1 {
		for below := range MaxUnits + 1 {
			want := new(big.Rat)
			for j := range min(below, more) + 1 {
				term := new(big.Rat).SetInt(new(big.Int).Binomial(int64(more), int64(j)))
				term.Mul(term, b[j]).Quo(term, big.NewRat(int64(more-j+1), 1))
				want.Add(want, term)
			}
			w, _ := want.Float64()
			near(t, fmt.Sprintf("part at %d below k and %d further units", below, more), percuss.Num(keptBySet(bernoulli(), below, more)), w, 1e-14*math.Abs(w))
		}
	}
}
