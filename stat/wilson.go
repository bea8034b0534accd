package stat

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

const wilsonMethod = "Wilson score"

// Wilson estimates a binomial rate from k successes in n independent units, with Wilson's score interval without
// continuity correction (Wilson 1927; Brown, Cai and DasGupta 2001, section 3.1.1). The interval is never of zero
// width, also not for 0 of n or n of n. Level 0 means DefaultLevel. With n = 0, or counts that are no counts, the
// estimate is absent and says why.
//
// The units must be independent: for trials of which several share an item, use Bootstrap.
func Wilson(k, n int, level float64) percuss.Estimate {
	level, err := levelOf(level)
	switch {
	case err != nil:
		return percuss.Absent(err.Error())
	case n == 0 && k == 0:
		return percuss.Absent("the denominator is 0")
	case n < 0 || k < 0 || k > n:
		return percuss.Absent(fmt.Sprintf("%d of %d is no rate", k, n))
	}
	lo, hi := wilson(float64(k), float64(n), level)
	return percuss.Estimate{
		Value: percuss.Num(float64(k) / float64(n)), Lo: percuss.Num(lo), Hi: percuss.Num(hi), Level: level,
		Num: percuss.Num(float64(k)), Den: percuss.Num(float64(n)), N: n, Method: wilsonMethod,
	}
}

// wilson returns the score interval of k in n > 0 units; k may be fractional, 0 ≤ k ≤ n.
func wilson(k, n, level float64) (lo, hi float64) {
	z := normalQuantile(level)
	z2 := z * z
	centre := (k + z2/2) / (n + z2)
	half := z / (n + z2) * math.Sqrt(k*(n-k)/n+z2/4)
	lo, hi = centre-half, centre+half
	// At the ends the algebra gives exactly 0 and 1; rounding does not.
	if k == 0 {
		lo = 0
	}
	if k == n {
		hi = 1
	}
	return max(lo, 0), min(hi, 1)
}
