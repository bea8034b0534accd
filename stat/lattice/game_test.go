package lattice

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// exact lets cmp look into numbers.
var exact = cmp.AllowUnexported(percuss.Number{})

func fromValues(t interface {
	Helper()
	Fatal(...any)
}, order int, v ...float64) *Game {
	t.Helper()
	g, err := FromValues(numbers(v...), order)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// near fails where two numbers differ by more than tolerance, or one of them is missing.
func near(t interface {
	Helper()
	Errorf(string, ...any)
}, what string, got percuss.Number, want, tolerance float64) {
	t.Helper()
	if v, ok := got.Get(); !ok || !(math.Abs(v-want) <= tolerance) {
		t.Errorf("%s = %s (%v), want %v", what, got.Format(12), ok, want)
	}
}

func TestInteractionsByHand(t *testing.T) {
	// Two findings that say little alone (0.5 and 0.25) and much together, and a third that changes nothing.
	g := fromValues(t, 3, -1, -0.5, -0.75, 2, -1, -0.5, -0.75, 2)
	if diff := cmp.Diff(numbers(-1, 0.5, 0.25, 2.25, 0, 0, 0, 0), g.Interactions(), exact); diff != "" {
		t.Error(diff)
	}
	if g.Interaction(0b11).Or(0) != 2.25 || g.Units() != 3 || g.Order() != 3 {
		t.Errorf("%+v", g)
	}
}

func TestFewerOrdersFromFewerValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(1, 8).Draw(t, "units")
		order := rapid.IntRange(0, units).Draw(t, "order")
		v := rapid.SliceOfN(rapid.Float64Range(-9, 9), 1<<units, 1<<units).Draw(t, "v")
		all := fromValues(t, units, v...)
		asked, err := Subsets(units, order)
		if err != nil {
			t.Fatal(err)
		}
		known := make([]percuss.Number, len(v))
		for _, s := range asked {
			known[s] = percuss.Num(v[s])
		}
		few, err := FromValues(known, order)
		if err != nil {
			t.Fatal(err)
		}
		for s := range Set(len(v)) {
			want := all.Interaction(s)
			if s.Size() > order {
				want = percuss.Number{}
			}
			if few.Interaction(s) != want {
				t.Fatalf("interaction of %b: %v, want %v to the bit", s, few.Interaction(s), want)
			}
		}
		if again := fromValues(t, order, v...); !cmp.Equal(again, few, cmp.AllowUnexported(Game{}), cmp.Comparer(sameFloat)) {
			t.Fatal("values above the order were looked at")
		}
	})
}

func sameFloat(a, b float64) bool {
	return math.Float64bits(a) == math.Float64bits(b) || a != a && b != b
}

func TestMissingValuesMakeWhatNeedsThemMissing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(1, 7).Draw(t, "units")
		v := someValues(t, units)
		holes := rapid.SliceOfN(rapid.IntRange(0, len(v)-1), 0, 3).Draw(t, "holes")
		complete := fromValues(t, units, v...)
		values := numbers(v...)
		for _, h := range holes {
			values[h] = percuss.Number{}
		}
		g, err := FromValues(values, units)
		if err != nil {
			t.Fatal(err)
		}
		back := g.Values()
		for s := range Set(len(v)) {
			want := complete.Interaction(s)
			for _, h := range holes {
				if Set(h)&^s == 0 {
					want = percuss.Number{}
				}
			}
			if g.Interaction(s) != want || g.Interaction(s) != g.Interactions()[s] {
				t.Fatalf("holes %b: interaction of %b is %v, want %v", holes, s, g.Interaction(s), want)
			}
			if back[s].OK() != want.OK() {
				t.Fatalf("holes %b: value of %b came back as %v", holes, s, back[s])
			}
		}
		whole := len(holes) == 0
		if g.Sum(units).OK() != whole {
			t.Fatalf("holes %b: sum of interactions %v", holes, g.Sum(units))
		}
		for i := range units {
			if g.Shapley()[i].OK() != whole || g.Banzhaf()[i].OK() != whole {
				t.Fatalf("holes %b: every unit's value needs every subset", holes)
			}
		}
	})
}

func TestAnyNumberIsHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(0, 5).Draw(t, "units")
		v := rapid.SliceOfN(rapid.Float64(), 1<<units, 1<<units).Draw(t, "v")
		g := fromValues(t, units, v...)
		sii, err := g.SII(units)
		if err != nil {
			t.Fatal(err)
		}
		for _, list := range [][]percuss.Number{g.Interactions(), g.Values(), g.Shapley(), g.Banzhaf(), sii, Shares(g.ByOrder(0))} {
			for _, x := range list {
				if f := x.Or(0); math.IsNaN(f) || math.IsInf(f, 0) {
					t.Fatalf("%v among the results of %v", f, v)
				}
			}
		}
	})
}

func TestInteractionsAreComplete(t *testing.T) {
	for units := range 15 {
		rng := percuss.Rand(uint64(units), "", "", "complete")
		v := make([]float64, 1<<units)
		for i := range v {
			v[i] = rng.NormFloat64()
		}
		g := fromValues(t, units, v...)
		strength := 1.0
		for _, o := range g.ByOrder(0) {
			strength += o.Strength
		}
		near(t, "sum of interactions", g.Sum(units), v[len(v)-1]-v[0], strength*1e-15)
		for s, back := range g.Values() {
			near(t, "value", back, v[s], strength*1e-15)
		}
	}
}

func TestSumUpToAnOrder(t *testing.T) {
	g := fromValues(t, 3, 1, 2, 3, 6, 5, 9, 4, 20)
	for order, want := range []float64{0, 1 + 2 + 4, 1 + 2 + 4 + 2 + 3 - 3, 19} {
		near(t, "sum", g.Sum(order), want, 0)
	}
	if few := fromValues(t, 2, 1, 2, 3, 6, 5, 9, 4, 20); few.Sum(3).OK() || few.Sum(2).Or(0) != 9 {
		t.Errorf("sums %v and %v of a game that is known to order 2", few.Sum(3), few.Sum(2))
	}
}

// A million interactions that cancel but for 1: a plain sum would lose it, and with it what order 3 leaves unexplained.
func TestSumOfLargeTerms(t *testing.T) {
	x := make([]percuss.Number, 1<<MaxUnits)
	for i := range x {
		x[i] = percuss.Num(1 + 1e-9*float64(i))
	}
	half := len(x) / 2
	for i := range half {
		x[half+i] = percuss.Num(-x[i].Or(0) * 1e8)
		x[i] = percuss.Num(x[i].Or(0) * 1e8)
	}
	x[0], x[half] = percuss.Num(0), percuss.Num(1)
	g, err := FromInteractions(x, MaxUnits)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "sum", g.Sum(MaxUnits), 1, 0)
}

func TestAdditiveGamesHaveNoInteractions(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(1, 8).Draw(t, "units")
		weight := rapid.SliceOfN(rapid.IntRange(-999, 999), units+1, units+1).Draw(t, "weight")
		v := make([]float64, 1<<units)
		for s := range v {
			v[s] = float64(weight[units])
			for i := range Set(s).Units() {
				v[s] += float64(weight[i])
			}
		}
		g := fromValues(t, units, v...)
		for s := range Set(len(v)) {
			if s.Size() > 1 && g.Interaction(s) != percuss.Num(0) {
				t.Fatalf("interaction of %b is %v", s, g.Interaction(s))
			}
		}
		for i := range units {
			want := float64(weight[i])
			near(t, "interaction of one unit", g.Interaction(1<<i), want, 0)
			near(t, "Shapley", g.Shapley()[i], want, 1e-9)
			near(t, "Banzhaf", g.Banzhaf()[i], want, 1e-9)
		}
	})
}

func TestConjunctionIsOneInteraction(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(1, 8).Draw(t, "units")
		all := Set(rapid.IntRange(1, 1<<units-1).Draw(t, "set"))
		v := make([]float64, 1<<units)
		for s := range v {
			if Set(s)&all == all {
				v[s] = 3
			}
		}
		g := fromValues(t, units, v...)
		for s := range Set(len(v)) {
			want := 0.0
			if s == all {
				want = 3
			}
			near(t, "interaction", g.Interaction(s), want, 0)
		}
		if top := g.Top(5); len(top) != 1 || top[0] != all {
			t.Fatalf("strongest %b, want %b alone", top, all)
		}
	})
}
