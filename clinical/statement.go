package clinical

// statement is a place where a text says what the answer is.
type statement struct {
	value
	how      string
	start    int  // where the cue begins
	line     bool // in the form of an answer line: a cue and a colon
	alone    bool // on a line of its own
	declined bool // it says that there is no answer
	answer   bool // its cue is the word "answer"
	direct   bool // and nothing stands between that and the option but "is" and the like
	weak     bool // hedged, hypothetical, or praise for an option rather than an answer
	firm     bool // weak for no other reason than that an option is praised by its text
}

// The forms of a statement, as Reading.How names them.
const (
	asLine   = "answer-line"
	asPhrase = "phrase"
	asBoxed  = "boxed"
	asBare   = "bare"
	asText   = "option-text"
	asWord   = "label-word"
)

// reader collects the statements of one region of a reply.
type reader struct {
	text   string // the reply up to the end of the region
	from   int    // where the region begins
	tail   int    // where its last paragraph begins
	cut    bool   // the region ends where the reply was cut
	strict bool   // and nothing in the reply but this region can hold its answer: see complete
	values values

	last, weak, only          statement // the last of each kind; only: of the firm ones
	hasLast, hasWeak, hasOnly bool
	rivals                    bool // firm statements name several options
}

// scan reads the region once, from its beginning to its end.
func (r *reader) scan() {
	for i := r.from; i < len(r.text); {
		if r.text[i] == '\\' {
			if s, ok := r.boxed(i); ok {
				r.take(s)
				i = s.end
				continue
			}
		}
		end := wordEnd(r.text, i)
		if end == i {
			i++
			continue
		}
		s, ok := r.stated(i, end)
		if !ok && i >= r.tail {
			s, ok = r.praised(i, end)
		}
		if ok {
			r.take(s)
			end = max(end, s.end)
		}
		i = end
	}
}

// take keeps a statement as the last of its kind, and notes when it contradicts the one before it within the same
// answer line or sentence.
func (r *reader) take(s statement) {
	if r.cutShort(s) || r.strict && !r.complete(s) {
		if s.answer && r.hasLast && s.label != r.last.label {
			r.doubt()
		}
		return
	}
	kept, has := &r.last, &r.hasLast
	if s.weak {
		if s.firm {
			r.note(s)
		}
		if s.start < r.tail {
			return
		}
		kept, has = &r.weak, &r.hasWeak
		s.ambiguous = s.ambiguous || *has && kept.label != s.label // nothing says which of the two is meant
	} else if *has && !s.declined && !kept.declined && kept.label != s.label && r.oneBreath(*kept, s) {
		s.ambiguous = true
	}
	*kept, *has = s, true
}

// oneBreath reports whether two statements stand in one sentence, or are answer lines that share a line.
func (r *reader) oneBreath(a, b statement) bool {
	if b.start < a.end {
		return true
	}
	between := r.text[a.end:b.start]
	for i := 0; i < len(between); i++ {
		switch between[i] {
		case '\n':
			return false
		case '.', '?', '!', ';':
			if !(a.line && b.line) && (i+1 == len(between) || between[i+1] == ' ') {
				return false
			}
		}
	}
	return true
}

// stated reads a statement whose cue is the word at [start, end).
func (r *reader) stated(start, end int) (statement, bool) {
	c := classOf(r.text[start:end])
	switch {
	case c.any(cueWord):
		return r.cue(start, end)
	case c.any(chooseWord) && r.firstPerson(start):
		v, _, ok := r.value(end, false)
		return r.finish(statement{value: v, how: asPhrase, start: start}, ok && !v.questioned && (!v.named || v.whole))
	case r.strict && equalWord(r.text[start:end], "wait", "Wait", "hmm", "Hmm"):
		r.doubt()
	case r.strict || r.hasLast && r.last.line && !r.last.declined:
		return statement{}, false
	case c.any(claimWord):
		return r.claim(start, end)
	case c.any(askedWord):
		r.plain(start, end)
	}
	return statement{}, false
}

// cue reads what follows the word "answer".
func (r *reader) cue(start, end int) (statement, bool) {
	tag := start > r.from && r.text[start-1] == '<' && end < len(r.text) && r.text[end] == '>'
	before := r.wordBefore(start)
	if start > r.from && r.text[start-1] == '/' || !tag && (classOf(before).any(wrongWord) || equalWord(before, "to", "we", "can", "you")) {
		return statement{}, false
	}
	w := r.walk(end, false)
	s := statement{value: w.value, how: asPhrase, start: start, weak: w.hedged, answer: true}
	s.direct = w.words == 0 && !w.hedged
	s.line = tag || w.colon && w.words == 0 && r.leads(start)
	switch {
	case w.found:
		return r.finish(s, !w.direct || r.leads(start))
	case w.declined, s.line && w.atColon && !w.boxed && closedLine(r.text, w.colonAt):
		return statement{how: asPhrase, start: start, line: s.line, declined: true, value: value{end: end}}, true
	}
	return statement{}, false
}

// claim reads "the most likely diagnosis is D) Measles": praise that names an option by a set-off label, or, more
// weakly, by its text alone.
func (r *reader) claim(start, end int) (statement, bool) {
	if classOf(r.wordBefore(start)).any(wrongWord | denyWord) {
		return statement{}, false
	}
	w := r.walk(end, true)
	ok := w.found && !w.cue && (w.value.whole || w.value.marked && !w.value.named)
	s := statement{value: w.value, how: asPhrase, start: start, weak: w.hedged || w.value.named && !w.colon}
	s.firm = w.value.named && !w.hedged && r.singles(start)
	return r.finish(s, ok)
}

// finish settles the form of a statement and how much it may be trusted.
func (r *reader) finish(s statement, ok bool) (statement, bool) {
	if !ok {
		return statement{}, false
	}
	if s.line {
		s.how = asLine
	}
	if s.named {
		s.how = asText
		if n := len(r.values.textOf(s.label)); n <= len("maybe") {
			s.how = asWord
		}
	}
	if !s.line && r.hypothetical(s.start) {
		s.weak, s.firm = true, false
	}
	return s, true
}

// closedLine reports whether something is written after byte i on its line.
func closedLine(text string, i int) bool {
	i = skipOpeners(text, i, false)
	return i < len(text) && text[i] != '\n'
}
