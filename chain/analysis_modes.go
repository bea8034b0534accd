package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// The failure modes (chain audit, section 6.8; chain paper, section 7), in the order in which they are tried.
const (
	modeCompression  = "chain compression"
	modeDerailment   = "template derailment"
	modeVerbose      = "verbose early-commit"
	modeInert        = "inert chain"
	modeCoupled      = "coupled"
	modeUnclassified = "unclassified"
)

// mostlyBlocks is the share of baseline chains with a reasoning block from which a model counts as one that writes them.
const mostlyBlocks = 0.5

// orDefault fills in the thresholds that are zero.
func (t Thresholds) orDefault() Thresholds {
	fill := func(v *float64, other float64) {
		if *v == 0 {
			*v = other
		}
	}
	fill(&t.Words, 40)
	fill(&t.Verbose, 320)
	fill(&t.ECR, 0.90)
	fill(&t.Inert, 0.60)
	fill(&t.Coupled, 0.50)
	return t
}

// ModeFigures are what tells failure modes apart. Each may be missing, and may have an interval or none.
type ModeFigures struct {
	ECR       percuss.Estimate // 0 to 1
	Words     percuss.Estimate // mean length of the baseline's chain
	Block     percuss.Estimate // share of baseline chains with a reasoning block
	Update    percuss.Estimate // a + b of the joint table: the chain registers the edit
	Decoupled percuss.Estimate // c: neither the chain nor the answer moves (CDR)
	Drift     percuss.Estimate // d − c; above 0 the answer moves without the chain more often than both stay
}

// truth is a condition under uncertainty: does it hold for the values, could it hold, and must it, within the intervals?
// unsure names what is not settled.
type truth struct {
	holds, can, must bool
	unsure           []string
}

// either holds where one of two conditions does. What is not settled in one does not matter where the other must hold.
func either(a, b truth) truth {
	out := truth{holds: a.holds || b.holds, can: a.can || b.can, must: a.must || b.must}
	if !out.must {
		out.unsure = append(append(out.unsure, a.unsure...), b.unsure...)
	}
	return out
}

// both holds where two conditions do. What is not settled in one does not matter where the other cannot hold.
func both(a, b truth) truth {
	out := truth{holds: a.holds && b.holds, can: a.can && b.can, must: a.must && b.must}
	if out.can {
		out.unsure = append(append(out.unsure, a.unsure...), b.unsure...)
	}
	return out
}

// measure is a figure with its name and how it is written.
type measure struct {
	name     string
	e        percuss.Estimate
	decimals int
}

// missing is a condition on a figure that is not there: it does not hold, but it could.
func (m measure) missing() truth {
	return truth{can: true, unsure: []string{fmt.Sprintf("%s is missing: %s", m.name, m.e.Why)}}
}

// below asks whether a figure is below a threshold.
func (m measure) below(threshold float64) truth {
	if !m.e.Value.OK() {
		return m.missing()
	}
	t := m.atLeast(threshold)
	return truth{!t.holds, !t.must, !t.can, t.unsure}
}

// atLeast asks whether a figure reaches a threshold.
func (m measure) atLeast(threshold float64) truth {
	v, ok := m.e.Value.Get()
	if !ok {
		return m.missing()
	}
	lo, hi := m.e.Lo.Or(v), m.e.Hi.Or(v)
	out := truth{holds: v >= threshold, can: max(v, hi) >= threshold, must: min(v, lo) >= threshold}
	if out.can != out.must {
		out.unsure = []string{m.against(percuss.Num(threshold).Format(m.decimals))}
	}
	return out
}

// nought asks whether a rate is 0. The interval of a rate of 0 begins there, which is no doubt about it.
func (m measure) nought() truth {
	v, ok := m.e.Value.Get()
	if !ok {
		return m.missing()
	}
	out := truth{holds: v == 0, can: v == 0 || m.e.Lo.Or(v) <= 0, must: v == 0}
	if out.can != out.must {
		out.unsure = []string{m.against("0")}
	}
	return out
}

// positive asks whether a difference is above 0.
func (m measure) positive() truth {
	v, ok := m.e.Value.Get()
	if !ok {
		return m.missing()
	}
	out := truth{holds: v > 0, can: max(v, m.e.Hi.Or(v)) > 0, must: min(v, m.e.Lo.Or(v)) > 0}
	if out.can != out.must {
		out.unsure = []string{m.against("0")}
	}
	return out
}

// against says that an interval crosses a threshold.
func (m measure) against(threshold string) string {
	return fmt.Sprintf("%s %s (%s to %s) against %s", m.name, m.e.Value.Format(m.decimals), m.e.Lo.Format(m.decimals),
		m.e.Hi.Format(m.decimals), threshold)
}

// modeRule is one failure mode and when it applies.
type modeRule struct {
	mode string
	when truth
}

// rules are the failure modes in the order in which they are tried.
func (t Thresholds) rules(f ModeFigures) []modeRule {
	t = t.orDefault()
	ecr := measure{"ECR", f.ECR, 2}
	words := measure{"mean words of the chain", f.Words, 0}
	block := measure{"share of chains with a reasoning block", f.Block, 2}
	return []modeRule{
		{modeCompression, either(ecr.nought(), words.below(t.Words))},
		{modeDerailment, measure{"d − c", f.Drift, 3}.positive()},
		{modeVerbose, both(either(block.atLeast(mostlyBlocks), words.atLeast(t.Verbose)), ecr.atLeast(t.ECR))},
		{modeInert, measure{"c", f.Decoupled, 3}.atLeast(t.Inert)},
		{modeCoupled, measure{"a + b", f.Update, 3}.atLeast(t.Coupled)},
	}
}

