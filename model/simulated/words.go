package simulated

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// word is a word of a text in small letters, and where it stands.
type word struct {
	text       string
	start, end int
}

// words splits a text. A number keeps its decimals, a word its apostrophe; a hyphen separates.
func words(s string) []word {
	var out []word
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			i += n
			continue
		}
		j := i + n
		for j < len(s) {
			r, n := utf8.DecodeRuneInString(s[j:])
			if unicode.IsLetter(r) || unicode.IsDigit(r) || joins(s, j, n, r) {
				j += n
				continue
			}
			break
		}
		out = append(out, word{strings.ToLower(s[i:j]), i, j})
		i = j
	}
	return out
}

// joins reports whether the mark r of n bytes at j stands inside a number or a word.
func joins(s string, j, n int, r rune) bool {
	before, _ := utf8.DecodeLastRuneInString(s[:j])
	after, _ := utf8.DecodeRuneInString(s[j+n:])
	switch r {
	case '.', ',':
		return unicode.IsDigit(before) && unicode.IsDigit(after)
	case '\'', '’':
		return unicode.IsLetter(before) && unicode.IsLetter(after)
	}
	return false
}

// hunk is one place where two texts differ.
type hunk struct {
	at                int // index of the first known word at or after it
	removed, inserted []word
}

// compare aligns two texts by their longest common subsequence of words and returns for each word of a the index of
// its partner in b, or -1.
func compare(a, b []word) []int {
	partner := make([]int, len(a))
	for i := range partner {
		partner[i] = -1
	}
	lo, enda, endb := 0, len(a), len(b)
	for lo < enda && lo < endb && a[lo].text == b[lo].text {
		partner[lo] = lo
		lo++
	}
	for enda > lo && endb > lo && a[enda-1].text == b[endb-1].text {
		enda, endb = enda-1, endb-1
		partner[enda] = endb
	}
	rows, cols := enda-lo, endb-lo
	longest := make([][]int32, rows+1) // of the rests of a and b
	for i := range longest {
		longest[i] = make([]int32, cols+1)
	}
	for i := rows - 1; i >= 0; i-- {
		for j := cols - 1; j >= 0; j-- {
			if a[lo+i].text == b[lo+j].text {
				longest[i][j] = longest[i+1][j+1] + 1
			} else {
				longest[i][j] = max(longest[i+1][j], longest[i][j+1])
			}
		}
	}
	for i, j := 0, 0; i < rows && j < cols; {
		switch {
		case a[lo+i].text == b[lo+j].text:
			partner[lo+i] = lo + j
			i, j = i+1, j+1
		case longest[i+1][j] >= longest[i][j+1]:
			i++
		default:
			j++
		}
	}
	return partner
}

// hunks lists where b differs from a, given the partners of a's words.
func hunks(a, b []word, partner []int) []hunk {
	var out []hunk
	next := 0 // first word of b that is not accounted for
	for i := 0; i <= len(a); {
		start := i
		for i < len(a) && partner[i] < 0 {
			i++
		}
		end := len(b)
		if i < len(a) {
			end = partner[i]
		}
		if i > start || end > next {
			out = append(out, hunk{at: start, removed: a[start:i], inserted: b[next:end]})
		}
		next = end + 1
		i++
	}
	return out
}

// change is the difference between what is known and what is shown, and what the reasoner makes of it.
type change struct {
	kind     changeKind
	key      string   // tells differences apart
	phrases  []string // what is new, as it stands in the text
	inserted []string // the new words
}

type changeKind string

const (
	none        changeKind = ""
	destructive changeKind = "destructive"
	preserving  changeKind = "preserving"
)

// newChange describes hunks; shown is the text of their inserted words.
func newChange(kind changeKind, found []hunk, shown string) change {
	c := change{kind: kind}
	var b strings.Builder
	for _, h := range found {
		b.WriteString(strconv.Itoa(h.at) + "-" + strings.Join(texts(h.removed), " ") + "+" + strings.Join(texts(h.inserted), " ") + "\n")
		c.inserted = append(c.inserted, texts(h.inserted)...)
		if n := min(len(h.inserted), quoted); n > 0 {
			phrase := compound(shown, h.inserted[0].start, h.inserted[n-1].end)
			c.phrases = append(c.phrases, strings.Join(strings.Fields(phrase), " "))
		}
	}
	c.key = b.String()
	return c
}

// compound returns text[start:end] with what hangs on it by hyphens, as "high" is quoted as "high-grade".
func compound(text string, start, end int) string {
	outside := func(r rune) bool { return r != '-' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	if strings.HasPrefix(text[end:], "-") {
		if n := strings.IndexFunc(text[end:], outside); n >= 0 {
			end += n
		} else {
			end = len(text)
		}
	}
	if strings.HasSuffix(text[:start], "-") {
		n := strings.LastIndexFunc(text[:start], outside)
		_, size := utf8.DecodeRuneInString(text[max(0, n):])
		if n < 0 {
			n, size = 0, 0
		}
		start = n + size
	}
	return strings.Trim(text[start:end], "-")
}

// quoted is the most words that a chain quotes of one change.
const quoted = 12

func texts(ws []word) []string {
	out := make([]string, len(ws))
	for i, w := range ws {
		out[i] = w.text
	}
	return out
}

// anyOf reports whether one of the words is in the list, which is sorted.
func anyOf(ws []word, sorted []string) bool {
	return slices.ContainsFunc(ws, func(w word) bool {
		_, ok := slices.BinarySearch(sorted, w.text)
		return ok
	})
}

func hasDigit(ws []word) bool {
	return slices.ContainsFunc(ws, func(w word) bool { return strings.ContainsAny(w.text, "0123456789") })
}
