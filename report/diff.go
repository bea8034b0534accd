package report

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Change says what became of a stretch of text.
type change string

const (
	same     change = "same"
	deleted  change = "del"
	inserted change = "ins"
)

// piece is a stretch of a diff. The same and deleted pieces make the old text, the same and inserted ones the new.
type piece struct {
	Kind change
	Text string
}

// maxCells bounds the table of the longest common subsequence; a larger change is shown as one replacement.
const maxCells = 1 << 21

// diff compares two texts word by word: what both begin and end with is set aside, the rest is aligned along the longest
// common subsequence of words.
func diff(before, after string) []piece {
	a, b := words(before), words(after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	var m merger
	m.keep(strings.Join(a[:head], ""))
	m.align(a[head:len(a)-tail], b[head:len(b)-tail])
	m.keep(strings.Join(a[len(a)-tail:], ""))
	m.flush()
	return m.out
}

// align adds the pieces of two lists of words.
func (m *merger) align(a, b []string) {
	if len(a)*len(b) > maxCells {
		m.del += strings.Join(a, "")
		m.ins += strings.Join(b, "")
		return
	}
	width := len(b) + 1
	longest := make([]int32, (len(a)+1)*width) // of the suffixes that start at (i, j)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				longest[i*width+j] = longest[(i+1)*width+j+1] + 1
			} else {
				longest[i*width+j] = max(longest[(i+1)*width+j], longest[i*width+j+1])
			}
		}
	}
	i, j := 0, 0
	for i < len(a) && j < len(b) {
		switch {
		case a[i] == b[j]:
			m.keep(a[i])
			i, j = i+1, j+1
		case longest[(i+1)*width+j] >= longest[i*width+j+1]:
			m.remove(a[i])
			i++
		default:
			m.insert(b[j])
			j++
		}
	}
	m.remove(strings.Join(a[i:], ""))
	m.insert(strings.Join(b[j:], ""))
}

// merger joins neighbouring changes, so that three words replaced read as one replacement and not as three.
type merger struct {
	out      []piece
	del, ins string
	gap      string // white space that both have, after a change
	kept     string
}

func (m *merger) keep(s string) {
	switch {
	case s == "":
	case m.del+m.ins == "":
		m.kept += s
	case m.kept == "" && strings.TrimSpace(m.gap+s) == "":
		m.gap += s
	default:
		m.flushChange()
		m.kept = m.gap + s
		m.gap = ""
	}
}

func (m *merger) remove(s string) {
	if s != "" {
		m.open()
		m.del += s
	}
}

func (m *merger) insert(s string) {
	if s != "" {
		m.open()
		m.ins += s
	}
}

// open starts or continues a change.
func (m *merger) open() {
	if m.gap != "" {
		m.del, m.ins, m.gap = m.del+m.gap, m.ins+m.gap, ""
	}
	if m.kept != "" {
		m.out = append(m.out, piece{same, m.kept})
		m.kept = ""
	}
}

func (m *merger) flushChange() {
	if m.del != "" {
		m.out = append(m.out, piece{deleted, m.del})
	}
	if m.ins != "" {
		m.out = append(m.out, piece{inserted, m.ins})
	}
	m.del, m.ins = "", ""
}

func (m *merger) flush() {
	if m.kept == "" {
		m.flushChange()
	}
	m.kept += m.gap
	if m.kept != "" {
		m.out = append(m.out, piece{same, m.kept})
	}
	m.kept, m.gap = "", ""
}

// words cuts a text into words, runs of white space and single signs. A point or comma between digits belongs to its
// number, so that a changed value shows whole. Joined, they are the text.
func words(s string) []string {
	var out []string
	start, last := 0, rune(-1)
	for i, r := range s {
		_, size := utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		if i > start && !joins(last, r, next) {
			out = append(out, s[start:i])
			start = i
		}
		last = r
	}
	if start < len(s) {
		out = append(out, s[start:])
	}
	return out
}

// joins says whether r continues the word or space that ends in last.
func joins(last, r, next rune) bool {
	switch {
	case unicode.IsSpace(last):
		return unicode.IsSpace(r)
	case isWord(last) && isWord(r):
		return true
	case unicode.IsDigit(last) && (r == '.' || r == ','):
		return unicode.IsDigit(next)
	}
	return (last == '.' || last == ',') && unicode.IsDigit(r)
}

func isWord(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }
