package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// accuracyUnderEdits is analysis 2: accuracy under chain edits (chain paper, Table 4), and with a chain against without.
type accuracyUnderEdits struct {
	gaps map[cellID]changes // from the answer at once to the answer after a chain
}

func newAccuracyUnderEdits() accuracyUnderEdits { return accuracyUnderEdits{map[cellID]changes{}} }

func (a accuracyUnderEdits) add(r Record) {
	if r.Base.State == Read && r.Direct.State == Read {
		at := cellOfSubject(r.Subject)
		a.gaps[at] = a.gaps[at].plus(r.Direct.Correct, r.Base.Correct)
	}
}

func (a accuracyUnderEdits) analyses(s *summary) []percuss.Analysis {
	return []percuss.Analysis{{ID: "accuracy", Number: 2, Title: "Does the chain carry the answer?",
		About:  "If the chain did the work, breaking it would cost accuracy, and going without it would too.",
		Tables: []percuss.Table{s.fBlock(), s.fBlockFamilies(), a.cotGap(s)}}}
}

// pValues are the bootstrap p-values of a figure for each model under each prompt.
func (s *summary) pValues(models []*model, id, scope string) (p []percuss.Number) {
	at := s.figure(id, scope)
	for _, m := range models {
		var v percuss.Number
		if m.metrics != nil {
			if all := m.metrics.PValues(); at < len(all) {
				v = all[at]
			}
		}
		p = append(p, v)
	}
	return p
}

// overModels adjusts the p-values of some models by Holm and lays them out as cells. The family of tests is the models,
// each once, under its first prompt: a further prompt of a model is no further model.
func (s *summary) overModels(models []*model, p []percuss.Number) []percuss.Cell {
	rivals := s.rivals()
	family := slices.Clone(p)
	for i, m := range models {
		if !slices.Contains(rivals, m) {
			family[i] = percuss.Number{}
		}
	}
	out := make([]percuss.Cell, len(models))
	for i, adjusted := range stat.Holm(family) {
		out[i] = tested(adjusted, noDifference)
		if !slices.Contains(rivals, models[i]) {
			out[i] = tested(percuss.Number{}, furtherPrompt)
		}
	}
	return out
}

// Why a row has no p-value, or none that is adjusted.
const (
	noDifference  = "there is no difference to test"
	onlyModels    = "tested for each model alone"
	furtherPrompt = "a further prompt of the model: the adjustment is over the models, each under its first prompt"
)

// adjustedNote says what the adjustment is over.
const adjustedNote = "Holm's adjustment is over the models, each once, under its first prompt."

// resolutionNote says how small a bootstrap p-value can be, where one is as small as that.
func resolutionNote(replicates int, p []percuss.Number) []string {
	least := stat.LeastP(replicates)
	at := func(v percuss.Number) bool { return v.OK() && v.Or(1) <= least*(1+flat) }
	if !slices.ContainsFunc(p, at) {
		return nil
	}
	n := known(p)
	return []string{fmt.Sprintf("No bootstrap p-value smaller than %.2g can be told with %d resamples, and none smaller than %.2g for the first of %s after Holm's adjustment: where one of these stands p may be smaller, which more resamples would tell.",
		least, replicates, min(1, float64(n)*least), plural(n, "test"))}
}

// tested is a cell with a p-value, or with why there is none.
func tested(p percuss.Number, why string) percuss.Cell {
	if !p.OK() {
		return percuss.Measured(percuss.Absent(why))
	}
	return percuss.Valued(p)
}

// fBlock is Table 4.
func (s *summary) fBlock() percuss.Table {
	models := s.ranked()
	t := percuss.Table{ID: "f_block", Title: "Accuracy under edits of the chain", Paper: "Table 4",
		About: "Accuracy after F1-50, F2, F3, F4 and F5 (mean of the five) against the baseline. Δ is baseline minus edited, in points, on the same items: positive where the edit costs accuracy. The paper's form compares with all baselines.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words),
			headed("acc", "Accuracy, baseline", percuss.Rate), headed("facc", "Accuracy, edited", percuss.Rate),
			headed("fdelta", "Δ, same items", percuss.Points), headed("p", "p", percuss.PValue), headed("p_holm", "p, Holm over models", percuss.PValue),
			headed("fdelta_paper", "Δ, as published", percuss.Points), headed("silent", "Fired on nothing", percuss.Words)},
		Rows: []percuss.Row{}}
	p := s.pValues(models, "fdelta", "")
	adjusted := s.overModels(models, p)
	for i, m := range models {
		g := m.group
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(g.Model), percuss.Said(g.Variant),
			percuss.Measured(g.figure("acc", "")), percuss.Measured(g.figure("facc", "")), percuss.Measured(g.figure("fdelta", "")),
			tested(p[i], noDifference), adjusted[i], percuss.Measured(g.figure("fdelta_paper", "")), percuss.Said(m.silentEdits(s.l))}})
	}
	if s.whole != nil {
		g := *s.whole
		t.Rows = append(t.Rows, percuss.Row{Head: true, Cells: []percuss.Cell{percuss.Said(g.Name), percuss.Said(g.Variant),
			percuss.Measured(g.figure("acc", "")), percuss.Measured(g.figure("facc", "")), percuss.Measured(g.figure("fdelta", "")),
			tested(percuss.Number{}, onlyModels), tested(percuss.Number{}, onlyModels), percuss.Measured(g.figure("fdelta_paper", "")), percuss.Said("")}})
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	t.Notes = append(deltaRemarks(s.rivals()), medianNote(s.rivals(), "fdelta", "Δ on the same items")...)
	if len(models) > 0 {
		t.Notes = append(t.Notes, "p: two-sided, from the paired bootstrap over items. "+adjustedNote)
		t.Notes = append(t.Notes, resolutionNote(s.o.Replicates, p)...)
	}
	return t
}

