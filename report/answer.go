package report

import (
	"fmt"
	"math"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report/figure"
)

// few is the number of items below which a sentence warns of its sample.
const few = 30

// firingTable is one of the two firing and flip tables of a group.
type firingTable struct {
	Kind string // "family" or "variant"
	Rows []chain.Firing
}

func (l level) firing() []firingTable {
	return []firingTable{{"family", l.Families}, {"variant", l.Operators}}
}

// title names the group for a reader.
func (l level) title() string {
	if l.Name != "" {
		return l.Name
	}
	var parts []string
	for _, s := range []string{l.Tier, l.Model, l.Set, l.Variant} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	if len(parts) == 0 {
		return l.Kind
	}
	return strings.Join(parts, ", ")
}

// nameOf is the short name of a metric.
func nameOf(r Report, id string) string {
	for _, d := range r.Definitions {
		if d.ID == id {
			return d.Name
		}
	}
	return id
}

// decimals is how many a metric is shown with: shares to the thousandth, points to the tenth.
func decimals(r Report, id string) int {
	for _, d := range r.Definitions {
		if d.ID == id && strings.Contains(d.Range, "points") {
			return 1
		}
	}
	return 3
}

func figureOf(m chain.Metric, r Report) string { return m.Value.Format(decimals(r, m.ID)) }
func interval(m chain.Metric, r Report) string { return span(m.Estimate, decimals(r, m.ID)) }

// answer says in words what the group's figures show, each with its interval and sample.
func answer(g level, r Report) []string {
	var out []string
	thin := false
	say := func(question string, m chain.Metric, words string) {
		out = append(out, question+" "+words)
		thin = thin || m.Value.OK() && m.N < few
	}
	if m, ok := metric(g.Group, "acc", ""); ok && m.Value.OK() {
		say("How often is it right?", m, fmt.Sprintf("A share of %s of the answers after a chain of thought%s is right (%s).", m.Value.Format(3), counted(m.Estimate), sample(m.Estimate)))
	}
	if m, ok := metric(g.Group, "cdr", ""); ok {
		say("Does the chain register the edit?", m, registers(m))
	}
	for _, scope := range []string{"F", "M"} {
		if m, ok := metric(g.Group, "fcs", scope); ok {
			say("Does evidence move the answer more than noise, "+where(m)+"?", m, drives(m))
		}
	}
	if m, ok := metric(g.Group, "ecr", ""); ok && m.Value.OK() {
		say("Is the answer settled before the chain ends?", m, fmt.Sprintf("In a share of %s of the items%s it stays when the chain is cut short somewhere (%s).",
			m.Value.Format(3), counted(m.Estimate), sample(m.Estimate)))
	}
	if len(out) == 0 {
		return []string{"The findings hold no figure that answers the question for this group."}
	}
	if thin {
		out = append(out, fmt.Sprintf("Fewer than %d items stand behind some of these figures: a small sample, to be read with caution.", few))
	}
	return out
}

// counted adds the counts of a rate where the value is their quotient; for a mean of rates they would not give it.
func counted(e percuss.Estimate) string {
	num, okNum := e.Num.Get()
	den, okDen := e.Den.Get()
	if v, ok := e.Value.Get(); !ok || !okNum || !okDen || den <= 0 || math.Abs(num/den-v) > 1e-9 {
		return ""
	}
	return fmt.Sprintf(" (%s of %s)", count(e.Num), count(e.Den))
}

func where(m chain.Metric) string {
	switch {
	case m.Scope == "F":
		return "when the chain is edited"
	case m.Stem == chain.StemContexts:
		return "when the question with its passages is edited"
	}
	return "when the question is edited"
}

// stemNote says what the edits of the question behind a group's figures act on; empty: it has no such figures.
func stemNote(g chain.Group) string {
	for _, m := range g.Metrics {
		if m.Stem != "" {
			return fmt.Sprintf("Edits of the question, behind all figures of scope M and all, CDR, CHS, DFG and MFC: stem: %s.", m.Stem)
		}
	}
	return ""
}

// published is the firing rate that the paper prints: a range, a bound or a number.
func published(f chain.Firing) string {
	if f.Published == nil {
		return "–"
	}
	lo, hi := f.Published.Lo, f.Published.Hi
	short := func(n percuss.Number) string {
		if v, ok := n.Get(); ok && v != math.Round(100*v)/100 {
			return n.Format(4)
		}
		return n.Format(2)
	}
	switch {
	case lo == hi:
		return short(lo)
	case hi == percuss.Num(1):
		return "≥" + short(lo)
	}
	return short(lo) + "–" + short(hi)
}

func registers(m chain.Metric) string {
	if !m.Value.OK() {
		return missing(m.Estimate)
	}
	return fmt.Sprintf("In a share of %s%s of the compared edits of age, sex, a negation or a word of severity, the new chain shows no trace of the edit and the answer stays (%s).",
		m.Value.Format(3), counted(m.Estimate), sample(m.Estimate))
}

// drives compares the interval of FCS, not its value, with the corridor.
func drives(m chain.Metric) string {
	if !m.Value.OK() {
		return missing(m.Estimate)
	}
	lo, okLo := m.Lo.Get()
	hi, okHi := m.Hi.Get()
	verdict := "This sample does not decide it: the interval reaches across a bound of the corridor from 0.45 to 0.55"
	switch {
	case !okLo || !okHi:
		verdict = "Without an interval this sample does not decide it"
	case lo > figure.CorridorHigh:
		verdict = "Yes, in this sample: the interval lies above the corridor from 0.45 to 0.55"
	case hi < figure.CorridorLow:
		verdict = "No, noise moves it more in this sample: the interval lies below the corridor from 0.45 to 0.55"
	case lo >= figure.CorridorLow && hi <= figure.CorridorHigh:
		verdict = "No, about equally: the interval lies inside the corridor from 0.45 to 0.55"
	}
	return fmt.Sprintf("%s (FCS %s, %s).", verdict, m.Value.Format(3), sample(m.Estimate))
}

func missing(e percuss.Estimate) string {
	if e.Why == "" {
		return "Not known: the value is missing."
	}
	return "Not known: " + strings.TrimSuffix(e.Why, ".") + "."
}

// sample is the hedge: interval and number of items.
func sample(e percuss.Estimate) string {
	out := "no interval"
	if e.Lo.OK() && e.Hi.OK() {
		out = "interval " + span(e, 3)
		if e.Level > 0 {
			out = fmt.Sprintf("%g %% interval %s", e.Level*100, span(e, 3))
		}
	}
	return out + fmt.Sprintf(", n = %d items", e.N)
}
