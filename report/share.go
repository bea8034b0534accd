package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/figure"
)

// Templates returns a new set of templates with the parts and functions that the pages of every audit share: "top" and
// "foot", the frame of a page (web.Frame); "head", its style sheet alone; "sentences", what a report opens with; "terms", the
// definitions that the names of metrics open ("defined", which another audit replaces, says what heads a column); "made", the tables of a report's Models and Data; "table", any
// percuss.Table; "figure", any figure.Drawing; policy and script, for
// the scripts list.js and keys.js. The pages of an audit are parsed into it.
func Templates() *template.Template {
	return template.Must(web.Templates().Funcs(template.FuncMap{
		"num":   fixed,
		"count": count, "span": span, "clip": clippedWords, "words": words, "policy": web.Policy, "outcome": Calls.outcome, "outcomes": outcomeNames, "indented": indented,
		"tablePage": pageOf, "numeric": numeric, "defined": termOf, "term": func(id, head string) Term { return Term{id, head} },
		"style":  func() template.CSS { return template.CSS(figure.CSS() + web.Text("page.css")) }, // our own, embedded
		"script": func(name string) template.JS { return template.JS(web.Text(name)) },
	}).ParseFS(files, "shared.gohtml", "claims.gohtml"))
}

// Wrap adds a paragraph to a terminal's text, in lines of at most 80 columns that begin with indent. What could steer a
// terminal is dropped.
func Wrap(b *bytes.Buffer, indent, s string) {
	for _, line := range screen.Fold(strings.Join(strings.Fields(clean(s)), " "), indent, "", columns) {
		b.WriteString(line + "\n")
	}
}

// WriteIndented writes a report as indented JSON; the same report always gives the same bytes.
func WriteIndented(w io.Writer, report any) error {
	e := json.NewEncoder(w)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	if err := e.Encode(report); err != nil {
		return fmt.Errorf("write the report as JSON: %w", err)
	}
	return nil
}

// Plural writes a count and its noun: "1 case", "2,000 cases".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return percuss.Grouped(n) + " " + noun + "s"
}

// Percent prints a share in percent, to the tenth where it is not whole.
func Percent(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return fixed(n, 0)
	}
	return strings.TrimSuffix(fixed(percuss.Num(100*v), 1), ".0") + " %"
}
