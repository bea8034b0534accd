package stat

import (
	"math"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func TestEquivalentPaired(t *testing.T) {
	for name, c := range map[string]struct {
		b, c, n int
		want    Same
	}{
		"nothing moved, many items":     {0, 0, 200, AreEquivalent},
		"nothing moved, few items":      {0, 0, 20, SameUnknown},
		"small and significant":         {30, 5, 2000, AreEquivalent},
		"much moved both ways":          {60, 60, 200, SameUnknown},
		"all moved":                     {50, 0, 50, AreDifferent},
		"all moved the other way":       {0, 50, 50, AreDifferent},
		"clear and just at the margin":  {10, 0, 200, SameUnknown},
		"no significant difference, no": {4, 1, 60, SameUnknown},
	} {
		e := EquivalentPaired(c.b, c.c, c.n, .05, .05)
		if e.Verdict != c.want {
			t.Errorf("%s: %s, interval [%s, %s], want %s", name, e.Verdict, e.Difference.Lo.Format(4), e.Difference.Hi.Format(4), c.want)
		}
	}
}

func TestEquivalentPairedRefuses(t *testing.T) {
	for name, e := range map[string]Equivalence{
		"no items":        EquivalentPaired(0, 0, 0, .05, .05),
		"negative":        EquivalentPaired(-1, 0, 10, .05, .05),
		"more than all":   EquivalentPaired(6, 5, 10, .05, .05),
		"no margin":       EquivalentPaired(1, 2, 10, 0, .05),
		"margin NaN":      EquivalentPaired(1, 2, 10, math.NaN(), .05),
		"alpha of a coin": EquivalentPaired(1, 2, 10, .05, .5),
	} {
		if e.Verdict != SameUnknown || e.P.OK() || e.Difference.Why == "" {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

// Verdict and p-value say the same, the interval holds the value, and the arms can be turned.
func TestEquivalentPairedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 500).Draw(t, "n")
		b := rapid.IntRange(0, n).Draw(t, "b")
		c := rapid.IntRange(0, n-b).Draw(t, "c")
		margin := rapid.Float64Range(.001, .5).Draw(t, "margin")
		e, turned := EquivalentPaired(b, c, n, margin, .05), EquivalentPaired(c, b, n, margin, .05)
		p := e.P.Or(-1)
		if math.Abs(p-.05) > 1e-6 && (p < .05) != (e.Verdict == AreEquivalent) {
			t.Fatalf("p %v is %s", p, e.Verdict)
		}
		lo, hi, v := e.Difference.Lo.Or(9), e.Difference.Hi.Or(-9), e.Difference.Value.Or(9)
		if lo > v+1e-9 || hi < v-1e-9 || hi-lo < 1e-6 || lo < -1 || hi > 1 {
			t.Fatalf("%v in [%v, %v]", v, lo, hi)
		}
		if e.Verdict != turned.Verdict || math.Abs(lo+turned.Difference.Hi.Or(9)) > 1e-9 || math.Abs(p-turned.P.Or(9)) > 1e-9 {
			t.Fatalf("%+v turned is %+v", e, turned)
		}
	})
}

func TestEquivalentFromAnInterval(t *testing.T) {
	interval := func(v, lo, hi float64) percuss.Estimate {
		return percuss.Estimate{Value: percuss.Num(v), Lo: percuss.Num(lo), Hi: percuss.Num(hi), Level: .9}
	}
	z := normalQuantile(.9)
	for _, c := range []struct {
		e    percuss.Estimate
		want Same
		p    float64
	}{
		// A standard deviation of 0.01, two of them to the margin on the nearer side: the chance of more than 3 above.
		{interval(.02, .02-.01*z, .02+.01*z), AreEquivalent, math.Erfc(3/math.Sqrt2) / 2},
		{interval(.05, .05-.01*z, .05+.01*z), SameUnknown, .5},
		{interval(-.09, -.09-.01*z, -.09+.01*z), AreDifferent, 1 - math.Erfc(4/math.Sqrt2)/2},
		{interval(0, 0, 0), AreEquivalent, 0},
		{interval(.05, .05, .05), SameUnknown, 1},
	} {
		got := Equivalent(c.e, .05)
		if got.Verdict != c.want || math.Abs(got.P.Or(-1)-c.p) > 1e-9 {
			t.Errorf("%v: %s, p %v; want %s, %v", c.e, got.Verdict, got.P, c.want, c.p)
		}
	}
	for name, e := range map[string]percuss.Estimate{"absent": percuss.Absent("nothing"), "no interval": {Value: percuss.Num(0), Level: .9}} {
		if got := Equivalent(e, .05); got.Verdict != SameUnknown || got.P.OK() {
			t.Errorf("%s: %+v", name, got)
		}
	}
	if got := Equivalent(interval(0, -.01, .01), -1); got.Verdict != SameUnknown {
		t.Errorf("a negative margin: %+v", got)
	}
}

