package worddiff

import (
	"unicode"
	"unicode/utf8"
)

// Words cuts a text into words, runs of white space and single signs. A point or comma between digits belongs to its
// number, so that a changed value shows whole. Joined, they are the text.
func Words(s string) []string {
	out := make([]string, 0, len(s)/3+1)
	for s != "" {
		w := word(s)
		out, s = append(out, w), s[len(w):]
	}
	return out
}

// word is the first word of a text that is not empty.
func word(s string) string {
	last, size := utf8.DecodeRuneInString(s)
	for i := size; i < len(s); i += size {
		var r rune
		r, size = utf8.DecodeRuneInString(s[i:])
		next, _ := utf8.DecodeRuneInString(s[i+size:])
		if !joins(last, r, next) {
			return s[:i]
		}
		last = r
	}
	return s
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
