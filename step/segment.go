package step

import (
	"strings"

	"github.com/percuss/percuss/clinical"
)

// Segment cuts a chain into steps. The spans tile the chain: joined, they are the chain byte for byte; a chain of white
// space has none. No way of cutting parts a block of code or a table, or leaves a number or heading as a step of its own: it
// goes with what it stands before.
//
// Markers cuts at lines that open with "Step n"; where there are none, at numbered lines ("1.", "2)", "(3)") of the
// outermost level that count up by one, at least two of them; where there are neither, at blank lines. What stands before
// the first marker goes with the first step. Sentence cuts where package clinical ends a sentence, and at the lines of a
// list. Paragraph cuts at blank lines.
func Segment(chain string, by Segmentation) []clinical.Span {
	if strings.TrimSpace(chain) == "" {
		return nil
	}
	t := newLines(chain)
	var borders []int
	switch by {
	case Sentence:
		borders = t.sentences()
	case Paragraph:
		borders = t.paragraphs()
	default:
		borders = t.markers()
	}
	return t.spans(borders)
}

// line is one line of a chain.
type line struct {
	start, end int  // without its line break
	whole      bool // it stands in a block of code, or is a row of a table: no border lies within or before it but at the first
	blank      bool
}

// lines is a chain with its lines.
type lines struct {
	text string
	all  []line
}

// newLines finds the lines of a chain, its blocks of code and its tables.
func newLines(text string) lines {
	t := lines{text: text}
	inCode, before := false, false
	for i := 0; i <= len(text); {
		end := len(text)
		if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
			end = i + n
		}
		s := strings.TrimSpace(text[i:end])
		fence := strings.HasPrefix(s, "```") || strings.HasPrefix(s, "~~~")
		row := strings.HasPrefix(s, "|") && strings.Count(s, "|") > 1
		l := line{start: i, end: end, blank: s == "" && !inCode}
		switch {
		case inCode: // the last line of the block as well
			l.whole = true
			inCode = !fence
		case fence:
			inCode = true
		case row:
			l.whole = before
		}
		before = row && !inCode
		t.all = append(t.all, l)
		i = end + 1
	}
	return t
}

// paragraphs are the beginnings of the lines that follow a blank one.
func (t lines) paragraphs() []int {
	var out []int
	for i, l := range t.all {
		if i > 0 && t.all[i-1].blank && !l.blank && !l.whole {
			out = append(out, l.start)
		}
	}
	return out
}

// markers are the beginnings of the lines that open a step.
func (t lines) markers() []int {
	var out []int
	for _, l := range t.all {
		if _, ok := clinical.StepMarker(t.text, l.start); ok && !l.whole {
			out = append(out, l.start)
		}
	}
	if len(out) == 0 {
		out = t.numbered()
	}
	if len(out) == 0 {
		return t.paragraphs()
	}
	return out[1:]
}

// numbered are the beginnings of the numbered lines of the outermost level that count up by one; nil where there are fewer
// than two.
func (t lines) numbered() []int {
	type mark struct{ start, indent, n int }
	var marks []mark
	least := -1
	for _, l := range t.all {
		n, indent, ok := numberAt(t.text[l.start:l.end])
		if !ok || l.whole {
			continue
		}
		marks = append(marks, mark{l.start, indent, n})
		if n == 1 && (least < 0 || indent < least) {
			least = indent
		}
	}
	var out []int
	last := 0
	for _, m := range marks {
		if m.indent == least && m.n == last+1 {
			out, last = append(out, m.start), m.n
		}
	}
	if len(out) < 2 {
		return nil
	}
	return out
}

// numberAt reads the number that a line opens with, as a list has it, and how far the line is indented. Headings and
// emphasis may stand before it. A decimal, a dose ("2 mg") and a year are no number of a list.
func numberAt(s string) (n, indent int, ok bool) {
	for indent < len(s) && (s[indent] == ' ' || s[indent] == '\t') {
		indent++
	}
	rest := strings.TrimLeft(s[indent:], "#*_> ")
	open := strings.HasPrefix(rest, "(")
	rest = strings.TrimPrefix(rest, "(")
	digits := 0
	for digits < len(rest) && '0' <= rest[digits] && rest[digits] <= '9' {
		n = 10*n + int(rest[digits]-'0')
		if digits++; digits > 3 {
			return 0, 0, false
		}
	}
	if digits == 0 || digits == len(rest) {
		return 0, 0, false
	}
	after := rest[digits+1:]
	switch closed := rest[digits]; {
	case open && closed != ')', !open && closed != '.' && closed != ')':
		return 0, 0, false
	case closed == '.' && after != "" && '0' <= after[0] && after[0] <= '9':
		return 0, 0, false // a decimal
	}
	return n, indent, true
}

// sentences are the borders between sentences, and before the lines of a list.
func (t lines) sentences() []int {
	at := map[int]bool{}
	for _, s := range clinical.Sentences(t.text) {
		at[s.Start] = true
	}
	for _, l := range t.all {
		s := strings.TrimLeft(t.text[l.start:l.end], " \t")
		_, _, numbered := numberAt(s)
		if numbered || bulleted(s) {
			at[l.start] = true
		}
	}
	var out []int
	for i := 1; i < len(t.text); i++ {
		if at[i] {
			out = append(out, i)
		}
	}
	return out
}

// bulleted reports whether a line is an entry of a list without numbers.
func bulleted(s string) bool {
	for _, mark := range []string{"- ", "* ", "+ ", "• ", "– "} {
		if strings.HasPrefix(s, mark) {
			return true
		}
	}
	return false
}

// spans cuts the chain at the borders, less those within a block of code or a table, and joins what says nothing by itself
// with what follows it.
func (t lines) spans(borders []int) []clinical.Span {
	var out []clinical.Span
	start, at := 0, 0
	for _, b := range append(borders, len(t.text)) {
		for at+1 < len(t.all) && t.all[at+1].start <= b {
			at++
		}
		if b < len(t.text) && (t.all[at].whole || bare(t.text[start:b])) {
			continue
		}
		if b == len(t.text) && len(out) > 0 && bare(t.text[start:b]) {
			out[len(out)-1].End = b
			break
		}
		out = append(out, clinical.Span{Start: start, End: b})
		start = b
	}
	return out
}

// mostBare is how long a mark without a step may be, in bytes: a chain of marks alone would else be looked at again for each.
const mostBare = 1000

// bare reports whether a piece is nothing but the number of a step, a mark of a list or of markup: no step.
func bare(piece string) bool {
	if len(piece) > mostBare {
		return false
	}
	s := strings.TrimSpace(piece)
	if end, ok := clinical.StepMarker(s, 0); ok {
		s = s[end:]
	} else if _, _, ok := numberAt(s + " "); ok {
		s = strings.TrimLeft(s, "#*_> (0123456789.)")
	}
	for _, tag := range []string{clinical.BlockOpen, clinical.BlockClose} {
		s = strings.ReplaceAll(s, tag, "")
	}
	return strings.Trim(s, " \t\r\n#*_->•–:.=`") == ""
}
