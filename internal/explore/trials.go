package explore

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// perPage is how many trials a page lists.
const perPage = 50

// trialLine is a trial in the list.
type trialLine struct {
	Href, Item, Stem, Model, Prompt, Set, Op, Title, Note string
	Answer, Joint, State, Right, Change                   string
	Vote, Says, Found                                     string // of a step audit
	Rows                                                  string // of an item: how many of its trials fit
}

// lineOf is a trial as the list shows it.
func (v *volume) trialLine(h index.Hit, f index.Filter) trialLine {
	s := v.Subjects()[h.Subject]
	l := trialLine{Item: s.Item, Model: s.Model, Prompt: s.Variant, Set: s.Set, Op: h.Of[index.Operator], Stem: begin(stemOf(s), 90),
		Answer: wordOf("flip", h.Of[index.Flip]), Joint: h.Of[index.Joint], State: wordOf("state", h.Of[index.State]), Right: h.Of[index.Right], Change: signed(h.Change)}
	if call := h.Of[index.Outcome]; call != "" && call != string(percuss.OK) {
		l.State += ", call " + wordOf("outcome", call)
	}
	if v.steps() {
		l.stepLine(h)
	} else if h.Bits != 0 {
		l.Note = findings(h.Bits) + ": " + h.Of[index.Label]
		if h.Of[index.Suspicious] == "yes" {
			l.Note += " (suspicious)"
		}
		if checks := h.Of[index.Verdict]; checks != "" && checks != string(evidence.NotAsked) {
			l.Note += ", checks: " + wordOf("verdict", checks)
		}
	} else if s.Case != nil && l.Op != index.Base {
		l.Note = h.Of[index.Family]
		if strata := h.Strata(); len(strata) > 0 {
			l.Note += " (" + strings.Join(strata, ", ") + ")"
		}
	}
	l.Href = itemAddress(v.Name, s.SubjectID, trialOf(s, h), f)
	return l
}

// listPage is what the list of trials and the list of items have in common, and the lines of either.
type listPage struct {
	web.Frame
	Page, Name      string // the page's path, and the run
	Filter          index.Filter
	BySize          bool
	Rows, All       string
	Items           string
	Empty           bool
	Chain, Steps    bool
	Models, Prompts bool // there are several
	Sets            bool
	Chips           []chip
	Clear           string
	Choices         []choiceList
	Lines           []trialLine
	Order, Other    chip // the same in the other order, and as the other list
	First, Next     string
	Built           string
	Behind          bool
	NoTexts         string   // why there is no full text
	Strange         []string // what the filter asks for and no trial of the run has
	ask             index.Ask
	after           string
}

// trials lists the trials that the filter in the address lets through.
func (s *Server) trials(w http.ResponseWriter, r *http.Request) {
	s.list(w, r, "/trials", func(v *volume, x indexView, p *listPage) (int, error) {
		p.Other = chip{"list them by item", runAddress("/items", v.Name, p.Filter)}
		return s.fillTrials(r, v, x, p)
	})
}

// items lists the items that the filter lets any trial of through.
func (s *Server) items(w http.ResponseWriter, r *http.Request) {
	s.list(w, r, "/items", func(v *volume, x indexView, p *listPage) (int, error) {
		p.Other = chip{"list the trials", runAddress("/trials", v.Name, p.Filter)}
		return s.fillItems(r, v, x, p)
	})
}

// list answers with a list of what the filter in the address lets through.
func (s *Server) list(w http.ResponseWriter, r *http.Request, page string, fill func(*volume, indexView, *listPage) (int, error)) {
	q := r.URL.Query()
	f, err := index.Parse(q)
	if err != nil {
		s.fail(w, http.StatusBadRequest, err)
		return
	}
	v, ok := s.use(w, r)
	if !ok {
		return
	}
	defer s.leave(v)
	x, err := s.index(r.Context(), v)
	if err != nil {
		s.unbuilt(w, r, v, err)
		return
	}
	title := "Trials, "
	if page == "/items" {
		title = "Items, "
	}
	p := listPage{Frame: s.frame(title+v.Name, "explore.js", "Pages", s.ofRun(v)), Page: page, Name: v.Name, Filter: f,
		Clear: runAddress(page, v.Name, noFilter), Chain: v.chain(), Steps: v.steps(), Chips: v.chipsOn(page, f), Built: clock(x.At), Behind: x.Behind,
		BySize: page == "/trials" && q.Get("by") == "size", ask: v.ask(x, f), after: q.Get("after")}
	status, err := s.count(r.Context(), v, x, &p)
	if err == nil {
		status, err = fill(v, x, &p)
	}
	if err != nil {
		s.fail(w, status, err)
		return
	}
	s.draw(w, http.StatusOK, "list", p)
}

