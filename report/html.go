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
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report/figure"
)

//go:embed *.gohtml
var files embed.FS

var pages = template.Must(Templates().Funcs(template.FuncMap{
	"published": published, "corridor": corridor, "fold": func() int { return foldBytes }, "most": func() int { return pageBytes },
}).ParseFS(files, "*.gohtml"))

// HTML is what the HTML report holds beside the findings.
type HTML struct {
	Info  json.RawMessage // the content of runinfo.json, for a block of its own; nil: none
	Items iter.Seq[Item]  // walked once, one item in memory at a time; nil: none
	Of    int             // how many items there are, where Items are a part of them; 0: Items are all
	Whole int             // so many items, from the first, are shown whole in the main page; all are in its list

	Card string // the file of the model card beside the main page; empty: there is none

	// Beside writes the page of one item, named items/0001.html and so on relative to the main page, which must be
	// named report.html. Several goroutines call it at once; page holds during the call only. nil: no such pages.
	Beside func(name string, page []byte) error
}

// page is what the templates of the main page need.
type page struct {
	Report
	Frame          web.Frame
	Asked          string // what was asked, and when
	Card           string // the file of the model card
	Groups         []group
	Lead           []group  // those whose sentences open the page
	More           []group  // the models, where they are too many to open it
	Alerts         []string // what a reader must know first
	Warned         []warning
	Overview       overview
	Further        overview // the models under their further prompts
	Single, Beside bool
	Spec, Info     string
	Given          bool // all answers are from foreign logs
	Figures        []figure.Drawing
	Claims         ClaimsPage
	Claimed        string // how many hold, where that may be put into words
	Mute           bool   // too few baseline answers were read for anything but accuracy to be put into words
	Prompts        string // under which prompt a model stands, where there are several
	Modes          []modeGroup
	ModesAt        string // the place of what led to them; empty: none
	Analyses       []analysisView
	Many           bool // groups, so that those of single data sets are left to the files beside
	Cells          int  // how many are
	List           itemList
	Folded         template.HTML // the items that are shown whole
	Shown, Of      int
}

// Explained are the definitions of the page.
func (p page) Explained() []chain.Definition { return explained(p.Definitions) }

// Apart says of what the sentences stand that do not open the page.
func (p page) Apart() string {
	seen := map[string]bool{}
	for _, g := range p.More {
		seen[g.Model] = true
	}
	if len(seen) == len(p.More) {
		return fmt.Sprintf("each of the %d models", len(seen))
	}
	return fmt.Sprintf("each of the %d models under each of its prompts, %d in all", len(seen), len(p.More))
}

// group is a level with its sentences and formatted figures.
type group struct {
	level
	Title, Anchor string
	Single        bool // the only group: its title stands at the head of the page
	Folded        bool // one of many
	Answer        []Sentence
	Figures       []figureRow
	Missing       []figureRow // of a foreign log: those that need answered edits
	Tables        []firingTable
}

// figureRow is one row of the table of metrics.
type figureRow struct {
	chain.Metric
	Title, Shown, Range string
	Marks               []string
}

// Remark is why a value is missing, or what a reader must know of it.
func (f figureRow) Remark() string {
	all := f.Warnings
	if f.Why != "" {
		all = append([]string{f.Why}, all...)
	}
	return strings.Join(all, "; ")
}

// WriteHTML writes one self-contained page: it can be read without a script and refers to nothing but the pages of
// the items beside it. What a model wrote is escaped, and characters that would hide or turn a text are replaced.
func WriteHTML(w io.Writer, r Report, h HTML) error {
	if len(r.Definitions) == 0 {
		r.Definitions = chain.Definitions()
	}
	p := page{Report: r, Spec: indented(r.Spec), Info: indented(h.Info), Beside: h.Beside != nil, Of: h.Of, Asked: Asked(r.Models, r.Data, "item", h.Info), Card: h.Card,
		Frame: web.Frame{Title: "Percuss report: " + r.Audit + " audit", Style: template.CSS(figure.CSS()), Script: "list.js"}}
	all := shown(r.Findings)
	p.Single = len(all) == 1
	if p.Many = len(all) > mostGroups; p.Many {
		all = slices.DeleteFunc(all, func(l level) bool { return l.Kind == "cell" })
		p.Cells = len(r.Findings.Cells)
	}
	for i, l := range all {
		p.Groups = append(p.Groups, newGroup(l, r, i+1, p.Single))
		p.Groups[i].Folded = len(all) > mostOpen
	}
	p.addAnalyses(r.Findings)
	if p.Mute = r.mute(); !p.Mute {
		p.Claimed = p.Claims.Count
	}
	lead := leading(all)
	for _, g := range p.Groups {
		if len(lead) == len(all) || g.leads() {
			p.Lead = append(p.Lead, g)
		}
	}
	side := p.Groups
	if p.Many {
		side = p.Lead
	}
	p.sideBySide(side, r)
	p.Alerts, p.Warned, p.Prompts, p.Given = r.alerts(), warnings(r.Calls), promptsNote(r.Findings), r.given()
	if len(p.Lead) > mostInFull && p.Lead[0].Kind == "panel" {
		p.Lead, p.More = p.Lead[:1], p.Lead[1:]
	}
	var err error
	if p.Figures, err = Figures(r.Findings); err != nil {
		return err
	}
	if err := p.addItems(h, r); err != nil {
		return err
	}
	return draw(w, "page", p)
}

