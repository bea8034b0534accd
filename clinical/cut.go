package clinical

import "strings"

// complete reports whether a statement of a cut reply is an answer. A reply that was cut was going to say more, so
// only what it has finished saying counts: an answer line, a box, or a sentence that says outright what the answer is
// (not what "the answer to this question is", of several), has ended, supposes and doubts nothing, and is not taken
// back by what follows.
func (r *reader) complete(s statement) bool {
	switch {
	case s.line, s.declined, s.how == asBoxed:
		return true
	case !s.direct || s.weak || lineEnd(r.text, s.start) < s.end || r.doubted(s):
		return false
	}
	end, ok := r.sentenceEnd(s)
	next := skipOpeners(r.text, end, true)
	return ok && !classOf(r.text[next:wordEnd(r.text, next)]).any(turnWord)
}

// doubt forgets a sentence of a cut reply that said what the answer is, for the reply was cut while it thought again.
// An answer line stays.
func (r *reader) doubt() {
	if r.hasLast && !r.last.line && r.last.how != asBoxed {
		r.hasLast = false
	}
}

// cutShort reports whether a cut reply ends within what a statement names: in an option's text, which may go on, in
// another option's text after the label, or after an "or".
func (r *reader) cutShort(s statement) bool {
	if !r.cut || s.declined || s.how == asBoxed {
		return false
	}
	i := skipClosers(r.text, s.end)
	if i >= len(r.text) || r.text[i] == '.' && i+1 == len(r.text) && digitAt(r.text, s.end-1) {
		return s.named
	}
	if rest := r.text[skipOpeners(r.text, i+1, false):]; rest != "" && r.endsInLabel(s) {
		own := beginsWith(r.values.textOf(s.label), rest)
		for k := range r.values {
			if !own && beginsWith(r.values[k].Text, rest) {
				return true
			}
		}
	}
	if r.text[i] == ',' || r.text[i] == '/' {
		i = skipClosers(r.text, i+1)
	}
	end := wordEnd(r.text, i)
	return i >= len(r.text) || classOf(r.text[i:end]).any(joinWord) && skipOpeners(r.text, end, true) >= len(r.text)
}

// beginsWith reports whether want begins with text, without regard to case.
func beginsWith(want, text string) bool {
	return len(text) <= len(want) && strings.EqualFold(want[:len(text)], text)
}

// doubted reports whether a word of a statement, or one before it in its sentence, makes it less than one.
func (r *reader) doubted(s statement) bool {
	limit := s.end // the option's own text doubts nothing
	if !r.endsInLabel(s) {
		limit = max(s.start, s.end-len(r.values.textOf(s.label)))
	}
	for j := r.clauseStart(s.start); j < limit; {
		end := wordEnd(r.text, j)
		if end == j {
			j++
			continue
		}
		word := r.text[j:end]
		if c := classOf(word); c.any(hedgeWord|ifWord|denyWord) || j < s.start && c.any(thinkWord) ||
			equalWord(word, "probably", "seems", "seem", "appears", "should", "would", "To", "to") {
			return true
		}
		j = end
	}
	return false
}

// sentenceEnd returns where the sentence of a statement ends, or false when the reply was cut before that, or when the
// sentence goes on to ask or to suppose something. The full stop after a label is that of a sentence where no option's
// text begins after it: "The answer is B. The eye", but not "The answer is B. Acetaz".
func (r *reader) sentenceEnd(s statement) (int, bool) {
	i := skipClosers(r.text, s.end)
	if i < len(r.text) && r.text[i] == '.' && r.endsInLabel(s) {
		next := skipOpeners(r.text, i+1, false)
		if !r.values.begin(r.text, next) {
			return i + 1, true
		}
		i = next
	}
	for i < len(r.text) {
		end := wordEnd(r.text, i)
		switch c := r.text[i]; {
		case end > i:
			if classOf(r.text[i:end]).any(ifWord) {
				return 0, false
			}
			i = end
			continue
		case c == '?':
			return 0, false
		case c == '\n':
			return i, true
		case c == '.' || c == '!':
			if i+1 == len(r.text) && !digitAt(r.text, i-1) || i+1 < len(r.text) && isBlank(r.text[i+1]) {
				return i + 1, true
			}
		}
		i++
	}
	return 0, false
}

// endsInLabel reports whether a statement names its option by the label alone.
func (r *reader) endsInLabel(s statement) bool {
	at := s.end - len(s.label)
	return !s.named && at >= s.start && strings.EqualFold(r.text[at:s.end], s.label)
}

// begin reports whether the word at byte i is the first of an option's text.
func (o values) begin(text string, i int) bool {
	word := text[i:wordEnd(text, i)]
	for k := range o {
		at := skipOpeners(o[k].Text, 0, false)
		if word != "" && strings.EqualFold(word, o[k].Text[at:wordEnd(o[k].Text, at)]) {
			return true
		}
	}
	return false
}
