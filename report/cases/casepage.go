package cases

import (
	"bytes"
	"fmt"
	"html/template"
	"io"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
	"github.com/percuss/percuss/stat/lattice"
)

// caseList is the table of all cases. Model and Set say whether there are several, and so a column of them.
type caseList struct {
	Rows          []caseRow
	Models, Sets  []string
	Prompt, Model bool
	Set           bool
}

// caseRow is one case in the list: small, for all of them are held in memory.
type caseRow struct {
	Number                                int
	File, Here                            string // the case's page, and its place in the main page where it is shown whole
	Item, ModelID, Variant, SetID         string
	Gold, Chosen, Right, Margin           string
	Salient, Suspicious, Share, Strongest string
	Held, Changed                         string
	Is                                    string // what the filters of the list ask for
}

func newCaseRow(v caseView) caseRow {
	b := v.Record.Base
	r := caseRow{Number: v.Number, File: v.File, Item: v.Subject.Item, ModelID: v.Subject.Model, Variant: v.Subject.Variant,
		SetID: v.Subject.Set, Gold: shorten(v.Record.Gold, 60),
		Chosen: shorten(b.Prediction, 60), Right: "–", Margin: signed(b.Margin), Salient: "–", Suspicious: "–", Share: "–", Strongest: "–", Held: "–", Changed: "–"}
	var is []string
	if b.Answered {
		r.Right = map[bool]string{true: "yes", false: "no"}[b.Correct]
		is = append(is, map[bool]string{true: "right", false: "wrong"}[b.Correct])
	}
	if b.State == evidence.Scored && v.Record.Why == "" {
		r.Salient, r.Suspicious = fmt.Sprint(len(v.Rows)), fmt.Sprint(v.suspicious)
		r.Share, r.Strongest = v.suspectShare()
		is = append(is, map[bool]string{true: "suspicious", false: "clean"}[v.suspicious > 0])
		if len(v.Rows) == 0 {
			is = append(is, "flat")
		}
	} else {
		is = append(is, "unscored")
	}
	checked, held := v.held()
	if checked > 0 {
		r.Held = fmt.Sprintf("%d/%d", held, checked)
	}
	if held > 0 {
		is = append(is, "held")
	}
	if n, of := v.moved(); of > 0 {
		r.Changed = fmt.Sprintf("%d/%d", n, of)
		if n > 0 {
			is = append(is, "moved")
		}
	}
	r.Is = strings.Join(is, " ")
	return r
}

// suspectShare is the suspicious part of the salient strength, and the strongest suspicious combination.
func (v *caseView) suspectShare() (share, strongest string) {
	all, suspect := 0.0, 0.0
	strongest = "–"
	for _, r := range v.Rows {
		size := max(r.value, -r.value)
		all += size
		if r.Suspicious {
			suspect += size
			if strongest == "–" {
				strongest = r.Value
			}
		}
	}
	if all == 0 {
		return "–", strongest
	}
	return report.Percent(percuss.Num(suspect / all)), strongest
}

// held counts the suspicious combinations that went through every check, and those that all of them kept.
func (v *caseView) held() (checked, held int) {
	for _, s := range v.Record.Cascade {
		verdicts := []evidence.Verdict{s.Prompt, s.Order, s.Neutralize}
		if !s.Suspicious || slices.Contains(verdicts, evidence.NotAsked) || slices.Contains(verdicts, "") {
			continue
		}
		checked++
		if !slices.Contains(verdicts, evidence.Fails) {
			held++
		}
	}
	return checked, held
}

// moved counts the changes that could be scored, and those after which the rank of the right diagnosis differs.
func (v *caseView) moved() (n, of int) {
	for _, c := range v.Record.Changes {
		if c.RankBefore > 0 && c.RankAfter > 0 {
			of++
			if c.RankAfter != c.RankBefore {
				n++
			}
		}
	}
	return n, of
}

// add lists a case and remembers which models and sets there are.
func (l *caseList) add(r caseRow) {
	note := func(all *[]string, name, letter string) string {
		at := slices.Index(*all, name)
		if at < 0 {
			at = len(*all)
			*all = append(*all, name)
		}
		return fmt.Sprintf(" %s%d", letter, at)
	}
	r.Is += note(&l.Models, r.ModelID, "m") + note(&l.Sets, r.SetID, "s")
	if len(l.Rows) > 0 {
		l.Prompt = l.Prompt || r.Variant != l.Rows[0].Variant
	}
	l.Model, l.Set = len(l.Models) > 1, len(l.Sets) > 1
	l.Rows = append(l.Rows, r)
}

// Kinds are the selections of the list, as its script reads them.
func (l caseList) Kinds() string {
	out := "all cases|right:right|wrong:wrong|unscored:not scored" +
		";any combination|suspicious:with a suspicious combination|held:with one that survives every check|clean:without a suspicious " +
		"one|flat:without a salient one" +
		";any change|moved:a change moves the rank"
	for _, part := range []struct {
		of     []string
		letter string
		all    string
	}{{l.Models, "m", "all models"}, {l.Sets, "s", "all sets"}} {
		if len(part.of) < 2 {
			continue
		}
		out += ";" + part.all
		for i, name := range part.of {
			out += fmt.Sprintf("|%s%d:%s", part.letter, i, strings.NewReplacer(";", ",", "|", "/").Replace(name))
		}
	}
	return out
}

