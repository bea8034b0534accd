package clinical

import "unicode/utf8"

// plain notes "The mechanism of the drug is a cell wall inhibitor": a sentence that names what questions ask for and
// says which option it is, in the first sentence of the reply or in its last paragraph. One that says something else
// is a rival, as in "The next step is to secure the airway. The next step is endoscopy."
func (r *reader) plain(start, end int) {
	first := r.clauseStart(start)
	if !r.subject(first, start) {
		return
	}
	w := r.walk(end, true)
	ok := w.found && !w.cue && !w.hedged && !w.colon && w.value.whole && w.value.named &&
		len(r.values.textOf(w.value.label)) > len("maybe")
	s, ok := r.finish(statement{value: w.value, how: asPhrase, start: start, weak: true, firm: true}, ok)
	switch {
	case !ok || !s.firm:
		r.rivals = true
	case first >= r.tail || onlyBlank(r.text[r.from:first]):
		r.note(s)
	}
}

// subject reports whether the words from byte i to the noun at byte end make it what the question asks for: an
// article, perhaps after a word that concludes, and at most three words such as "initial", none of which says that
// another one is meant or that it is so in general.
func (r *reader) subject(i, end int) bool {
	article, words := false, 0
	for i < end {
		stop := wordEnd(r.text, i)
		if stop == i {
			i++
			continue
		}
		word := r.text[i:stop]
		switch c := classOf(word); {
		case c.any(wrongWord | denyWord | hedgeWord | ifWord), equalWord(word, "current", "prior", "past", "usual", "standard", "common", "typical"):
			return false
		case equalWord(word, "The", "the"):
			article = true
		case article:
			words++
		case !c.any(leadWord):
			return false
		}
		i = stop
	}
	return article && words <= 3
}

// singles reports whether the praise at byte i singles an option out: "correct" does, "most" only in "most likely" and
// the like (not "most likely to bleed"), "best" not in "best known".
func (r *reader) singles(i int) bool {
	end := wordEnd(r.text, i)
	next := skipOpeners(r.text, end, false)
	word, after := r.text[i:end], r.text[next:wordEnd(r.text, next)]
	switch {
	case equalWord(word, "most", "Most"):
		next = skipOpeners(r.text, next+len(after), false)
		return equalWord(after, "likely", "probable", "appropriate", "suitable", "plausible") &&
			!equalWord(r.text[next:wordEnd(r.text, next)], "to")
	case equalWord(word, "best", "Best"):
		return !equalWord(after, "known", "described", "understood", "studied", "avoided")
	}
	return true
}

// qualified reports whether the sentence goes on from byte i to suppose, deny, restrict or ask something, or the next
// one begins with "but" or the like.
func (r *reader) qualified(i int) bool {
	for i < len(r.text) {
		end := wordEnd(r.text, i)
		switch c := r.text[i]; {
		case end > i:
			if classOf(r.text[i:end]).any(ifWord|turnWord|denyWord) || equalWord(r.text[i:end], "only", "when") {
				return true
			}
			i = end
			continue
		case c == '\n', c == '.' && (i+1 == len(r.text) || isBlank(r.text[i+1])):
			next := skipOpeners(r.text, i+1, true)
			return classOf(r.text[next:wordEnd(r.text, next)]).any(turnWord)
		case c == '?':
			return true
		}
		i++
	}
	return false
}

// denied reports whether the sentence that holds byte i denies something.
func (r *reader) denied(i int) bool {
	for j := r.clauseStart(i); j < len(r.text); {
		end := wordEnd(r.text, j)
		switch c := r.text[j]; {
		case end > j:
			if classOf(r.text[j:end]).any(denyWord) {
				return true
			}
			j = end
			continue
		case j > i && (c == '\n' || c == '.' && (j+1 == len(r.text) || isBlank(r.text[j+1]))):
			return false
		}
		j++
	}
	return false
}

// note keeps a firm statement for a reply that has nothing better.
func (r *reader) note(s statement) {
	r.rivals = r.rivals || r.hasOnly && r.only.label != s.label || s.ambiguous || r.qualified(s.end)
	r.only, r.hasOnly = s, true
}

// sole returns the last firm statement, wherever it stands, if the reply names no other option at all and never denies
// anything of this one: then nothing is weighed.
func (r *reader) sole() (statement, bool) {
	if !r.hasOnly || r.rivals {
		return statement{}, false
	}
	for i := r.from; i < len(r.text); {
		named, stop := r.values.text(r.text, i)
		other := r.item(i)
		if named != "" && (named != r.only.label || r.denied(i)) || other != "" && other != r.only.label {
			return statement{}, false
		}
		_, size := utf8.DecodeRuneInString(r.text[i:])
		i = max(i+size, stop, wordEnd(r.text, i))
	}
	return r.only, true
}
