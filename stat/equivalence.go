package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// Same says whether two quantities are equivalent within a margin.
type Same string

// The verdicts of an equivalence test. A difference that is significant but inside the margin is equivalent; one whose
// interval crosses the margin cannot be told.
const (
	AreEquivalent Same = "equivalent"  // the whole interval lies inside the margin
	AreDifferent  Same = "different"   // the whole interval lies outside
	SameUnknown   Same = "cannot tell" // it crosses the margin, or there is none
)

// Equivalence is the result of two one-sided tests (Schuirmann 1987).
type Equivalence struct {
	Verdict    Same
	Margin     float64
	Difference percuss.Estimate // with its interval at level 1 − 2α
	P          percuss.Number   // the larger of the two one-sided p-values: equivalent at α where it is below α
}

// Equivalent tests whether a difference lies between −margin and margin, from an estimate whose interval has level
// 1 − 2α, e.g. 0.90 for α = 0.05. The p-value takes each half of the interval as a normal quantile's width, so that it
// agrees with the verdict. Without value or interval, or with a margin that is not positive, the verdict is SameUnknown.
func Equivalent(difference percuss.Estimate, margin float64) Equivalence {
	out := Equivalence{Verdict: SameUnknown, Margin: margin, Difference: difference}
	v, ok := difference.Value.Get()
	lo, hasLo := difference.Lo.Get()
	hi, hasHi := difference.Hi.Get()
	if !ok || !hasLo || !hasHi || !(margin > 0) || !(difference.Level > 0 && difference.Level < 1) {
		return out
	}
	out.Verdict = verdict(lo, hi, margin)
	z := normalQuantile(difference.Level)
	out.P = percuss.Num(max(upperTail((v+margin), (v-lo)/z), upperTail((margin-v), (hi-v)/z)))
	return out
}

// verdict places an interval.
func verdict(lo, hi, margin float64) Same {
	switch {
	case -margin < lo && hi < margin:
		return AreEquivalent
	case lo > margin || hi < -margin:
		return AreDifferent
	}
	return SameUnknown
}

// upperTail is the chance of a normal deviation above distance.
func upperTail(distance, deviation float64) float64 {
	switch {
	case deviation > 0:
		return math.Erfc(distance/deviation/math.Sqrt2) / 2
	case distance > 0:
		return 0
	}
	return 1
}

// EquivalentPaired tests whether two rates on the same n items differ by less than a margin: b items moved in the first
// arm only, c in the second only, and the difference is (b − c) ÷ n. Interval and p-values are those of Tango's score
// test (Tango 1998), which also holds for few changes and for none: with b = c = 0 its interval has the width that n
// allows. Verdict SameUnknown, with a reason in Difference.Why, for counts that are no counts and for a margin or an α
// out of range (0 to 1, α below 0.5).
func EquivalentPaired(b, c, n int, margin, alpha float64) Equivalence {
	out := Equivalence{Verdict: SameUnknown, Margin: margin}
	switch {
	case n == 0 && b == 0 && c == 0:
		out.Difference = percuss.Absent("there are no items")
		return out
	case b < 0 || c < 0 || b+c > n:
		out.Difference = percuss.Absent(fmt.Sprintf("%d and %d changed items of %d are no counts", b, c, n))
		return out
	case !(margin > 0 && margin < 1) || !(alpha > 0 && alpha < 0.5):
		out.Difference = percuss.Absent(fmt.Sprintf("margin %v and α %v: give a margin between 0 and 1 and an α between 0 and 0.5", margin, alpha))
		return out
	}
	t := tango{float64(b), float64(c), float64(n)}
	z := normalQuantile(1 - 2*alpha)
	lo, hi := t.bound(z), t.bound(-z)
	out.Difference = percuss.Estimate{
		Value: percuss.Num(t.difference()), Lo: percuss.Num(lo), Hi: percuss.Num(hi), Level: 1 - 2*alpha,
		Num: percuss.Num(float64(b - c)), Den: percuss.Num(float64(n)), N: n, Method: "paired difference of rates; Tango score",
	}
	out.Verdict = verdict(lo, hi, margin)
	out.P = percuss.Num(max(upperTail(t.score(-margin), 1), upperTail(-t.score(margin), 1)))
	return out
}

// tango are the counts of a paired comparison.
type tango struct{ b, c, n float64 }

func (t tango) difference() float64 { return (t.b - t.c) / t.n }

// score is the score statistic of the hypothesis that the difference is delta: standard normal where that is so, and
// falling in delta. Its variance uses the likeliest chance of a change in the second arm alone given delta.
func (t tango) score(delta float64) float64 {
	distance := t.b - t.c - t.n*delta
	p := 2 * t.n
	q := -t.b - t.c + (2*t.n-t.b+t.c)*delta
	r := -t.c * delta * (1 - delta)
	second := (math.Sqrt(max(0, q*q-4*p*r)) - q) / (2 * p)
	variance := t.n * (2*second + delta*(1-delta))
	if variance > 0 {
		return distance / math.Sqrt(variance)
	}
	if distance == 0 {
		return 0
	}
	return math.Inf(int(math.Copysign(1, distance)))
}

// bound is the delta, −1 to 1, at which the score is z.
func (t tango) bound(z float64) float64 {
	lo, hi := -1.0, 1.0
	for range 100 { // to the last digit
		mid := lo + (hi-lo)/2
		if t.score(mid) > z {
			lo = mid
		} else {
			hi = mid
		}
	}
	return lo + (hi-lo)/2
}
