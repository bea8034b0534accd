package battery

import (
	"cmp"
	"iter"
	"slices"
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

// lexicon finds whole words and phrases in a text, without regard to case.
type lexicon struct {
	patterns []pattern
	numbers  []pattern               // the number words that {n} stands for, longest first
	open     []bool                  // of each pattern: it may end within a word; nil: none may
	ascii    *[utf8.RuneSelf][]int32 // patterns by their first rune, in order; nil: there are none
	others   map[rune][]int32        // the same for first runes that are not ASCII
}

func newLexicon(phrases []string, numbers []string) lexicon {
	l := lexicon{patterns: make([]pattern, len(phrases)), ascii: new([utf8.RuneSelf][]int32)}
	for i, phrase := range phrases {
		p := newPattern(phrase)
		l.patterns[i] = p
		switch {
		case len(p) == 0:
		case p[0] < utf8.RuneSelf:
			l.ascii[p[0]] = append(l.ascii[p[0]], int32(i))
		default:
			if l.others == nil {
				l.others = map[rune][]int32{}
			}
			l.others[p[0]] = append(l.others[p[0]], int32(i))
		}
	}
	for _, n := range numbers {
		l.numbers = append(l.numbers, newPattern(n))
	}
	slices.SortStableFunc(l.numbers, func(a, b pattern) int { return cmp.Compare(len(b), len(a)) })
	return l
}

// hit is one occurrence of a pattern.
type hit struct {
	span
	pattern int
}

// hits yields every occurrence by position, then by the order of the patterns; occurrences may overlap.
func (l lexicon) hits(text string) iter.Seq[hit] {
	return func(yield func(hit) bool) {
		for i := nextWord(text, 0); i < len(text); i = nextWord(text, wordEnd(text, i)) {
			for _, n := range l.beginning(text, i) {
				if end, ok := l.occurs(n, text, i); ok && !yield(hit{span{Start: i, End: end}, int(n)}) {
					return
				}
			}
		}
	}
}

// beginning returns the patterns whose first rune is the one at byte i, in their order.
func (l lexicon) beginning(text string, i int) []int32 {
	if l.ascii == nil {
		return nil
	}
	if c := text[i]; c < utf8.RuneSelf {
		return l.ascii[folded[c]]
	}
	r, _ := utf8.DecodeRuneInString(text[i:])
	if r = fold(r); r < utf8.RuneSelf { // the small letter of a Kelvin sign is k
		return l.ascii[r]
	}
	return l.others[r]
}

// occurs returns where a pattern ends that stands at byte i as whole words.
func (l lexicon) occurs(n int32, text string, i int) (int, bool) {
	end, ok := l.match(l.patterns[n], text, i)
	return end, ok && (borderAt(text, end) || l.open != nil && l.open[n])
}

// match compares a pattern with the text at byte i and returns where it ends.
func (l lexicon) match(p pattern, text string, i int) (int, bool) {
	for _, want := range p {
		if i < len(text) && text[i] < utf8.RuneSelf && ' ' < want && want < utf8.RuneSelf { // most comparisons
			if rune(folded[text[i]]) != want {
				return i, false
			}
			i++
			continue
		}
		if want == number {
			n := l.numberAt(text, i)
			if n == i {
				return i, false
			}
			i = n
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case size == 0:
			return i, false
		case want == ' ':
			n := i
			for ; unicode.IsSpace(r) && size > 0; r, size = utf8.DecodeRuneInString(text[n:]) {
				n += size
			}
			if n == i {
				return i, false
			}
			i = n
		case fold(r) != want:
			return i, false
		default:
			i += size
		}
	}
	return i, true
}

// numberAt returns the end of the number, in digits or as a word, that begins at byte i; i when there is none.
func (l lexicon) numberAt(text string, i int) int {
	n := i
	for n < len(text) && '0' <= text[n] && text[n] <= '9' {
		n++
	}
	if n > i {
		return n
	}
	for _, word := range l.numbers {
		if end, ok := l.match(word, text, i); ok && borderAt(text, end) {
			return end
		}
	}
	return i
}

// any reports whether a pattern occurs.
func (l lexicon) any(text string) bool {
	for range l.hits(text) {
		return true
	}
	return false
}

// earliest returns the first occurrence in the text, whichever pattern it is.
func (l lexicon) earliest(text string) (hit, bool) {
	for h := range l.hits(text) {
		return h, true
	}
	return hit{}, false
}

// foremost returns the first occurrence of the first pattern, in their order, that occurs at all.
func (l lexicon) foremost(text string) (best hit, ok bool) {
	for h := range l.hits(text) {
		if !ok || h.pattern < best.pattern {
			best, ok = h, true
		}
		if best.pattern == 0 {
			break
		}
	}
	return best, ok
}

// disjoint returns the occurrences that do not overlap: the earliest first, of two at one place the longer.
func (l lexicon) disjoint(text string) []hit {
	var out []hit
	for h := range l.hits(text) {
		last := len(out) - 1
		switch {
		case last < 0 || h.Start >= out[last].End:
			out = append(out, h)
		case h.Start == out[last].Start && h.End > out[last].End:
			out[last] = h
		}
	}
	return out
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
