package versus

import (
	"slices"

	"github.com/percuss/percuss"
)

// Shown are the tables as a reader is shown them: where there is one group, without the columns that name it and the table
// of what was compared, which a sentence says.
func (c Comparison) Shown() []percuss.Table {
	if len(c.Groups) != 1 {
		return c.Tables
	}
	names := len(naming())
	out := slices.DeleteFunc(slices.Clone(c.Tables), func(t percuss.Table) bool { return t.ID == "compared" })
	for i, t := range out {
		out[i].Columns = t.Columns[names:]
		out[i].Rows = slices.Clone(t.Rows)
		for j, r := range t.Rows {
			out[i].Rows[j].Cells = r.Cells[names:]
		}
	}
	return out
}

// Name says in words which items a group is of.
func (g Group) Name() string {
	return g.Set + ", " + turned(g.BeforeModel, g.AfterModel) + ", " + turned(g.BeforePrompt, g.AfterPrompt)
}

// Differing is a table of edits without those on which the runs do not differ, and how many these are.
func Differing(t percuss.Table) (percuss.Table, int) {
	at := func(id string) int {
		return slices.IndexFunc(t.Columns, func(c percuss.Column) bool { return c.ID == id })
	}
	before, after, lost, lostNow := at("only_before"), at("only_after"), at("dropped_before"), at("dropped_after")
	if before < 0 || after < 0 || lost < 0 || lostNow < 0 {
		return t, 0
	}
	n := len(t.Rows)
	t.Rows = slices.DeleteFunc(slices.Clone(t.Rows), func(r percuss.Row) bool {
		value := func(i int) float64 { return r.Cells[i].Estimate.Value.Or(0) }
		return !r.Head && value(before) == 0 && value(after) == 0 && value(lost) == value(lostNow)
	})
	return t, n - len(t.Rows)
}
