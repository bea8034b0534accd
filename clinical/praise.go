package clinical

import "strings"

// praised reads, in the last paragraph only, an option that is the subject of praise: "Option B is the correct one",
// "making D the best choice", "B. Warfarin is the best treatment". It is weak evidence, used where nothing was stated.
func (r *reader) praised(start, end int) (statement, bool) {
	label, stop := r.values.label(r.text, start)
	if r.strict {
		return statement{}, false
	}
	if label == "" {
		return r.praisedText(start)
	}
	if stop != end {
		return statement{}, false
	}
	v := value{label: label, end: end}
	after := skipClosers(r.text, end)
	marked := strings.ContainsAny(r.text[end:after], ")]") || equalWord(r.wordBefore(start), "option", "Option", "choice", "Choice")
	if label == "I" && !marked {
		return statement{}, false
	}
	body := after
	if body < len(r.text) && strings.IndexByte(":,.", r.text[body]) >= 0 {
		body++
	}
	body = skipOpeners(r.text, body, false)
	if n := matchFold(r.text[body:], r.values.textOf(label)); n > 0 {
		v.end = body + n
		after = skipClosers(r.text, v.end)
	}
	if classOf(r.wordBefore(start)).any(denyWord) || r.verdict(after) < 0 && !r.concluded(start, end) {
		return statement{}, false
	}
	return r.finish(statement{value: v, how: asPhrase, start: start, weak: true}, true)
}

// praisedText reads an option's text that opens its sentence and is its subject: "Warfarin is the best choice".
func (r *reader) praisedText(start int) (statement, bool) {
	label, end := r.values.text(r.text, start)
	if label == "" || len(r.values.textOf(label)) <= len("maybe") || skipOpeners(r.text, r.clauseStart(start), true) != start {
		return statement{}, false
	}
	praise := r.verdict(skipClosers(r.text, end))
	if praise < 0 || !r.singles(praise) || r.qualified(praise) {
		return statement{}, false
	}
	return r.finish(statement{value: value{label: label, end: end, named: true}, how: asText, start: start, weak: true}, true)
}

// verdict returns where the words from i on praise their subject: a link, then "correct", "best" or "answer" within
// the next few words, and nothing that denies or weakens it; -1 when they do not.
func (r *reader) verdict(i int) int {
	linked := false
	for n := 0; n < 7 && i < len(r.text); {
		end := wordEnd(r.text, i)
		if end == i {
			switch r.text[i] {
			case ' ', '*', '"', '(', ')', '\'':
				i++
				continue
			}
			return -1
		}
		c := classOf(r.text[i:end])
		switch {
		case c.any(denyWord | wrongWord | declineWord | ifWord), c.any(hedgeWord) && !c.any(linkWord):
			return -1
		case c.any(claimWord | cueWord):
			if linked && !equalWord(r.text[i:end], "final", "my", "right") {
				return i
			}
			return -1
		case c.any(linkWord), equalWord(r.text[i:end], "the", "would", "must", "should"):
			linked = true
		case n == 0:
			return -1
		}
		n++
		i = end
	}
	return -1
}

// concluded reports whether the label at [start, end) stands in brackets in a sentence that draws a conclusion and
// praises something: "Therefore, the findings are most consistent with projection (option C)."
func (r *reader) concluded(start, end int) bool {
	if end >= len(r.text) || r.text[end] != ')' {
		return false
	}
	begin := r.clauseStart(start)
	open := strings.LastIndexByte(r.text[begin:start], '(')
	if open < 0 || !equalWord(strings.TrimSpace(r.text[begin+open+1:start]), "", "option", "Option", "choice", "Choice", "answer") {
		return false
	}
	first := skipOpeners(r.text, begin, true)
	if !equalWord(r.text[first:wordEnd(r.text, first)], "Therefore", "Thus", "Hence", "So", "Based", "Given", "Overall", "In", "Consequently") {
		return false
	}
	praise := false
	for i := first; i < begin+open; {
		stop := wordEnd(r.text, i)
		if stop == i {
			i++
			continue
		}
		c := classOf(r.text[i:stop])
		if c.any(denyWord|declineWord) || c.any(hedgeWord) && !c.any(linkWord) {
			return false
		}
		praise = praise || c.any(claimWord)
		i = stop
	}
	return praise
}
