package clinical

import "unicode/utf8"

// Limits of a walk from a cue to its value.
const (
	maxWords = 40 // words of one sentence that are looked at
	maxFills = 12 // fill words between link and value
)

// walked is what was met on the way from a cue to its value, within one sentence.
type walked struct {
	value    value
	found    bool
	words    int  // words passed that neither link nor fill
	colon    bool // the value follows a colon
	atColon  bool // a colon directly follows the cue
	colonAt  int
	hedged   bool
	declined bool
	boxed    bool // a box comes first; it is read on its own
	cue      bool // another cue comes first
	direct   bool // the value follows the cue without a link
	claim    bool // the walk began at praise, not at "answer"
}

// walk goes from the end of a cue through its sentence and reads the value after the first link that has one.
func (r *reader) walk(i int, claim bool) walked {
	w := walked{claim: claim}
	for n := 0; i < len(r.text) && n < maxWords; {
		switch c := r.text[i]; c {
		case '\n', '!':
			return w
		case '?': // a quoted question is part of the sentence: the answer to "Is it better?" is
			if next := skipClosers(r.text, i+1); next == i+1 || r.text[i+1] == ' ' {
				return w
			}
			i++
			continue
		case '.', ';':
			if i+1 >= len(r.text) || isBlank(r.text[i+1]) {
				return w
			}
			i++
			continue
		case ':', '=', '>':
			if i = r.colon(i, 1, &w); w.found || w.boxed {
				return w
			}
			continue
		}
		if m := markLength(r.text, i, "：→"); m > 0 {
			if i = r.colon(i, m, &w); w.found || w.boxed {
				return w
			}
			continue
		}
		end := wordEnd(r.text, i)
		if end == i {
			_, size := utf8.DecodeRuneInString(r.text[i:])
			i += size
			continue
		}
		n++
		if stop := r.step(i, end, &w); stop {
			return w
		}
		i = end
	}
	return w
}

// colon reads the value after a colon of m bytes at i and returns where to go on.
func (r *reader) colon(i, m int, w *walked) int {
	if w.words == 0 && !w.atColon {
		w.atColon, w.colonAt = true, i+m
	}
	v, at, ok := r.value(i+m, true)
	w.boxed = at < len(r.text) && r.text[at] == '\\'
	if ok && !v.questioned {
		w.value, w.found, w.colon = v, true, true
	}
	return i + m
}

// step looks at one word of a walk and reports whether the walk ends with it.
func (r *reader) step(start, end int, w *walked) bool {
	c := classOf(r.text[start:end])
	next := skipOpeners(r.text, end, false)
	switch {
	case w.words > 0 && c.any(declineWord|denyWord|hedgeWord) && !c.any(linkWord):
		w.words++ // it belongs to what the answer is about, not to the statement
	case c.any(declineWord):
		w.declined = !c.any(hedgeWord)
		return true
	case c.any(denyWord):
		w.declined = classOf(r.text[next:wordEnd(r.text, next)]).any(openWord)
		return true
	case c.any(signalWord) && !w.claim:
		return true
	case c.any(cueWord) && w.words+start > 0 && start > 0:
		w.cue = true
		return true
	case c.any(linkWord):
		return r.link(end, w)
	case c.any(hedgeWord):
		w.hedged = true
	case !c.any(fillWord):
		if label, stop := r.values.label(r.text, start); label != "" && w.words == 0 && !w.atColon {
			return r.direct(start, stop, w)
		}
		w.words++
	}
	return false
}

// link reads the value after a word such as "is".
func (r *reader) link(end int, w *walked) bool {
	v, at, ok := r.value(end, false)
	switch {
	case ok && v.questioned:
		return true
	case ok:
		w.value, w.found = v, !v.named || v.whole
		return w.found
	}
	if c := classOf(r.text[at:wordEnd(r.text, at)]); c.any(declineWord|denyWord) && !c.any(hedgeWord) {
		passed := w.words
		w.words = 0 // right after the link, it is about the statement
		stop := r.step(at, wordEnd(r.text, at), w)
		w.words = passed
		return stop
	}
	if end := wordEnd(r.text, at); end == at+1 && 'B' <= r.text[at] && r.text[at] <= 'Z' && closed(r.text, end) {
		w.declined = true // a letter that no option has
		return true
	}
	w.hedged = w.hedged || classOf(r.text[at:wordEnd(r.text, at)]).any(hedgeWord)
	return false
}

// direct reads "Answer B" or "Answer (B)", a label that follows the cue without a link. It counts only where it ends
// its line, for "answer B is wrong" names an option to reject it.
func (r *reader) direct(start, end int, w *walked) bool {
	v, ok := r.values.at(r.text, start)
	if ok && v.end <= lineEnd(r.text, start) {
		rest := skipClosers(r.text, v.end)
		if rest < len(r.text) && r.text[rest] == '.' {
			rest = skipClosers(r.text, rest+1)
		}
		if rest >= len(r.text) || r.text[rest] == '\n' {
			w.value, w.found, w.direct = v, true, true
		}
	}
	return true
}

// value reads the option named at i or after a few fill words; at is where it gave up. With lines, it may stand on a
// later line, unless that begins a list of options.
func (r *reader) value(i int, lines bool) (v value, at int, ok bool) {
	for n := 0; n < maxFills; n++ {
		at = skipOpeners(r.text, i, lines)
		if v, ok = r.values.at(r.text, at); ok {
			crossed := lines && lineStart(r.text, at) > i
			if crossed && r.listed(at, v) {
				return value{}, at, false
			}
			return v, at, true
		}
		end := wordEnd(r.text, at)
		if end == at || !classOf(r.text[at:end]).any(fillWord) && !equalWord(r.text[at:end], "I", "either", "both") {
			return value{}, at, false
		}
		i = end
	}
	return value{}, at, false
}

// listed reports whether the option named at i is an item of a list of options: the next line that is not blank
// begins with another one.
func (r *reader) listed(i int, v value) bool {
	next := lineEnd(r.text, max(i, v.end))
	return next < len(r.text) && r.otherItem(next, v.label)
}

// otherItem reports whether the text at i goes on with an item of a list of options under another label.
func (r *reader) otherItem(i int, label string) bool {
	at := skipOpeners(r.text, i, true)
	other, end := r.values.label(r.text, at)
	if other == "" || other == label || end >= len(r.text) {
		return false
	}
	c := r.text[end]
	return c == ')' || c == '.' || c == ':' || c == '*' && skipClosers(r.text, end) > end
}

func isBlank(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