// casePage is a page of one case, or the fold of the main page that holds it.
type casePage struct {
	caseView
	Page     report.ItemPage
	Chart    template.HTML
	Own      bool // a page of its own, not a fold of the main page
	Walk     *walkView
	Calls    []callView // all of them, where they were asked for
	AllCalls string     // the address where they are listed
}

// foldRows is how many combinations a fold of the main page draws: the page must stay small enough to be mailed.
const foldRows = 10

// addCases walks the cases once: it lists all, folds out the first ones and writes the pages beside. A page waits for
// the next case, to know whether it has a next page.
func (p *page) addCases(h HTML, r Report) error {
	if h.Cases == nil {
		return nil
	}
	var folded bytes.Buffer
	var waiting *caseView
	for c := range h.Cases {
		v := newCaseView(c, r.Findings.Salient, floorsOf(r.Findings, c))
		v.Number = len(p.List.Rows) + 1
		if h.Beside != nil {
			v.File = fmt.Sprintf("%04d.html", v.Number)
			if waiting != nil {
				v.Prev, waiting.Next = waiting.File, v.File
				if err := waiting.write(h); err != nil {
					return err
				}
			}
			own := v
			waiting = &own
		}
		row := newCaseRow(v)
		if v.Number <= h.Whole {
			row.Here = fmt.Sprintf("i%d", v.Number)
			chart, err := v.chart(foldRows)
			if err == nil {
				err = pages.ExecuteTemplate(&folded, "fold", casePage{caseView: v, Chart: chart})
			}
			if err != nil {
				return fmt.Errorf("draw case %s: %w", v.Subject.Item, err)
			}
			p.Shown++
		}
		p.List.add(row)
	}
	p.Folded = template.HTML(folded.String()) // made by a template that escapes
	if waiting != nil {
		return waiting.write(h)
	}
	return nil
}

func (v *caseView) write(h HTML) error {
	p := report.ItemPage{Number: v.Number, Frame: web.Frame{Title: fmt.Sprintf("%s, case %d", v.Subject.Item, v.Number), Style: template.CSS(figure.CSS() + CSS()),
		Script: "keys.js", Label: "Cases", Nav: []web.Link{{Rel: "up", Href: "../report.html#items", Text: "Report"}}}}
	if v.Prev != "" {
		p.Frame.Nav = append(p.Frame.Nav, web.Link{Rel: "prev", Href: v.Prev, Text: "Previous case"})
	}
	if v.Next != "" {
		p.Frame.Nav = append(p.Frame.Nav, web.Link{Rel: "next", Href: v.Next, Text: "Next case"})
	}
	var b bytes.Buffer
	if err := v.page(&b, p, Walk{Shown: lattice.Full(len(v.Record.Units))}); err != nil {
		return err
	}
	if err := h.Beside(report.ItemFolder+"/"+v.File, b.Bytes()); err != nil {
		return fmt.Errorf("write the page of case %s: %w", v.Subject.Item, err)
	}
	return nil
}

// Noise is what is known of the noise in a case's cell. Floors come from all cases of a run; Unready says that they are
// still being worked out, so that the page asks its reader to load it again.
type Noise struct {
	Floors  []evidence.FloorRow
	Unready bool
}

// WriteCase writes the page of one case. salient is the strength from which a combination counts, nats. What a model or a file wrote is escaped, and characters that would hide or turn a text
// are replaced.
func WriteCase(w io.Writer, c Case, salient float64, noise Noise, p report.ItemPage, at Walk) error {
	v := newCaseView(c, salient, noise.Floors)
	v.Unready = noise.Unready && len(v.Rows) > 0
	return v.page(w, p, at)
}

// page draws the case's page.
func (v *caseView) page(w io.Writer, p report.ItemPage, at Walk) error {
	page := casePage{caseView: *v, Page: p, Own: true}
	var err error
	if page.Chart, err = v.chart(chartRows); err == nil {
		page.Walk, err = v.walk(at, p.Raw)
	}
	if at.Href != nil {
		if at.Calls {
			page.Calls = v.calls(p.Raw)
		}
		all := at
		all.Calls = true
		page.AllCalls = at.Href(all)
	}
	if err == nil {
		err = web.Draw(w, casePages, "casepage", page)
	}
	if err != nil {
		return fmt.Errorf("case %s: %w", v.Subject.Item, err)
	}
	return nil
}

// casePages are the pages of single cases, in web's frame.
var casePages = template.Must(pages.Clone())

// CSS is the style of what only the pages of cases have, beside page.css and that of the figures.
func CSS() string { return string(caseStyle()) }
