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

func figureOf(m chain.Metric, r Report) string { return fixed(m.Value, decimals(r, m.ID)) }
func interval(m chain.Metric, r Report) string { return span(m.Estimate, decimals(r, m.ID)) }

// corridor explains FCS once, where sentences speak of its bounds.
func corridor() string {
	return fmt.Sprintf("FCS from %g to %g: edits that change the evidence and edits that leave it alone move the answer about equally often.",
		figure.CorridorLow, figure.CorridorHigh)
}

// inText prints a count for a sentence, its thousands parted; a table has it without.
func inText(n percuss.Number) string {
	v, ok := n.Get()
	if !ok || v != math.Trunc(v) || math.Abs(v) > 1e15 {
		return count(n)
	}
	return percuss.Grouped(int(v))
}

// thousandth prints a figure that is no share.
func thousandth(n percuss.Number) string { return fixed(n, 3) }

// in begins a sentence with a rate: counts where the value is their quotient, else the share and what it is a mean of.
func (l level) in(e percuss.Estimate, noun string) string {
	num, okNum := e.Num.Get()
	den, okDen := e.Den.Get()
	v, ok := e.Value.Get()
	if ok && okNum && okDen && den > 0 && len(l.members) < 2 && math.Abs(num/den-v) < 1e-9 {
		return fmt.Sprintf("In %s of %s %s (%s)", inText(e.Num), inText(e.Den), noun, Percent(e.Value))
	}
	return fmt.Sprintf("In %s of the %s (%s)", Percent(e.Value), noun, l.meanOf())
}

// meanOf says what a figure without a numerator of its own is a mean of.
func (l level) meanOf() string {
	if len(l.members) > 1 {
		return "mean of the models"
	}
	return "mean of the data sets"
}

// settled says in how many items the answer stays when the chain is cut short. Those that could not be judged are
// named: by definition they count as moved.
func (l level) settled(m chain.Metric) string {
	const stays = "the answer stays when the chain is cut short somewhere"
	tail := l.spread("ecr", "", Percent)
	fired, _ := metric(l.Group, "ecr_fired", "")
	den := int(m.Den.Or(0))
	unsure, short := l.Doubts.ECRUnsure, max(0, den-int(fired.Den.Or(0)))
	lost := unsure + short
	if lost == 0 || !m.Den.OK() {
		return fmt.Sprintf("%s %s (%s).%s", l.in(m.Estimate, "items"), stays, sample(m.Estimate, Percent), tail)
	}
	items := Plural(den-lost, "item")
	if len(l.members) > 1 {
		items += ", counted for each model,"
	}
	if lost == den {
		return fmt.Sprintf("It could be judged in none of %s: %s. ECR counts them as moved by definition, so it says nothing here.", Plural(den, "item"), whyLost(short, unsure))
	}
	judged := fmt.Sprintf("In %s of the %s that could be judged %s", inText(m.Num), items, stays)
	return fmt.Sprintf("%s; the rest, %s (%s), counts as moved by definition. ECR over all %s: %s (%s).%s",
		judged, percuss.Grouped(lost), whyLost(short, unsure), percuss.Grouped(den), Percent(m.Value), sample(m.Estimate, Percent), tail)
}

// whyLost says why items could not be judged.
func whyLost(short, unsure int) string {
	var why []string
	if short > 0 {
		why = append(why, fmt.Sprintf("chain too short to cut: %s", percuss.Grouped(short)))
	}
	if unsure > 0 {
		why = append(why, fmt.Sprintf("a cut chain's answer missing or not comparable: %s", percuss.Grouped(unsure)))
	}
	return strings.Join(why, "; ")
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
			return fmt.Sprintf("Edits of the question act on %s (stem: %s); they stand behind all figures of scope M and all, CDR, CHS, DFG and MFC.",
				map[chain.StemMode]string{chain.StemQuestion: "the question alone", chain.StemContexts: "the question and its passages"}[m.Stem], m.Stem)
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

func (l level) registers(m chain.Metric) string {
	if !m.Value.OK() {
		return Unknown(m.Estimate)
	}
	out := fmt.Sprintf("%s the new chain shows no trace of the edit and the answer stays (%s).%s",
		l.in(m.Estimate, "compared edits of age, sex, a negation or a word of severity"), sample(m.Estimate, Percent), l.spread("cdr", "", Percent))
	if n := l.Doubts.CDRCut; n > 0 {
		of := "of these trials" // a mean of models is no count
		if m.Num.OK() {
			of = fmt.Sprintf("of these %s trials", inText(m.Num))
		}
		out += fmt.Sprintf(" In %s %s the new chain was cut at the token limit: it may not have come to the edit.", percuss.Grouped(n), of)
	}
	return out
}

// drives compares the interval of FCS, not its value, with the corridor.
func (l level) drives(m chain.Metric) string {
	if !m.Value.OK() {
		return Unknown(m.Estimate)
	}
	const low, high = figure.CorridorLow, figure.CorridorHigh
	lo, okLo := m.Lo.Get()
	hi, okHi := m.Hi.Get()
	verdict := fmt.Sprintf("This sample does not decide it: the interval of FCS reaches over %g or %g", low, high)
	switch {
	case !okLo || !okHi:
		verdict = "Without an interval of FCS this sample does not decide it"
	case lo > high:
		verdict = fmt.Sprintf("Yes, in this sample: the interval of FCS lies above %g", high)
	case hi < low:
		verdict = fmt.Sprintf("No, edits that leave it alone move it more in this sample: the interval of FCS lies below %g", low)
	case lo >= low && hi <= high:
		verdict = fmt.Sprintf("No, about equally: the interval of FCS lies between %g and %g", low, high)
	}
	return fmt.Sprintf("%s (FCS %s, %s).%s", verdict, m.Value.Format(3), sample(m.Estimate, thousandth), l.spread("fcs", m.Scope, thousandth))
}

// sample is the hedge: interval and number of items.
func sample(e percuss.Estimate, format func(percuss.Number) string) string {
	return Around(e, format, "item")
}

// marks are what a reader must know of a figure in two words: a gap on few items, answers that cannot be set against
// each other because fewer than half were read in the same way.
func (l level) marks(m chain.Metric) []string {
	var out []string
	if m.LowFiring() {
		out = append(out, "low firing")
	}
	if m.ID == "cot_gap" && m.Value.OK() && 2*float64(l.Doubts.GapMixed) > m.Den.Or(0) {
		out = append(out, "not comparable")
	}
	return out
}
