package clinical

import "strings"

// ReadNumber reads the answer to a question whose answer is a number from the tail of a reply, by the rules of
// ReadAnswer: the last explicit statement wins, and truncated and ChainEnd mean the same. Statements are an answer line
// ("Answer: 18", "A: 18", "#### 18"), a phrase ("the answer is 18 dollars"), a box, or a number alone on the last line.
// A number that merely stands last in the text is none. Of an equation it is the right-hand side; a statement that
// names two numbers otherwise is ambiguous. Label is the number's canonical form: see CanonicalNumber.
func ReadNumber(reply string, truncated bool) Reading {
	return readTurns(reply, nil, truncated, (*reader).readNumber)
}

// readNumber returns the number that the region states, if any.
func (r *reader) readNumber() (statement, bool) {
	first, last := r.lastLine()
	r.tail = r.paragraph(first)
	for i := r.from; i < len(r.text); {
		s, ok := r.numberStated(i)
		if ok {
			r.take(s)
		}
		i = max(i+1, wordEnd(r.text, i))
		if ok {
			i = max(i, s.end)
		}
	}
	if (!r.hasLast || r.last.start < first) && !r.cut && first < last {
		if n, ok := soleNumber(r.text[first:last]); ok {
			return statement{value: value{label: n.form, end: last}, how: asBare, start: first, alone: true}, true
		}
	}
	if r.hasLast {
		return r.last, true
	}
	return r.weak, r.hasWeak
}

// numberStated reads a statement whose cue begins at byte i.
func (r *reader) numberStated(i int) (statement, bool) {
	switch r.text[i] {
	case '\\':
		return r.boxedNumber(i)
	case '#':
		return r.hashed(i)
	}
	end := wordEnd(r.text, i)
	word := r.text[i:end]
	switch {
	case classOf(word).any(cueWord):
		return r.numberCue(i, end)
	case word == "A" && r.opensLine(i):
		return r.numberCue(i, end)
	case r.strict && equalWord(word, "wait", "Wait", "hmm", "Hmm"):
		r.doubt()
	}
	return statement{}, false
}

// opensLine reports whether only marks stand before byte i on its line, and a colon follows the word there.
func (r *reader) opensLine(i int) bool {
	start := max(lineStart(r.text, i), r.from)
	return skipOpeners(r.text, start, false) == i && strings.HasPrefix(strings.TrimLeft(r.text[i+1:], "* "), ":")
}

// hashed reads "#### 18". A heading such as "#### 1. Compute" is none.
func (r *reader) hashed(i int) (statement, bool) {
	const mark = "####"
	if !strings.HasPrefix(r.text[i:], mark) || i > r.from && r.text[i-1] == '#' {
		return statement{}, false
	}
	end := lineEnd(r.text, i)
	n, ok := soleNumber(r.text[i+len(mark) : end])
	return statement{value: stated(n, i+len(mark)+n.end), how: asLine, start: i, line: true, answer: true, direct: true}, ok
}

// stated is a number as the value of a statement. A number may go on where the reply is cut, as an option's text may.
func stated(n figure, end int) value { return value{label: n.form, end: end, named: true} }

// boxedNumber reads \boxed{...} at byte i, unless it is part of a formula that goes on.
func (r *reader) boxedNumber(i int) (statement, bool) {
	const command = `\boxed`
	if !strings.HasPrefix(r.text[i:], command) {
		return statement{}, false
	}
	open := i + len(command)
	end := braceEnd(r.text, open)
	if end < 0 {
		return statement{}, false
	}
	inner := r.text[open+1 : end-1]
	if at := strings.LastIndexByte(inner, '='); at >= 0 {
		inner = inner[at+1:]
	}
	n, ok := soleNumber(inner)
	next := strings.TrimLeft(r.text[end:], " ")
	before := strings.TrimRight(r.text[r.from:i], " $")
	joined := next != "" && strings.IndexByte("+*/^_<>=-", next[0]) >= 0 && !strings.HasPrefix(next, "**") ||
		before != "" && strings.IndexByte("+/^<>", before[len(before)-1]) >= 0
	return statement{value: value{label: n.form, end: end}, how: asBoxed, start: i}, ok && !joined
}

// numberCue reads what follows the word "answer", or the "A" of "A: 18".
func (r *reader) numberCue(start, end int) (statement, bool) {
	tag := start > r.from && r.text[start-1] == '<' && end < len(r.text) && r.text[end] == '>'
	before := r.wordBefore(start)
	if start > r.from && r.text[start-1] == '/' || !tag && (classOf(before).any(wrongWord) || equalWord(before, "to", "we", "can", "you")) {
		return statement{}, false
	}
	l := r.linkAfter(end)
	s := statement{how: asPhrase, start: start, answer: true, direct: l.words == 0 && !l.hedged, weak: l.hedged}
	s.line = tag || l.colon && l.words == 0 && r.leads(start)
	if s.line {
		s.how = asLine
	}
	s.declined, s.end = l.declined, l.end
	if l.declined || !l.found {
		return s, l.declined
	}
	v, found := r.numberAfter(&l)
	s.value, s.declined, s.direct = v, l.declined, s.direct && l.direct
	s.weak = s.weak || l.hedged || !s.line && r.hypothetical(start)
	if !found && s.line && !l.boxed && !l.declined && closedLine(r.text, l.end) {
		s.declined, s.end = true, l.end // an answer line that says something else
	}
	return s, found || s.declined
}
