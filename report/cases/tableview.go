package cases

import (
	"slices"

	"github.com/percuss/percuss/evidence"
)

// tableView is a table as the page shows it: columns that say nothing are left out, and remarks stand below, numbered.
type tableView struct {
	table
	Heads []column
	Lines [][]cellText
	Notes []string
}

// cellText is an entry as the page shows it.
type cellText struct {
	Value, Under string
	Notes        []int
	Numeric, Tag bool
}

// longest is how many characters of a text a table shows; CSV and JSON hold all.
const longest = 240

// Numeric says on which side a column stands.
func (c column) Numeric() bool { return c.numeric() }

func newTableView(t table, f evidence.Findings) tableView {
	v := tableView{table: t}
	var kept []int
	for i, c := range t.Columns {
		if t.says(i, f) {
			kept = append(kept, i)
			v.Heads = append(v.Heads, c)
		}
	}
	for _, row := range t.Rows {
		var line []cellText
		for _, i := range kept {
			c := t.Columns[i]
			text := cellText{Numeric: c.numeric(), Tag: row[i].text == "suspicious" && c.ID == "suspicious"}
			text.Value, text.Under = c.shown(row[i])
			text.Value = shorten(text.Value, longest)
			for _, note := range c.remark(row[i]) {
				at := slices.Index(v.Notes, note)
				if at < 0 {
					at = len(v.Notes)
					v.Notes = append(v.Notes, note)
				}
				text.Notes = append(text.Notes, at+1)
			}
			line = append(line, text)
		}
		v.Lines = append(v.Lines, line)
	}
	return v
}

// says tells whether a column is worth showing: a model, set or prompt that all cells share is not, nor words that are
// empty in every row.
func (t table) says(i int, f evidence.Findings) bool {
	c := t.Columns[i]
	switch {
	case i < len(cellColumns) && c == cellColumns[i]:
		return vary(f, c.ID)
	case c.Kind != words || len(t.Rows) == 0:
		return true
	}
	return slices.ContainsFunc(t.Rows, func(row []entry) bool { return row[i].text != "" })
}
