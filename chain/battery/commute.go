package battery

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// reach is how many runes a phrase may have after its first word (F7: \w+[\w\s-]{0,30}).
const reach = 30

// commute swaps the operands of one random "X and Y" (F7). avoids names the operator whose choice this one avoids
// where there are two or more; empty: none.
func commute(words int, avoids string) editor {
	return func(chain string, p pick) Edit {
		pairs := operands(chain, words)
		if len(pairs) == 0 {
			return notFired("the chain has no pair of short phrases joined by and")
		}
		var i int
		if avoids == "" || len(pairs) == 1 {
			i = p.from("pair", len(pairs))
		} else {
			taken := p.as(avoids).from("pair", len(pairs))
			if i = p.from("pair", len(pairs)-1); i >= taken {
				i++
			}
		}
		return swap(chain, pairs[i][0], pairs[i][1])
	}
}

// operands finds the pairs of phrases around "and" that may be swapped, from left to right, none overlapping. A match
// is that of the published pattern with greedy phrases, except that a phrase neither begins nor ends inside a word: the
// limit of its length would cut "hypertensi|on" and the pattern's letters "the patient'|s fever" or "2.|1", and swapping
// such pieces would change content, which a preserving operator must not. Operands too long or equal are passed over.
func operands(text string, words int) [][2]span {
	var out [][2]span
	for pos := 0; ; {
		a, b, ok := nextPair(text, pos)
		if !ok {
			return out
		}
		pos = b.End
		x, y := a.In(text), b.In(text)
		if len(strings.Fields(x)) <= words && len(strings.Fields(y)) <= words && !strings.EqualFold(x, y) {
			out = append(out, [2]span{a, b})
		}
	}
}

// nextPair returns the leftmost pair whose first phrase begins at or after pos, which is no place inside a word. No
// phrase begins with "and": swapping "..., and chills and rash" would double the word.
func nextPair(text string, pos int) (a, b span, ok bool) {
	for {
		and := nextAnd(text, pos)
		if and < 0 {
			return a, b, false
		}
		for start := nextWord(text, phraseStart(text, pos, and)); start < and; start = nextWord(text, wordEnd(text, start)) {
			if insideWord(text, start) {
				continue
			}
			if a, b, ok = pairAt(text, start); ok {
				return a, b, true
			}
		}
		pos = and + len("and")
	}
}

// phraseStart goes back from byte i over what a phrase may hold, to pos at most: one that begins earlier does not reach
// that far.
func phraseStart(text string, pos, i int) int {
	for i > pos {
		r, size := utf8.DecodeLastRuneInString(text[pos:i])
		if !phraseRune(r) {
			break
		}
		i -= size
	}
	return i
}

// phraseRune says what a phrase may hold: words, hyphens and white space.
func phraseRune(r rune) bool {
	if r < utf8.RuneSelf {
		return wordByte[r] || r == '-' || unicode.IsSpace(r)
	}
	return wordRune(r) || unicode.IsSpace(r)
}

// nextAnd returns the next "and" that is a word of its own, or -1.
func nextAnd(text string, pos int) int {
	for {
		i := strings.Index(text[pos:], "and")
		if i < 0 {
			return -1
		}
		i += pos
		if pos = i + len("and"); borderAt(text, i) && borderAt(text, pos) {
			return i
		}
	}
}

// pairAt matches the pattern at the word that begins at start. The first phrase is greedy: of several joints within
// its reach it takes the last.
func pairAt(text string, start int) (a, b span, ok bool) {
	first := wordEnd(text, start)
	end := phraseEnd(text, first)
	for at := end; at >= first; at-- {
		after, joined := joint(text, at)
		if !joined {
			continue
		}
		a = span{Start: start, End: wholeWords(text, start, at)}
		b = span{Start: after, End: wholeWords(text, after, phraseEnd(text, wordEnd(text, after)))}
		if rest, dangling := strings.CutSuffix(b.In(text), " and"); dangling {
			b.End = wholeWords(text, b.Start, b.Start+len(rest))
		}
		return a, b, a.Start < a.End && b.Start < b.End
	}
	return a, b, false
}

// joint matches \s+and\s+\w at byte i and returns where the second phrase begins.
func joint(text string, i int) (int, bool) {
	n := skip(text, i, unicode.IsSpace)
	if n == i || !strings.HasPrefix(text[n:], "and") {
		return 0, false
	}
	n += len("and")
	after := skip(text, n, unicode.IsSpace)
	if after == n || after == len(text) {
		return 0, false
	}
	r, _ := utf8.DecodeRuneInString(text[after:])
	return after, wordRune(r)
}

// phraseEnd goes on from the end of a phrase's first word over at most reach runes.
func phraseEnd(text string, i int) int {
	for range reach {
		r, size := utf8.DecodeRuneInString(text[i:])
		if size == 0 || !phraseRune(r) {
			break
		}
		i += size
	}
	return i
}

// wholeWords moves the end of a phrase back to the end of its last whole word; to its start when there is none.
func wholeWords(text string, start, end int) int {
	for {
		end = start + len(strings.TrimRightFunc(text[start:end], func(r rune) bool { return !wordRune(r) }))
		if end == start || !insideWord(text, end) {
			return end
		}
		end = start + len(strings.TrimRightFunc(text[start:end], wordRune))
	}
}

// insideWord reports whether byte i stands within what a reader takes for one word or number, although a hyphen, an
// apostrophe, a slash, a decimal point or a thousands comma may divide it there.
func insideWord(text string, i int) bool {
	before, n := utf8.DecodeLastRuneInString(text[:i])
	after, m := utf8.DecodeRuneInString(text[i:])
	switch {
	case n == 0 || m == 0:
		return false
	case wordRune(before) && wordRune(after):
		return true
	case wordRune(before) && strings.ContainsRune(joins, after):
		next, _ := utf8.DecodeRuneInString(text[i+m:])
		return wordRune(next)
	case strings.ContainsRune(joins, before) && wordRune(after):
		last, _ := utf8.DecodeLastRuneInString(text[:i-n])
		return wordRune(last)
	}
	return false
}

// joins are the marks that may stand within a word or number.
const joins = "-'’/.,"

// skip returns the first byte at or after i whose rune does not satisfy is.
func skip(text string, i int, is func(rune) bool) int {
	for i < len(text) {
		r, size := utf8.DecodeRuneInString(text[i:])
		if !is(r) {
			break
		}
		i += size
	}
	return i
}
