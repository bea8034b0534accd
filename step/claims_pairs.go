package step

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// leastShift is the difference of error rates below which there is none to speak of.
const leastShift = 0.02

// control is another look at a change of the error rate, by which a stated verdict is held.
type control struct {
	id, says string
	change   percuss.Estimate
	by       string // whose change, in words
}

// pairClaims are claims about the comparisons that have a verdict: that the change of the error rate is still there when it
// is looked at otherwise.
func (s *summary) pairClaims() []percuss.Claim {
	out := []percuss.Claim{}
	for _, p := range s.compared {
		if p.View != s.firstView() || p.Verdict == Untold {
			continue
		}
		for _, c := range s.controlsOf(p) {
			out = append(out, c.claim(p))
		}
	}
	return out
}

// claim is the claim that a verdict holds under the control.
func (c control) claim(p Pair) percuss.Claim {
	way, e := "rises", c.change
	if sign(p.Errors) < 0 {
		way, e = "falls", negative(c.change)
	}
	subject := fmt.Sprintf("%s after %s on %s, by %s", p.After, p.Before, p.Set, p.Judge)
	if p.Variant != "" {
		subject += ", " + p.Variant
	}
	return percuss.Claim{ID: c.id, Subject: subject, Says: c.says, Verdict: e.Above(leastShift), Measure: c.change,
		Shown:   fmt.Sprintf("the error rate %s by %s; %s: %s", way, told(p.Errors, 100, " points"), c.by, told(c.change, 100, " points")),
		Against: fmt.Sprintf("a change whose interval ends less than %.0f points on the verdict's side of zero", 100*leastShift)}
}

// negative is a difference the other way round.
func negative(e percuss.Estimate) percuss.Estimate {
	turned := func(n percuss.Number) percuss.Number {
		v, ok := n.Get()
		if !ok {
			return n
		}
		return percuss.Num(-v)
	}
	e.Value, e.Lo, e.Hi = turned(e.Value), turned(e.Hi), turned(e.Lo)
	return e
}

// controlsOf are the looks at a comparison that the run allows.
func (s *summary) controlsOf(p Pair) []control {
	var out []control
	for _, o := range s.compared {
		if o.Name != p.Name || o.Before != p.Before || o.After != p.After || o.Set != p.Set || o.Variant != p.Variant {
			continue
		}
		switch {
		case o.Judge == p.Judge && o.View != p.View:
			if c, ok := viewControls[o.View]; ok {
				out = append(out, control{c.id, c.says, o.Errors, fmt.Sprintf(c.by, o.View)})
			}
		case o.Judge != p.Judge && o.View == p.View:
			out = append(out, control{"verdict-judge", "The change of the error rate is there for another judge, too.", o.Errors, "by " + o.Judge})
		}
	}
	if _, known := s.quality[p.Judge]; known {
		out = append(out, control{"verdict-corrected", "The change of the error rate is there when the judge's own errors are reckoned with.", p.Corrected, "corrected"})
	}
	out = append(out, control{"verdict-length", "The change of the error rate is there between steps of equal length.", s.equalLength(p), "with the steps of both models weighted to one mix of lengths"},
		control{"verdict-right", "The change of the error rate is there on the items that both models answer correctly.", s.bothRight(p), "on items that the vote of both answers correctly"})
	if change, n := s.expertChange(p); n > 0 {
		out = append(out, control{"verdict-experts", "The change of the error rate is there for experts, too.", change, fmt.Sprintf("by experts, %s", plural(n, "labelled step"))})
	}
	return out
}

// viewControls are the claims that other views allow; by takes the view's name.
var viewControls = map[string]struct{ id, says, by string }{
	"markers":    {"verdict-cut", cutSays, "cut by %s"},
	"sentence":   {"verdict-cut", cutSays, "cut by %s"},
	"paragraph":  {"verdict-cut", cutSays, "cut by %s"},
	"raw":        {"verdict-raw", "The change of the error rate is there when steps are shown as they were written.", "as they were written (%s)"},
	"gold":       {"verdict-gold", "The change of the error rate is there when the judge sees the right answer.", "with the right answer (%s)"},
	"paraphrase": {"verdict-paraphrase", "The change of the error rate is there when a neutral model puts the steps in its words.", "in the words of a neutral model (%s)"},
}

const cutSays = "The change of the error rate is there when chains are cut into steps in another way."

// bothRight is the change of the error rate on the items that the votes of both models answer correctly.
func (s *summary) bothRight(p Pair) (change percuss.Estimate) {
	votes, r := s.votesOf(p), traceID{p.Judge, p.View}.wrong("")
	rows := s.paired(p, func(item string) bool { return votes[item] == 2 }, r)
	rows.Fill(p.Set, s.o, []stat.Figure{changed(&change, r, orElse(len(rows.Items()) == 0, "no item is answered correctly by the votes of both models", noVerdict))})
	return change
}

// equalLength is the change of the error rate with the steps of both models weighted to the lengths of all of them together.
// Lengths that one of the two does not have are left out.
func (s *summary) equalLength(p Pair) percuss.Estimate {
	t := traceID{p.Judge, p.View}
	var ratios []stat.Ratio
	var columns []string
	for _, part := range lengthParts {
		r := t.wrong(part)
		ratios = append(ratios, r)
		columns = append(columns, "a/"+r.Num, "a/"+r.Den, "b/"+r.Num, "b/"+r.Den)
	}
	return s.clustered(s.paired(p, anyItem, ratios...), columns, stat.Metric{Difference: true, Absent: "the two models have no steps of one length"}, standardised)
}

// standardised is the difference of two rates over parts, each weighted by what both models have of it: of each part errors and
// steps of the first, then of the second. Missing where no part has steps of both.
func standardised(of []float64) percuss.Number {
	sum, all := 0.0, 0.0
	for ; len(of) >= 4; of = of[4:] {
		if a, b := of[1], of[3]; a > 0 && b > 0 {
			sum += (a + b) * (of[2]/b - of[0]/a)
			all += a + b
		}
	}
	if all == 0 {
		return percuss.Number{}
	}
	return percuss.Num(sum / all)
}