// How many groups a page sets side by side, how many it shows unfolded, how many models or sets its first line names, and how
// many groups open it with their sentences unfolded: a panel and two models, on a phone four screens.
const (
	mostGroups = 24
	mostOpen   = 4
	mostLead   = 5
	mostInFull = 3
)

func (p *page) addAnalyses(f chain.Findings) {
	p.Claims, p.Modes, p.Analyses = NewClaimsPage(f.Claims), modeGroups(p.Report.modes()), analysesOf(f)
	for _, a := range p.Analyses {
		if a.ID == "modes" {
			p.ModesAt = a.Anchor
		}
	}
}

// sideBySide sets the groups side by side, models under their further prompts apart.
func (p *page) sideBySide(side []group, r Report) {
	var levels []level
	for _, g := range side {
		levels = append(levels, g.level)
	}
	first, further := firsts(r.Findings, levels)
	of := func(some []level) []group {
		return slices.DeleteFunc(slices.Clone(side), func(g group) bool {
			return !slices.ContainsFunc(some, func(l level) bool {
				return l.Kind == g.Kind && l.Name == g.Name && l.Variant == g.Variant && l.Set == g.Set
			})
		})
	}
	p.Overview = newOverview(of(first), r)
	p.Overview.Abroad, p.Overview.Paired = abroad(r.Findings.Cells), paired(r.Findings)
	if len(further) > 0 {
		p.Further = newOverview(of(further), r).unmarked()
	}
}

// draw executes a template. What could hide or turn a text is replaced in the whole page, so that no field is forgotten.
func draw(w io.Writer, name string, data any) error {
	var b bytes.Buffer
	if err := pages.ExecuteTemplate(&b, name, data); err != nil {
		return fmt.Errorf("draw the HTML report: %w", err)
	}
	if _, err := io.WriteString(w, Visible(b.String())); err != nil {
		return fmt.Errorf("write the HTML report: %w", err)
	}
	return nil
}

func newGroup(l level, r Report, number int, single bool) group {
	g := group{level: l, Title: l.title(), Anchor: fmt.Sprintf("g%d", number), Single: single, Answer: answer(l, r), Tables: l.firing()}
	for i, s := range g.Answer {
		switch {
		case s.Ground == onMetrics && single:
			g.Answer[i].Ground = "summary"
		case s.Ground == onTables && single:
			g.Answer[i].Ground = "tables"
		case s.Ground == onMetrics || s.Ground == onTables:
			g.Answer[i].Ground = g.Anchor + "-" + s.Ground
		}
	}
	for _, m := range l.Metrics {
		if repeats(l.Group, m) {
			continue
		}
		g.Figures = append(g.Figures, figureRow{m, nameOf(r, m.ID), figureOf(m, r), interval(m, r), l.marks(m)})
	}
	if r.given() {
		missing := func(f figureRow) bool { return !f.Value.OK() }
		g.Missing = slices.DeleteFunc(slices.Clone(g.Figures), func(f figureRow) bool { return !missing(f) })
		g.Figures = slices.DeleteFunc(g.Figures, missing)
	}
	return g
}

// repeats says whether a mean of data sets says the same as the pooled figure, as it does for one set.
func repeats(g chain.Group, m chain.Metric) bool {
	pooled, isMean := strings.CutSuffix(m.ID, "_mean")
	if !isMean {
		return false
	}
	p, ok := g.Metric(pooled, m.Scope)
	return ok && p.Value == m.Value && p.Lo == m.Lo && p.Hi == m.Hi
}

// leading leaves out the tiers and the cells where there are models to speak for them.
func leading(all []level) []level {
	var out []level
	for _, l := range all {
		if l.leads() {
			out = append(out, l)
		}
	}
	if len(out) == 0 {
		return all
	}
	return out
}

// leads says whether a level speaks for tiers and cells.
func (l level) leads() bool { return l.Kind == "panel" || l.Kind == "model" }

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
		return fixed(n, 2)
	}
	return fixed(n, 0)
}
