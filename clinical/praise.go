package clinical

import "strings"

// praised reads, in the last paragraph only, an option that is the subject of praise: "Option B is the correct one",
// "making D the best choice". It is weak evidence, used where nothing was stated.
func (r *reader) praised(start, end int) (statement, bool) {
	label, stop := r.values.label(r.text, start)
	if label == "" || stop != end || r.strict {
		return statement{}, false
	}
	v := value{label: label, end: end}
	after := skipClosers(r.text, end)
	marked := strings.ContainsAny(r.text[end:after], ")]") || equalWord(r.wordBefore(start), "option", "Option", "choice", "Choice")
	if label == "I" && !marked {
		return statement{}, false
	}
	body := after
	if body < len(r.text) && (r.text[body] == ':' || r.text[body] == ',') {
		body++
	}
	body = skipOpeners(r.text, body, false)
	if n := matchFold(r.text[body:], r.values.textOf(label)); n > 0 {
		after = skipClosers(r.text, body+n)
	}
	if classOf(r.wordBefore(start)).any(denyWord) || !r.verdict(after) && !r.concluded(start, end) {
		return statement{}, false
	}
	return r.finish(statement{value: v, how: asPhrase, start: start, weak: true}, true)
}

// verdict reports whether the words from i on praise their subject: a link, then "correct", "best" or "answer"
// within the next few words, and nothing that denies or weakens it.
func (r *reader) verdict(i int) bool {
	linked := false
	for n := 0; n < 7 && i < len(r.text); {
		end := wordEnd(r.text, i)
		if end == i {
			switch r.text[i] {
			case ' ', '*', '"', '(', ')', '\'':
				i++
				continue
			}
			return false
		}
		c := classOf(r.text[i:end])
		switch {
		case c.any(denyWord | wrongWord | declineWord | ifWord), c.any(hedgeWord) && !c.any(linkWord):
			return false
		case c.any(claimWord | cueWord):
			return linked && !equalWord(r.text[i:end], "final", "my", "right")
		case c.any(linkWord), equalWord(r.text[i:end], "the", "would", "must", "should"):
			linked = true
		case n == 0:
			return false
		}
		n++
		i = end
	}
	return false
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