// Mode is the first failure mode whose condition holds for the values, and what makes it borderline: each threshold that
// an interval crosses, and each missing figure, where that could change the mode.
func (t Thresholds) Mode(f ModeFigures) (mode string, borderline []string) {
	borderline = []string{}
	for _, r := range t.rules(f) {
		switch {
		case r.when.holds && r.when.must:
			return r.mode, borderline
		case r.when.holds:
			return r.mode, appendOnce(borderline, fmt.Sprintf("%s: ", r.mode), r.when.unsure)
		case r.when.can:
			borderline = appendOnce(borderline, fmt.Sprintf("not %s: ", r.mode), r.when.unsure)
		}
	}
	return modeUnclassified, borderline
}

// appendOnce adds remarks under a heading, each once.
func appendOnce(to []string, heading string, remarks []string) []string {
	seen := map[string]bool{}
	for _, r := range remarks {
		if !seen[r] {
			seen[r] = true
			to = append(to, heading+r)
		}
	}
	return to
}

// modes are the failure modes of the models under each prompt. Figures of another domain than medicine say nothing of
// them, unless there are no others.
func (t Thresholds) modes(s *summary) []Mode {
	out := []Mode{}
	for _, m := range s.ranked() {
		f := m.group.modeFigures()
		mode, borderline := t.Mode(f)
		out = append(out, Mode{Model: m.group.Model, Variant: m.group.Variant, Mode: mode, Borderline: borderline, Figures: []Metric{
			{ID: "ecr", Estimate: f.ECR}, {ID: "words", Estimate: f.Words}, {ID: "block", Estimate: f.Block},
			{ID: "update", Estimate: f.Update}, {ID: "cdr", Estimate: f.Decoupled}, {ID: "d_minus_c", Estimate: f.Drift}}})
	}
	return out
}

// figureNames are the figures behind a failure mode, and the edits without which they are missing.
var figureNames = map[string][2]string{"ecr": {"ECR", "F1"}, "words": {"the mean length of the chain", ""},
	"block": {"the share of chains with a reasoning block", ""}, "update": jointName, "cdr": jointName, "d_minus_c": jointName}

var jointName = [2]string{"the joint table", "M2, M4 or M5"}

// Open says which missing figures leave the mode of a model open; empty: it is settled.
func (m Mode) Open() []string {
	if m.Mode != modeUnclassified {
		return nil
	}
	var out []string
	for _, f := range m.Figures {
		if f.Value.OK() {
			continue
		}
		name := figureNames[f.ID]
		words := name[0] + " is missing"
		if name[1] != "" {
			words += " (needs answered edits of " + name[1] + ")"
		}
		if !slices.Contains(out, words) {
			out = append(out, words)
		}
	}
	return out
}

// Words is the mode for a reader: that of a model whose figures are not all there cannot be told.
func (m Mode) Words() string {
	if open := m.Open(); len(open) > 0 {
		return "cannot be classified: " + strings.Join(open, ", ")
	}
	return m.Mode
}

// borderlineWords is what makes the mode borderline; a mode that is open is not.
func (m Mode) borderlineWords() string {
	if len(m.Open()) > 0 {
		return "–"
	}
	return joined(m.Borderline, "no")
}

// modeFigures are those of a group.
func (g Group) modeFigures() ModeFigures {
	return ModeFigures{ECR: g.figure("ecr", ""), Words: g.figure("words", ""), Block: g.figure("block", ""),
		Update: g.figure("update", ""), Decoupled: g.figure("cdr", ""), Drift: g.figure("d_minus_c", "")}
}

// failureModes is analysis 8.
type failureModes struct{ t Thresholds }

func (failureModes) add(Record) {}

func (a failureModes) analyses(s *summary) []percuss.Analysis {
	t := a.t.orDefault()
	table := percuss.Table{ID: "modes", Title: "Failure mode of each model",
		About: "The first of five classes that fits, in the order of the notes, with the figures that led to it. It is borderline where an interval crosses a threshold that could change it.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words),
			headed("mode", "Failure mode", percuss.Words), headed("borderline", "Borderline", percuss.Words),
			headed("ecr", "ECR", percuss.Rate), headed("words", "Words of the chain", percuss.Length),
			headed("block", "Chains with a reasoning block", percuss.Rate), headed("update", "a + b", percuss.Rate),
			headed("cdr", "c (CDR)", percuss.Rate), headed("d_minus_c", "d − c", percuss.Decimal)},
		Rows: []percuss.Row{},
		Notes: []string{
			fmt.Sprintf("Chain compression: ECR is 0, or the mean chain is shorter than %g words.", t.Words),
			"Template derailment: d is larger than c in the joint table: the answer moves without the chain more often than both stay.",
			fmt.Sprintf("Verbose early-commit: at least half of the chains hold a reasoning block or the mean chain has at least %g words, and ECR is at least %.2f.", t.Verbose, t.ECR),
			fmt.Sprintf("Inert chain: c is at least %.2f. Coupled: a + b is at least %.2f. Else unclassified.", t.Inert, t.Coupled),
		}}
	for _, m := range s.modes {
		row := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.Model), percuss.Said(m.Variant), percuss.Said(m.Words()), percuss.Said(m.borderlineWords())}}
		for _, f := range m.Figures {
			row.Cells = append(row.Cells, percuss.Measured(f.Estimate))
		}
		table.Rows = append(table.Rows, row)
	}
	if len(table.Rows) == 0 {
		table.Absent = noModels
	}
	return []percuss.Analysis{{ID: "modes", Number: 8, Title: "Failure modes",
		About:  "What kind of decoupling a model shows: a chain too short to register anything, answers that move without it, a long chain after the decision, or a chain that neither registers the edit nor moves the answer.",
		Tables: []percuss.Table{table}}}
}
