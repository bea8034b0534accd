package cli

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/stat"
)

// mostFailed is the share of a model's calls that may have no answer.
const mostFailed = 0.03

// callClaims are claims about the calls of a run: that the answers all come from one model, and that they are there.
func callClaims(calls []report.Calls) []percuss.Claim {
	var out []percuss.Claim
	for _, c := range calls {
		out = append(out, oneModel(c), answeredCalls(c))
	}
	return out
}

// oneModel claims that a back-end said the same of itself all the time.
func oneModel(c report.Calls) percuss.Claim {
	told := 0
	var names []string
	for _, r := range c.Reported {
		told += r.N
		names = append(names, fmt.Sprintf("%s (%d)", r.Name, r.N))
	}
	out := percuss.Claim{ID: "one-model", Subject: c.Model, Says: "The back-end reported the same model throughout.", Verdict: percuss.CannotTell,
		Measure: percuss.Estimate{Value: percuss.Num(float64(len(c.Reported))), N: told}, Against: "answers under two reported names",
		Shown: "reported: " + strings.Join(names, ", ")}
	switch len(c.Reported) {
	case 0:
		out.Shown, out.Measure = "the back-end reports no model", percuss.Absent("the back-end reports no model")
	case 1:
		out.Verdict = percuss.ClaimHolds
	default:
		out.Verdict = percuss.ClaimFails
	}
	return out
}

// answeredCalls claims that the calls of a model have answers.
func answeredCalls(c report.Calls) percuss.Claim {
	failed := 0
	for _, o := range c.Outcomes {
		if o.Name == string(percuss.Failed) {
			failed += o.N
		}
	}
	e := stat.Wilson(failed, c.Requests, 0)
	out := percuss.Claim{ID: "answered", Subject: c.Model, Says: fmt.Sprintf("At most %.0f %% of the calls have no answer.", 100*mostFailed),
		Verdict: percuss.ClaimHolds, Measure: e, Shown: fmt.Sprintf("without an answer: %d of %d", failed, c.Requests),
		Against: fmt.Sprintf("more than %.0f %% of the calls; the command of the run asks them again", 100*mostFailed)}
	switch v, ok := e.Value.Get(); {
	case !ok:
		out.Verdict = percuss.CannotTell
	case v > mostFailed:
		out.Verdict = percuss.ClaimFails
	}
	return out
}

// What the claims about an evidence audit allow.
const (
	leastLead    = 0.05 // a lead over "always A" that surely is smaller is none
	coin         = 0.5
	nearCoin     = 0.05 // how near to a coin an interval must lie for the signs to be one's
	mostUnscored = 0.03 // share of cases
	mostUnder    = 0.5  // share of salient interactions below the floor
)

// caseClaims are the claims that the findings of an evidence audit allow, cell by cell.
func caseClaims(f evidence.Findings) []percuss.Claim {
	var out []percuss.Claim
	for _, c := range f.Cells {
		subject := c.Model + " on " + c.Set
		if c.Variant != "" {
			subject += ", " + c.Variant
		}
		for _, claim := range []percuss.Claim{scored(c, f.Level), beatsFirst(c), overFloor(c, f.Level), signs(c)} {
			claim.Subject = subject
			out = append(out, claim)
		}
	}
	return out
}

// scored claims that the cases have the scores that interactions take.
func scored(c evidence.Cell, level float64) percuss.Claim {
	e := stat.Wilson(c.Cases-c.Scored, c.Cases, level)
	out := percuss.Claim{ID: "scored", Says: fmt.Sprintf("At most %.0f %% of the cases are missing from the interactions.", 100*mostUnscored),
		Verdict: percuss.ClaimHolds, Measure: e, Shown: fmt.Sprintf("not scored: %d of %d", c.Cases-c.Scored, c.Cases),
		Against: fmt.Sprintf("more than %.0f %% of the run's cases", 100*mostUnscored)}
	switch v, ok := e.Value.Get(); {
	case !ok:
		out.Verdict = percuss.CannotTell
	case v > mostUnscored:
		out.Verdict = percuss.ClaimFails
	}
	return out
}

// beatsFirst claims that the model beats the policy that always takes the first candidate.
func beatsFirst(c evidence.Cell) percuss.Claim {
	out := percuss.Claim{ID: "beats-always-a", Says: "The model names the gold diagnosis more often than \"always A\" does on these cases.", Verdict: percuss.CannotTell,
		Measure: c.Accuracy, Shown: "accuracy is missing: " + c.Accuracy.Why,
		Against: fmt.Sprintf("an accuracy whose interval ends less than %g above that of \"always A\"", leastLead)}
	lo, hasLo := c.Accuracy.Lo.Get()
	hi, hasHi := c.Accuracy.Hi.Get()
	first, ok := c.AlwaysA.Value.Get()
	if !hasLo || !hasHi || !ok {
		return out
	}
	out.Shown = fmt.Sprintf("accuracy %s (%.3f to %.3f), n = %d; always A %.3f", c.Accuracy.Value.Format(3), lo, hi, c.Accuracy.N, first)
	switch {
	case lo > first:
		out.Verdict = percuss.ClaimHolds
	case hi < first+leastLead:
		out.Verdict = percuss.ClaimFails
	}
	return out
}

// overFloor claims that most salient interactions are stronger than noise alone makes them.
func overFloor(c evidence.Cell, level float64) percuss.Claim {
	out := percuss.Claim{ID: "noise-floor", Says: "Most salient interactions are stronger than what noise alone exceeds once in twenty times.", Verdict: percuss.CannotTell,
		Shown: "no prompt was repeated", Measure: percuss.Absent("no prompt was repeated"),
		Against: "a share below the floor whose interval lies above one half"}
	under, of, seen := 0, 0, false
	for _, row := range c.Floor {
		switch {
		case row.Source != "batch" || row.Order == 0:
		case row.Floor.OK():
			under, of, seen = under+row.Under, of+row.Of, true
		case !seen && row.Why != "":
			out.Shown, out.Measure = row.Why, percuss.Absent(row.Why)
		}
	}
	if !seen {
		return out
	}
	e := stat.Wilson(under, of, level)
	e.Method += ", interactions taken as independent"
	out.Measure, out.Shown = e, fmt.Sprintf("below the floor of their order: %d of %d", under, of)
	switch lo, hi := e.Lo.Or(0), e.Hi.Or(1); {
	case hi < mostUnder:
		out.Verdict = percuss.ClaimHolds
	case lo > mostUnder:
		out.Verdict = percuss.ClaimFails
	}
	return out
}

// signs claims that what is called suspicious is so by the model's own signs: a coin for the signs gives one half.
func signs(c evidence.Cell) percuss.Claim {
	e := c.Gold.SameSets.ByCount
	out := percuss.Claim{ID: "signs", Says: "How many salient interactions count as suspicious is not what a coin for their signs would give.", Verdict: percuss.CannotTell,
		Measure: e, Shown: "share made suspicious by the model's own sign is missing: " + e.Why,
		Against: fmt.Sprintf("an interval of the share within %g of one half", nearCoin)}
	lo, hasLo := e.Lo.Get()
	hi, hasHi := e.Hi.Get()
	if !hasLo || !hasHi {
		return out
	}
	out.Shown = fmt.Sprintf("share made suspicious by the model's own sign %s (%.3f to %.3f), n = %d", e.Value.Format(3), lo, hi, e.N)
	switch {
	case lo > coin || hi < coin:
		out.Verdict = percuss.ClaimHolds
	case lo > coin-nearCoin && hi < coin+nearCoin:
		out.Verdict = percuss.ClaimFails
	}
	return out
}
