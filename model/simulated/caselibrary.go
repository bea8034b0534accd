package simulated

import (
	"cmp"
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
// more of whose facts are there, then more of whose units, of equals the first.
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
		for _, it := range mostFacts(found, rest) {
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

// mostFacts are those cases more of whose facts are in a text than of any other's. A prompt shows all facts of its case
// that were not changed, so that no other has more.
func mostFacts(cases []*caseItem, text string) (out []*caseItem) {
	if len(cases) == 1 {
		return cases
	}
	most := 0
	for _, it := range cases {
		n := factsIn(it, text)
		if n > most {
			most, out = n, nil
		}
		if n == most {
			out = append(out, it)
		}
	}
	return out
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
	mark        byte // what follows the label: "." in "A. text"
	from, to    int  // in the message
}

// listedIn reads a line such as "A. text" or "(A) text", of the form that optionLine has.
func listedIn(line string) (o listed, ok bool) {
	rest := strings.TrimPrefix(strings.TrimLeft(line, " \t"), "(")
	n := 0
	for n < len(rest) && n < 3 && rest[n] >= 'A' && rest[n] <= 'Z' {
		n++
	}
	if n == 0 || n > 2 || len(rest) < n+3 {
		return listed{}, false
	}
	if !strings.ContainsRune(".):", rune(rest[n])) || rest[n+1] != ' ' && rest[n+1] != '\t' {
		return listed{}, false
	}
	o = listed{label: rest[:n], mark: rest[n], text: strings.TrimSpace(rest[n+1:])}
	return o, o.text != ""
}

// optionRuns returns the lists of at least two options in a text: lines one after another, labelled A, B, C and so on
// in one manner. "A: yes" below a question is none.
func optionRuns(text string) (runs [][]listed) {
	var run []listed
	end := func() {
		if len(run) > 1 {
			runs = append(runs, run)
		}
		run = nil
	}
	at := 0
	for line := range strings.Lines(text) {
		o, ok := listedIn(line)
		o.from, o.to = at, at+len(strings.TrimRight(line, "\r\n"))
		at += len(line)
		switch {
		case ok && len(run) > 0 && o.mark == run[0].mark && o.label == percuss.Label(len(run)):
			run = append(run, o)
		case ok && o.label == "A":
			end()
			run = []listed{o}
		case ok || strings.TrimSpace(line) != "":
			end()
		}
	}
	end()
	return runs
}
