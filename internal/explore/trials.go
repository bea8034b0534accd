package explore

import (
	"errors"
	"fmt"
	"math/bits"
	"net/http"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/internal/web"
)

// perPage is how many trials a page lists.
const perPage = 50

// choiceLine is a value of a filter with the trials behind it.
type choiceLine struct {
	Value, Text, N string
	Href           string // the same page with it, or without it where it is chosen
	Chosen         bool
}

// choiceList are the values of one field of a filter.
type choiceList struct {
	Name, Title, About string
	Choices            []choiceLine
	One                bool // one of them at a time
	Open               bool // something of it is chosen
}

// fieldWords are the fields of a filter in the order of the page, with what they are called and mean.
var fieldWords = []struct{ name, title, about string }{
	{"model", "Model", ""},
	{"prompt", "Prompt", ""},
	{"set", "Data set", ""},
	{"op", "Edit", ""},
	{"family", "Family", "Of edits; of an evidence audit, the question that a changed finding belongs to."},
	{"flip", "Answer", "Whether the answer is another than the baseline's. Mixed: one was read from the text and one from the letters."},
	{"joint", "Joint table", "By the token rule: does the chain register the edit, and does the answer move? Dropped: no answer that could be compared."},
	{"state", "Reading", "What became of the reply."},
	{"outcome", "Call", "How the call ended."},
	{"label", "Label", "What the rules call a combination of findings."},
	{"role", "Role", "Of a finding in the combination, as seen from the right diagnosis."},
	{"stratum", "Stratum", "Of the changed finding's family."},
	{"verdict", "Checks", "Whether a combination was found again in other wordings, orders and ways of hiding."},
	{"suspicious", "Suspicious", "By the rules, a combination that no clinical reason explains."},
	{"right", "Right", "The answer of the trial is the right one."},
	{"size", "Change", "Of the margin, or the strength of a combination: at least so many nats, in either direction."},
}

// valueWords say what a value means where its name does not.
var valueWords = map[string]map[string]string{
	"flip":  {"keep": "stays", "flip": "moves", "mixed_keep": "stays, mixed", "mixed_flip": "moves, mixed"},
	"joint": {"a": "a: registers, answer stays", "b": "b: registers, answer moves", "c": "c: no trace, answer stays", "d": "d: no trace, answer moves"},
	"size":  {"0.5": "0.5 or more", "1": "1 or more", "2": "2 or more", "4": "4 or more"},
}

// wordOf is what a page calls a value.
func wordOf(field, value string) string {
	if w := valueWords[field][value]; w != "" {
		return w
	}
	return strings.ReplaceAll(value, "_", " ")
}

// choicesOf makes the list of one field.
func (v *volume) choicesOf(name string, choices []index.Choice, f index.Filter) choiceList {
	l := choiceList{Name: name, One: name == "size" || name == "right" || name == "suspicious"}
	for _, w := range fieldWords {
		if w.name == name {
			l.Title, l.About = w.title, w.about
		}
	}
	for _, c := range choices {
		l.Open = l.Open || c.Chosen
		l.Choices = append(l.Choices, choiceLine{c.Value, wordOf(name, c.Value), number(c.N), runAddress("/trials", v.Name, f.With(name, c.Value)), c.Chosen})
	}
	return l
}

// chip is a part of the filter in force, with the page without it.
type chip struct{ Text, Href string }

// chips are the parts of a filter.
func (v *volume) chips(f index.Filter) []chip {
	var out []chip
	for _, w := range append(fieldWords, struct{ name, title, about string }{"text", "Text", ""}, struct{ name, title, about string }{"candidate", "Diagnosis", ""}, struct{ name, title, about string }{"noted", "With a note", ""}) {
		for _, value := range f.Encode()[w.name] {
			out = append(out, chip{w.title + ": " + wordOf(w.name, value), runAddress("/trials", v.Name, f.With(w.name, value))})
		}
	}
	return out
}

// trialLine is a trial in the list.
type trialLine struct {
	Href, Item, Stem, Model, Prompt, Set, Op, Note string
	Answer, Joint, State, Right, Change            string
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

// findings are the numbers of an interaction's findings, from 1.
func findings(set uint32) string {
	var out []string
	for ; set != 0; set &= set - 1 {
		out = append(out, fmt.Sprint(bits.TrailingZeros32(set)+1))
	}
	return strings.Join(out, ", ")
}

// stemOf is the beginning of what was asked.
func stemOf(s percuss.Subject) string {
	if s.Case == nil {
		return s.Question.Stem
	}
	parts := append([]string{}, s.Case.Facts...)
	for _, u := range s.Case.Units {
		parts = append(parts, u.Text)
	}
	return strings.Join(parts, "; ")
}

// begin cuts a text to a number of characters, in one line.
func begin(s string, most int) string {
	out := []rune{}
	for _, r := range s {
		if len(out) == most {
			return strings.TrimSpace(string(out)) + " …"
		}
		if r == '\n' || r == '\r' || r == '\t' {
			r = ' '
		}
		out = append(out, r)
	}
	return string(out)
}

// signed prints a change to the hundredth, with its sign.
func signed(n percuss.Number) string {
	s := n.Format(2)
	if v, ok := n.Get(); ok && v > 0 && s != "0.00" {
		return "+" + s
	}
	return strings.Replace(s, "-", "−", 1)
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
		Chain: v.Manifest().Spec.Evidence == nil, Chips: v.chips(f), BySize: r.URL.Query().Get("by") == "size", Built: clock(x.At), Behind: x.Behind}
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
	for _, h := range hits {
		p.Lines = append(p.Lines, v.trialLine(h, p.Filter))
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
