package clinical

// clauseStart returns the beginning of the sentence that holds byte i, by full stops and line ends alone.
func (r *reader) clauseStart(i int) int {
	for j := i - 1; j >= r.from; j-- {
		switch r.text[j] {
		case '\n', '?', '!', ';':
			return j + 1
		case '.':
			if isBlank(r.text[j+1]) {
				return j + 1
			}
		}
	}
	return r.from
}

// hypothetical reports whether the words before byte i in its sentence make what follows a supposition, or the object
// of "I do not think".
func (r *reader) hypothetical(i int) bool {
	denied := false
	for j := r.clauseStart(i); j < i; {
		end := wordEnd(r.text, j)
		if end == j {
			if r.text[j] == ',' {
				denied = false
			}
			j++
			continue
		}
		word := r.text[j:end]
		c := classOf(word)
		if c.any(ifWord) || denied && c.any(thinkWord) {
			return true
		}
		if denied = c.any(denyWord) || equalWord(word, "don't", "don’t", "doesn't", "doesn’t", "cannot"); denied && equalWord(word, "not", "cannot") {
			denied = true
		}
		j = end
	}
	return false
}

// firstPerson reports whether the speaker is the subject of the verb at byte i: "I would choose".
func (r *reader) firstPerson(i int) bool {
	for n, j := 0, i; n < 4; n++ {
		start, end := r.before(j)
		if start == end {
			return false
		}
		if classOf(r.text[start:end]).any(selfWord) {
			return true
		}
		if classOf(r.text[start:end]).any(denyWord) {
			return false
		}
		j = start
	}
	return false
}

// leads reports whether the cue at byte i opens its sentence, but for words such as "final", and for marks.
func (r *reader) leads(i int) bool {
	for j := r.clauseStart(i); j < i; {
		end := wordEnd(r.text, j)
		if end == j {
			j++
			continue
		}
		if !classOf(r.text[j:end]).any(leadWord) && !digitAt(r.text, j) {
			return false
		}
		j = end
	}
	return true
}

// wordBefore returns the word before byte i in the same clause, or nothing.
func (r *reader) wordBefore(i int) string {
	start, end := r.before(i)
	return r.text[start:end]
}

// before returns the bounds of the word before byte i; equal when a stop, a line end or nothing stands there.
func (r *reader) before(i int) (start, end int) {
	end = i
	for end > r.from && (r.text[end-1] == ' ' || r.text[end-1] == '*') {
		end--
	}
	for start = end; start > r.from && (asciiWord(r.text[start-1]) || r.text[start-1] == '\'' || r.text[start-1] >= 0x80); {
		start--
	}
	return start, end
}
