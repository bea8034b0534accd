package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// mostCut is the share of replies cut at the token limit above which the summary says so first.
const mostCut = 0.05

// alerts are what a reader must know before any figure, the gravest first: that the run is unfinished, that replies could
// not be read, that chains were cut, that they were quoted.
func (r Report) alerts() []string {
	var out []string
	if s := Unfinished(r.Calls); s != "" {
		out = append(out, s)
	}
	if r.given() {
		out = append(out, "A foreign log: it holds the answers to the questions as they stand and can be asked nothing. Edits were made but not answered: "+
			"only accuracy, the length of the chains, firing rates and what edits leave on the surface are known.")
	}
	out = append(out, r.unreadable()...)
	if s := CutShort(r.Calls); s != "" {
		out = append(out, s)
	}
	if s := quotes(r.Calls); s != "" {
		out = append(out, s)
	}
	return out
}

// given says whether all answers come from foreign logs, so that no edit was answered.
func (r Report) given() bool {
	f := r.Findings
	return slices.ContainsFunc(f.Decisions, func(d percuss.Decision) bool { return d.ID == foreignLog }) &&
		!slices.ContainsFunc(f.Cells, func(g chain.Group) bool {
			return slices.ContainsFunc(g.Operators, func(o chain.Firing) bool { return o.Parsed > 0 })
		})
}

// foreignLog is the decision on answers from a foreign log.
const foreignLog = "foreign-log"

// Unfinished says how many calls have no answer; empty: none.
func Unfinished(all []Calls) string {
	open, waiting, requests := 0, 0, 0
	for _, c := range all {
		open, waiting, requests = open+c.outcome(string(percuss.Failed)), waiting+c.Waiting, requests+c.Requests
	}
	if open == 0 && waiting == 0 {
		return ""
	}
	var parts []string
	if open > 0 {
		parts = append(parts, fmt.Sprintf("%d of %d calls have no answer", open, requests))
	}
	if waiting > 0 {
		parts = append(parts, fmt.Sprintf("%d edits of chains wait for a chain", waiting))
	}
	return "Unfinished: " + strings.Join(parts, ", and ") + "; the command that made the run asks them again. Figures below are of what is there."
}

// mostReasons is how many reasons of trials that were left out an alert names.
const mostReasons = 2

// Unread is a model under a prompt with fewer than half of its baseline answers read.
type Unread struct {
	Model, Variant string
	Read, Items    int
}

// Unread are the models and prompts of which little can be said, whatever the tables hold.
func (r Report) Unread() []Unread {
	var out []Unread
	for _, g := range r.Findings.Models {
		if own, all, known := r.read(level{Group: g}); known && 2*own < all {
			out = append(out, Unread{g.Model, g.Variant, own, all})
		}
	}
	return out
}

// unreadable says of the models and prompts with fewer than half of their baseline answers read how many were, and why
// trials were left out.
func (r Report) unreadable() []string {
	var who []string
	lost, read, of := map[string]int{}, 0, 0
	for _, u := range r.Unread() {
		who, read, of = append(who, fmt.Sprintf("%s, %s: %s of %s", u.Model, u.Variant, percuss.Grouped(u.Read), percuss.Grouped(u.Items))), u.Read, u.Items
		for _, g := range r.Findings.Models {
			if g.Model != u.Model || g.Variant != u.Variant {
				continue
			}
			for _, c := range g.Dropped {
				lost[c.Name] += c.N
			}
		}
	}
	if len(who) == 0 {
		return nil
	}
	says := fmt.Sprintf("Of %s, %s have a baseline answer that could be read, so there is little to hold edits against.", Plural(of, "item"), percuss.Grouped(read))
	if len(r.Findings.Models) > 1 {
		says = "Fewer than half of the items have a baseline answer that could be read, so there is little to hold edits against. " + strings.Join(who, "; ") + "."
	}
	if why := mostOften(lost); why != "" {
		says += " Trials were left out most often for: " + why + "."
	}
	return []string{says + " Look at some replies as they came: percuss show, or the items of the page."}
}

