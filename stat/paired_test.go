package stat

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func arm(values ...float64) []Observation {
	out := make([]Observation, len(values))
	for i, v := range values {
		out[i] = Observation{fmt.Sprint("q", i), v}
	}
	return out
}

// ACCLAB/dabestr#193: drawing the arms independently loses the pairing. Every resample difference is 0 here, and the
// zero width says what it leaves open.
func TestPairedDifferenceOfEqualArms(t *testing.T) {
	a := arm(1, 1, 0, 0, 1, 0)
	b := slices.Clone(a)
	slices.Reverse(b) // joined by id, not by place
	e, err := PairedDifference(a, b, Options{Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "difference", e.Value, 0, 0)
	near(t, "lo", e.Lo, 0, 0)
	near(t, "hi", e.Hi, 0, 0)
	// Wilson's upper bound for 0 of 6.
	if want := "0 changed items of 6: the interval has no width; up to 39.0 % of such items may change"; len(e.Warnings) != 1 || !strings.HasPrefix(e.Warnings[0], want) {
		t.Errorf("warnings %q, want %q", e.Warnings, want)
	}
	if e.N != 6 || !strings.HasPrefix(e.Method, "paired difference; ") {
		t.Errorf("N %d, method %q", e.N, e.Method)
	}
}

func TestPairedDifferenceRefusesOtherItems(t *testing.T) {
	a := arm(1, 0, 1)
	for name, c := range map[string]struct {
		b    []Observation
		says string
	}{
		"missing":   {a[:2], "q2"},
		"other":     {append(slices.Clone(a[:2]), Observation{"zz", 1}), "q2, zz"},
		"twice":     {append(slices.Clone(a), a[0]), "q0"},
		"no number": {append(slices.Clone(a[:2]), Observation{"q2", 1 / (1 - a[0].Value)}), "q2"},
	} {
		_, err := PairedDifference(a, c.b, Options{})
		if err == nil || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: error %v, want one that names %s", name, err, c.says)
		}
	}
	e, err := PairedDifference(nil, nil, Options{})
	if err != nil || e.Value.OK() || e.Why == "" {
		t.Errorf("no items: %+v, %v", e, err)
	}
}

// Turning the arms turns the interval; the order of observations is immaterial.
func TestPairedDifferenceProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 20).Draw(t, "n")
		a, b := make([]Observation, n), make([]Observation, n)
		for i := range n {
			id := fmt.Sprint(i)
			a[i] = Observation{id, float64(rapid.IntRange(0, 1).Draw(t, "a"))}
			b[i] = Observation{id, float64(rapid.IntRange(0, 1).Draw(t, "b"))}
		}
		// 201 replicates put the quantiles on order statistics, so that turning is exact.
		o := Options{Replicates: 201}
		forth, err := PairedDifference(a, b, o)
		if err != nil {
			t.Fatal(err)
		}
		back, err := PairedDifference(b, a, o)
		if err != nil {
			t.Fatal(err)
		}
		if several := n > 1; forth.Lo.OK() != several || back.Hi.OK() != several {
			t.Fatalf("of %d items: %+v turned is %+v", n, forth, back)
		}
		if forth.Value.Or(9)+back.Value.Or(9) != 0 || forth.Lo.Or(0)+back.Hi.Or(0) > 1e-12 {
			t.Fatalf("%+v turned is %+v", forth, back)
		}
		mixed, err := PairedDifference(rapid.Permutation(a).Draw(t, "order"), b, o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(forth, mixed, exactly); d != "" {
			t.Fatal(d)
		}
	})
}

// Pairing narrows the interval where items differ and the arms hardly do.
func TestPairingNarrows(t *testing.T) {
	var a, b []float64
	for i := range 100 {
		a, b = append(a, float64(i%2)), append(b, float64(i%2))
	}
	b[0], b[2], b[4] = 1, 1, 1
	e, err := PairedDifference(arm(b...), arm(a...), Options{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	near(t, "difference", e.Value, .03, 1e-12)
	if e.Lo.Or(-1) < 0 || e.Hi.Or(1) > .08 {
		t.Errorf("[%v, %v]: an unpaired interval would reach about ±0.14", e.Lo, e.Hi)
	}
	near(t, "McNemar", McNemar(3, 0), .25, 1e-12)
}
