package step

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// What the claims allow. The abstract names none of these limits: they are ours.
const (
	mostMalformed = 0.05 // share of a judge's replies about steps without a verdict
	mostUnread    = 0.03 // share of a cell's chains without an answer that was read
	mostCut       = 0.05 // share of a cell's chains cut at the token limit
	leastKappa    = 0.6  // of a judge with itself; above it agreement is substantial (Landis and Koch)
	leastYouden   = 0.05 // a judge that is surely less than this above a guess is none
	leastRepeats  = 20   // repeated steps without any disagreement that tell agreement
)

// claims are what the tables seem to say, and whether the run bears it out.
func (s *summary) claims() []percuss.Claim {
	out := []percuss.Claim{}
	if len(s.cells) == 0 {
		return out
	}
	for at, j := range s.a.o.Judges {
		for _, c := range []percuss.Claim{s.judgeForm(at), s.judgeRepeats(at), s.judgeGuess(j.ID)} {
			c.Subject = j.ID
			out = append(out, c)
		}
	}
	for i, c := range s.found {
		out = append(out, s.chainsRead(c, s.cells[i]), s.chainsCut(c, s.cells[i]))
	}
	return slices.Concat(out, s.leakClaims(), s.pairClaims())
}

// seenSteps are the steps of all cells that were judged under the first view.
func (s *summary) seenSteps() []seenStep {
	var out []seenStep
	for _, c := range s.cells {
		out = append(out, c.seen...)
	}
	return out
}

// counted is a claim about a share of what the run itself did: it is counted, and not estimated.
func counted(id, says string, k, n int, most float64, what, against string) percuss.Claim {
	e := stat.Wilson(k, n, 0)
	return percuss.Claim{ID: id, Says: says, Verdict: e.AtMost(most), Measure: e, Shown: orElse(n > 0, fmt.Sprintf("%s: %d of %d", what, k, n), "nothing was asked"),
		Against: fmt.Sprintf("more than %.0f %% %s", 100*most, against)}
}

// judgeForm claims that a judge replies in the form that was asked for.
func (s *summary) judgeForm(judge int) percuss.Claim {
	missing, n := 0, 0
	for _, x := range s.seenSteps() {
		if judge < len(x.says) {
			n++
			missing += int(bit(x.says[judge] == Missing))
		}
	}
	return counted("judge-form", fmt.Sprintf("At most %.0f %% of the judge's replies name no verdict in the form that was asked for.", 100*mostMalformed), missing, n, mostMalformed,
		"steps without a verdict under the first view", "of them; a step without a verdict is in no error rate")
}

// judgeRepeats claims that a judge says the same of a step when it is asked again.
func (s *summary) judgeRepeats(judge int) percuss.Claim {
	out := percuss.Claim{ID: "judge-repeats", Says: "The judge says the same of a step when its examples stand in another order.", Verdict: percuss.CannotTell,
		Against: fmt.Sprintf("a kappa of the judge with itself whose interval lies below %g", leastKappa)}
	found := s.agreementOf(ratedBy(s.cells, threeLabels, func(x seenStep) []Says { return []Says{saidBy(x.says, judge), saidBy(x.again, judge)} }), len(threeLabels))
	if found.steps == 0 {
		out.Measure, out.Shown = percuss.Absent(notRepeated), notRepeated
		return out
	}
	out.Measure = found.kappa
	out.Shown = fmt.Sprintf("the same label for %s %% of %s, kappa %s", percuss.Num(100*found.percent.Value.Or(0)).Format(1), plural(found.steps, "repeated step"), told(found.kappa, 1, ""))
	perfect := found.kappa.Value.OK() && found.percent.Value.Or(0) == 1
	switch lo, hi := found.kappa.Lo.Or(0), found.kappa.Hi.Or(1); {
	case lo > leastKappa, perfect && found.steps >= leastRepeats:
		out.Verdict = percuss.ClaimHolds
	case hi < leastKappa:
		out.Verdict = percuss.ClaimFails
	}
	return out
}

// notRepeated is why a judge's agreement with itself is not known.
const notRepeated = "no step was judged again"