// mostOften names the most frequent reasons of trials that were left out, with how many.
func mostOften(lost map[string]int) string {
	names := slices.SortedFunc(maps.Keys(lost), func(a, b string) int { return cmp.Or(lost[b]-lost[a], cmp.Compare(a, b)) })
	var why []string
	for _, name := range names[:min(mostReasons, len(names))] {
		if lost[name] > 0 {
			why = append(why, fmt.Sprintf("%s (%d)", name, lost[name]))
		}
	}
	return strings.Join(why, "; ")
}

// CutShort says how many replies of each model ended at the token limit; empty: few of each.
func CutShort(all []Calls) string {
	var of []Calls
	for _, c := range all {
		if float64(c.Cut) > mostCut*float64(c.Chains) {
			of = append(of, c)
		}
	}
	const remedy = "A new run with a larger --max-tokens (max_tokens in a file) lets them end."
	switch {
	case len(of) == 0:
		return ""
	case len(of) == 1:
		who := ""
		if len(all) > 1 {
			who = of[0].Model + ": "
		}
		return fmt.Sprintf("%s%s of %s replies were cut at the limit of %s tokens: the figures are those of unfinished chains. %s", who, percuss.Grouped(of[0].Cut), percuss.Grouped(of[0].Chains),
			percuss.Grouped(of[0].Limit), remedy)
	}
	limit := fmt.Sprintf("at the limit of %s tokens", percuss.Grouped(of[0].Limit))
	same := !slices.ContainsFunc(of, func(c Calls) bool { return c.Limit != of[0].Limit })
	if !same {
		limit = "at the token limit"
	}
	var each []string
	for _, c := range of {
		s := fmt.Sprintf("%s %s of %s", c.Model, percuss.Grouped(c.Cut), percuss.Grouped(c.Chains))
		if !same {
			s += fmt.Sprintf(" at %s tokens", percuss.Grouped(c.Limit))
		}
		each = append(each, s)
	}
	return fmt.Sprintf("Replies were cut %s (%s): the figures of these models are those of unfinished chains. %s", limit, strings.Join(each, ", "), remedy)
}

// warning is what a reader must know of the calls to some models.
type warning struct{ Models, Says string }

// warnings are those of all calls, each once with the models that it is of.
func warnings(all []Calls) []warning {
	var out []warning
	for _, c := range all {
		for _, w := range c.Warnings {
			if i := slices.IndexFunc(out, func(o warning) bool { return o.Says == w }); i >= 0 {
				out[i].Models += ", " + c.Model
			} else {
				out = append(out, warning{c.Model, w})
			}
		}
	}
	return out
}

// quotes says that chains were quoted, which changes what the figures of scope F measure; empty: none was.
func quotes(all []Calls) string {
	begun, quoted := given(all)
	switch {
	case quoted == 0:
		return ""
	case quoted < begun:
		return fmt.Sprintf("%s of %s edited chains were quoted in a user turn, not continued as the model's own: figures of scope F and ECR mix how a model goes on from its own words with how it takes up quoted ones.", percuss.Grouped(quoted), percuss.Grouped(begun))
	}
	return "Edited chains were quoted in a user turn, for the back-end cannot continue the model's own: figures of scope F and ECR say how the model takes up a quoted chain, not how it goes on from its own words."
}

// given counts the answers that follow a given beginning, and those whose beginning was quoted.
func given(all []Calls) (begun, quoted int) {
	for _, c := range all {
		begun, quoted = begun+c.Begun, quoted+c.Quoted
	}
	return begun, quoted
}

// Handed says in the method how an edited chain was given back to the model.
func (r Report) Handed() string {
	const own = "is given back to the model as the beginning of its own turn, and it goes on from there"
	const other = "is quoted to the model in a user turn, with the request to take it up"
	switch begun, quoted := given(r.Calls); {
	case quoted == 0:
		return own
	case quoted < begun:
		return fmt.Sprintf("%s; where the back-end cannot continue a given turn (%s of %s answers here) it %s", own, percuss.Grouped(quoted), percuss.Grouped(begun), other)
	}
	return other + ", for the back-end cannot continue a given turn"
}
