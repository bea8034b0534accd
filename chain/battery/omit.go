package battery

import (
	"github.com/percuss/percuss/clinical"
)

// omitLists are the word lists of the edit "omit".
var omitLists = []string{"about", "keep", "refers"}

// omission drops a whole sentence of one kind.
type omission struct{ about, keep, refers lexicon }

// omit drops one random sentence that is about something, never the question, the first sentence, or one that the next
// sentence refers to.
func omit(l lists) editor {
	o := omission{about: l.lexicon("about"), keep: l.lexicon("keep"), refers: l.lexicon("refers")}
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
