package clinical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// value is an option named in a text.
type value struct {
	label      string
	end        int
	named      bool // by its text, not by its label
	marked     bool // a label set off as one: "(B)", "B.", or followed by its own text
	whole      bool // nothing of the clause follows
	ambiguous  bool // two options are named, or a label with another option's text
	questioned bool // a question mark follows
}

// values reads which of the options a text names.
type values []percuss.Option

// at reads the option named at byte i, where its label or its own text must begin.
func (o values) at(text string, i int) (value, bool) {
	if i >= len(text) {
		return value{}, false
	}
	label, labelEnd := o.label(text, i)
	named, namedEnd := o.text(text, i)
	var v value
	switch {
	case named != "" && namedEnd > labelEnd && o.isText(text, i, namedEnd, label != ""):
		v = value{label: named, end: namedEnd, named: true}
		if n := o.confirmed(text, namedEnd, named); n > 0 {
			v = value{label: named, end: n, marked: true}
		}
	case label != "":
		var ok bool
		if v, ok = o.labelled(text, i, label, labelEnd); !ok {
			return value{}, false
		}
	default:
		return value{}, false
	}
	v.ambiguous = v.ambiguous || o.joined(text, v)
	next := skipClosers(text, v.end)
	v.questioned = next < len(text) && text[next] == '?'
	v.whole = closed(text, v.end) || v.named && amount(text, i, v.end)
	return v, true
}

// amount reports whether the option's text at [start, end) is an amount and "of" says what of: "3,000 units of heparin".
func amount(text string, start, end int) bool {
	next := skipClosers(text, end)
	return digitAt(text, start) && next > end && equalWord(text[next:wordEnd(text, next)], "of")
}

// confirmed returns the end of the label that follows its option's text in brackets, "warfarin (B)", or 0.
func (o values) confirmed(text string, i int, label string) int {
	at := skipClosers(text, i)
	if at >= len(text) || text[at] != '(' {
		return 0
	}
	at = skipOpeners(text, at, false)
	if end := wordEnd(text, at); equalWord(text[at:end], "option", "Option", "choice", "answer") {
		at = skipOpeners(text, end, false)
	}
	if got, end := o.label(text, at); got == label && end < len(text) && text[end] == ')' {
		return end + 1
	}
	return 0
}

// isText guards short options ("no", "4") and options that begin like a label ("B cells"): they count only where
// the clause ends after them.
func (o values) isText(text string, start, end int, label bool) bool {
	return !label && end-start > 7 && !digitAt(text, start) || closed(text, end) || amount(text, start, end)
}

// label returns the option label that stands alone at byte i, and its end. A lower-case letter counts only when it
// is set off by a mark or ends its line.
func (o values) label(text string, i int) (string, int) {
	end := wordEnd(text, i)
	word := text[i:end]
	for k := range o {
		if o[k].Label == word && word != "" {
			return o[k].Label, end
		}
	}
	if len(word) != 1 || word[0] < 'a' || word[0] > 'z' {
		return "", i
	}
	set := end == len(text) || text[end] == ')' || text[end] == ']' || text[end] == '}' || text[end] == '\n' ||
		(text[end] == '.' || text[end] == ':') && !letterAt(text, end+1) || strings.IndexByte("*$`\"_", text[end]) >= 0
	for k := range o {
		if l := o[k].Label; set && len(l) == 1 && l[0] == word[0]-'a'+'A' {
			return l, end
		}
	}
	return "", i
}

// text returns the option whose text stands at byte i, the longest when there are several, and the end of the text.
func (o values) text(text string, i int) (string, int) {
	label, end := "", i
	for k := range o {
		if n := matchFold(text[i:], o[k].Text); n > end-i {
			label, end = o[k].Label, i+n
		}
	}
	return label, end
}

