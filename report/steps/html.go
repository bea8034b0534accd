package steps

import (
	"bytes"
	"embed"
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"iter"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
)

//go:embed *.gohtml steps.css
var files embed.FS

var pages = template.Must(report.Templates().Funcs(template.FuncMap{
	"defined": columnTerms.Of, "chainOf": chainOf, "most": func() int { return pageBytes }, "join": func(all []string) string { return strings.Join(all, "; ") },
}).ParseFS(files, "*.gohtml"))

// The most bytes of one text that a page shows.
const pageBytes = 20_000

// CSS is the style of what only the pages of this audit have, beside page.css and that of the figures.
func CSS() string {
	raw, err := files.ReadFile("steps.css")
	if err != nil {
		panic("steps: " + err.Error()) // the file is embedded
	}
	return string(raw)
}

// HTML is what the HTML report holds beside the findings.
type HTML struct {
	Info  json.RawMessage // the content of runinfo.json, for a block of its own; nil: none
	Items iter.Seq[Item]  // walked once, one item in memory at a time; nil: none
	Of    int             // how many items there are, where Items are a part of them; 0: Items are all
	Whole int             // so many items, from the first, are shown whole in the main page; all are in its list

	Card string // the file of the model card beside the main page; empty: there is none

	// Beside writes the page of one item, named items/0001.html and so on relative to the main page, which must be
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
	Compared []comparedView
	Trust    []report.Sentence // how far each judge can be trusted
	Cells    []cellView
	Summary  []percuss.Table
	Figures  []figure.Drawing
	Claims   report.ClaimsPage
	Sections []section
	CallRows percuss.Table
	List     itemList
	Folded   template.HTML // the items that are shown whole
	Shown    int
	Of       int
	Beside   bool
}

// comparedView is a comparison in words.
type comparedView struct {
	Title     string
	Sentences []report.Sentence
	Folded    bool // there are many: it opens on demand
}

// cellView is a cell in words.
type cellView struct {
	Title     string
	Sentences []report.Sentence
	Cautions  []string
	Folded    bool // there are many cells: it opens on demand
}

// section is one analysis of the findings.
type section struct {
	ID, Title, About, Absent string
	Tables                   []percuss.Table
}

// openCells is the number of cells, or of comparisons, up to which their sentences stand open.
const openCells = 3

// WriteHTML writes one self-contained page: it can be read without a script and refers to nothing but the pages of the
// items beside it. What a model or a file wrote is escaped, and characters that would hide or turn a text are replaced.
func WriteHTML(w io.Writer, r Report, h HTML) error {
	if len(r.Definitions) == 0 {
		r.Definitions = terms()
	}
	f := r.Findings
	p := page{Report: r, Info: h.Info, Beside: h.Beside != nil, Of: h.Of, Asked: report.Asked(r.Models, r.Data, "item", h.Info), Alerts: alerts(r), Card: h.Card,
		Claims: report.NewClaimsPage(r.Claims), Trust: trust(f), CallRows: trimmed(report.CallsTable(r.Calls)),
		Frame: web.Frame{Title: "Percuss report: " + r.Audit + " audit", Style: template.CSS(figure.CSS() + CSS()), Script: "list.js"}}
	all := comparisons(f)
	for _, c := range all {
		p.Compared = append(p.Compared, comparedView{c.Title, c.sentences(f), len(all) > openCells})
	}
	for _, c := range f.Cells {
		p.Cells = append(p.Cells, cellView{title(f, c), answer(f, c), cautions(f, c), len(f.Cells) > openCells})
	}
	for _, a := range f.Analyses {
		s := section{ID: "s-" + a.ID, Title: a.Title, About: a.About, Absent: a.Absent}
		for _, t := range a.Tables {
			if a.Absent == "" || len(t.Rows) > 0 {
				s.Tables = append(s.Tables, trimmed(t))
			}
		}
		p.Sections = append(p.Sections, s)
	}
	for _, t := range summaryTables(f) {
		p.Summary = append(p.Summary, trimmed(t))
	}
	p.ground()
	var err error
	if p.Figures, err = Figures(f); err != nil {
		return err
	}
	if err := p.addItems(h, r); err != nil {
		return err
	}
	return draw(w, pages, "page", p)
}

// ground takes away what sentences rest on where the page does not have it.
func (p *page) ground() {
	there := map[string]bool{}
	for _, s := range p.Sections {
		there[s.ID] = true
		for _, t := range s.Tables {
			there["t-"+t.ID] = true
		}
	}
	check := func(all []report.Sentence) {
		for i := range all {
			if !there[all[i].Ground] {
				all[i].Ground = ""
			}
		}
	}
	check(p.Trust)
	for _, c := range p.Compared {
		check(c.Sentences)
	}
	for _, c := range p.Cells {
		check(c.Sentences)
	}
}

// draw executes a template. What could hide or turn a text is replaced in the whole page, so that no field is forgotten.
func draw(w io.Writer, t *template.Template, name string, data any) error {
	var b bytes.Buffer
	if err := t.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("draw the HTML report: %w", err)
	}
	if _, err := io.WriteString(w, report.Visible(b.String())); err != nil {
		return fmt.Errorf("write the HTML report: %w", err)
	}
	return nil
}
