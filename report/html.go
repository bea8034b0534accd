package report

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"iter"
	"math"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

//go:embed page.gohtml items.gohtml
var files embed.FS

var pages = template.Must(template.New("").Funcs(template.FuncMap{
	"num":   func(n percuss.Number, d int) string { return n.Format(d) },
	"count": count,
	"span":  span,
	"where": where, "visible": Visible,
}).ParseFS(files, "*.gohtml"))

// page is what the head and the tables of the HTML report need.
type page struct {
	Report
	Groups  []group
	Spec    string
	Info    string
	Afr     afrFigure
	Joint   jointFigure
	MaxItem int
}

// group is a level with its sentences and formatted figures.
type group struct {
	level
	Title   string
	Answer  []string
	Figures []figureRow
	Tables  []firingTable
}

// figureRow is one row of the table of metrics.
type figureRow struct {
	chain.Metric
	Title, Shown, Range string
}

// WriteHTML writes one self-contained page that needs no script and refers to nothing outside itself. info is the
// content of runinfo.json, or nil; it stands in a block of its own. The first maxItems items are shown whole, the
// others are counted. Items are written as they come, so that a long run need not fit in memory.
func WriteHTML(w io.Writer, r Report, info json.RawMessage, items iter.Seq[Item], maxItems int) error {
	if len(r.Definitions) == 0 {
		r.Definitions = chain.Definitions()
	}
	p := page{Report: r, Spec: indented(r.Spec), Info: indented(info), MaxItem: maxItems}
	for _, l := range shown(r.Findings) {
		p.Groups = append(p.Groups, newGroup(l, r))
	}
	p.Afr, p.Joint = newAfrFigure(p.Groups), newJointFigure(p.Groups)
	if err := pages.ExecuteTemplate(w, "head", p); err != nil {
		return fmt.Errorf("write the HTML report: %w", err)
	}
	seen := 0
	if items != nil {
		for it := range items {
			seen++
			if seen > maxItems {
				continue
			}
			if err := pages.ExecuteTemplate(w, "item", newItemView(it, r.Findings.Battery)); err != nil {
				return fmt.Errorf("write item %s: %w", it.Subject.Item, err)
			}
		}
	}
	foot := struct{ Shown, Left int }{min(seen, max(maxItems, 0)), max(0, seen-max(maxItems, 0))}
	if err := pages.ExecuteTemplate(w, "foot", foot); err != nil {
		return fmt.Errorf("write the HTML report: %w", err)
	}
	return nil
}

func newGroup(l level, r Report) group {
	g := group{level: l, Title: l.title(), Answer: answer(l, r), Tables: l.firing()}
	for _, m := range l.Metrics {
		g.Figures = append(g.Figures, figureRow{m, nameOf(r, m.ID), figure(m, r), interval(m, r)})
	}
	return g
}

// indented makes JSON readable; what is no JSON is shown as it is.
func indented(raw json.RawMessage) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

// count prints a numerator: whole, or to the hundredth where it is a sum of weights.
func count(n percuss.Number) string {
	if v, ok := n.Get(); ok && v != math.Trunc(v) {
		return n.Format(2)
	}
	return n.Format(0)
}
