package chain

import (
	"slices"

	"github.com/percuss/percuss"
)

// perModel is analysis 1: the per-model summary, FCS of each cell, and the joint distribution (chain paper, Tables 3, 5
// and 6). All of it stands in the groups; here it is laid out as the paper does, and each model is held against the others.
type perModel struct{ pairs modelPairs }

func newPerModel() perModel { return perModel{newModelPairs()} }

func (p perModel) add(r Record) { p.pairs.add(r) }

func (p perModel) analyses(s *summary) []percuss.Analysis {
	tables := append([]percuss.Table{s.summaryTable()}, p.pairs.table(s)...)
	return []percuss.Analysis{{ID: "summary", Number: 1, Title: "Models side by side",
		About:  "What each model does under the edits, FCS of each data set, and how often the chain and the answer react together.",
		Tables: append(tables, s.fcsTable(), s.jointTable(rules[0]), s.jointTable(rules[1]))}}
}

// ranking is a metric of the summary table, and which extreme of it the paper marks; empty: none.
type ranking struct {
	id, scope, head, mark string
}

// summaryMetrics are the columns of the paper's Table 3, and MFC, which stands in its Appendix A.
var summaryMetrics = [...]ranking{
	{"acc", "", "Accuracy", "max"}, {"cdr", "", "CDR", "max"}, {"afr_d", "F", "AFR_D (F)", "min"},
	{"fcs", "F", "FCS (F)", ""}, {"fcs", "M", "FCS (M)", ""}, {"fcs", "all", "FCS (all)", ""}, {"ecr", "", "ECR", "max"},
	{"chs", "", "CHS", "min"}, {"dfg", "", "DFG", "min"}, {"mfc", "", "MFC", ""},
}

// summaryTable is Table 3 with intervals: open models, then closed ones apart, then tiers and the panel.
func (s *summary) summaryTable() percuss.Table {
	t := percuss.Table{ID: "summary", Title: "Summary of each model", Paper: "Table 3",
		About: "Means of the model's medical data sets; CDR pools their trials. Marked are the highest accuracy, CDR and ECR and the lowest AFR_D, CHS and DFG among the open models: a low AFR_D or CHS marks the model that edits move least, not the best one. FCS has no mark, for at 0.5 it is what chance gives.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words),
			headed("tier", "Tier", percuss.Words), headed("items", "Items", percuss.Whole)},
		Rows:  []percuss.Row{},
		Notes: []string{"Rows of closed models, tiers and the panel stand apart and have no part in the extremes. Values that are printed alike are both marked."}}
	for _, r := range summaryMetrics {
		id := r.id
		if r.scope != "" {
			id += "_" + r.scope
		}
		t.Columns = append(t.Columns, headed(id, r.head, percuss.Rate))
	}
	var groups []Group
	for _, m := range s.ranked() {
		groups = append(groups, m.group)
	}
	open := func(g Group) bool { return g.Tier != closedTier }
	groups = append(slices.DeleteFunc(slices.Clone(groups), func(g Group) bool { return !open(g) }),
		slices.DeleteFunc(groups, open)...)
	for _, g := range append(groups, s.aggregates()...) {
		t.Rows = append(t.Rows, s.summaryRow(g))
	}
	t.Notes = append(t.Notes, lowFiringNote(t.Rows)...)
	for i, r := range summaryMetrics {
		if r.mark != "" {
			markExtreme(t.Rows, 4+i, r.mark)
		}
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	return t
}

// lowFiringNote names the rows whose fairness gap stands on few items.
func lowFiringNote(rows []percuss.Row) []string {
	var names []string
	for _, r := range rows {
		low := func(c percuss.Cell) bool { return c.Mark == "low" }
		if slices.ContainsFunc(r.Cells, low) && !slices.Contains(names, r.Cells[0].Text) {
			names = append(names, r.Cells[0].Text)
		}
	}
	if len(names) == 0 {
		return nil
	}
	return []string{"DFG stands on few items, for M2 fired on less than half of the items of every data set: " + listed(names) + ". The spread of small samples is biased upwards, so that it is never marked as an extreme."}
}

// aggregates are the tiers and the panel.
func (s *summary) aggregates() []Group {
	out := slices.Clone(s.tiers)
	if s.whole != nil {
		out = append(out, *s.whole)
	}
	return out
}