// labelled judges a label by what follows it: an article, a pronoun, a term such as "C difficile" or an equation is
// no label; another option's text makes it ambiguous.
func (o values) labelled(text string, i int, label string, end int) (value, bool) {
	v := value{label: label, end: end}
	after := skipClosers(text, end)
	mark := after
	if after < len(text) && (text[after] == '.' || text[after] == ':' || text[after] == ',') || markLength(text, after, "：") > 0 {
		_, n := utf8.DecodeRuneInString(text[after:])
		mark += n
	}
	body := skipOpeners(text, mark, false)
	if other, n := o.text(text, body); n > body && (other == label || closed(text, n)) && body > end {
		if other == label {
			v.end, v.marked = n, true
			return v, true
		}
		v.ambiguous = !o.shares(label, other)
	}
	if end < len(text) {
		switch c := text[end]; c {
		case '-', '+', '/', '=', '^', '&', '@':
			return v, c == '/' && o.joinedAt(text, end, label)
		case '.':
			if letterAt(text, end+1) && wordEnd(text, end+1) == end+2 { // an abbreviation: "A.M."
				return v, false
			}
		}
	}
	if mark > after && classOf(text[body:wordEnd(text, body)]).any(compoundWord) { // "C. difficile"
		return v, false
	}
	v.marked = mark > after || strings.ContainsAny(text[end:after], ")]") || i > 0 && text[i-1] == '('
	if !v.marked && after > end && after < len(text) && !readsOn(text, after, label) {
		return v, false
	}
	return v, true
}

// shares reports whether two options have the same text.
func (o values) shares(a, b string) bool {
	var first, second string
	for k := range o {
		if o[k].Label == a {
			first = o[k].Text
		}
		if o[k].Label == b {
			second = o[k].Text
		}
	}
	return first == second
}

// readsOn reports whether the text at i may follow a label that no mark sets off.
func readsOn(text string, i int, label string) bool {
	if c := text[i]; c == '=' || c == '<' || c == '>' || c == '+' {
		return false
	}
	end := wordEnd(text, i)
	if end == i {
		return true
	}
	c := classOf(text[i:end])
	if label == "A" || label == "I" { // an article or a pronoun, unless the sentence goes on as after an answer
		if label == "I" && c.any(hedgeWord) || equalWord(text[i:end], "was", "would") && label == "I" {
			return false
		}
		return c.any(goesOnWord | joinWord)
	}
	return !c.any(compoundWord)
}

func equalWord(word string, list ...string) bool {
	for _, w := range list {
		if word == w {
			return true
		}
	}
	return false
}

// matchFold returns how many bytes at the beginning of text are want, without regard to case, to the length of white
// space, and to a full stop at the end of want; 0 when they are not, or when a word goes on after them.
func matchFold(text, want string) int {
	for want != "" && (want[len(want)-1] == '.' || want[len(want)-1] == ' ') {
		want = want[:len(want)-1]
	}
	i, j := 0, 0
	for j < len(want) {
		if i >= len(text) {
			return 0
		}
		a, n := utf8.DecodeRuneInString(text[i:])
		b, m := utf8.DecodeRuneInString(want[j:])
		switch {
		case a == b || unicode.ToLower(a) == unicode.ToLower(b):
		case isQuote(a) && isQuote(b), isSpace(a) && isSpace(b):
		default:
			return 0
		}
		i, j = i+n, j+m
		if isSpace(a) {
			for i < len(text) && text[i] == ' ' {
				i++
			}
			for j < len(want) && want[j] == ' ' {
				j++
			}
		}
	}
	if i == 0 || i < len(text) && wordEnd(text, i) > i && (letterBefore(want) || digitAt(text, i)) {
		return 0
	}
	return i
}

func letterBefore(s string) bool {
	r, _ := utf8.DecodeLastRuneInString(s)
	return unicode.IsLetter(r) || unicode.IsDigit(r)
}

func isQuote(r rune) bool {
	return r == '\'' || r == '’' || r == '‘' || r == '"' || r == '“' || r == '”'
}

func isSpace(r rune) bool { return r == ' ' || r == '\u00a0' || r == '\t' }