// count asks the index for the counts of a page.
func (s *Server) count(ctx context.Context, v *volume, x indexView, p *listPage) (int, error) {
	facets, err := x.Facets(ctx, p.ask)
	if errors.Is(err, index.ErrNoTexts) {
		p.NoTexts = s.textless(v)
		p.ask.Filter.Text = ""
		facets, err = x.Facets(ctx, p.ask)
	}
	if err != nil {
		return http.StatusInternalServerError, err
	}
	p.Rows, p.All, p.Items, p.Empty = number(facets.Rows), number(facets.All), number(facets.Items), facets.Rows == 0
	for _, w := range fieldWords {
		choices := facets.Choices[w.name]
		for _, c := range choices {
			if c.Absent {
				p.Strange = append(p.Strange, w.title+": "+wordOf(w.name, c.Value))
			}
		}
		several := len(choices) > 1
		p.Models, p.Prompts, p.Sets = p.Models || w.name == "model" && several, p.Prompts || w.name == "prompt" && several, p.Sets || w.name == "set" && several
		if l := v.choicesOf(p.Page, w.name, choices, p.Filter); several || l.Open {
			p.Choices = append(p.Choices, l)
		}
	}
	return http.StatusOK, nil
}

// fillTrials adds the trials of a page.
func (s *Server) fillTrials(r *http.Request, v *volume, x indexView, p *listPage) (int, error) {
	after, err := index.ParseCursor(p.after, p.BySize)
	if err != nil {
		return http.StatusBadRequest, err
	}
	hits, next, more, err := x.Page(r.Context(), p.ask, after, perPage)
	if err != nil {
		return http.StatusInternalServerError, err
	}
	titles, last := v.titles(), -1
	for _, h := range hits {
		l := v.trialLine(h, p.Filter)
		l.Title = titles[l.Op]
		if h.Subject == last {
			l.Stem = "" // it stands at the first trial of the item
		}
		last = h.Subject
		p.Lines = append(p.Lines, l)
	}
	here := runAddress(p.Page, v.Name, p.Filter)
	if !p.Steps { // their rows have no change
		p.Order = chip{"largest changes first", here + "&by=size"}
	}
	if p.BySize {
		p.Order = chip{"in the order of the run", here}
		here += "&by=size"
	}
	p.turn(here, next.String(), more)
	return http.StatusOK, nil
}

// fillItems adds the items of a page.
func (s *Server) fillItems(r *http.Request, v *volume, x indexView, p *listPage) (int, error) {
	from := 0
	if p.after != "" {
		var err error
		if from, err = strconv.Atoi(p.after); err != nil || from < 0 {
			return http.StatusBadRequest, fmt.Errorf("after=%q is no place in this list: begin at its first page", p.after)
		}
	}
	hits, next, err := x.Items(r.Context(), p.ask, from, perPage)
	if err != nil {
		return http.StatusInternalServerError, err
	}
	for _, h := range hits {
		sub := v.Subjects()[h.Subject]
		p.Lines = append(p.Lines, trialLine{Item: sub.Item, Model: sub.Model, Prompt: sub.Variant, Set: sub.Set, Stem: begin(stemOf(sub), 200),
			Href: itemAddress(v.Name, sub.SubjectID, "", p.Filter), Rows: number(h.Rows)})
	}
	p.turn(runAddress(p.Page, v.Name, p.Filter), strconv.Itoa(next), next >= 0)
	return http.StatusOK, nil
}

// turn adds the links to the first and the next page of a list at an address.
func (p *listPage) turn(here, after string, more bool) {
	if p.after != "" {
		p.First = here
	}
	if more {
		p.Next = here + "&after=" + after
	}
}

// textless says why there is no full text of a run.
func (s *Server) textless(v *volume) string {
	v.made.mu.Lock()
	defer v.made.mu.Unlock()
	switch {
	case s.NoTexts:
		return "The full text was left out with --no-texts."
	case v.made.textless != nil:
		return "The full text cannot be built: " + v.made.textless.Error()
	}
	return "The full text is being built; load the page again in a while."
}
