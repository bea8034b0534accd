package battery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// pattern is a word or phrase in folded runes. A space stands for any run of white space, number for digits or a
// number word. It is a substitute for \b and (?i), which know only ASCII in Go's regular expressions.
type pattern []rune

// number is the rune that stands for "{n}" in a pattern: from the private use area, so no text holds it.
const number = '\uE000'

func newPattern(phrase string) pattern {
	phrase = strings.ReplaceAll(strings.Join(strings.Fields(phrase), " "), "{n}", string(number))
	p := pattern(phrase)
	for i, r := range p {
		p[i] = fold(r)
	}
	return p
}

// fold makes a rune comparable: small letter, straight apostrophe.
func fold(r rune) rune {
	switch {
	case r < utf8.RuneSelf:
		return rune(folded[r])
	case r == '’':
		return '\''
	}
	return unicode.ToLower(r)
}

// folded are the ASCII characters with small letters for capitals, wordByte says which of them belong to words.
var folded, wordByte = asciiTables()

func asciiTables() (lower [utf8.RuneSelf]byte, word [utf8.RuneSelf]bool) {
	for c := range byte(utf8.RuneSelf) {
		lower[c] = c
		if 'A' <= c && c <= 'Z' {
			lower[c] += 'a' - 'A'
		}
		word[c] = 'a' <= lower[c] && lower[c] <= 'z' || '0' <= c && c <= '9' || c == '_'
	}
	return lower, word
}

// wordRune says what belongs to a word. A hyphen is a border, as it is for \b.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return wordByte[r]
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

// nextWord returns where the first word begins at or after byte i, which is no place inside one; the end of the text
// when there is none.
func nextWord(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if wordByte[c] {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if wordRune(r) {
			return i
		}
		i += size
	}
	return i
}

// wordEnd returns where the run of letters and digits that begins at byte i ends; i when there is none.
func wordEnd(text string, i int) int {
	for i < len(text) {
		if c := text[i]; c < utf8.RuneSelf {
			if !wordByte[c] {
				return i
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		if !wordRune(r) {
			return i
		}
		i += size
	}
	return i
}

// borderAt reports whether a word may end or begin at byte i of the text, given the one side that is a word.
func borderAt(text string, i int) bool {
	if i == 0 || i == len(text) {
		return true
	}
	if a, b := text[i-1], text[i]; a < utf8.RuneSelf && b < utf8.RuneSelf {
		return !wordByte[a] || !wordByte[b]
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return !wordRune(before) || !wordRune(after)
}

// sameCase writes new in the capitalisation of old: all capitals, a capital first letter, or as it is.
func sameCase(old, new string) string {
	letters, capitals := 0, 0
	first := rune(0)
	for _, r := range old {
		if !unicode.IsLetter(r) {
			continue
		}
		if letters == 0 {
			first = r
		}
		letters++
		if unicode.IsUpper(r) {
			capitals++
		}
	}
	switch {
	case letters > 1 && capitals == letters:
		return strings.ToUpper(new)
	case unicode.IsUpper(first):
		r, size := utf8.DecodeRuneInString(new)
		return string(unicode.ToUpper(r)) + new[size:]
	}
	return new
}