// silentEdits names the operators of Table 4 that fired on nothing.
func (m *model) silentEdits(l layout) string {
	var out []string
	for _, e := range l.editedChains() {
		for _, op := range e.ops {
			if m.group.Operators[op].Fired == 0 {
				out = append(out, l.ops[op].ID)
			}
		}
	}
	return strings.Join(out, ", ")
}

// medianNote gives median and mean of a figure over the models, where there are several.
func medianNote(models []*model, id, name string) []string {
	var v []float64
	var all []percuss.Number
	for _, m := range models {
		if x, ok := m.group.figure(id, "").Value.Get(); ok {
			v, all = append(v, x), append(all, percuss.Num(x))
		}
	}
	if len(v) < 2 {
		return nil
	}
	return []string{fmt.Sprintf("%s over %d models: median %s, mean %s points.", name, len(v), stat.Quantile(v, 0.5).Format(1), mean(all...).Format(1))}
}

// fBlockFamilies gives Δ for each of the five edits.
func (s *summary) fBlockFamilies() percuss.Table {
	t := percuss.Table{ID: "f_block_families", Title: "Accuracy under each edit of the chain",
		About: "Baseline minus edited accuracy in points for each of the five edits of Table 4.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words),
			headed("edit", "Edit", percuss.Words), headed("fired", "Fired", percuss.Whole), headed("fdelta", "Δ, same items", percuss.Points),
			headed("fdelta_paper", "Δ, as published", percuss.Points)},
		Rows: []percuss.Row{}}
	for _, m := range s.ranked() {
		for _, e := range s.l.editedChains() {
			fired := 0
			for _, op := range e.ops {
				fired += m.group.Operators[op].Fired
			}
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(m.group.Variant), percuss.Said(e.name),
				percuss.Counted(fired), percuss.Measured(m.group.figure("fdelta", e.name)), percuss.Measured(m.group.figure("fdelta_paper", e.name))}})
		}
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	return t
}

// cotGap is accuracy with a chain minus accuracy without, for each model and then each of its cells.
func (a accuracyUnderEdits) cotGap(s *summary) percuss.Table {
	models := s.ranked()
	t := percuss.Table{ID: "cot_gap", Title: "With a chain against without",
		About: "Accuracy with a chain minus accuracy when the model must answer at once, in points, on the items with both answers.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words), headed("set", "Data set", percuss.Words),
			headed("acc", "Accuracy with a chain", percuss.Rate), headed("acc_direct", "Accuracy without", percuss.Rate),
			headed("cot_gap", "With − without", percuss.Points), headed("p", "p (McNemar)", percuss.PValue), headed("p_holm", "p, Holm over models", percuss.PValue)},
		Rows: []percuss.Row{}}
	row := func(g Group, set string, head bool, p, adjusted percuss.Cell) {
		t.Rows = append(t.Rows, percuss.Row{Head: head, Cells: []percuss.Cell{percuss.Said(g.label()), percuss.Said(g.Variant), percuss.Said(set),
			percuss.Measured(g.figure("acc", "")), percuss.Measured(g.figure("acc_direct", "")), percuss.Measured(g.figure("cot_gap", "")),
			p, adjusted}})
	}
	asked, untested := false, tested(percuss.Number{}, onlyModels)
	p := make([]percuss.Number, len(models))
	for i, m := range models {
		p[i] = pooledChanges(a.gaps, m.cells).p()
	}
	adjusted := s.overModels(models, p)
	for i, m := range models {
		asked = asked || m.group.figure("acc_direct", "").Value.OK()
		row(m.group, "mean", false, tested(p[i], noDifference), adjusted[i])
		for _, c := range m.cells {
			if g, ok := s.cell(c.variant, c.model, c.set); ok && len(m.cells) > 1 {
				row(g, c.set, false, tested(a.gaps[c.id()].p(), noDifference), untested)
			}
		}
	}
	if s.whole != nil {
		row(*s.whole, "mean", true, untested, untested)
	}
	if !asked {
		t.Rows, t.Absent = []percuss.Row{}, "no answer without a chain was asked for, or none could be read"
		return t
	}
	t.Notes = append(medianNote(s.rivals(), "cot_gap", "The gap"), testedByChanges, adjustedNote)
	return t
}
