package battery

import (
	"cmp"
	"iter"
	"slices"
	"unicode"
	"unicode/utf8"
)

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
