package lattice

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSet(t *testing.T) {
	s := Set(0b1011)
	if s.Size() != 3 || !s.Has(0) || !s.Has(3) || s.Has(2) || s.Has(40) || s.Has(-1) {
		t.Errorf("set %b: size %d", s, s.Size())
	}
	if got := slices.Collect(s.Units()); !slices.Equal(got, []int{0, 1, 3}) {
		t.Errorf("units %v", got)
	}
	for i := range s.Units() {
		if i != 0 {
			t.Fatal("went on after break")
		}
		break
	}
	for n, want := range map[int]Set{0: 0, 1: 1, 8: 255, MaxUnits: 1<<20 - 1, -1: 0, MaxUnits + 1: 0} {
		if got := Full(n); got != want {
			t.Errorf("Full(%d) = %b, want %b", n, got, want)
		}
	}
}

func TestSubsetsInCanonicalOrder(t *testing.T) {
	got, err := Subsets(4, 2)
	want := []Set{0, 0b1, 0b10, 0b100, 0b1000, 0b11, 0b101, 0b110, 0b1001, 0b1010, 0b1100}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %b, %v", got, err)
	}
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 12).Draw(t, "n")
		order := rapid.IntRange(0, 14).Draw(t, "order")
		got, err := Subsets(n, order)
		if err != nil {
			t.Fatal(err)
		}
		var want []Set
		for s := range Full(n) + 1 {
			if s.Size() <= order {
				want = append(want, s)
			}
		}
		slices.SortFunc(want, Set.Compare)
		if !slices.Equal(got, want) || cap(got) != len(got) {
			t.Fatalf("got %b, want %b", got, want)
		}
	})
}

// The numbers of subsets that the evidence paper prints, and those of 6 units from its specification.
const embeddedGolden = `{"subsets": {"n": 8, "all": 256, "order1": 9, "order2": 37, "order3": 93}}`

func TestGoldenSubsets(t *testing.T) {
	sources := map[string][]byte{"embedded": []byte(embeddedGolden)}
	file, err := os.ReadFile(filepath.Join("..", "..", "..", "shared", "spec", "golden.json"))
	if err == nil {
		sources["file"] = file
	} else if !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	for name, raw := range sources {
		var g struct {
			Subsets struct{ N, All, Order1, Order2, Order3 int }
		}
		if err := json.Unmarshal(raw, &g); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		counts := map[int]int{1: g.Subsets.Order1, 2: g.Subsets.Order2, 3: g.Subsets.Order3, g.Subsets.N: g.Subsets.All}
		for order, want := range counts {
			if got, err := Subsets(g.Subsets.N, order); err != nil || len(got) != want || want == 0 {
				t.Errorf("%s: order %d of %d units needs %d subsets, want %d (%v)", name, order, g.Subsets.N, len(got), want, err)
			}
		}
	}
	for order, want := range map[int]int{3: 42, 6: 64} {
		if got, err := Subsets(6, order); err != nil || len(got) != want {
			t.Errorf("order %d of 6 units needs %d subsets, want %d (%v)", order, len(got), want, err)
		}
	}
}

func TestBadInputIsAnError(t *testing.T) {
	fails := func(name, part string, err error) {
		t.Helper()
		if err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%s: error %v, want one with %q", name, err, part)
		}
	}
	for _, n := range []int{-1, MaxUnits + 1} {
		_, err := Subsets(n, 2)
		fails("units", "give 0 to 20 units", err)
	}
	_, err := Subsets(8, -1)
	fails("order", "order -1 of interactions: give 0 to 8", err)
	for _, length := range []int{0, 3, 255, 1 << (MaxUnits + 1)} {
		v := slices.Repeat([]float64{7}, length)
		fails("zeta", "give one for each of the 2^n subsets", Zeta(v))
		fails("Möbius", "give one for each of the 2^n subsets", Moebius(v))
		if slices.ContainsFunc(v, func(x float64) bool { return x != 7 }) {
			t.Error("values were touched")
		}
	}
	_, err = FromValues(numbers(1, 2, 3), 1)
	fails("three values", "3 values: ", err)
	_, err = FromInteractions(nil, 1)
	fails("no interactions", "0 interactions: ", err)
	_, err = FromValues(numbers(1, 2), -1)
	fails("order", "order -1 of interactions: give 0 to 1", err)
	g := fromValues(t, 2, 1, 2, 3, 4)
	_, err = g.SII(-1)
	fails("SII", "order -1", err)
	_, err = g.KSII(-2)
	fails("k-SII", "order -2", err)
	if g.Interaction(4).OK() || g.Interaction(1<<31).OK() {
		t.Error("a set that is none of the game's has an interaction")
	}
}

func TestNoUnits(t *testing.T) {
	g := fromValues(t, 3, 2.5)
	sii, err := g.SII(3)
	if err != nil {
		t.Fatal(err)
	}
	ksii, err := g.KSII(3)
	if err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]any{"SII": sii, "k-SII": ksii, "values": g.Values()} {
		if diff := cmp.Diff(numbers(2.5), got, exact); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
	if g.Units() != 0 || g.Order() != 0 || len(g.Shapley()) != 0 || len(g.ByOrder(0)) != 0 || len(g.Top(3)) != 0 || g.Sum(0).Or(9) != 0 {
		t.Errorf("%+v", g)
	}
}
