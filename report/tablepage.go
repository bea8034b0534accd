package report

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// tablePage is a table as a page shows it: below each number its interval and sample, and the remarks on cells below
// the table, numbered.
type tablePage struct {
	percuss.Table
	Folded  bool
	Printed bool // although folded: it is one that a reader of the paper looks for
	Broad   bool // many columns: in smaller type on paper
	Lines   []tableLine
	Remarks []string
}

type tableLine struct {
	Head  bool
	Cells []tableCell
}

type tableCell struct {
	Value, Range, Sample, Mark string
	Parts                      []string // of a name, which breaks between them only; empty: the value breaks anywhere, or Whole
	Whole                      bool     // a name that does not break
	Notes                      []int
	Numeric, Grey, Extreme     bool
}

// longestWords is how many characters of a text a table shows; CSV and JSON hold all.
const longestWords = 240

// mostLines is how many rows a page shows unfolded.
const mostLines = 18

// pageOf lays a table out for the template "table".
func pageOf(t percuss.Table) tablePage {
	p := tablePage{Table: t, Folded: t.Long || len(t.Rows) > mostLines, Printed: t.Paper != "" || t.ID == "modes", Broad: len(t.Columns) > broad}
	var notes footnotes
	for _, r := range t.Rows {
		line := tableLine{Head: r.Head}
		for i, c := range t.Columns {
			of := cellAt(r, i)
			parts := partsOfName(of.Text, c)
			whole := len(parts) == 1
			if whole {
				parts = nil // the cell itself does not break: a page of thousands of names is a third smaller
			}
			line.Cells = append(line.Cells, tableCell{Value: shorten(value(of, c), longestWords), Range: between(of, c), Sample: sampleOf(of, c),
				Mark: marking(of.Mark), Parts: parts, Whole: whole, Notes: notes.of(remarksOf(of, c)), Numeric: !worded(c), Grey: of.Mark == "grey",
				Extreme: of.Mark == "max" || of.Mark == "min"})
		}
		p.Lines = append(p.Lines, line)
	}
	p.Remarks, p.Notes = signedAll(notes.all), signedAll(t.Notes)
	return p
}

// broad is from how many columns on a table is set in smaller type on paper.
const broad = 9

// longestName is how long a part of a name may be and still stay in one line.
const longestName = 32

// partsOfName are the parts of a name, such as a model's, a set's or a stratum's, that stay in one line each: a prompt breaks
// after a plus sign, a group's title after a comma. Empty for other texts and for parts that are too long.
func partsOfName(s string, of percuss.Column) []string {
	if !worded(of) || !slices.Contains([]string{"model", "prompt", "set", "operator", "tier", "family", "mode", "stratum", "value", "bucket", "compared"}, of.ID) {
		return nil
	}
	return nameParts(s)
}

func nameParts(s string) []string {
	var out []string
	for _, title := range strings.SplitAfter(s, ", ") {
		for _, part := range strings.SplitAfter(title, "+") {
			if utf8.RuneCountInString(part) > longestName {
				return nil
			}
			out = append(out, part)
		}
	}
	return out
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
