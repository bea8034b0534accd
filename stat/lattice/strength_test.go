package lattice

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// worked is a game with interactions 1, −2, 0.5 of single units, −2 and 0.25 of two pairs, one pair missing, 4 of all.
func worked(t *testing.T, order int) *Game {
	t.Helper()
	x := numbers(100, 1, -2, -2, 0.5, 0.25, 0, 4)
	x[0b110] = percuss.Number{}
	g, err := FromInteractions(x, order)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestStrengthByOrder(t *testing.T) {
	g := worked(t, 3)
	for _, c := range []struct {
		threshold float64
		want      []OrderStrength
	}{
		{0, []OrderStrength{{1, 3, 3.5, 0}, {2, 2, 2.25, 1}, {3, 1, 4, 0}}},
		{0.5, []OrderStrength{{1, 3, 3.5, 0}, {2, 1, 2, 1}, {3, 1, 4, 0}}},
		{3, []OrderStrength{{1, 0, 0, 0}, {2, 0, 0, 1}, {3, 1, 4, 0}}},
		{math.NaN(), []OrderStrength{{1, 0, 0, 0}, {2, 0, 0, 1}, {3, 0, 0, 0}}},
	} {
		if diff := cmp.Diff(c.want, g.ByOrder(c.threshold)); diff != "" {
			t.Errorf("threshold %v: %s", c.threshold, diff)
		}
	}
	if got := worked(t, 1).ByOrder(0); len(got) != 1 || got[0].Strength != 3.5 {
		t.Errorf("order 1: %+v", got)
	}
}

func TestShares(t *testing.T) {
	for _, c := range []struct {
		name   string
		orders []OrderStrength
		want   []percuss.Number
	}{
		{"three orders", []OrderStrength{{1, 3, 3, 0}, {2, 1, 1, 0}, {3, 1, 4, 0}}, numbers(0.375, 0.125, 0.5)},
		{"one is missing", []OrderStrength{{1, 3, 3, 0}, {2, 1, 1, 1}}, make([]percuss.Number, 2)},
		{"no strength", []OrderStrength{{1, 3, 0, 0}, {2, 1, 0, 0}}, make([]percuss.Number, 2)},
		{"too strong", []OrderStrength{{1, 3, 1e308, 0}, {2, 1, 1e308, 0}}, make([]percuss.Number, 2)},
		{"no order", nil, []percuss.Number{}},
	} {
		if diff := cmp.Diff(c.want, Shares(c.orders), exact); diff != "" {
			t.Errorf("%s: %s", c.name, diff)
		}
	}
}

// A model that needs four findings at once has a quarter of its strength above order 3.
func TestStrengthAboveOrderThree(t *testing.T) {
	v := make([]float64, 1<<5)
	for s := range v {
		for i := range 3 {
			if Set(s).Has(i) {
				v[s] += 2
			}
		}
		if s&0b01111 == 0b01111 {
			v[s] -= 2
		}
	}
	want := numbers(0.75, 0, 0, 0.25, 0)
	if diff := cmp.Diff(want, Shares(fromValues(t, 5, v...).ByOrder(0)), exact); diff != "" {
		t.Error(diff)
	}
}

func TestTop(t *testing.T) {
	g := worked(t, 3)
	for k, want := range [][]Set{{}, {0b111}, {0b111, 0b010}, {0b111, 0b010, 0b011}} {
		if got := g.Top(k); !slices.Equal(got, want) {
			t.Errorf("strongest %d: %b, want %b", k, got, want)
		}
	}
	if all := g.Top(99); len(all) != 6 || slices.Contains(all, 0) || slices.Contains(all, 0b110) {
		t.Errorf("all known: %b", all)
	}
	if got := g.Top(-1); len(got) != 0 {
		t.Errorf("-1 sets: %b", got)
	}
	if got := worked(t, 2).Top(1); !slices.Equal(got, []Set{0b010}) {
		t.Errorf("strongest up to order 2: %b", got)
	}
	// The single unit 2 is found last and comes before the pair that is as strong.
	if got := fromValues(t, 3, 0, 1, 0, 6, 5, 6, 5, 11).Top(1); !slices.Equal(got, []Set{0b100}) {
		t.Errorf("strongest of two equals: %b", got)
	}
	if got := fromValues(t, 2, 1e308, -1e308, 1e308, 1e308).Top(3); len(got) != 0 {
		t.Errorf("%b have interactions that no float64 holds", got)
	}
}

func TestTopIsSortedByStrength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		units := rapid.IntRange(0, 6).Draw(t, "units")
		v := someValues(t, units)
		if rapid.Bool().Draw(t, "tied") {
			for i := range v {
				v[i] = math.Mod(math.Round(v[i]), 3)
			}
		}
		g := fromValues(t, units, v...)
		k := rapid.IntRange(0, 70).Draw(t, "k")
		top := g.Top(k)
		strength := func(s Set) float64 { return math.Abs(g.Interaction(s).Or(math.NaN())) }
		if len(top) > k || len(top) > 1<<units-1 {
			t.Fatalf("%d of %d sets", len(top), k)
		}
		weakest := 0.0
		for i, s := range top {
			if i > 0 && (strength(s) > weakest || strength(s) == weakest && top[i-1].Compare(s) >= 0) {
				t.Fatalf("%b comes after %b", s, top[i-1])
			}
			weakest = strength(s)
		}
		for s := Set(1); s <= Full(units); s++ {
			last := len(top) - 1
			if slices.Contains(top, s) || strength(s) == 0 || k == 0 {
				continue
			}
			if len(top) < k || strength(s) > weakest || strength(s) == weakest && s.Compare(top[last]) < 0 {
				t.Fatalf("%b was left out", s)
			}
		}
	})
}

func TestJaccard(t *testing.T) {
	for _, c := range []struct {
		a, b []Set
		want percuss.Number
	}{
		{nil, nil, percuss.Number{}},
		{[]Set{1, 2}, nil, percuss.Num(0)},
		{[]Set{1, 2, 3}, []Set{3, 1, 2}, percuss.Num(1)},
		{[]Set{1, 2, 3, 7}, []Set{3, 5}, percuss.Num(0.2)},
		{[]Set{1, 1, 2}, []Set{1, 4, 4, 1}, percuss.Num(1. / 3)},
	} {
		if got, back := Jaccard(c.a, c.b), Jaccard(c.b, c.a); got != c.want || back != c.want {
			t.Errorf("overlap of %v and %v: %v and %v, want %v", c.a, c.b, got, back, c.want)
		}
	}
}
