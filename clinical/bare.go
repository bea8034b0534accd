package clinical

import "strings"

// bare reads an answer that stands alone on its line: "B", "**(B) Warfarin**", "maybe". The last line of a list of
// options is none.
func (r *reader) bare(start, end int) (statement, bool) {
	line := reader{text: r.text[:end], from: start, values: r.values}
	v, at, ok := line.value(start, false)
	if !ok || v.questioned {
		return statement{}, false
	}
	if rest := skipClosers(line.text, v.end); rest < end {
		c := line.text[rest]
		alone := (c == '.' || c == ':') && skipClosers(line.text, rest+1) >= end
		if !alone && !(v.marked && !v.named && r.announcedAt(start) && end-start < maxOptionText) {
			return statement{}, false
		}
	}
	if v.end > at+len(v.label) && r.otherItem(lineStart(r.text, r.lastByte(start)), v.label) {
		return statement{}, false
	}
	s := statement{value: v, how: asBare, start: at, alone: true}
	if r.cutShort(s) || r.strict && at != skipOpeners(r.text, start, false) { // in a cut reply a sentence is no label alone
		return statement{}, false
	}
	if v.named {
		s, _ = r.finish(s, true)
		s.weak = false
	}
	return s, true
}

// maxOptionText bounds, in bytes, a line that repeats an option in words of its own.
const maxOptionText = 200

// announcedAt reports whether the line before the one at i ends in a colon.
func (r *reader) announcedAt(i int) bool { return i > r.from && r.text[r.lastByte(i)] == ':' }

// announced reads the last option that stands alone on a line which the line before it announces by a colon, and that
// only a remark follows: "The best choice is:", "(A) Diltiazem", "This helps because ...".
func (r *reader) announced(last int) (statement, bool) {
	for n := 0; n < maxRemark && last > r.from; n++ {
		end := r.lastByte(last) + 1
		start := max(lineStart(r.text, end-1), r.from)
		if r.announcedAt(start) && !r.otherItem(end, "") {
			if s, ok := r.bare(start, end); ok && !s.ambiguous {
				return s, true
			}
		}
		last = start
	}
	return statement{}, false
}

// maxRemark is the number of lines that a remark after the answer may have.
const maxRemark = 5

// lastByte returns the position of the last byte before i that is not white space, or the region's beginning.
func (r *reader) lastByte(i int) int {
	for i--; i > r.from && isBlank(r.text[i]); i-- {
	}
	return max(i, r.from)
}

// lastLine bounds the region's last line that is not blank.
func (r *reader) lastLine() (start, end int) {
	end = len(r.text)
	for end > r.from && isBlank(r.text[end-1]) {
		end--
	}
	return max(lineStart(r.text, end), r.from), end
}

// firstLine bounds the region's first line that is not blank.
func (r *reader) firstLine() (start, end int) {
	start = r.from
	for start < len(r.text) && isBlank(r.text[start]) {
		start++
	}
	return start, lineEnd(r.text, start)
}

// read returns the answer that the region states, if any.
func (r *reader) read() (statement, bool) {
	first, last := r.lastLine()
	r.tail = r.paragraph(first)
	r.scan()
	oneLine := r.lastByte(first+1) == r.from || first == r.from || onlyBlank(r.text[r.from:first])
	if (!r.hasLast || r.last.start < first) && (!r.strict || oneLine) && first < last {
		if s, ok := r.bare(first, last); ok {
			return s, true
		}
	}
	if !r.strict && (!r.hasLast || r.last.start < first) {
		if s, ok := r.announced(first); ok && (!r.hasLast || s.start > r.last.end) {
			return s, true
		}
	}
	if r.hasLast {
		return r.last, true
	}
	if r.strict {
		return statement{}, false
	}
	if start, end := r.firstLine(); start < end && end < len(r.text) {
		if s, ok := r.bare(start, end); ok && !s.named && !r.listed(s.start, s.value) {
			return s, true
		}
	}
	if s, ok := r.opening(); ok {
		return s, true
	}
	if r.hasWeak {
		return r.weak, true
	}
	return r.sole()
}

// opening reads a reply that begins with a label and its own text and goes on with a remark, as a model does that
// continues after "Answer:". A text that names a second option like this one goes through the options, be it in their
// own words or in others.
func (r *reader) opening() (statement, bool) {
	start, _ := r.firstLine()
	at := skipOpeners(r.text, start, false)
	v, ok := r.values.at(r.text, at)
	if !ok || v.named || !v.marked || v.ambiguous || matchedText(r.text[at:v.end]) == "" {
		return statement{}, false
	}
	if c := r.text[min(v.end, len(r.text)-1)]; v.end >= len(r.text) || c != '.' && c != ',' && c != ';' {
		return statement{}, false
	}
	for i := v.end; i < len(r.text); i++ {
		if end := wordEnd(r.text, i); end > i {
			if other := r.item(i); other != "" && other != v.label {
				return statement{}, false
			}
			i = end
		}
	}
	return statement{value: v, how: asBare, start: at}, true
}

// item returns the label at byte i when it is set off as in a list of options, "B)" or "option B", or nothing. "B."
// counts only where it begins a line or a part of one, which tells it from "unlike vitamin B.".
func (r *reader) item(i int) string {
	label, end := r.values.label(r.text, i)
	switch {
	case label == "":
		return ""
	case equalWord(r.wordBefore(i), "option", "Option", "choice", "Choice"):
		return label
	case end >= len(r.text) || strings.IndexByte(".):", r.text[end]) < 0:
		return ""
	case r.text[end] != '.':
		return label
	}
	j := i - 1
	for j >= r.from && strings.IndexByte(" \t\r*_([-", r.text[j]) >= 0 {
		j--
	}
	if j < r.from || strings.IndexByte("\n.,;|", r.text[j]) >= 0 {
		return label
	}
	return ""
}

// matchedText returns what follows a label and its mark.
func matchedText(s string) string {
	i := skipClosers(s, wordEnd(s, 0))
	return s[min(i, len(s)):]
}

// paragraph returns the beginning of the paragraph that holds byte i, and of the one before when it announces it.
func (r *reader) paragraph(i int) int {
	for i > r.from {
		line := lineStart(r.text, i-1)
		if onlyBlank(r.text[line:i]) {
			if last := r.lastByte(line); r.text[last] != ':' {
				return i
			}
		}
		i = max(line, r.from)
	}
	return i
}

func onlyBlank(s string) bool {
	for i := 0; i < len(s); i++ {
		if !isBlank(s[i]) {
			return false
		}
	}
	return true
}
