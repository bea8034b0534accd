package battery

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// omitLists are the word lists of the edit "omit".
var omitLists = []string{"about", "keep", "refers", "elsewhere", "ordinary"}

// omission drops a whole sentence of one kind.
type omission struct{ about, keep, refers, elsewhere, ordinary lexicon }

// omit drops one random sentence that is about something, never the question, the first sentence, or one that the rest of
// the text refers to.
func omit(l lists) editor {
	o := omission{about: l.lexicon("about"), keep: l.lexicon("keep"), refers: l.lexicon("refers"),
		elsewhere: l.lexicon("elsewhere"), ordinary: l.lexicon("ordinary")}
	return func(stem string, p pick) Edit {
		spans := clinical.Sentences(stem)
		question := clinical.QuestionSentence(stem, spans)
		var free []int
		why := "no sentence is about it"
		for i, s := range spans {
			in := s.In(stem)
			switch {
			case !o.leads(core(stem, s).In(stem)):
			case i == 0, i == question, clinical.AsksQuestion(in):
				why = "the sentence opens the text or asks the question"
			case o.keep.any(in):
				why = "the sentence also has " + quoted(o.keep.first(in))
			case i+1 < len(spans) && o.referredTo(spans[i+1].In(stem)):
				why = "the next sentence refers to it"
			default:
				if no := o.named(stem, s); no != "" {
					why = no
					continue
				}
				free = append(free, i)
			}
		}
		if len(free) == 0 {
			return notFired(why)
		}
		return cut(stem, core(stem, spans[free[p.from("sentence", len(free))]]))
	}
}

// opening is how far into a sentence the words that say what it is about may stand, in bytes. Later ones follow
// something else that would be lost with the sentence.
const opening = 24

// leads reports whether a sentence begins with what it is about.
func (o omission) leads(sentence string) bool {
	h, ok := o.about.earliest(sentence)
	return ok && h.Start <= opening
}

// referredTo reports whether a sentence begins with a word that refers to the one before.
func (o omission) referredTo(next string) bool {
	_, ok := o.refers.begins(next)
	return ok
}

// named says how the rest of a text, the question included, speaks of what a sentence tells, or nothing: by a word of the
// list ("of these medications"), or by one of the sentence's own words ("in addition to aspirin").
func (o omission) named(stem string, s span) string {
	own := strings.FieldsFunc(s.In(stem), func(r rune) bool { return !wordRune(r) })
	own = slices.DeleteFunc(own, func(w string) bool { return len(w) < nameLength || o.ordinary.is(w) || o.about.is(w) })
	names := newLexicon(own, nil)
	for _, rest := range []string{stem[:s.Start], stem[s.End:]} {
		if o.elsewhere.any(rest) {
			return "the text also has " + quoted(o.elsewhere.first(rest)) + ", which speaks of it"
		}
		if names.any(rest) {
			return "the text also has " + quoted(names.first(rest)) + ", of which the sentence tells"
		}
	}
	return ""
}

// nameLength is the least length of a word, in bytes, that can name a drug or an allergen.
const nameLength = 5
