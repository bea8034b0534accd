package explore

import (
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/versus"
)

// pairPage is one item in two runs.
type pairPage struct {
	web.Frame
	comparedLine
	Set, Options string
	Whole        string // the question
	Trial, Title string // the trial that is shown; empty: the answer without an edit
	Base         string // where that is shown instead
	A, B         string // the runs
	Pair         template.HTML
	Chain        bool
}

// pairAddress is the address of an item in two runs, with the filter that its neighbours are of.
func (p *comparePage) pairAddress(id percuss.SubjectID, trial string, kinds []string) string {
	return "/compare/item" + p.address(url.Values{"kind": kinds, "op": {p.Chosen}, atModel: {id.Model}, atPrompt: {id.Variant}, atSet: {id.Set}, atItem: {id.Item}, atTrial: {trial}})[len("/compare"):]
}

// pair shows one item in both runs of a comparison: the replies of the two side by side.
func (s *Server) pair(w http.ResponseWriter, r *http.Request) {
	s.withComparison(w, r, func(p *comparePage, c *comparison, a, b *volume) {
		q := r.URL.Query()
		kinds, found, err := p.found(q, c)
		if err != nil {
			s.fail(w, http.StatusBadRequest, err)
			return
		}
		id := percuss.SubjectID{Model: q.Get(atModel), Variant: q.Get(atPrompt), Set: q.Get(atSet), Item: q.Get(atItem)}
		at := slices.IndexFunc(c.c.Items, func(m versus.Moved) bool { return m.Before == id })
		if at < 0 {
			s.fail(w, http.StatusNotFound, fmt.Errorf("no item %q of this model and prompt is in both runs: the list of the comparison leads to those that are", id.Item))
			return
		}
		m := c.c.Items[at]
		page, err := p.pairOf(r, m, q.Get(atTrial), kinds, a, b)
		if err != nil {
			s.fail(w, http.StatusInternalServerError, err)
			return
		}
		page.Frame = s.frame(id.Item+", "+p.A+" and "+p.B, "keys.js", "Pages", p.beside(found, m, kinds)...)
		page.Sheets = append(page.Sheets, itemSheet)
		s.draw(w, http.StatusOK, "pair", page)
	})
}

// beside are the links to the comparison, and to the items before and behind one of those that were found.
func (p *comparePage) beside(found []versus.Moved, m versus.Moved, kinds []string) []web.Link {
	links := []web.Link{{Rel: "up", Href: p.address(url.Values{"kind": kinds, "op": {p.Chosen}}) + "#items", Text: "Two runs"}}
	at := slices.IndexFunc(found, func(other versus.Moved) bool { return other.Before == m.Before })
	if at > 0 {
		links = append(links, web.Link{Rel: "prev", Href: p.pairAddress(found[at-1].Before, "", kinds), Text: "Previous item"})
	}
	if at >= 0 && at+1 < len(found) {
		links = append(links, web.Link{Rel: "next", Href: p.pairAddress(found[at+1].Before, "", kinds), Text: "Next item"})
	}
	return links
}

// pairOf is the page of one item. Without a trial it shows the first one of the chosen edit, else the answer without an
// edit.
func (p *comparePage) pairOf(r *http.Request, m versus.Moved, trial string, kinds []string, a, b *volume) (pairPage, error) {
	place := func(v *volume, id percuss.SubjectID) int {
		return slices.IndexFunc(v.Subjects(), func(s percuss.Subject) bool { return s.SubjectID == id })
	}
	was, is := place(a, m.Before), place(b, m.After)
	if was < 0 || is < 0 {
		return pairPage{}, fmt.Errorf("the item %s is gone from one of the runs since they were compared", m.Before.Item)
	}
	if trial == "" && p.Chosen != "" {
		if i := slices.IndexFunc(m.Trials, p.of); i >= 0 {
			trial = m.Trials[i].ID
		}
	}
	if trial == "" {
		trial = chain.BaseTrial
	}
	sub := a.Subjects()[was]
	page := pairPage{comparedLine: p.line(m, sub, kinds, a, b, len(m.Trials)), Set: m.Before.Set, Whole: stemOf(sub), Trial: trial, A: p.A, B: p.B, Chain: a.chain()}
	page.HrefA, page.HrefB = itemAddress(a.Name, m.Before, trial, noFilter), itemAddress(b.Name, m.After, trial, noFilter)
	if trial != chain.BaseTrial {
		page.Title = a.titles()[trial]
		page.Base = p.pairAddress(m.Before, chain.BaseTrial, kinds)
	} else {
		page.Trial = ""
		page.HrefA, page.HrefB = itemAddress(a.Name, m.Before, "", noFilter), itemAddress(b.Name, m.After, "", noFilter)
	}
	if !page.Chain {
		return page, nil // a case is answered by letters, of which its page has the charts
	}
	for i, o := range sub.Question.Options {
		if i > 0 {
			page.Options += "\n"
		}
		page.Options += o.Label + ". " + o.Text
		if o.Label == sub.Question.Gold {
			page.Options += " (gold)"
		}
	}
	one, err := a.View(r.Context(), was)
	if err != nil {
		return page, err
	}
	other, err := b.View(r.Context(), is)
	if err != nil {
		return page, err
	}
	before, _ := a.Item(one)
	after, _ := b.Item(other)
	page.Pair, err = report.WritePair(before, after, trial)
	return page, err
}
