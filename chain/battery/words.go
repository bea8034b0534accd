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
	case 'A' <= r && r <= 'Z':
		return r + 'a' - 'A'
	case r < utf8.RuneSelf:
		return r
	case r == '’':
		return '\''
	}
	return unicode.ToLower(r)
}

// wordRune says what belongs to a word. A hyphen is a border, as it is for \b.
func wordRune(r rune) bool {
	if r < utf8.RuneSelf {
		return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r == '_'
	}
	return unicode.In(r, unicode.L, unicode.N, unicode.M)
}

// borderAt reports whether a word may end or begin at byte i of the text, given the one side that is a word.
func borderAt(text string, i int) bool {
	if i == 0 || i == len(text) {
		return true
	}
	before, _ := utf8.DecodeLastRuneInString(text[:i])
	after, _ := utf8.DecodeRuneInString(text[i:])
	return !wordRune(before) || !wordRune(after)
}

// lexicon finds whole words and phrases in a text, without regard to case.
type lexicon struct {
	patterns []pattern
	numbers  []pattern      // the number words that {n} stands for, longest first
	byRune   map[rune][]int // patterns by their first rune, in order
	open     []bool         // of each pattern: it may end within a word; nil: none may
	ascii    [utf8.RuneSelf]bool
}

func newLexicon(phrases []string, numbers []string) lexicon {
	l := lexicon{byRune: map[rune][]int{}}
	for i, phrase := range phrases {
		p := newPattern(phrase)
		l.patterns = append(l.patterns, p)
		if len(p) == 0 {
			continue
		}
		l.byRune[p[0]] = append(l.byRune[p[0]], i)
		if p[0] < utf8.RuneSelf {
			l.ascii[p[0]] = true
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
		inWord := false
		for i, r := range text {
			starts := !inWord && wordRune(r)
			inWord = wordRune(r)
			if !starts {
				continue
			}
			first := fold(r)
			if first < utf8.RuneSelf && !l.ascii[first] {
				continue
			}
			for _, n := range l.byRune[first] {
				end, ok := l.match(l.patterns[n], text, i)
				if ok && (borderAt(text, end) || l.open != nil && l.open[n]) && !yield(hit{span{Start: i, End: end}, n}) {
					return
				}
			}
		}
	}
}

// match compares a pattern with the text at byte i and returns where it ends.
func (l lexicon) match(p pattern, text string, i int) (int, bool) {
	for _, want := range p {
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
