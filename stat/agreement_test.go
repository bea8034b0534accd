package stat

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func TestKappaThatIsNotDefined(t *testing.T) {
	one := [2]string{"yes", "yes"}
	for name, c := range map[string]struct {
		pairs [][2]string
		why   string
		n     int
	}{
		"no pair":      {nil, "no item has a label of both raters", 0},
		"half a pair":  {[][2]string{{"yes", ""}, {"", "no"}}, "no item has a label of both raters", 0},
		"one category": {[][2]string{one, one, one}, "agreement 3 of 3", 3},
	} {
		e := Kappa(c.pairs, .95)
		if e.Value.OK() || !strings.Contains(e.Why, c.why) || e.N != c.n {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := Kappa([][2]string{one}, 2); !strings.Contains(e.Why, "confidence level") {
		t.Errorf("level 2: %+v", e)
	}
}

func TestKappaWithoutSpread(t *testing.T) {
	perfect := Kappa(labelled([][]int{{4, 0}, {0, 3}}), .95)
	near(t, "perfect agreement", perfect.Value, 1, 0)
	// statsmodels gives 0 with variance 0 here, which would read as certainty.
	constant := Kappa(labelled([][]int{{48, 0}, {2, 0}}), .95)
	near(t, "one rater without a choice", constant.Value, 0, 0)
	for _, e := range []percuss.Estimate{perfect, constant} {
		if e.Lo.OK() || e.Hi.OK() || len(e.Warnings) != 1 || !strings.HasPrefix(e.Warnings[0], "no interval") {
			t.Errorf("%+v", e)
		}
	}
	e := Kappa(append(labelled([][]int{{4, 1}, {1, 3}}), [2]string{"a", ""}), .95)
	if e.N != 9 || len(e.Warnings) != 1 || !strings.HasPrefix(e.Warnings[0], "1 of 10 pairs left out") {
		t.Errorf("a missing label: %+v", e)
	}
}

func TestKappaProperties(t *testing.T) {
	label := rapid.SampledFrom([]string{"a", "b", "c", ""})
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 30).Draw(t, "n")
		pairs, turned, renamed := make([][2]string, n), make([][2]string, n), make([][2]string, n)
		name := map[string]string{"a": "z", "b": "y", "c": "x", "": ""}
		for i := range pairs {
			pairs[i] = [2]string{label.Draw(t, "first"), label.Draw(t, "second")}
			turned[i] = [2]string{pairs[i][1], pairs[i][0]}
			renamed[i] = [2]string{name[pairs[i][0]], name[pairs[i][1]]}
		}
		e := Kappa(pairs, .95)
		v, ok := e.Value.Get()
		if ok && (v < -1-1e-12 || v > 1+1e-12 || e.Lo.Or(v) > v+1e-12 || e.Hi.Or(v) < v-1e-12) || ok == (e.Why != "") {
			t.Fatalf("%+v", e)
		}
		for _, other := range []percuss.Estimate{Kappa(turned, .95), Kappa(renamed, .95)} {
			if other.Value.OK() != ok || math.Abs(other.Value.Or(0)-e.Value.Or(0)) > 1e-9 || math.Abs(other.Lo.Or(0)-e.Lo.Or(0)) > 1e-9 {
				t.Fatalf("%+v, turned or renamed %+v", e, other)
			}
		}
	})
}

func TestLandisKoch(t *testing.T) {
	for v, want := range map[float64]string{-.01: "poor", 0: "slight", .2: "slight", .21: "fair", .4: "fair", .41: "moderate",
		.6: "moderate", .61: "substantial", .8: "substantial", .81: "almost perfect", 1: "almost perfect"} {
		if got := LandisKoch(percuss.Num(v)); got != want {
			t.Errorf("%v: %q, want %q", v, got, want)
		}
	}
	if got := LandisKoch(percuss.Number{}); got != "" {
		t.Errorf("no kappa: %q", got)
	}
}

func TestConfusion(t *testing.T) {
	var c Confusion
	for called, n := range map[bool][2]int{true: {30, 10}, false: {20, 40}} { // true, then not true
		for range n[0] {
			c.Add(called, true)
		}
		for range n[1] {
			c.Add(called, false)
		}
	}
	if c != (Confusion{TP: 30, FP: 10, FN: 20, TN: 40}) {
		t.Fatalf("%+v", c)
	}
	near(t, "precision", c.Precision(.95).Value, .75, 0)
	near(t, "recall", c.Recall(.95).Value, .6, 0)
	near(t, "accuracy", c.Accuracy(.95).Value, .7, 0)
	near(t, "recall's interval", c.Recall(.95).Lo, Wilson(30, 50, .95).Lo.Or(-1), 0)
	if e := (Confusion{FN: 3}).Precision(.95); e.Value.OK() || e.Why == "" {
		t.Errorf("precision of no calls: %+v", e)
	}
}
