package cases

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
)

// col is a column of words, counts or estimates.
func col(id, head string, s percuss.Scale) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: s}
}

// bare is a column of numbers without interval and sample.
func bare(id, head string, s percuss.Scale) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: s, Bare: true}
}

func columns(all ...percuss.Column) []percuss.Column { return all }
func cells(first ...percuss.Cell) []percuss.Cell     { return first }
func line(all ...percuss.Cell) percuss.Row           { return percuss.Row{Cells: all} }

// means is a row that is a mean of those before it.
func means(all ...percuss.Cell) percuss.Row { return percuss.Row{Cells: all, Head: true} }

// sign is one of two words.
func sign(b bool, yes, no string) percuss.Cell {
	if b {
		return percuss.Said(yes)
	}
	return percuss.Said(no)
}

// explained is a table that says why it has no rows, where it has none.
func explained(t percuss.Table, why string) percuss.Table {
	t.Absent = ""
	if len(t.Rows) == 0 {
		t.Absent = why
	}
	return t
}

// trimmed is a table without the columns that say nothing: a model, set or prompt that all cells share, and words that are
// empty in every row.
func trimmed(t percuss.Table, f evidence.Findings) percuss.Table {
	var kept []int
	out := t
	out.Columns, out.Rows = nil, nil
	for i, c := range t.Columns {
		if says(t, i, f) {
			kept, out.Columns = append(kept, i), append(out.Columns, c)
		}
	}
	for _, r := range t.Rows {
		of := r
		of.Cells = make([]percuss.Cell, len(kept))
		for k, i := range kept {
			of.Cells[k] = r.Cells[i]
		}
		out.Rows = append(out.Rows, of)
	}
	return out
}

// says tells whether a column is worth showing.
func says(t percuss.Table, i int, f evidence.Findings) bool {
	c := t.Columns[i]
	switch {
	case i < len(cellColumns) && c == cellColumns[i]:
		return vary(f, c.ID)
	case c.Scale != percuss.Words || len(t.Rows) == 0:
		return true
	}
	return slices.ContainsFunc(t.Rows, func(r percuss.Row) bool { return r.Cells[i].Text != "" })
}

func hundredth(n percuss.Number) string { return n.Format(2) }

// span prints an interval; empty: there is none.
func span(e percuss.Estimate, format func(percuss.Number) string) string {
	if !e.Lo.OK() || !e.Hi.OK() {
		return ""
	}
	lo, hi := format(e.Lo), format(e.Hi)
	if n := len(lo); n > 2 && lo[n-2:] == " %" {
		lo = lo[:n-2]
	}
	return lo + " to " + hi
}
