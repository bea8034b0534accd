package battery

import (
	"strings"
)

// raceLists are the word lists of the edits "race-changed" and "race-removed".
var raceLists = []string{"markers", "persons", "bound"}

// race changes or removes the word that names a patient's race or ethnicity.
type race struct {
	markers, persons, bound lexicon
	to                      []string // other words; empty: the word is removed
}

func changeRace(to []string, l lists) editor {
	r := race{markers: l.lexicon("markers"), persons: l.lexicon("persons"), bound: l.lexicon("bound"), to: to}
	return rewriting(r.find)
}

func (r race) find(text string, p pick) found {
	if w := r.bound.first(text); w != "" {
		return refused("the text has " + quoted(w) + ", which is bound to an origin")
	}
	var at span
	person, n := "", 0
	for _, h := range r.markers.disjoint(text) {
		word, where := wordAfter(text, h.End)
		if r.persons.is(word) && !hyphened(text, h.span) {
			at, person, n = span{Start: h.Start, End: where.Start}, word, n+1
		}
	}
	switch {
	case n == 0:
		return refused("no word of race or ethnicity stands before a person")
	case n > 1:
		return refused("the text names race or ethnicity more than once")
	}
	marker := strings.TrimSpace(at.In(text))
	if len(r.to) == 0 {
		next := person
		if unicodeUpper(marker) && at.Start == 0 {
			return refused("the word opens the text")
		}
		return found{changes: append([]change{{at, ""}}, agreeing(text, at.Start, next)...)}
	}
	var others []string
	for _, w := range r.to {
		if !strings.EqualFold(w, marker) && !sameRace(w, marker) {
			others = append(others, w)
		}
	}
	if len(others) == 0 {
		return refused("no other word is listed")
	}
	new := others[p.from("race", len(others))]
	at.End = at.Start + len(marker)
	if at.Start == 0 {
		new = strings.ToUpper(new[:1]) + new[1:]
	}
	changes := append([]change{{at, new}}, agreeing(text, at.Start, new)...)
	return found{changes: changes, tokens: []string{strings.ToLower(new)}}
}

// sameRace reports whether two words mean the same as vignettes use them.
func sameRace(a, b string) bool {
	class := func(w string) string {
		switch w = strings.ToLower(strings.ReplaceAll(w, "-", " ")); w {
		case "african american", "black":
			return "black"
		case "caucasian", "white", "european american":
			return "white"
		case "hispanic", "latino", "latina":
			return "hispanic"
		default:
			return strings.TrimSuffix(w, " american")
		}
	}
	return class(a) == class(b)
}

func unicodeUpper(s string) bool { return s != "" && strings.ToUpper(s[:1]) == s[:1] }
