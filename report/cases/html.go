package cases

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"iter"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
)

//go:embed *.gohtml cases.css
var files embed.FS

var pages = template.Must(report.Templates().Funcs(template.FuncMap{
	"casestyle": caseStyle, "defined": columnTerms.Of, "percent": report.Percent, "signed": signed, "most": func() int { return pageBytes },
	"join": func(all []string) string { return strings.Join(all, "; ") },
}).ParseFS(files, "*.gohtml"))

// The most bytes of one text that a page shows.
const pageBytes = 20_000

// caseStyle is the style sheet of what only these pages have.
func caseStyle() template.CSS {
	raw, err := files.ReadFile("cases.css")
	if err != nil {
		panic("cases: " + err.Error()) // the file is embedded
	}
	return template.CSS(raw)
}

// HTML is what the HTML report holds beside the findings.
type HTML struct {
	Info  json.RawMessage // the content of runinfo.json, for a block of its own; nil: none
	Cases iter.Seq[Case]  // walked once, one case in memory at a time; nil: none
	Whole int             // so many cases, from the first, are shown whole in the main page; all are in its list

	Card string // the file of the model card beside the main page; empty: there is none

	// Beside writes the page of one case, named items/0001.html and so on relative to the main page, which must be
	// named report.html. nil: no such pages.
	Beside func(name string, page []byte) error
}

// page is what the templates of the main page need.
type page struct {
	Report
	Frame    web.Frame
	Asked    string // what was asked, and when
	Card     string // the file of the model card
	Info     json.RawMessage
	Alerts   []string
	Cells    []cellView
	Figures  []figure.Drawing
	Claims   report.ClaimsPage
	Summary  section // what a reader looks for first: the panel's tables, else how often the model is right
	Sections []section
	CallRows percuss.Table
	List     caseList
	Folded   template.HTML // the cases that are shown whole
	Shown    int
	Beside   bool
}

// Explained are the definitions of the page.
func (p page) Explained() []Definition { return slices.Concat(p.Definitions, words()) }

// cellView is a cell in words.
type cellView struct {
	Title     string
	Sentences []report.Sentence
	Cautions  []string
	Folded    bool // there are many cells: it opens on demand
}

// openCells is the number of cells up to which their sentences stand open.
const openCells = 3

// WriteHTML writes one self-contained page: it can be read without a script and refers to nothing but the pages of the
// cases beside it. What a model or a file wrote is escaped, and characters that would hide or turn a text are replaced.
func WriteHTML(w io.Writer, r Report, h HTML) error {
	if len(r.Definitions) == 0 {
		r.Definitions = definitions(r.Findings.Labels)
	}
	p := page{Report: r, Info: h.Info, Beside: h.Beside != nil, Asked: report.Asked(r.Models, r.Data, "case", h.Info), Alerts: alerts(r), Card: h.Card, Claims: report.NewClaimsPage(r.Claims),
		Frame: web.Frame{Title: "Percuss report: " + r.Audit + " audit", Style: template.CSS(figure.CSS()) + caseStyle(), Script: "list.js"}}
	for _, c := range r.Findings.Cells {
		p.Cells = append(p.Cells, cellView{title(r.Findings, c), answer(c), c.Cautions, len(r.Findings.Cells) > openCells})
	}
	var err error
	if p.Figures, err = Figures(r.Findings); err != nil {
		return err
	}
	all := sections(r)
	for _, s := range all {
		for i, t := range s.Tables {
			s.Tables[i] = trimmed(t, r.Findings)
		}
	}
	p.Summary, p.Sections = all[0], all[1:]
	p.CallRows = trimmed(report.CallsTable(r.Calls), r.Findings)
	if err := p.addCases(h, r); err != nil {
		return err
	}
	return draw(w, "page", p)
}

// draw executes a template. What could hide or turn a text is replaced in the whole page, so that no field is
// forgotten.
func draw(w io.Writer, name string, data any) error {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("draw the HTML report: %w", err)
	}
	if _, err := io.WriteString(w, report.Visible(b.String())); err != nil {
		return fmt.Errorf("write the HTML report: %w", err)
	}
	return nil
}

// floorsOf are the noise floors of the cell that a case is in.
func floorsOf(f evidence.Findings, c Case) []evidence.FloorRow {
	for _, cell := range f.Cells {
		if cell.Model == c.Subject.Model && cell.Set == c.Subject.Set && cell.Variant == c.Subject.Variant {
			return cell.Floor
		}
	}
	return nil
}
