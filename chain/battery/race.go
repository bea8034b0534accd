package battery

import (
	"slices"
	"strings"
)

// raceLists are the word lists of the edit "race".
var raceLists = []string{"markers", "persons", "bound"}

// race changes or removes the word that names a patient's race or ethnicity.
type race struct {
	markers, persons, bound lexicon
	to                      []string            // other words; empty: the word is removed
	forms                   map[string][]string // other forms of those words
}

func changeRace(to []string, rule *registration, l lists) editor {
	r := race{markers: l.lexicon("markers"), persons: l.lexicon("persons"), bound: l.lexicon("bound"), to: to}
	if rule != nil {
		r.forms = rule.Inflected
	}
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
		if capital(marker) && at.Start == 0 {
			return refused("the word opens the text")
		}
		return found{changes: append([]change{{at, ""}}, agreeing(text, at.Start, next)...)}
	}
	var others []string
	for _, w := range r.to {
		if !r.means(w, marker) {
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

// means reports whether a word of the list means the same as a marker: it is the marker, or the marker is one of its
// other forms.
func (r race) means(word, marker string) bool {
	same := func(form string) bool {
		return strings.EqualFold(strings.ReplaceAll(form, "-", " "), strings.ReplaceAll(marker, "-", " "))
	}
	return same(word) || slices.ContainsFunc(r.forms[strings.ToLower(word)], same)
}

// capital reports whether a word begins with a capital.
func capital(s string) bool { return s != "" && strings.ToUpper(s[:1]) == s[:1] }
