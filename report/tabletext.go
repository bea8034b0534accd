package report

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/screen"
)

// The widths of a table's columns in a terminal.
const (
	wordsMost = 25 // of words, unless a line has more left
	headMost  = 12 // of a head of numbers, unless its values are wider
	gap       = 2  // between columns

	headLongest = 120 // of a head, in all its lines
)

// TableText adds a table to a terminal's text, at most 80 columns wide: what does not fit goes below, under the
// leading columns of words again. Below each value stands its interval. most is how many rows are shown at most, in as many
// columns as a line holds and without the notes on their cells; 0: all, with them.
func TableText(b *bytes.Buffer, t percuss.Table, most int) {
	b.WriteByte('\n')
	Wrap(b, "", titled(t))
	if t.Absent != "" || len(t.Rows) == 0 {
		Wrap(b, "  ", "– "+orElse(t.Absent, "no rows"))
		return
	}
	rows := t.Rows
	if most > 0 && len(rows) > most+1 {
		rows = rows[:most]
	}
	var notes footnotes
	numbers := func(int, int) string { return "" }
	if most == 0 {
		numbers = notes.numbers(t, rows)
	}
	laid := textColumns(t, rows, numbers)
	ease(laid, rows)
	parts := partsOf(laid, naming(t), columns)
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
	for _, s := range t.Notes {
		Wrap(b, "  ", "– "+Signed(s))
	}
	for i, s := range notes.all {
		Wrap(b, "  ", fmt.Sprintf("(%d) %s", i+1, Signed(s)))
	}
}

// titled is a table's title with the paper's table that it reproduces.
func titled(t percuss.Table) string {
	if t.Paper == "" {
		return t.Title
	}
	return t.Title + " (the paper's " + t.Paper + ")"
}

// numbers gathers the remarks on all cells and gives what stands beside the cell at a row and column: the numbers of
// its remarks, or nothing.
func (n *footnotes) numbers(t percuss.Table, rows []percuss.Row) func(row, column int) string {
	beside := map[[2]int]string{}
	for k, r := range rows {
		for i, c := range t.Columns {
			for _, number := range n.of(remarksOf(cellAt(r, i), c)) {
				beside[[2]int{k, i}] += fmt.Sprintf(" (%d)", number)
			}
		}
	}
	return func(row, column int) string { return beside[[2]int{row, column}] }
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
	marked  bool
	numbers func(row, column int) string // of the remarks on a cell
}

// textColumns lays the columns of a table out.
func textColumns(t percuss.Table, rows []percuss.Row, numbers func(row, column int) string) []textColumn {
	var out []textColumn
	for i, c := range t.Columns {
		out = append(out, newTextColumn(c, i, rows, numbers))
	}
	return out
}

// ease gives columns of words that were cut what a line has left, the first one first; of a table that needs several
// parts, what its two leading ones leave each other.
func ease(laid []textColumn, rows []percuss.Row) {
	left := columns + gap
	for _, c := range laid {
		left -= c.width + gap
	}
	if left < 0 {
		laid = laid[:min(len(laid), 2)]
		left = 2 * wordsMost
		for _, c := range laid {
			left -= c.width
		}
	}
	for i, c := range laid {
		if !worded(c.of) {
			continue
		}
		need := 0
		for _, r := range rows {
			need = max(need, screen.Width(flagged(cellAt(r, c.at), c.of))-c.width)
		}
		give := max(0, min(need, left))
		laid[i].width += give
		left -= give
	}
}

// naming is how many leading columns of words, counts and bare numbers it takes to tell the rows of a table apart; where no
// number of them does, how many of words there are, two at most.
func naming(t percuss.Table) int {
	words := 0
	for words < min(len(t.Columns), 2) && worded(t.Columns[words]) {
		words++
	}
	names := make([]string, len(t.Rows))
	for i, c := range t.Columns {
		if i >= words && estimated(c) {
			break
		}
		seen := map[string]bool{}
		for k, r := range t.Rows {
			names[k] += strconv.Quote(value(cellAt(r, i), c))
			seen[names[k]] = true
		}
		if len(seen) == len(t.Rows) && i+1 >= words {
			return i + 1
		}
	}
	return words
}

// partsOf parts columns where a line of most characters is full. The leading columns begin every part: so many as name a
// row, unless they would leave less than half of the line.
func partsOf(columns []textColumn, naming, most int) []textPart {
	var lead, rest []textColumn
	begin := 0
	for i, c := range columns {
		if i < naming && (i < 2 && worded(c.of) || begin+c.width <= most/2) && len(rest) == 0 {
			lead, begin = append(lead, c), begin+c.width+gap
		} else {
			rest = append(rest, c)
		}
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
func newTextColumn(c percuss.Column, at int, rows []percuss.Row, numbers func(row, column int) string) textColumn {
	width, marked := 1, false
	for _, r := range rows {
		marked = marked || cellAt(r, at).Mark == "max" || cellAt(r, at).Mark == "min"
	}
	for k, r := range rows {
		of := cellAt(r, at)
		for _, s := range []string{flagged(of, c) + numbers(k, at), between(of, c)} {
			width = max(width, screen.Width(s))
		}
	}
	if marked {
		width += len(" max")
	}
	if worded(c) {
		width = min(width, wordsMost)
	}
	var head []string
	for _, w := range strings.Fields(shorten(clean(orElse(c.Head, c.ID)), headLongest)) {
		n := len(head)
		if n > 0 && screen.Width(head[n-1])+1+screen.Width(w) <= max(width, headMost) {
			head[n-1] += " " + w
		} else {
			head = append(head, shorten(w, wordsMost))
		}
	}
	for _, line := range head {
		width = max(width, screen.Width(line))
	}
	return textColumn{c, at, min(width, columns), head, marked, numbers}
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
			if c.marked && s != "" && screen.Width(s)+4 <= c.width && !strings.HasSuffix(s, " max") && !strings.HasSuffix(s, " min") {
				s += "    " // values stand below each other, with a mark or without
			}
			if worded(c.of) {
				all = append(all, Pad(s, c.width))
			} else {
				all = append(all, strings.Repeat(" ", max(0, c.width-screen.Width(s)))+s)
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
	for k, r := range rows {
		line(func(c textColumn) string { return flagged(cellAt(r, c.at), c.of) + c.numbers(k, c.at) })
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
