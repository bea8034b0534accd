package stat

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

func TestWilsonRefusesWhatIsNoRate(t *testing.T) {
	for _, e := range []percuss.Estimate{Wilson(0, 0, .95), Wilson(3, 2, .95), Wilson(-1, 2, .95), Wilson(1, 2, 95), Wilson(0, -1, .95), Wilson(1, 2, math.NaN())} {
		if e.Value.OK() || e.Lo.OK() || e.Why == "" {
			t.Errorf("%+v", e)
		}
	}
}

func TestWilsonProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5000).Draw(t, "n")
		k := rapid.IntRange(0, n).Draw(t, "k")
		e, turned := Wilson(k, n, .95), Wilson(n-k, n, .95)
		lo, v, hi := e.Lo.Or(-1), e.Value.Or(-1), e.Hi.Or(-1)
		if lo < 0 || lo > v || v > hi || hi > 1 || hi-lo <= 0 {
			t.Fatalf("%d of %d: [%v, %v] around %v", k, n, lo, hi, v)
		}
		if math.Abs(turned.Lo.Or(9)-(1-hi)) > 1e-12 {
			t.Fatalf("%d of %d is not the mirror of %d", k, n, n-k)
		}
	})
}

func TestMcNemarProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		b, c := rapid.IntRange(0, 400).Draw(t, "b"), rapid.IntRange(0, 400).Draw(t, "c")
		exact, mid := McNemar(b, c).Or(-1), McNemarMidP(b, c).Or(-1)
		if exact < 0 || exact > 1 || mid < 0 || mid > exact+1e-12 {
			t.Fatalf("p %v, mid-p %v", exact, mid)
		}
		if b != c && math.Abs(exact-McNemar(c, b).Or(-1)) > 0 {
			t.Fatal("not symmetric")
		}
	})
	if McNemar(0, 0) != percuss.Num(1) || McNemarMidP(4, 4) != percuss.Num(1) {
		t.Error("no change, or as many either way, is no evidence: p is 1")
	}
	if McNemar(-1, 2).OK() || McNemarMidP(2, -1).OK() {
		t.Error("negative counts have no p-value")
	}
	if p := McNemar(200000, 201000).Or(-1); !(p > 0.1 && p < 0.12) {
		t.Errorf("large counts: p = %v, the normal approximation gives 0.114", p)
	}
}

func TestAdjustedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SliceOf(rapid.Float64Range(0, 1)).Draw(t, "p")
		holm, bh := Holm(numbers(p...)), BenjaminiHochberg(numbers(p...))
		for i := range p {
			h, b := holm[i].Or(-1), bh[i].Or(-1)
			// p ≤ BH ≤ Holm ≤ Bonferroni
			if b < p[i]-1e-15 || h < b-1e-12 || h > min(1, float64(len(p))*p[i])+1e-12 {
				t.Fatalf("p %v: Holm %v, Benjamini-Hochberg %v of %d", p[i], h, b, len(p))
			}
			for j := range p {
				if p[i] < p[j] && (holm[i].Or(0) > holm[j].Or(0) || bh[i].Or(0) > bh[j].Or(0)) {
					t.Fatal("the order of p-values changed")
				}
			}
		}
	})
}

func TestAdjustedLeavesMissingOut(t *testing.T) {
	p := []percuss.Number{percuss.Num(.02), {}, percuss.Num(.03), percuss.Num(1.5)}
	for _, adjust := range []func([]percuss.Number) []percuss.Number{Holm, BenjaminiHochberg} {
		got := adjust(p)
		if got[1].OK() || got[3].OK() {
			t.Error("a missing p-value got an adjusted one")
		}
		near(t, "largest of two", got[2], max(.03, got[0].Or(0)), 1e-12)
	}
	near(t, "family of two", Holm(p)[0], .04, 1e-12)
}

func TestCorrelationEdges(t *testing.T) {
	gap := []percuss.Number{percuss.Num(1), {}, percuss.Num(2), percuss.Num(4), percuss.Num(3), percuss.Num(7)}
	full := numbers(2, 9, 1, 5, 4, 6)
	type correlate func(x, y []percuss.Number, level float64) percuss.Estimate
	for name, f := range map[string]correlate{"Pearson": Pearson, "Kendall": KendallTauB} {
		e := f(gap, full, 0)
		if e.N != 5 || len(e.Warnings) != 1 || !strings.HasPrefix(e.Warnings[0], "1 of 6 pairs left out") || !e.Lo.OK() || e.Level != .95 {
			t.Errorf("%s with a gap: %+v", name, e)
		}
		line := f(numbers(1, 2, 3, 4, 5), numbers(-2, -4, -6, -8, -10), .95)
		if line.Value != percuss.Num(-1) || line.Lo.OK() || len(line.Warnings) != 1 {
			t.Errorf("%s on a line: %+v", name, line)
		}
		if short := f(numbers(1, 2, 3), numbers(1, 3, 2), .95); !short.Value.OK() || short.Lo.OK() || len(short.Warnings) != 1 {
			t.Errorf("%s of three pairs: %+v", name, short)
		}
		for _, e := range []percuss.Estimate{
			f(numbers(1, 1, 1), numbers(1, 2, 3), .95), f(numbers(1, 2), numbers(1), .95), f(nil, nil, .95), f(full, full, 7),
		} {
			if e.Value.OK() || e.Why == "" {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
	// Sums of squares would overflow, or vanish.
	want := Pearson(numbers(1, -1, .5, 0), numbers(1, 2, 3, 5), .95).Value.Or(9)
	for _, unit := range []float64{1e308, 1e-300} {
		near(t, "r in odd units", Pearson(numbers(unit, -unit, unit/2, 0), numbers(1, 2, 3, 5), .95).Value, want, 1e-12)
	}
}

func TestQuantileOfAnyValues(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		v := rapid.SliceOfN(rapid.Float64Range(-3, 3), 1, 60).Draw(t, "v")
		if rapid.Bool().Draw(t, "tied") {
			for i := range v {
				v[i] = math.Round(v[i])
			}
		}
		q := rapid.Float64Range(0, 1).Draw(t, "q")
		sorted := slices.Sorted(slices.Values(v))
		h := q * float64(len(v)-1)
		k := int(h)
		want := sorted[k]
		if k+1 < len(v) {
			want += (h - float64(k)) * (sorted[k+1] - sorted[k])
		}
		if got := quantile(v, q); math.Abs(got-want) > 1e-12 {
			t.Fatalf("quantile %v = %v, want %v", q, got, want)
		}
	})
}
