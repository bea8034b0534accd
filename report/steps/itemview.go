package steps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// itemView is an item as a page, a list and a terminal show it.
type itemView struct {
	Item
	Number           int
	File, Prev, Next string
	Votes            []voteView
	Winner           string // the answer with the most votes; empty: none has, or several
	Right            string // "yes", "no" or "–": whether that is right
	Verdict          []string
	Sought           sought      // what the page was asked for
	Judged           []chainView // chains whose steps were judged
	Rest             []chainView // and the others
	Requests         int
	Outcomes         []step.Count

	tally map[string]*judgeTally // what each judge said under the first view
	order []string               // of the judges
}

// sought is the part of the page that it was asked for.
type sought struct {
	Trial, ID string // ID: of the chain or step; empty: the page has none
	Words     string
}

// Anchor is the place of that part in the page.
func (s sought) Anchor() string { return anchor(s.ID) }

// Anchor is the step's place in the page.
func (s stepView) Anchor() string { return anchor(s.ID) }

// anchor is a trial's id as the address of a part of a page: without slashes, which a template would encode.
func anchor(id string) string { return "t-" + strings.ReplaceAll(id, "/", "-") }

// judgeTally counts what one judge said of an item's steps.
type judgeTally struct{ errors, judged, abstain, missing int }

// chainView is one chain.
type chainView struct {
	Number        int
	Trial         string
	Answer, State string
	Right         string // "right", "wrong"; empty: no answer was read
	Words, Tokens int
	Cut           bool   // at the token limit
	Text, Tail    string // the reasoning, and what follows it
	Views         []viewView
	Open          bool // the page was asked for it
}

// Head says of the chain what it came to.
func (c chainView) Head() string {
	out := c.State
	if c.Answer != "" {
		out = "answer " + c.Answer + ", " + c.Right
	}
	if c.Cut {
		out += ", cut at the token limit"
	}
	return out
}

// viewView is a chain under one view.
type viewView struct {
	View   string
	Judges []string
	Steps  []stepView
	Errors int  // of the first judge
	Open   bool // the page was asked for a step of it
}

// stepView is one step.
type stepView struct {
	Number         int
	ID             string // of its trials
	Written, Shown string
	Same           bool // both are equal
	Says           []sayView
	Hedged         bool
	Checks         []string // what was found without a judge
	Error          bool     // some judge calls it an error
}

// sayView is what a judge said of a step.
type sayView struct {
	Word, Class, Why string
	Again            string // what it said when it was asked once more, where that differs
	Href             string // where the request is shown with its answer; empty: nowhere
}

// newItemView reads an item. raw gives the address of a request; nil: there is none. at is the trial that a page was asked
// for.
func newItemView(it Item, raw func(percuss.Key) string, at string) itemView {
	v := itemView{Item: it, Right: "–", tally: map[string]*judgeTally{}}
	hrefs := v.readCalls(raw)
	v.Sought.Trial = at
	for i, c := range it.Record.Chains {
		cv := newChainView(i+1, c)
		cv.Open = at == cv.Trial || strings.HasPrefix(at, cv.Trial+"/")
		var text step.Text
		if i < len(it.Texts) {
			text = it.Texts[i]
		}
		cv.Text, cv.Tail = text.Chain, text.Answer
		if at == cv.Trial {
			v.Sought.ID, v.Sought.Words = cv.Trial, fmt.Sprintf("Chain %d", cv.Number)
		}
		for k, w := range c.Views {
			var words step.ViewText
			if k < len(text.Views) {
				words = text.Views[k]
			}
			view := v.newViewView(cv, w, words, hrefs)
			if k == 0 {
				v.count(w)
			}
			if len(view.Judges) > 0 {
				cv.Views = append(cv.Views, view)
			}
		}
		if len(cv.Views) > 0 {
			v.Judged = append(v.Judged, cv)
		} else {
			v.Rest = append(v.Rest, cv)
		}
	}
	v.vote()
	v.Verdict = v.words()
	return v
}

// newChainView is a chain without its steps.
func newChainView(n int, c step.Chain) chainView {
	out := chainView{Number: n, Trial: step.ChainTrial(n), State: stateWord(c.State), Words: c.Words, Tokens: c.Tokens, Cut: c.Outcome == percuss.Truncated}
	if c.State == step.Read {
		out.Answer, out.Right = c.Answer, map[bool]string{true: "right", false: "wrong"}[c.Correct]
	}
	return out
}

