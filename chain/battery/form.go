package battery

import (
	"regexp"
	"strings"
	"unicode/utf8"
)

// form is an expression that is looked for only in the clauses that hold what every match of it has: a search for that
// is far cheaper than an expression, and the clauses are a small part of a text.
type form struct {
	*regexp.Regexp
	has   string // ASCII in small letters, neither k nor s, which have other forms in Unicode; "": a digit
	stops string // marks around a clause: ASCII, no part of a word, and none that a match can hold
}

// matches returns what FindAllStringSubmatchIndex returns of the whole text, for an expression all of whose groups take
// part in every match.
func (f form) matches(text string) [][]int {
	var all [][]int
	for at := f.next(text, 0); at < len(text); {
		start := strings.LastIndexAny(text[:at], f.stops) + 1
		end := len(text)
		if n := strings.IndexAny(text[at:], f.stops); n >= 0 {
			end = at + n
		}
		for _, m := range f.FindAllStringSubmatchIndex(text[start:end], -1) {
			for i := range m {
				m[i] += start
			}
			all = append(all, m)
		}
		at = f.next(text, end)
	}
	return all
}

// in reports whether the expression matches anywhere in a text.
func (f form) in(text string) bool { return len(f.matches(text)) > 0 }

// next returns where what every match has stands next at or after byte i; the end of the text: nowhere.
func (f form) next(text string, i int) int {
	for ; i+max(1, len(f.has)) <= len(text); i++ {
		if f.has == "" && digit(text, i) || f.has != "" && foldedAt(text, i, f.has) {
			return i
		}
	}
	return len(text)
}

// foldedAt reports whether an ASCII word in small letters stands at byte i, in any case; i leaves it room.
func foldedAt(text string, i int, word string) bool {
	for k := range len(word) {
		if c := text[i+k]; c >= utf8.RuneSelf || folded[c] != word[k] {
			return false
		}
	}
	return true
}
