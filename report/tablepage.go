package report

import (
	"github.com/percuss/percuss"
)

// tablePage is a table as a page shows it: below each number its interval and sample, and the remarks on cells below
// the table, numbered.
type tablePage struct {
	percuss.Table
	Folded  bool
	Lines   []tableLine
	Remarks []string
}

type tableLine struct {
	Head  bool
	Cells []tableCell
}

type tableCell struct {
	Value, Range, Sample, Mark string
	Notes                      []int
	Numeric, Grey, Extreme     bool
}

// longestWords is how many characters of a text a table shows; CSV and JSON hold all.
const longestWords = 240

// mostLines is how many rows a page shows unfolded.
const mostLines = 18

// pageOf lays a table out for the template "table".
func pageOf(t percuss.Table) tablePage {
	p := tablePage{Table: t, Folded: t.Long || len(t.Rows) > mostLines}
	var notes footnotes
	for _, r := range t.Rows {
		line := tableLine{Head: r.Head}
		for i, c := range t.Columns {
			of := cellAt(r, i)
			line.Cells = append(line.Cells, tableCell{Value: shorten(value(of, c), longestWords), Range: between(of, c), Sample: sampleOf(of, c),
				Mark: marking(of.Mark), Notes: notes.of(remarksOf(of, c)), Numeric: !worded(c), Grey: of.Mark == "grey",
				Extreme: of.Mark == "max" || of.Mark == "min"})
		}
		p.Lines = append(p.Lines, line)
	}
	p.Remarks = notes.all
	return p
}

// numeric says on which side a column stands.
func numeric(c percuss.Column) bool { return !worded(c) }

// shorten cuts a text to n characters.
func shorten(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n-1]) + "…"
	}
	return s
}
