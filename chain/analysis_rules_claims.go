package chain

import (
	"fmt"

	"github.com/percuss/percuss"
)

// fairKappa: agreement above it is moderate or better (Landis and Koch 1977).
const fairKappa = 0.40

// claims are that the token rule and each judge agree, on the trials of the table of agreements: comparable ones, of each
// model under its first prompt.
func (a *ruleAnalysis) claims(*summary) []percuss.Claim {
	if len(a.families) == 0 || len(a.found.models) == 0 {
		return nil
	}
	var out []percuss.Claim
	for n, p := range a.pairs() {
		if p[0] == 0 && a.rules[p[1]].judge {
			out = append(out, a.agreement(n, a.rules[p[1]].id))
		}
	}
	return out
}

// agreement is the claim of the n-th pair, the token rule and a judge.
func (a *ruleAnalysis) agreement(n int, judge string) percuss.Claim {
	e, _, _ := a.found.pooled.pair(n)
	trials := a.found.pooled.both(n)
	shown := measured("kappa", e)
	if e.Value.OK() {
		shown = fmt.Sprintf("kappa %s over %s of %s", span(e), plural(trials, "comparable trial"), plural(e.N, "item"))
	}
	return claim("rule-and-judge", judge, fmt.Sprintf("The token rule and the judge agree better than %.2f (Cohen's kappa) on whether a chain uses the edit.", fairKappa),
		exceeds(e, fairKappa), e, shown, fmt.Sprintf("a kappa whose interval ends below %.2f", fairKappa))
}

// exceeds asks whether a quantity is above a threshold.
func exceeds(e percuss.Estimate, threshold float64) percuss.Holds {
	lo, hasLo := e.Lo.Get()
	hi, hasHi := e.Hi.Get()
	switch {
	case !hasLo || !hasHi:
		return percuss.CannotTell
	case lo > threshold:
		return percuss.ClaimHolds
	case hi < threshold:
		return percuss.ClaimFails
	}
	return percuss.CannotTell
}
