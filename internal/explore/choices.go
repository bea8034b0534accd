package explore

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/internal/explore/index"
	"github.com/percuss/percuss/run"
)

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

// fieldWord is what a page calls a field of a filter, and what it means.
type fieldWord struct{ name, title, about string }

// fieldWords are the fields in the order of the page.
var fieldWords = []fieldWord{
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
	{"vote", "Vote", "Of the item's chains. Tied: several answers have the most votes."},
	{"error", "Called wrong by", "The step, or one of the chain or item as chains are first cut. None: a judge found a claim, and no judge calls one wrong."},
	{"says", "Judges say", "Of a step, any of the judges."},
	{"found", "Found without a judge", "In the step, or in one of the chain or item. A hedge is no fault."},
	{"size", "Change", "Of the margin, or the strength of a combination: at least so many nats, in either direction."},
}

// valueWords say what a value means where its name does not.
var valueWords = map[string]map[string]string{
	"flip":  {"keep": "stays", "flip": "moves", "mixed_keep": "stays, mixed", "mixed_flip": "moves, mixed"},
	"joint": {"a": "a: registers, answer stays", "b": "b: registers, answer moves", "c": "c: no trace, answer stays", "d": "d: no trace, answer moves"},
	"state": {"failed": "no answer stored", "waiting": "waits for another answer"},
	"vote":  {"unread": "no answer read", "split": "chains disagree"},
	"says":  {"factual": "error: factual", "contradicts_case": "error: contradicts the case", "unsupported": "error: unsupported", "arithmetic": "error: arithmetic or unit", "error": "error: kind not named", "abstain": "no claim", "missing": "no verdict"},
	"found": {"sum": "wrong calculation", "number": "number from nowhere", "contradiction": "age, sex or side other than in the question", "hedge": "hedges"},
	"size":  {"0.5": "0.5 or more", "1": "1 or more", "2": "2 or more", "4": "4 or more"},
}

// wordOf is what a page calls a value.
func wordOf(field, value string) string {
	if w := valueWords[field][value]; w != "" {
		return w
	}
	switch field {
	case "state", "outcome", "verdict":
		return strings.ReplaceAll(value, "_", " ")
	}
	return value
}

// titles are what the edits of a run do, by their id.
func (v *volume) titles() map[string]string {
	out := map[string]string{}
	if v.chain() {
		_, b := v.Item(run.View{})
		for _, op := range b.Operators {
			out[op.ID] = op.Title
		}
	}
	return out
}

// choicesOf makes the list of one field; its links are to a page.
func (v *volume) choicesOf(page, name string, choices []index.Choice, f index.Filter) choiceList {
	l := choiceList{Name: name, One: name == "size" || name == "right" || name == "suspicious"}
	for _, w := range fieldWords {
		if w.name == name {
			l.Title, l.About = w.title, w.about
		}
	}
	if name == "op" && !v.chain() {
		l.Title = "Kind"
		slices.SortFunc(choices, func(a, b index.Choice) int { return strings.Compare(a.Value, b.Value) }) // "order 1" first
	}
	titles := map[string]string{}
	if name == "op" {
		titles = v.titles()
	}
	for _, c := range choices {
		l.Open = l.Open || c.Chosen
		l.Choices = append(l.Choices, choiceLine{c.Value, strings.TrimSpace(wordOf(name, c.Value) + " " + titles[c.Value]), number(c.N), runAddress(page, v.Name, f.With(name, c.Value)), c.Chosen})
	}
	return l
}

// chip is a part of the filter in force, with the page without it.
type chip struct{ Text, Href string }

// chips are the parts of a filter, with links to the list of trials without each.
func (v *volume) chips(f index.Filter) []chip { return v.chipsOn("/trials", f) }

// chipsOn are chips with links to a page.
func (v *volume) chipsOn(page string, f index.Filter) []chip {
	var out []chip
	for _, w := range append(slices.Clone(fieldWords), fieldWord{"text", "Text", ""}, fieldWord{"candidate", "Diagnosis", ""}, fieldWord{"noted", "With a note", ""}) {
		for _, value := range f.Encode()[w.name] {
			out = append(out, chip{w.title + ": " + wordOf(w.name, value), runAddress(page, v.Name, f.With(w.name, value))})
		}
	}
	return out
}
