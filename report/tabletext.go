package report

import (
	"bytes"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// The widths of a table's columns in a terminal.
const (
	wordsMost = 30 // of words
	headMost  = 12 // of a head of numbers, unless its values are wider
	gap       = 2  // between columns
)

// TableText adds a table to a terminal's text, at most 100 columns wide: what does not fit goes below, under the
// leading columns of words again. Below each value stands its interval. most is how many rows are shown at most, in as many
// columns as a line holds and without the notes on their cells; 0: all, with them.
func TableText(b *bytes.Buffer, t percuss.Table, most int) {
	title := t.Title
	if t.Paper != "" {
		title += " (" + t.Paper + ")"
	}
	b.WriteByte('\n')
	Wrap(b, "", title)
	if t.Absent != "" || len(t.Rows) == 0 {
		Wrap(b, "  ", "– "+orElse(t.Absent, "no rows"))
		return
	}
	rows := t.Rows
	if most > 0 && len(rows) > most+1 {
		rows = rows[:most]
	}
	parts := partsOf(textColumns(t, rows), widest)
	if most > 0 {
		parts = parts[:1]
	}
	for _, part := range parts {
		part.write(b, rows)
	}
	if n := len(t.Rows) - len(rows); n > 0 {
		Wrap(b, "  ", "… and "+Plural(n, "more row"))
	}
	if n := len(t.Columns) - len(parts[0].columns); n > 0 && most > 0 {
		Wrap(b, "  ", "… and "+Plural(n, "more column"))
	}
	for _, s := range legend(rows) {
		Wrap(b, "  ", s)
	}
	var notes footnotes
	if most == 0 {
		for _, r := range rows {
			for i, c := range t.Columns {
				notes.of(remarksOf(cellAt(r, i), c))
			}
		}
	}
	for _, s := range slices.Concat(t.Notes, notes.all) {
		Wrap(b, "  ", "– "+s)
	}
}

// orElse is s, or other where it is empty.
func orElse(s, other string) string {
	if s == "" {
		return other
	}
	return s
}

// textPart is the columns of a table that stand side by side.
type textPart struct{ columns []textColumn }

// textColumn is a column laid out for a terminal.
type textColumn struct {
	of    percuss.Column
	at    int // in the table
	width int
	head  []string // in lines
	// marked: an entry has its extreme marked.
	marked bool
}

// textColumns lays the columns of a table out.
func textColumns(t percuss.Table, rows []percuss.Row) []textColumn {
	var out []textColumn
	for i, c := range t.Columns {
		out = append(out, newTextColumn(c, i, rows))
	}
	return out
}

// partsOf parts columns where a line of most characters is full. The leading columns of words begin every part.
func partsOf(columns []textColumn, most int) []textPart {
	var lead, rest []textColumn
	for _, c := range columns {
		if worded(c.of) && len(rest) == 0 && len(lead) < 2 {
			lead = append(lead, c)
		} else {
			rest = append(rest, c)
		}
	}
	begin := 0
	for _, c := range lead {
		begin += c.width + gap
	}
	parts := []textPart{{lead}}
	width := begin
	for _, c := range rest {
		if width+c.width > most && width > begin {
			parts, width = append(parts, textPart{slices.Clone(lead)}), begin
		}
		last := &parts[len(parts)-1]
		last.columns = append(last.columns, c)
		width += c.width + gap
	}
	return parts
}

// newTextColumn finds a column's width: of its longest entry, and of its head in as many lines as that needs.
func newTextColumn(c percuss.Column, at int, rows []percuss.Row) textColumn {
	width, marked := 1, false
	for _, r := range rows {
		marked = marked || cellAt(r, at).Mark == "max" || cellAt(r, at).Mark == "min"
	}
	for _, r := range rows {
		of := cellAt(r, at)
		for _, s := range []string{flagged(of, c), between(of, c)} {
			width = max(width, utf8.RuneCountInString(s))
		}
	}
	if marked {
		width += len(" max")
	}
	if worded(c) {
		width = min(width, wordsMost)
	}
	var head []string
	for _, w := range strings.Fields(clean(orElse(c.Head, c.ID))) {
		n := len(head)
		if n > 0 && utf8.RuneCountInString(head[n-1])+1+utf8.RuneCountInString(w) <= max(width, headMost) {
			head[n-1] += " " + w
		} else {
			head = append(head, shorten(w, wordsMost))
		}
	}
	for _, line := range head {
		width = max(width, utf8.RuneCountInString(line))
	}
	return textColumn{c, at, min(width, widest), head, marked}
}

// flagged is a cell's value with a sign for its mark.
func flagged(c percuss.Cell, of percuss.Column) string {
	s := clean(value(c, of))
	switch c.Mark {
	case "max":
		return s + " max"
	case "min":
		return s + " min"
	case "low":
		return s + "*"
	case "grey":
		return "(" + s + ")"
	}
	return s
}

func (p textPart) write(b *bytes.Buffer, rows []percuss.Row) {
	line := func(entry func(textColumn) string) {
		var all []string
		for _, c := range p.columns {
			s := entry(c)
			if c.marked && s != "" && utf8.RuneCountInString(s)+4 <= c.width && !strings.HasSuffix(s, " max") && !strings.HasSuffix(s, " min") {
				s += "    " // values stand below each other, with a mark or without
			}
			if worded(c.of) {
				all = append(all, Pad(s, c.width))
			} else {
				all = append(all, strings.Repeat(" ", max(0, c.width-utf8.RuneCountInString(s)))+s)
			}
		}
		if s := strings.TrimRight(strings.Join(all, strings.Repeat(" ", gap)), " "); s != "" {
			b.WriteString(s + "\n")
		}
	}
	high := 0
	for _, c := range p.columns {
		high = max(high, len(c.head))
	}
	for i := range high {
		line(func(c textColumn) string {
			if k := i - high + len(c.head); k >= 0 {
				return c.head[k]
			}
			return ""
		})
	}
	for _, r := range rows {
		line(func(c textColumn) string { return flagged(cellAt(r, c.at), c.of) })
		line(func(c textColumn) string { return between(cellAt(r, c.at), c.of) })
	}
}

// legend explains the signs of the marks that the rows hold.
func legend(rows []percuss.Row) []string {
	low, grey := false, false
	for _, r := range rows {
		for _, c := range r.Cells {
			low, grey = low || c.Mark == "low", grey || c.Mark == "grey"
		}
	}
	var out []string
	if low {
		out = append(out, "* on few items")
	}
	if grey {
		out = append(out, "(…) not to be read")
	}
	return out
}
