package explore

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// perPage is how many trials a page lists.
const perPage = 50

// trialLine is a trial in the list.
type trialLine struct {
	Href, Item, Stem, Model, Prompt, Set, Op, Title, Note string
	Answer, Joint, State, Right, Change                   string
}

// lineOf is a trial as the list shows it.
func (v *volume) trialLine(h index.Hit, f index.Filter) trialLine {
	s := v.Subjects()[h.Subject]
	l := trialLine{Item: s.Item, Model: s.Model, Prompt: s.Variant, Set: s.Set, Op: h.Of[index.Operator], Stem: begin(stemOf(s), 90),
		Answer: wordOf("flip", h.Of[index.Flip]), Joint: h.Of[index.Joint], State: wordOf("state", h.Of[index.State]), Right: h.Of[index.Right], Change: signed(h.Change)}
	if call := h.Of[index.Outcome]; call != "" && call != string(percuss.OK) {
		l.State += ", call " + wordOf("outcome", call)
	}
	trial := l.Op
	if h.Bits != 0 {
		trial = fmt.Sprintf("set-%d", h.Bits)
		l.Note = "findings " + findings(h.Bits) + ": " + h.Of[index.Label]
		if h.Of[index.Suspicious] == "yes" {
			l.Note += " (suspicious)"
		}
		if h.Of[index.Verdict] != "" {
			l.Note += ", checks: " + wordOf("verdict", h.Of[index.Verdict])
		}
	} else if s.Case != nil && l.Op != index.Base {
		trial = l.Op + ":" + h.Of[index.Family]
		l.Note = h.Of[index.Family]
		if strata := h.Strata(); len(strata) > 0 {
			l.Note += " (" + strings.Join(strata, ", ") + ")"
		}
	}
	l.Href = itemAddress(v.Name, s.SubjectID, trial, f)
	return l
}

// trialsPage is what the template needs.
type trialsPage struct {
	web.Frame
	Name             string
	Filter           index.Filter
	BySize           bool
	Rows, All, Items string
	Empty            bool
	Chain            bool
	Models, Prompts  bool // there are several
	Sets             bool
	Chips            []chip
	Clear            string
	Choices          []choiceList
	Lines            []trialLine
	Order            chip // the other order
	First, Next      string
	Built            string
	Behind           bool
	NoTexts          string // why there is no full text
}

// trials lists the trials that the filter in the address lets through.
func (s *Server) trials(w http.ResponseWriter, r *http.Request) {
	f, err := index.Parse(r.URL.Query())
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
	p := trialsPage{Frame: s.frame("Trials, "+v.Name, "explore.js", "Pages", v.ofRun()), Name: v.Name, Filter: f, Clear: runAddress("/trials", v.Name, noFilter),
		Chain: v.chain(), Chips: v.chips(f), BySize: r.URL.Query().Get("by") == "size", Built: clock(x.At), Behind: x.Behind}
	status, err := s.fillTrials(r, v, x, &p)
	if err != nil {
		s.fail(w, status, err)
		return
	}
	s.draw(w, http.StatusOK, "trials", p)
}

// fillTrials asks the index for what the page shows.
func (s *Server) fillTrials(r *http.Request, v *volume, x indexView, p *trialsPage) (status int, err error) {
	after, err := index.ParseCursor(r.URL.Query().Get("after"), p.BySize)
	if err != nil {
		return http.StatusBadRequest, err
	}
	ask := v.ask(x, p.Filter)
	facets, err := x.Facets(r.Context(), ask)
	if errors.Is(err, index.ErrNoTexts) {
		p.NoTexts = s.textless(v)
		ask.Filter.Text = ""
		facets, err = x.Facets(r.Context(), ask)
	}
	if err != nil {
		return http.StatusInternalServerError, err
	}
	hits, next, more, err := x.Page(r.Context(), ask, after, perPage)
	if err != nil {
		return http.StatusInternalServerError, err
	}
	p.Rows, p.All, p.Items, p.Empty = number(facets.Rows), number(facets.All), number(facets.Items), facets.Rows == 0
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
	for _, w := range fieldWords {
		choices := facets.Choices[w.name]
		several := len(choices) > 1
		p.Models, p.Prompts, p.Sets = p.Models || w.name == "model" && several, p.Prompts || w.name == "prompt" && several, p.Sets || w.name == "set" && several
		if l := v.choicesOf(w.name, choices, p.Filter); several || l.Open {
			p.Choices = append(p.Choices, l)
		}
	}
	here := runAddress("/trials", v.Name, p.Filter)
	p.Order = chip{"largest changes first", here + "&by=size"}
	if p.BySize {
		p.Order = chip{"in the order of the run", here}
		here += "&by=size"
	}
	if r.URL.Query().Has("after") {
		p.First = here
	}
	if more {
		p.Next = here + "&after=" + next.String()
	}
	return http.StatusOK, nil
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
