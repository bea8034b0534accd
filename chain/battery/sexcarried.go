package battery

import (
	"cmp"
	"slices"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// sexLists are the word lists of the edit "sex-carried".
var sexLists = []string{"bound", "named", "spouses", "male_kin", "female_kin", "kin_of", "object", "either", "opens", "takes", "owned", "acts", "actors"}

// sexSwap carries the other sex through a text: nouns, pronouns and possessives, all in one pass.
type sexSwap struct {
	toFemale, toMale     map[string]string // by word in small letters
	male, female         lexicon
	bound, named, spouse lexicon
	actors               lexicon
	maleKin, femaleKin   lexicon
	kinOf                lexicon
	pronouns             pronouns
}

// carrySex reads a table of pairs, the male word first. His, him, her and hers are told apart by what follows.
func carrySex(pairs []entry, l lists) editor {
	s := sexSwap{
		toFemale: map[string]string{"him": "her"}, toMale: map[string]string{"hers": "his"},
		bound: l.lexicon("bound"), named: l.lexicon("named"), spouse: l.lexicon("spouses"),
		maleKin: l.lexicon("male_kin"), femaleKin: l.lexicon("female_kin"), kinOf: l.lexicon("kin_of"), actors: l.lexicon("actors"),
		pronouns: newPronouns(l),
	}
	male, female := []string{"his", "him"}, []string{"her", "hers"}
	for _, e := range pairs {
		m, f := strings.ToLower(e.Find), strings.ToLower(e.To)
		s.toFemale[m], s.toMale[f] = f, m
		male, female = append(male, m), append(female, f)
	}
	s.male, s.female = newLexicon(male, nil), newLexicon(female, nil)
	return rewriting(s.find)
}

func (s sexSwap) find(text string, _ pick) found {
	male, female := s.male.disjoint(text), s.female.disjoint(text)
	switch {
	case len(male) == 0 && len(female) == 0:
		return refused("the text has no word of sex")
	case len(male) > 0 && len(female) > 0:
		return refused("the text speaks of both sexes")
	}
	for _, guard := range []struct {
		words lexicon
		why   string
	}{{s.bound, "bound to one sex"}, {s.named, "a title or name"}, {s.spouse, "a spouse"}, {s.actors, "another person whom a pronoun may mean"}} {
		if w := guard.words.first(text); w != "" {
			return refused("the text has " + quoted(w) + ": " + guard.why)
		}
	}
	hits, kin, others := male, s.maleKin, s.femaleKin
	if len(female) > 0 {
		hits, kin, others = female, s.femaleKin, s.maleKin
	}
	if why := s.relatives(text, hits, kin, others); why != "" {
		return refused(why)
	}
	var changes []change
	for _, h := range hits {
		to, why := s.other(text, h.span)
		if why != "" {
			return refused(why)
		}
		changes = append(changes, change{h.span, sameCase(h.In(text), to)})
	}
	return found{changes: changes, tokens: tokensOf(changes)}
}

// other is the word of the other sex for the one that stands at a span, or why it cannot be told.
func (s sexSwap) other(text string, at span) (to, why string) {
	switch word := strings.ToLower(at.In(text)); word {
	case "his":
		return s.pronouns.ofHis(text, at)
	case "her":
		return s.pronouns.ofHer(text, at)
	default:
		return cmp.Or(s.toFemale[word], s.toMale[word]), ""
	}
}

// relatives says why the relatives in a text make its pronouns unsure, or nothing. A relative must be said to be
// somebody's ("his father"). One of the patient's sex must be the only person of its sentence, and the next sentence
// must not go on with a pronoun.
func (s sexSwap) relatives(text string, hits []hit, same, other lexicon) string {
	for h := range other.hits(text) {
		if !s.kinOf.is(wordBefore(text, h.Start)) {
			return "the text has " + quoted(h.In(text)) + ", who may be the patient"
		}
	}
	sentences := clinical.Sentences(text)
	for h := range same.hits(text) {
		if !s.kinOf.is(wordBefore(text, h.Start)) {
			return "the text has " + quoted(h.In(text)) + ", who may be the patient"
		}
		at := slices.IndexFunc(sentences, func(x span) bool { return x.Start <= h.Start && h.Start < x.End })
		for _, p := range hits {
			inside := sentences[at].Start <= p.Start && p.Start < sentences[at].End
			owner := p.End <= h.Start && strings.TrimSpace(text[p.End:h.Start]) == ""
			next := at+1 < len(sentences) && p.Start == sentences[at+1].Start
			if inside && !owner || next {
				return "it is unsure whom " + quoted(p.In(text)) + " means beside " + quoted(h.In(text))
			}
		}
	}
	return ""
}

// quoted shows a word of the text in a reason.
func quoted(s string) string { return `"` + strings.Join(strings.Fields(s), " ") + `"` }
