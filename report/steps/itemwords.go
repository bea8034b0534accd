package steps

import (
	"fmt"
	"strings"

	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// words say what the item came to.
func (v *itemView) words() []string {
	out := []string{v.voteWords()}
	for _, judge := range v.order {
		t := v.tally[judge]
		s := fmt.Sprintf("Judge %s calls %d of %s with a claim an error", judge, t.errors, report.Plural(t.judged, "step"))
		var beside []string
		if t.abstain > 0 {
			beside = append(beside, fmt.Sprintf("%d without a claim", t.abstain))
		}
		if t.missing > 0 {
			beside = append(beside, fmt.Sprintf("%d without a verdict", t.missing))
		}
		if len(beside) > 0 {
			s += " (beside them " + strings.Join(beside, ", ") + ")"
		}
		out = append(out, s+".")
	}
	if n, of := v.flagged(); n > 0 {
		out = append(out, fmt.Sprintf("Checks without a judge found something in %d of %s.", n, report.Plural(of, "step")))
	}
	return out
}

func (v *itemView) voteWords() string {
	k := len(v.Record.Chains)
	switch {
	case k == 0:
		return "No chain was asked for."
	case len(v.Votes) == 0:
		return fmt.Sprintf("Of %s none has an answer that could be read.", report.Plural(k, "chain"))
	case v.tied():
		var names []string
		for _, o := range v.Votes {
			if o.N == v.Votes[0].N {
				names = append(names, o.Answer)
			}
		}
		return fmt.Sprintf("The vote is tied: %s have %d of %d votes each. The right answer is %s.", strings.Join(names, " and "), v.Votes[0].N, v.Votes[0].Of, orElse(v.Record.Gold, "not known"))
	}
	first := v.Votes[0]
	out := fmt.Sprintf("%d of %s with an answer say %s, which is ", first.N, report.Plural(first.Of, "chain"), first.Answer)
	if first.Gold {
		out += "right."
	} else {
		out += fmt.Sprintf("wrong: the right answer is %s.", orElse(v.Record.Gold, "not known"))
	}
	if n := k - first.Of; n > 0 {
		out += fmt.Sprintf(" %s without an answer that could be read.", report.Plural(n, "chain"))
	}
	return out
}

// flagged counts the steps in which a check without a judge found something, of those of all chains.
func (v *itemView) flagged() (n, of int) {
	v.eachStep(func(s step.Step) {
		of++
		if sum, number, other := s.Checks.Flags(); sum || number || other {
			n++
		}
	})
	return n, of
}

// hedged counts the steps that hedge.
func (v *itemView) hedged() (n, of int) {
	v.eachStep(func(s step.Step) {
		of++
		if s.Hedged {
			n++
		}
	})
	return n, of
}

// eachStep walks the steps of all chains under the first view.
func (v *itemView) eachStep(visit func(step.Step)) {
	for _, c := range v.Record.Chains {
		if len(c.Views) > 0 {
			for _, s := range c.Views[0].Steps {
				visit(s)
			}
		}
	}
}

// share prints a count of so many, an en dash where there is none.
func share(n, of int) string {
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d/%d", n, of)
}
