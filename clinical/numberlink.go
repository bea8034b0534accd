package clinical

import (
	"strings"
	"unicode/utf8"
)

// linked is what was met between a cue and its number.
type linked struct {
	found    bool // a link: "is", a colon, an equals sign, or the number itself right after the cue
	end      int  // where the link ends
	words    int  // words passed that neither link nor weaken
	colon    bool
	hedged   bool
	declined bool
	boxed    bool // a box follows; it is read on its own
	direct   bool // the number follows the link at once
}

// linkAfter finds the link of a cue in its sentence.
func (r *reader) linkAfter(i int) linked {
	l := linked{}
	for n := 0; i < len(r.text) && n < maxWords; {
		if size := linkMark(r.text, i); size > 0 {
			l.found, l.colon, l.end = true, true, i+size
			return l
		}
		end := wordEnd(r.text, i)
		if end == i {
			if c := r.text[i]; c == '\n' || (c == '.' || c == ';' || c == '!' || c == '?') && (i+1 >= len(r.text) || isBlank(r.text[i+1])) {
				return l
			}
			_, size := utf8.DecodeRuneInString(r.text[i:])
			i += size
			continue
		}
		n++
		switch c := classOf(r.text[i:end]); {
		case l.words == 0 && digitAt(r.text, i):
			line := strings.TrimSpace(r.text[i:lineEnd(r.text, i)])
			_, l.found = soleNumber(line)
			l.end = i
			return l
		case l.words == 0 && c.any(declineWord):
			l.declined, l.end = !c.any(hedgeWord), end
			return l
		case l.words == 0 && c.any(denyWord), c.any(cueWord):
			return l
		case c.any(linkWord):
			l.found, l.end = true, end
			return l
		case c.any(hedgeWord):
			l.hedged = true
		default:
			l.words++
		}
		i = end
	}
	return l
}

// linkMark returns the length of a colon, an equals sign, the end of a tag or an arrow at byte i.
func linkMark(text string, i int) int {
	switch text[i] {
	case ':', '=', '>':
		return 1
	}
	return markLength(text, i, "：→")
}

// numberAfter reads the number that follows a link: at once, after a few words, or after a colon on a line of its own.
func (r *reader) numberAfter(l *linked) (value, bool) {
	i, colon := l.end, l.colon
	for n := 0; n < maxFills; n++ {
		at := skipOpeners(r.text, i, false)
		if at < len(r.text) && (r.text[at] == ':' || r.text[at] == '=') {
			i, colon = at+1, true
			continue
		}
		if at < len(r.text) && r.text[at] == '\n' && colon {
			return r.numberBelow(at, l)
		}
		if strings.HasPrefix(r.text[at:], `\boxed`) {
			l.boxed = true
			return value{}, false
		}
		if n, ok := numberAt(r.text, r.signed(i, at)); ok {
			l.direct = true
			return r.numberClause(n)
		}
		end := wordEnd(r.text, at)
		c := classOf(r.text[at:end])
		switch {
		case end == at:
			return r.onlyNumber(at, l)
		case c.any(denyWord | declineWord):
			next := skipOpeners(r.text, end, false)
			l.declined = c.any(declineWord) || classOf(r.text[next:wordEnd(r.text, next)]).any(openWord)
			return value{end: end}, false
		case c.any(hedgeWord):
			l.hedged = true
		case !c.any(fillWord) && !equalWord(r.text[at:end], "about", "approximately", "exactly", "equal", "equals"):
			return r.onlyNumber(at, l)
		}
		i = end
	}
	return value{}, false
}

// signed returns the position of the number at byte at with the minus that skipOpeners took for a dash.
func (r *reader) signed(i, at int) int {
	if j := strings.LastIndexAny(r.text[i:at], "-−"); j >= 0 && strings.Trim(r.text[i+j:at], "-−$ ") == "" && strings.Count(r.text[i+j:at], " ") == 0 {
		return i + j
	}
	return at
}

// numberBelow reads the first line below byte i that is not blank, if it is a number and nothing else.
func (r *reader) numberBelow(i int, l *linked) (value, bool) {
	at := i
	for at < len(r.text) && isBlank(r.text[at]) {
		at++
	}
	end := lineEnd(r.text, at)
	n, ok := soleNumber(r.text[at:end])
	l.boxed = strings.Contains(r.text[at:end], `\boxed`)
	l.direct = ok
	return stated(n, at+n.end), ok
}