// paired draws the difference of two arms of 0 and 1 on the same items.
func pairedDraws(t *testing.T, a, b []float64, replicates int) *Draws {
	t.Helper()
	one := func(v []float64) *Draws {
		x := make(Sums, len(v))
		for i := range v {
			x[i] = []float64{v[i], 1}
		}
		d, err := Draw(Sample{Key: "set", Sums: x}, func(s []float64) []percuss.Number {
			return []percuss.Number{percuss.Num(s[0] / s[1])}
		}, Options{Seed: 1, Replicates: replicates, Metrics: []Metric{rate}})
		if err != nil {
			t.Fatal(err)
		}
		return d
	}
	d, err := Subtract(one(a), one(b))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// openpharma/rbmi#220: twice the smaller tail went above 1 where many replicates are exactly 0.
func TestRbmi220(t *testing.T) {
	a := []float64{1, 1, 0, 0, 1, 0}
	near(t, "equal arms", pairedDraws(t, a, a, 199).PValues()[0], 1, 0)
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 6).Draw(rt, "n")
		one := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(rt, "a")
		other := rapid.SliceOfN(rapid.Float64Range(0, 1), n, n).Draw(rt, "b")
		if p, ok := pairedDraws(t, one, other, 50).PValues()[0].Get(); !ok || p > 1 || p < 2.0/51-1e-12 {
			rt.Fatalf("p = %v", p)
		}
	})
}

func TestBootstrapPValues(t *testing.T) {
	var a, b []float64
	for i := range 80 {
		a, b = append(a, bit(i%2 == 0)), append(b, bit(i%8 == 0))
	}
	near(t, "a clear difference", pairedDraws(t, a, b, 999).PValues()[0], 2.0/1000, 0)
	// Three of 80 items moved, all one way: McNemar says 0.25, the bootstrap about 2·(1−3/80)^80 = 0.09.
	c := append([]float64(nil), a...)
	c[1], c[3], c[5] = 1, 1, 1
	near(t, "few changes", pairedDraws(t, c, a, 1999).PValues()[0], .09, .02)
	empty, err := Draw(Sample{Key: "set"}, nil, Options{Metrics: []Metric{rate}})
	if err != nil {
		t.Fatal(err)
	}
	if p := empty.PValues(); len(p) != 1 || p[0].OK() {
		t.Errorf("without items: %v", p)
	}
}

// bit is 1 for true.
func bit(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func TestSpearmanAbsences(t *testing.T) {
	if e := Spearman(numbers(1, 2, 3), numbers(5, 5, 5), .95); e.Value.OK() || !strings.Contains(e.Why, "does not vary") {
		t.Errorf("%+v", e)
	}
	e := Spearman(append(numbers(1, 2, 3, 4), percuss.Number{}), numbers(1, 8, 27, 64, 125), .95)
	near(t, "a monotone curve", e.Value, 1, 0)
	if e.N != 4 || len(e.Warnings) != 2 || e.Lo.OK() {
		t.Errorf("%+v", e)
	}
}

func TestDrawsAtAnotherLevel(t *testing.T) {
	a, b := make([]float64, 60), make([]float64, 60)
	for i := range a {
		a[i], b[i] = bit(i%3 == 0), bit(i%5 == 0)
	}
	d := pairedDraws(t, a, b, 500)
	wide, narrow := d.Estimates()[0], d.At(.8).Estimates()[0]
	if narrow.Level != .8 || wide.Level != .95 || !(wide.Lo.Or(9) < narrow.Lo.Or(-9) && narrow.Hi.Or(9) < wide.Hi.Or(-9)) || narrow.Value != wide.Value {
		t.Errorf("%+v at level 0.8 is %+v", wide, narrow)
	}
	if same := d.At(2).Estimates()[0]; same.Level != .95 {
		t.Errorf("level 2: %+v", same)
	}
}
