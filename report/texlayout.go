package report

import (
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// texChunks parts the rows so that each part fits a page, with the notes on its cells and those on the whole table.
func texChunks(t percuss.Table, below []string, wide bool) [][]percuss.Row {
	room := texLines
	if wide {
		room = texAcross
	}
	for _, s := range append([]string{t.Title + t.About}, below...) {
		room -= linesOf(s, texNoteLine)
	}
	var out [][]percuss.Row
	var rows []percuss.Row
	var notes footnotes
	used := 0
	for _, r := range t.Rows {
		known := len(notes.all)
		need := texHeight(t, r, &notes)
		for _, s := range notes.all[known:] {
			need += linesOf(s, texNoteLine)
		}
		if len(rows) > 0 && used+need > room {
			out, rows, used, notes = append(out, rows), nil, 0, footnotes{}
			need = texHeight(t, r, &notes)
			for _, s := range notes.all {
				need += linesOf(s, texNoteLine)
			}
		}
		rows, used = append(rows, r), used+need
	}
	return append(out, rows)
}

// texHeight is how many lines a row takes: of its longest words, and one of intervals. It gathers the notes on its cells.
func texHeight(t percuss.Table, r percuss.Row, notes *footnotes) int {
	words, intervals := 1, 0
	for i, c := range t.Columns {
		of := cellAt(r, i)
		notes.of(remarksOf(of, c))
		if worded(c) {
			words = max(words, linesOf(shorten(of.Text, longestWords), wordsMost-4))
		} else if between(of, c) != "" {
			intervals = 1
		}
	}
	return words + intervals
}

// linesOf is in how many lines of n characters a text is set.
func linesOf(s string, n int) int { return (utf8.RuneCountInString(s) + n - 1) / n }

// wide says whether a part is set across a landscape page.
func (p textPart) wide() bool {
	width := 0
	for _, c := range p.columns {
		width += c.width + gap
	}
	return width > texPortrait
}

// inTex is a column as wide as LaTeX sets it, where intervals are small.
func (c textColumn) inTex(rows []percuss.Row) textColumn {
	if worded(c.of) {
		return c
	}
	width := 0
	for _, line := range c.head {
		width = max(width, utf8.RuneCountInString(line))
	}
	for _, r := range rows {
		of := cellAt(r, c.at)
		width = max(width, utf8.RuneCountInString(value(of, c.of)), utf8.RuneCountInString(between(of, c.of))*3/4)
	}
	c.width = width
	return c
}