// judgeGuess claims that a judge is better than a guess.
func (s *summary) judgeGuess(judge string) percuss.Claim {
	out := percuss.Claim{ID: "judge-guess", Says: "The judge tells errors from correct steps better than a guess.", Verdict: percuss.CannotTell, Measure: percuss.Absent(noQuality), Shown: noQuality,
		Against: fmt.Sprintf("sensitivity + specificity − 1 with an interval that ends below %g", leastYouden)}
	q, known := s.quality[judge]
	if !known {
		return out
	}
	out.Measure = q.measured().Youden(s.o.Level)
	out.Verdict = out.Measure.Above(leastYouden)
	out.Shown = fmt.Sprintf("sensitivity %.3g, specificity %.3g (%s), Youden's index %s", q.Sensitivity, q.Specificity, q.From, told(out.Measure, 1, ""))
	return out
}

// chainsRead claims that the answers of a cell's chains were read.
func (s *summary) chainsRead(c Cell, of *cell) percuss.Claim {
	n := of.chains()
	out := counted("chains-read", fmt.Sprintf("At most %.0f %% of the chains have no answer that was read.", 100*mostUnread), n-of.states[Read], n, mostUnread, "without an answer that was read",
		"of the model's chains; such a chain has no vote, and what it would have said is not known")
	out.Subject = subjectOf(c)
	return out
}

// chainsCut claims that the limit on tokens cut few chains.
func (s *summary) chainsCut(c Cell, of *cell) percuss.Claim {
	out := counted("chains-cut", fmt.Sprintf("At most %.0f %% of the chains were cut at the token limit.", 100*mostCut), of.outcomes[percuss.Truncated], of.chains(), mostCut, "cut at the token limit",
		"of the model's chains; what was cut off is judged by nobody (--max-tokens)")
	out.Subject = subjectOf(c)
	return out
}

// leakClaims claim that the steps that judges see do not tell which of two models wrote them: of the models that are compared,
// or of all where none is.
func (s *summary) leakClaims() []percuss.Claim {
	var out []percuss.Claim
	pairs := s.leakPairs()
	for _, p := range pairs[:min(len(pairs), mostLeakPairs)] {
		a, b := p[0].subject, p[1].subject
		if compared := slices.ContainsFunc(s.a.o.Pairs, func(c Pairing) bool { return c.Before == a.Model && c.After == b.Model }); !compared && len(s.a.o.Pairs) > 0 {
			continue
		}
		auc := s.leakOf(p[0], p[1]).seen.auc
		subject := fmt.Sprintf("%s and %s on %s", a.Model, b.Model, a.Set)
		if a.Variant != "" {
			subject += ", " + a.Variant
		}
		out = append(out, percuss.Claim{ID: "style-leak", Subject: subject, Says: "The steps that judges see do not give away which of the two models wrote them.", Verdict: auc.Below(smallLeak), Measure: auc,
			Shown:   "area under the curve of a classifier: " + told(auc, 1, ""),
			Against: fmt.Sprintf("an area whose interval lies above %g; models that differ in what they say, right or wrong, can be told apart by that, too", smallLeak)})
	}
	return out
}

// chains are all chains of a cell, answered or not.
func (c *cell) chains() int {
	n := 0
	for _, k := range c.states {
		n += k
	}
	return n
}

// subjectOf names a cell.
func subjectOf(c Cell) string {
	name := c.Model + " on " + c.Set
	if c.Variant != "" {
		name += ", " + c.Variant
	}
	return name
}

// told is an estimate in words, multiplied by factor, with a unit.
func told(e percuss.Estimate, factor float64, unit string) string {
	v, ok := e.Value.Get()
	if !ok {
		return "missing: " + e.Why
	}
	decimals := 2
	if factor > 1 {
		decimals = 1
	}
	number := func(v float64) string { return percuss.Num(factor * v).Format(decimals) }
	lo, hasLo := e.Lo.Get()
	hi, hasHi := e.Hi.Get()
	if !hasLo || !hasHi {
		return number(v) + unit + " (no interval)"
	}
	return fmt.Sprintf("%s%s (%s to %s), n = %d", number(v), unit, number(lo), number(hi), e.N)
}