// stateWord says why a chain has no answer.
func stateWord(s step.State) string {
	switch s {
	case step.Unparseable:
		return "no answer in the reply"
	case step.Ambiguous:
		return "several answers in the reply"
	case step.Refused:
		return "declines to answer"
	case step.NoCall:
		return "the call has no answer"
	}
	return string(s)
}

// newViewView is a chain under a view; without judges where none was asked about it.
func (v *itemView) newViewView(c chainView, w step.Viewed, words step.ViewText, hrefs map[string]string) viewView {
	out := viewView{View: w.View}
	asked := 0
	for i, s := range w.Steps {
		if len(s.Says) > 0 {
			asked = i + 1
			out.Judges = out.Judges[:0]
			for _, say := range s.Says {
				out.Judges = append(out.Judges, say.Judge)
			}
		}
	}
	for i, s := range w.Steps {
		id := step.StepID(c.Number, w.View, i+1)
		if at := v.Sought.Trial; at == id || strings.HasPrefix(at, id+"/") {
			out.Open, v.Sought.ID = true, id
			v.Sought.Words = fmt.Sprintf("Step %d of chain %d, shown as %s", i+1, c.Number, w.View)
		}
		sv := stepView{Number: i + 1, ID: id, Hedged: s.Hedged, Checks: found(s.Checks)}
		if i < len(words.Steps) {
			sv.Written, sv.Shown = strings.TrimSpace(words.Steps[i].Written), words.Steps[i].Shown
			sv.Same = sv.Written == sv.Shown
		}
		for j, name := range out.Judges {
			say := sayView{Word: "not judged", Class: "l-missing"}
			switch {
			case s.Blank && i < asked:
				say = sayView{Word: "no claim", Class: "l-abstain", Why: "nothing but style was there, so no judge was asked"}
			case j < len(s.Says):
				say = newSayView(s.Says[j])
				say.Href = hrefs[step.JudgeTrial(sv.ID, name)]
				sv.Error = sv.Error || s.Says[j].Says.IsError()
				if j < len(s.Again) && s.Again[j].Says != s.Says[j].Says {
					say.Again = kindWord(s.Again[j].Says)
				}
			}
			sv.Says = append(sv.Says, say)
		}
		if len(s.Says) > 0 && s.Says[0].Says.IsError() {
			out.Errors++
		}
		out.Steps = append(out.Steps, sv)
	}
	return out
}

func newSayView(s step.Verdict) sayView {
	out := sayView{Word: kindWord(s.Says), Class: "l-missing", Why: s.Why}
	switch {
	case s.Says == step.Correct:
		out.Class = "l-correct"
	case s.Says.IsError():
		out.Word, out.Class = "error: "+out.Word, "l-error"
	case s.Says == step.Abstain:
		out.Class = "l-abstain"
	}
	return out
}

// found says what the checks without a judge found.
func found(c step.Checks) (out []string) {
	if c.WrongSums > 0 {
		out = append(out, report.Plural(c.WrongSums, "wrong calculation"))
	}
	if c.NewNumbers > 0 {
		out = append(out, report.Plural(c.NewNumbers, "number")+" from nowhere")
	}
	if c.Contradicts > 0 {
		out = append(out, "age, sex or side other than in the question")
	}
	return out
}

// count enters what the judges said of a chain under the first view. A step of which nothing but style was there claims
// nothing, as in the findings.
func (v *itemView) count(w step.Viewed) {
	asked, judges := 0, []step.Verdict{}
	for i, s := range w.Steps {
		if len(s.Says) > 0 {
			asked, judges = i+1, s.Says
		}
	}
	for _, s := range w.Steps[:asked] {
		says := s.Says
		if s.Blank {
			says = slices.Clone(judges)
			for j := range says {
				says[j].Says = step.Abstain
			}
		}
		for _, say := range says {
			t := v.tally[say.Judge]
			if t == nil {
				t = &judgeTally{}
				v.tally[say.Judge] = t
				v.order = append(v.order, say.Judge)
			}
			switch {
			case say.Says.IsError():
				t.errors++
				t.judged++
			case say.Says == step.Correct:
				t.judged++
			case say.Says == step.Abstain:
				t.abstain++
			default:
				t.missing++
			}
		}
	}
}