// numberClause settles a number that directly follows its link by what comes after it in the clause: the right-hand
// side of an equation replaces it; another number makes it ambiguous where "or", "and" or an operator joins it, or at most
// a unit stands between.
func (r *reader) numberClause(n figure) (value, bool) {
	v := stated(n, n.end)
	end := r.clauseEnd(n.end)
	if at := strings.LastIndexByte(r.text[n.end:end], '='); at >= 0 {
		right, ok := numberAt(r.text, skipOpeners(r.text, n.end+at+1, false))
		return stated(right, right.end), ok
	}
	words := 0
	for i := n.end; i < end; {
		next, joins := i+1, strings.IndexByte("+*/-", r.text[i]) >= 0
		if stop := wordEnd(r.text, i); stop > i {
			next, joins = stop, classOf(r.text[i:stop]).any(joinWord) || r.text[i:stop] == "x"
			words++
		} else if size := markLength(r.text, i, "–−×÷"); size > 0 {
			next, joins = i+size, true
		}
		if at := r.pastHedges(next); joins || words <= 1 && at < end && skipOpeners(r.text, next, false) == at {
			other, ok := numberAt(r.text, at)
			switch {
			case ok && other.form != n.form: // "5 or 6", "5 hours 30 minutes", "5 000"
				v.ambiguous, v.end = true, other.end
			case !ok && joins && digitAt(r.text, at): // "3 × 10^5"
				return value{}, false
			}
		}
		i = next
	}
	return v, true
}

// pastHedges skips what may stand between "or" and a second number.
func (r *reader) pastHedges(i int) int {
	for {
		i = skipOpeners(r.text, i, false)
		end := wordEnd(r.text, i)
		if end == i || !classOf(r.text[i:end]).any(hedgeWord|fillWord) {
			return i
		}
		i = end
	}
}

// clauseEnd returns where the clause ends that holds byte i: at a bracket, at a stop, at the end of the line, or before
// a word that goes on from an answer ("because"). A comma before a second number does not end it.
func (r *reader) clauseEnd(i int) int {
	for i < len(r.text) {
		switch c := r.text[i]; {
		case c == '\n' || c == '(':
			return i
		case (c == '.' || c == ';' || c == '!' || c == '?') && (i+1 >= len(r.text) || isBlank(r.text[i+1])):
			return i
		case c == ',' && i+1 < len(r.text) && isBlank(r.text[i+1]):
			at := skipOpeners(r.text, i+1, false)
			if !classOf(r.text[at:wordEnd(r.text, at)]).any(joinWord) {
				return i
			}
		}
		end := wordEnd(r.text, i)
		if c := classOf(r.text[i:end]); c.any(goesOnWord) && !c.any(joinWord|linkWord) && end > i {
			return i
		}
		i = max(i+1, end)
	}
	return i
}

// onlyNumber reads the number of a sentence that says more than a number: the right-hand side of its last equation, or
// the only number in it. Two different ones leave open which is meant.
func (r *reader) onlyNumber(i int, l *linked) (value, bool) {
	end := i
	for end < len(r.text) && r.text[end] != '\n' &&
		((r.text[end] != '.' && r.text[end] != '?') || end+1 < len(r.text) && !isBlank(r.text[end+1])) {
		end++
	}
	clause := r.text[i:end]
	if l.boxed = strings.Contains(clause, `\boxed`); l.boxed {
		return value{}, false
	}
	if at := strings.LastIndexByte(clause, '='); at >= 0 {
		n, ok := numberAt(r.text, skipOpeners(r.text, i+at+1, false))
		l.direct = ok
		return stated(n, n.end), ok
	}
	var v value
	found := false
	for j := i; j < end; {
		if c := classOf(r.text[j:wordEnd(r.text, j)]); c.any(denyWord | ifWord) {
			return value{}, false
		}
		n, ok := numberAt(r.text, j)
		if !ok {
			if digitAt(r.text, j) { // a time, a date, a power
				return value{}, false
			}
			j = max(j+1, wordEnd(r.text, j))
			continue
		}
		if found && n.form != v.label {
			return value{label: v.label, end: n.end, named: true, ambiguous: true}, true
		}
		v, found, j = stated(n, n.end), true, n.end
	}
	return v, found
}
