package battery

import (
	"strings"
	"unicode"
)

// pronouns tells apart what his and her stand for: "her leg" is his leg, "saw her" is saw him. Word lists of the edit
// "sex-carried" say which words follow the one and the other.
type pronouns struct {
	object lexicon // words that follow an object: "gave her a drug"
	acts   lexicon // verbs: after "his" they show a slip of the pen, after "her" they leave both open
	either lexicon // words that follow both: "her daily walk", "saw her daily"
	opens  lexicon // words after which a possessive stands: "of her daily walk"
	takes  lexicon // verbs that take a person and one more thing: "gave her aspirin"
	owned  lexicon // what such a verb takes alone: "made her symptoms worse"
}

func newPronouns(l lists) pronouns {
	return pronouns{object: l.lexicon("object"), acts: l.lexicon("acts"), either: l.lexicon("either"),
		opens: l.lexicon("opens"), takes: l.lexicon("takes"), owned: l.lexicon("owned")}
}

// ofHis is "her" before what is possessed, and "hers" at the end of a clause or after "of" ("a friend of his who").
func (p pronouns) ofHis(text string, at span) (to, why string) {
	next, ends := following(text, at.End)
	switch {
	case ends:
		return "hers", ""
	case p.either.is(next):
		return "her", ""
	case p.object.is(next) && wordBefore(text, at.Start) == "of":
		return "hers", ""
	case next == "", p.acts.is(next), p.object.is(next):
		return "", unsure(text, at)
	}
	return "her", ""
}

// ofHer is "him" at the end of a clause and before a word that follows an object, and "his" before what is possessed.
func (p pronouns) ofHer(text string, at span) (to, why string) {
	next, ends := following(text, at.End)
	before := wordBefore(text, at.Start)
	switch {
	case ends:
		return "him", ""
	case next == "", p.acts.is(next):
		return "", unsure(text, at)
	case p.either.is(next), strings.HasSuffix(next, "ly"), unicode.IsDigit(rune(next[0])):
		if before == "" || p.opens.is(before) {
			return "his", ""
		}
		return "", unsure(text, at)
	case p.object.is(next):
		return "him", ""
	case p.takes.is(before) && !p.owned.is(next):
		return "", unsure(text, at)
	}
	return "his", ""
}

func unsure(text string, at span) string {
	return "what follows " + quoted(at.In(text)) + " does not tell whether it is a possessive"
}

// following returns the word after a pronoun, an opening quotation mark aside, and whether the clause ends there.
func following(text string, i int) (next string, ends bool) {
	rest := strings.TrimLeft(text[i:], " \n\t")
	if rest == "" {
		return "", true
	}
	if strings.ContainsRune(".,;:!?)”", []rune(rest)[0]) {
		return "", true
	}
	if len(rest) == len(text[i:]) {
		return "", false // "her's", "her/his"
	}
	if quote := strings.TrimLeft(rest, "\"“‘'"); len(quote) < len(rest) {
		rest = " " + quote
		next, _ = wordAfter(rest, 0)
		return next, false
	}
	next, _ = wordAfter(text, i)
	return next, false
}
