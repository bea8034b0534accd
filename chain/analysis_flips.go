package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// perOperator is analysis 3: flip rates by family (chain paper, Table 11) and by variant, and firing rates.
type perOperator struct{}

func (perOperator) add(Record) {}

func (perOperator) analyses(s *summary) []percuss.Analysis {
	return []percuss.Analysis{{ID: "flips", Number: 3, Title: "Flips and firing by operator",
		About:  "How often each edit moves the answer, model by model, and on how many items it could be made at all.",
		Tables: slices.Concat([]percuss.Table{s.flipFamilies(s.rivals())}, s.furtherPrompts(), []percuss.Table{s.flipVariants(), s.firingRates(), s.firingCells()})}}
}

// furtherPrompts are the flip rates of the families under the prompts that are not a model's first, a table each: the
// leading table has a column a model.
func (s *summary) furtherPrompts() []percuss.Table {
	by := map[string][]*model{}
	var order []string
	rivals := s.rivals()
	for _, m := range s.ranked() {
		if slices.Contains(rivals, m) {
			continue
		}
		v := m.group.Variant
		if len(by[v]) == 0 {
			order = append(order, v)
		}
		by[v] = append(by[v], m)
	}
	var out []percuss.Table
	for _, v := range order {
		t := s.flipFamilies(by[v])
		t.ID, t.Title, t.Paper, t.Long = "flip_families_"+strings.Map(inID, v), "Flip rate of each family, prompt "+v, "", true
		t.About = "The same under a prompt that is not the first of these models."
		out = append(out, t)
	}
	return out
}

// matrix is a table with one row an operator, or family, and one column a model. A fourth column of words holds the
// published firing rate.
func (s *summary) matrix(t percuss.Table, models []*model, rows func(Group) []Firing, of func(Firing) percuss.Estimate) percuss.Table {
	published := len(t.Columns) > 3
	t.Columns = distinct(append(t.Columns, modelColumns(models, percuss.Rate)...))
	t.Rows = []percuss.Row{}
	switch {
	case len(models) == 0:
		t.Absent = noModels
		return t
	case len(rows(models[0].group)) == 0:
		t.Absent = "the battery has no operator"
		return t
	}
	for i, first := range rows(models[0].group) {
		r := percuss.Row{Cells: []percuss.Cell{percuss.Said(first.ID), percuss.Said(first.Title), percuss.Said(intentName(first.Intent))}}
		if published {
			r.Cells = append(r.Cells, percuss.Said(first.Published.words()))
		}
		for _, m := range models {
			r.Cells = append(r.Cells, percuss.Measured(of(rows(m.group)[i])))
		}
		t.Rows = append(t.Rows, r)
	}
	return t
}

// operatorColumns head the rows of a matrix.
func operatorColumns(id, head string) []percuss.Column {
	return []percuss.Column{headed(id, head, percuss.Words), headed("title", "Edit", percuss.Words), headed("intent", "Intent", percuss.Words)}
}

func flipRateOf(f Firing) percuss.Estimate { return f.AFR }

// flipFamilies is Table 11 of some models: the lowest rate of each row is marked.
func (s *summary) flipFamilies(models []*model) percuss.Table {
	t := s.matrix(percuss.Table{ID: "flip_families", Title: "Flip rate of each family", Paper: "Table 11",
		About:   "Flips ÷ fired trials with two comparable answers, over all medical data sets and the variants of a family; each model under its first prompt. The lowest rate of each row is marked. Missing: the family never fired.",
		Columns: operatorColumns("family", "Family")}, models,
		func(g Group) []Firing { return g.Families }, flipRateOf)
	for i := range t.Rows {
		markLowest(t.Rows[i].Cells[3:])
	}
	return t
}

// markLowest marks the smallest of some cells, and all that are printed alike, where there are several models.
func markLowest(cells []percuss.Cell) {
	if len(cells) < 2 {
		return
	}
	column := make([]percuss.Row, len(cells))
	for i, c := range cells {
		column[i].Cells = []percuss.Cell{c}
	}
	markExtreme(column, 0, "min")
	for i := range cells {
		cells[i].Mark = column[i].Cells[0].Mark
	}
}

// flipVariants is the same for each operator.
func (s *summary) flipVariants() percuss.Table {
	return s.matrix(percuss.Table{ID: "flip_variants", Title: "Flip rate of each operator", Long: true,
		About:   "Flips ÷ fired trials with two comparable answers, over all medical data sets.",
		Columns: operatorColumns("operator", "Operator")}, s.ranked(),
		func(g Group) []Firing { return g.Operators }, flipRateOf)
}

// firingRates is the share of items that each operator fired on.
func (s *summary) firingRates() percuss.Table {
	return s.matrix(percuss.Table{ID: "firing", Title: "Firing rate of each operator", Long: true,
		About:   "Items that the operator fired on ÷ items that it was tried on, over all medical data sets. The paper's rates are those of its own draws of 200 items a set.",
		Columns: append(operatorColumns("operator", "Operator"), headed("published", "Published", percuss.Words))}, s.ranked(),
		func(g Group) []Firing { return g.Operators }, func(f Firing) percuss.Estimate { return f.Rate })
}

// words writes a published rate; empty where there is none.
func (p *Published) words() string {
	if p == nil {
		return ""
	}
	if p.Lo == p.Hi {
		return fmt.Sprintf("%s (%s)", p.Lo.Format(4), p.Of)
	}
	return fmt.Sprintf("%s to %s (%s)", p.Lo.Format(2), p.Hi.Format(2), p.Of)
}

// firingCells lists every operator in every cell with its counts.
func (s *summary) firingCells() percuss.Table {
	t := percuss.Table{ID: "firing_cells", Title: "Firing in each data set", Long: true,
		About: "For every model, prompt and data set: how often each operator was tried, fired and could be compared.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words),
			headed("set", "Data set", percuss.Words), headed("operator", "Operator", percuss.Words), headed("items", "Tried", percuss.Whole),
			headed("fired", "Fired", percuss.Whole), headed("parsed", "Parsed", percuss.Whole), headed("rate", "Firing rate", percuss.Rate),
			headed("published", "Published", percuss.Words), headed("afr", "Flip rate", percuss.Rate), headed("stem", "Edited", percuss.Words)},
		Rows: []percuss.Row{}, Absent: "there are no records, or the battery has no operator"}
	for _, g := range s.cells {
		for _, f := range g.Operators {
			edited := "chain"
			if f.Stem != "" {
				edited = string(f.Stem)
			}
			t.Absent = ""
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(g.Model), percuss.Said(g.Variant), percuss.Said(g.Set),
				percuss.Said(f.ID), percuss.Counted(f.Items), percuss.Counted(f.Fired), percuss.Counted(f.Parsed), percuss.Measured(f.Rate),
				percuss.Said(f.Published.words()), percuss.Measured(f.AFR), percuss.Said(edited)}})
		}
	}
	return t
}

// inID keeps what may stand in a table's id, which is a file's name as well: a prompt condition may hold a +.
func inID(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '-' {
		return r
	}
	return '_'
}
