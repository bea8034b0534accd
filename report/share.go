package report

import (
	"bytes"
	"html/template"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// Templates returns a new set of templates with the parts and functions that the pages of every audit share: "head",
// the beginning of a page with its style sheet; "made", the tables of a report's Models and Data; policy and script, for
// the scripts list.js and keys.js. The pages of an audit are parsed into it.
func Templates() *template.Template {
	return template.Must(template.New("").Funcs(template.FuncMap{
		"num":   func(n percuss.Number, d int) string { return n.Format(d) },
		"count": count, "span": span, "clip": clip, "policy": policy, "outcome": Calls.outcome, "outcomes": outcomeNames, "indented": indented,
		"style":  func() template.CSS { return template.CSS(asset("page.css")) }, // our own file, embedded
		"script": func(name string) template.JS { return template.JS(asset(name)) },
	}).ParseFS(files, "shared.gohtml"))
}

// Unfinished says how many calls have no answer; empty: none.
func Unfinished(all []Calls) string { return unfinished(all) }

// Wrap adds a paragraph to a terminal's text, in lines of at most 80 columns that begin with indent. What could steer a
// terminal is dropped.
func Wrap(b *bytes.Buffer, indent, s string) {
	most := columns - utf8.RuneCountInString(indent)
	width := 0
	put := func(word string, n int) {
		switch {
		case width == 0:
			b.WriteString(indent)
		case width+1+n > most:
			b.WriteString("\n" + indent)
			width = 0
		default:
			b.WriteByte(' ')
			width++
		}
		b.WriteString(word)
		width += n
	}
	for _, w := range strings.Fields(clean(s)) {
		for part := range slices.Chunk([]rune(w), most) {
			put(string(part), len(part))
		}
	}
	b.WriteByte('\n')
}

// Pad makes a cell of exactly n columns for a terminal's table. What could steer a terminal is dropped.
func Pad(s string, n int) string { return pad(s, n) }

// WriteTable writes one CSV file. A cell of text that a spreadsheet would take for a formula gets an apostrophe in
// front.
func WriteTable(name string, rows [][]string) error { return writeTable(name, rows) }
