package simulated

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// caseItem is a case that the reasoner knows.
type caseItem struct {
	id       string
	plan     plan
	names    map[string]string // candidate by its folded name
	facts    []string
	units    []unitForms // the complaint last, where it is a unit
	byLength []int       // places in units, the longest text first
}

// caseLibrary finds a case by what a message shows of it.
type caseLibrary map[uint64][]*caseItem // by the set of candidates

func newCaseLibrary(cases []percuss.Case, p policy) caseLibrary {
	l := caseLibrary{}
	for _, c := range cases {
		it := &caseItem{id: c.ID, plan: p.plan(c), names: map[string]string{}}
		for _, name := range c.Candidates {
			it.names[normal(name)] = name
		}
		for _, f := range c.Facts {
			it.facts = append(it.facts, trimStop(f))
		}
		for i, u := range shownUnits(c) {
			forms := formsOf(u)
			if i == len(c.Units) && len(it.facts) > 0 { // the complaint stands among the facts, in its own words
				fact := it.facts[len(it.facts)-1]
				forms.text, forms.stems = fact, append([]string{fact}, forms.stems...)
			}
			it.units, it.byLength = append(it.units, forms), append(it.byLength, i)
		}
		slices.SortStableFunc(it.byLength, func(a, b int) int { return cmp.Compare(len(it.units[b].text), len(it.units[a].text)) })
		key := setKey(c.Candidates)
		l[key] = append(l[key], it)
	}
	return l
}

// setKey names a set of candidates, whatever their order.
func setKey(names []string) uint64 {
	folded := make([]string, len(names))
	for i, name := range names {
		folded[i] = normal(name)
	}
	slices.Sort(folded)
	return hash(folded...)
}

// caseView is what a request shows of a case.
type caseView struct {
	item       *caseItem
	labels     []string // as shown
	candidates []string // behind each label
	states     []state  // of the item's units
}

// look finds the case of a request, and how its units stand there. Of cases with the same candidates it is the one
// more of whose facts and units are there, of equals the first.
func (l caseLibrary) look(r percuss.Request) (caseView, bool) {
	if len(l) == 0 {
		return caseView{}, false
	}
	text := lastUser(r)
	for _, run := range optionRuns(text) {
		names := make([]string, len(run))
		for i, o := range run {
			names[i] = o.text
		}
		found := l[setKey(names)]
		if len(found) == 0 {
			continue
		}
		rest := text[:run[0].from] + "\n" + text[run[len(run)-1].to:]
		v, known := caseView{}, -1
		for _, it := range found {
			if seen := readCase(it, rest); seen.known > known {
				v, known = caseView{item: it, states: seen.states}, seen.known
			}
		}
		for _, o := range run {
			v.labels = append(v.labels, o.label)
			v.candidates = append(v.candidates, v.item.names[normal(o.text)])
		}
		return v, true
	}
	return caseView{}, false
}

// lastUser is the text of the last user turn.
func lastUser(r percuss.Request) string {
	for _, m := range slices.Backward(r.Messages) {
		if m.Role == percuss.User {
			return m.Content
		}
	}
	return ""
}

// listed is a line that lists an option.
type listed struct {
	label, text string
	from, to    int // in the message
}

// separator is what follows a label: "." in "A. text".
var separator = regexp.MustCompile(`^[ \t]*\(?[A-Z]{1,2}([.):])`)

// optionRuns returns the lists of at least two options in a text: lines one after another, labelled A, B, C and so on
// in one manner. "A: yes" below a question is none.
func optionRuns(text string) [][]listed {
	var runs [][]listed
	var run []listed
	mark := ""
	end := func() {
		if len(run) > 1 {
			runs = append(runs, run)
		}
		run = nil
	}
	for _, m := range optionLine.FindAllStringSubmatchIndex(text, -1) {
		o := listed{text[m[2]:m[3]], text[m[4]:m[5]], m[0], m[1]}
		s := separator.FindStringSubmatch(text[m[0]:m[1]])[1]
		goesOn := len(run) > 0 && s == mark && o.label == percuss.Label(len(run)) && strings.TrimSpace(text[run[len(run)-1].to:o.from]) == ""
		if !goesOn {
			end()
		}
		if goesOn || o.label == "A" {
			run, mark = append(run, o), s
		}
	}
	end()
	return runs
}