// summaryRow is the row of a model, a tier or the panel.
func (s *summary) summaryRow(g Group) percuss.Row {
	r := percuss.Row{Head: g.Model == "" || g.Tier == closedTier, Cells: []percuss.Cell{percuss.Said(g.label()),
		percuss.Said(g.Variant), percuss.Said(g.Tier), percuss.Counted(g.Items)}}
	for _, m := range summaryMetrics {
		cell := percuss.Measured(g.figure(m.id, m.scope))
		if metric, ok := g.Metric(m.id, m.scope); ok && metric.LowFiring() {
			cell.Mark = "low"
		}
		r.Cells = append(r.Cells, cell)
	}
	return r
}

// label names a model, a tier or the panel.
func (g Group) label() string {
	if g.Model != "" {
		return g.Model
	}
	return g.Name
}

// fcsTable is Table 5: FCS in scope F by model and data set.
func (s *summary) fcsTable() percuss.Table {
	models := s.ranked()
	names := setsOf(models)
	t := percuss.Table{ID: "fcs_cells", Title: "FCS of each data set", Paper: "Table 5",
		About:   "FCS over edits of the chain (scope F) for each model and data set, and their mean.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words)},
		Rows:    []percuss.Row{}, Notes: []string{"From 0.45 to 0.55 a model does not tell evidence from noise."}}
	for _, name := range names {
		t.Columns = append(t.Columns, headed(name, name, percuss.Rate))
	}
	t.Columns = distinct(append(t.Columns, headed("mean", "Mean", percuss.Rate)))
	for _, m := range models {
		g := m.group
		r := percuss.Row{Head: g.Tier == closedTier, Cells: []percuss.Cell{percuss.Said(g.Model), percuss.Said(g.Variant)}}
		for _, name := range names {
			e := percuss.Absent("the model was not asked this data set")
			if c, ok := s.cell(g.Variant, g.Model, name); ok {
				e = c.figure("fcs", "F")
			}
			r.Cells = append(r.Cells, percuss.Measured(e))
		}
		t.Rows = append(t.Rows, percuss.Row{Head: r.Head, Cells: append(r.Cells, percuss.Measured(g.figure("fcs", "F")))})
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	return t
}

// jointTable is Table 6 under one form of the token rule: the published one, or the inflected one beside it.
func (s *summary) jointTable(rule string) percuss.Table {
	t := percuss.Table{ID: "joint", Title: "Chain update and answer flip", Paper: "Table 6",
		About: "Over the fired edits of " + alternatives(s.l.registering()) + " with two comparable answers: does the new chain show a trace of the edit (update), and does the answer move (flip)? The trials of all data sets are pooled; the panel is the mean of the models.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words),
			headed("fired", "Fired", percuss.Whole), headed("parsed", "Parsed", percuss.Whole), headed("dropped", "Dropped", percuss.Whole),
			headed("a", "(a) update, keep", percuss.Rate), headed("b", "(b) update, flip", percuss.Rate),
			headed("c", "(c) no update, keep: CDR", percuss.Rate), headed("d", "(d) no update, flip", percuss.Rate),
			headed("cdr_if_dropped_flipped", "CDR if dropped flipped", percuss.Rate), headed("cdr_if_dropped_kept", "CDR if dropped kept", percuss.Rate)},
		Rows: []percuss.Row{}}
	if rule != rules[0] {
		t.ID, t.Title, t.Paper, t.Long = "joint_"+rule, "Chain update and answer flip, inflected rule", "", true
		t.About = "The same where other forms of the negation count as a trace too (did not, denied and the like)."
	}
	for _, m := range s.ranked() {
		t.Rows = append(t.Rows, m.group.jointRow(rule))
	}
	if s.whole != nil {
		t.Rows = append(t.Rows, s.whole.jointRow(rule))
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	return t
}

// jointRow is the row of a group over all three families.
func (g Group) jointRow(rule string) percuss.Row {
	r := percuss.Row{Head: g.Model == "", Cells: []percuss.Cell{percuss.Said(g.label()), percuss.Said(g.Variant)}}
	for _, j := range g.Joint {
		if j.Rule != rule || j.Family != "" {
			continue
		}
		r.Cells = append(r.Cells, percuss.Counted(j.Fired), percuss.Counted(j.Parsed), percuss.Counted(j.Dropped))
		for _, e := range [...]percuss.Estimate{j.A, j.B, j.C, j.D} {
			r.Cells = append(r.Cells, percuss.Measured(e))
		}
		r.Cells = append(r.Cells, percuss.Valued(j.Lowest), percuss.Valued(j.Highest))
	}
	return r
}
