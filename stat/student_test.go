package stat

import (
	"math"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// The reference values have closed forms: 1 degree is Cauchy's distribution, 2 degrees 1−t/√(t²+2), 4 degrees by parts.
func TestStudentP(t *testing.T) {
	one := func(x float64) float64 { return 1 - 2/math.Pi*math.Atan(x) }
	two := func(x float64) float64 { return 1 - x/math.Sqrt(x*x+2) }
	four := func(x float64) float64 {
		s := x / math.Sqrt(4+x*x)
		return 1 - 1.5*(s-s*s*s/3)
	}
	for _, x := range []float64{0, 0.01, 0.5, 1, 1.96, 3, 10} {
		for dof, want := range map[int]float64{1: one(x), 2: two(x), 4: four(x), 2_000_000: math.Erfc(x / math.Sqrt2)} {
			got, ok := StudentP(-x, dof).Get()
			if !ok || math.Abs(got-want) > 1e-12+1e-6*want {
				t.Errorf("StudentP(%v, %d) = %v, want %v", -x, dof, got, want)
			}
		}
	}
	// Far out the closed form of 2 degrees is 1/t² to first order.
	if got := StudentP(1e6, 2).Or(0); math.Abs(got*1e12-1) > 1e-6 {
		t.Errorf("far tail: %v", got)
	}
	if got := StudentP(1e200, 3); got.Or(1) != 0 {
		t.Errorf("beyond all: %v", got)
	}
	for _, dof := range []int{0, -1} {
		if StudentP(1, dof).OK() {
			t.Errorf("%d degrees of freedom have a p-value", dof)
		}
	}
	if StudentP(math.NaN(), 3).OK() || StudentP(math.Inf(1), 3).Or(1) != 0 {
		t.Error("NaN must be missing, infinity certain")
	}
}

func TestStudentPFallsInBothArguments(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		x, dof := rapid.Float64Range(0, 50).Draw(t, "t"), rapid.IntRange(1, 3_000_000).Draw(t, "dof")
		p := StudentP(x, dof).Or(-1)
		if further := StudentP(x+0.1, dof).Or(2); further > p {
			t.Fatalf("p grows with t: %v then %v", p, further)
		}
		if p < StudentP(x, dof+1).Or(2)-1e-8 || p < 0 || p > 1 {
			t.Fatalf("p = %v, with one degree more %v", p, StudentP(x, dof+1))
		}
		if StudentP(-x, dof) != StudentP(x, dof) {
			t.Fatal("the two sides differ")
		}
	})
}

// The closed forms again: 1 degree is Cauchy's distribution, 2 degrees are t = (1−p)·√(2/(p(2−p))).
func TestStudentQuantile(t *testing.T) {
	for _, p := range []float64{0.9, 0.5, 0.05, 0.01, 1e-6} {
		for dof, want := range map[int]float64{1: math.Tan(math.Pi / 2 * (1 - p)), 2: (1 - p) * math.Sqrt(2/(p*(2-p))),
			2_000_000: math.Sqrt2 * math.Erfcinv(p)} {
			got, ok := StudentQuantile(p, dof).Get()
			if !ok || math.Abs(got-want) > 1e-6*want {
				t.Errorf("StudentQuantile(%v, %d) = %v, want %v", p, dof, got, want)
			}
		}
	}
	for _, c := range []struct {
		p   float64
		dof int
	}{{0, 3}, {1, 3}, {-1, 3}, {math.NaN(), 3}, {0.05, 0}} {
		if StudentQuantile(c.p, c.dof).OK() {
			t.Errorf("a quantile of p %v with %d degrees of freedom", c.p, c.dof)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p, dof := rapid.Float64Range(1e-9, 0.999).Draw(t, "p"), rapid.IntRange(1, 500).Draw(t, "dof")
		q, ok := StudentQuantile(p, dof).Get()
		if back := StudentP(q, dof).Or(-1); !ok || math.Abs(back-p) > 1e-8 {
			t.Fatalf("what is exceeded with probability %v is exceeded with %v", p, back)
		}
	})
}

func TestDiscoveriesAreThoseOfTheAdjustedValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(0, 1), rapid.Float64Range(0, 0.01)), 1, 60).Draw(t, "p")
		const q = 0.05
		numbers, small := make([]percuss.Number, len(all)), []float64{}
		for i, p := range all {
			numbers[i] = percuss.Num(p)
			if p <= q {
				small = append(small, p)
			}
		}
		cut := Discoveries(small, len(all), q)
		for i, adjusted := range BenjaminiHochberg(numbers) {
			listed := cut.OK() && all[i] <= cut.Or(-1)
			// Where the rounding of p·n/k and of q·k/n could differ, either is right.
			if a := adjusted.Or(2); math.Abs(a-q) > 1e-12 && listed != (a <= q) {
				t.Fatalf("p %v: listed %v, adjusted %v", all[i], listed, a)
			}
		}
	})
	if Discoveries(nil, 10, 0.05).OK() {
		t.Error("no p-value gives an empty list")
	}
}

func TestQuantile(t *testing.T) {
	values := []float64{4, 1, 3, 2}
	for q, want := range map[float64]float64{0: 1, 0.25: 1.75, 0.5: 2.5, 1: 4} {
		if got := Quantile(values, q).Or(-1); got != want {
			t.Errorf("%v: %v, want %v", q, got, want)
		}
	}
	if values[0] != 4 {
		t.Error("the values were reordered")
	}
	for _, bad := range []percuss.Number{Quantile(nil, .5), Quantile(values, 1.1), Quantile(values, math.NaN()), Quantile([]float64{math.NaN()}, .5)} {
		if bad.OK() {
			t.Error("a quantile of nothing")
		}
	}
}
