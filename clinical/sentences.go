package clinical

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// Sentences splits a text into sentences. The spans tile the text: joined, they are the text byte for byte; white
// space between two sentences belongs to the first.
//
// The borders are those of Unicode Standard Annex 29, less the ones after abbreviations, initials and list numbers
// and between the lines of a table, plus the ones that the annex leaves out: before a figure ("for a week. 3 days
// ago") and where the space is missing. A blank line always separates.
func Sentences(text string) []Span {
	if text == "" {
		return nil
	}
	spans := make([]Span, 0, len(text)/80+1)
	for i := 0; i < len(text); {
		end := nextSentence(text, i)
		spans = append(spans, Span{i, end})
		i = end
	}
	return spans
}

// nextSentence returns the end of the sentence that begins at byte start, with the white space after it.
func nextSentence(text string, start int) int {
	end := border(text, start)
	for end < len(text) && isBlank(text[end]) {
		end++
	}
	return end
}

// border returns the end of the sentence that begins at byte start.
func border(text string, start int) int {
	end, state := start, -1
	for end < len(text) {
		next, newState := annexBorder(text, end, state)
		if hidden := hiddenBreak(text, start, end, next); hidden > 0 {
			return hidden
		}
		end, state = next, newState
		if end >= len(text) || ends(text, start, end) {
			break
		}
	}
	return end
}

// annexBorder returns the end of the annex's sentence that begins at byte i, and the state to go on with; state is that
// of the sentence before, -1 at the beginning. Of a run of plain characters the annex looks at nothing but the last,
// which may be the capital of an abbreviation, so it is asked from there on.
func annexBorder(text string, i, state int) (end, newState int) {
	if n := plainRun(text, i); n > 1 {
		i, state = i+n-1, -1
	}
	segment, _, newState := uniseg.FirstSentenceInString(text[i:], state)
	return i + len(segment), newState
}

// plainRun returns how many bytes from byte i on are ASCII and can end neither a sentence nor a line.
func plainRun(text string, i int) int {
	start := i
	for i < len(text) && text[i] < utf8.RuneSelf && !mayEnd[text[i]] {
		i++
	}
	return i - start
}

// mayEnd are the ASCII characters after which the annex may put a border.
var mayEnd = [utf8.RuneSelf]bool{'.': true, '?': true, '!': true, '\n': true, '\r': true}

// sentenceStart returns the beginning of the sentence that holds byte i, looking from byte from on.
func sentenceStart(text string, from, i int) int {
	for start := from; ; {
		end := nextSentence(text, start)
		if end > i || end >= len(text) {
			return start
		}
		start = end
	}
}

// ends reports whether the border at byte end, which the annex puts there, ends the sentence that began at start.
func ends(text string, start, end int) bool {
	body := strings.TrimRight(text[start:end], " \t\r\n\u00a0")
	if body == "" {
		return false // white space alone is no sentence: it goes to the next
	}
	gap := text[start+len(body) : end]
	if n := strings.Count(gap, "\n"); n > 0 {
		if n > 1 || blankLineAt(text, end) {
			return !bareListMark(body)
		}
		return newLineEnds(text, start, start+len(body), end)
	}
	if blank := end < len(text) && isBlank(text[end]); blank {
		return true
	}
	return body[len(body)-1] != '.' || !dotGoesOn(text, start, start+len(body), end)
}

func blankLineAt(text string, i int) bool {
	return onlyBlank(text[i:lineEnd(text, i)]) && i < len(text)
}

// newLineEnds decides on a single line break: it ends a sentence after a full stop, before a list item, and before a
// line of prose that follows a short line. The lines of a table, and those of wrapped prose, stay together.
func newLineEnds(text string, start, bodyEnd, next int) bool {
	if bareListMark(text[start:bodyEnd]) {
		return false
	}
	if terminal(text[start:bodyEnd]) {
		return true
	}
	line := text[next:lineEnd(text, next)]
	if item, rest := listMark(line); item > 0 {
		return rest != "" && wordCount(rest) >= 4
	}
	r, _ := utf8.DecodeRuneInString(line)
	last := text[max(lineStart(text, bodyEnd), start):bodyEnd]
	if strings.HasSuffix(last, ":") && wordCount(last) <= 3 {
		return false // a heading goes with what it heads
	}
	return !unicode.IsLower(r) && utf8.RuneCountInString(last) < wrapWidth && prose(line)
}

// wrapWidth is the length in characters from which on a line without a full stop is taken for wrapped prose.
const wrapWidth = 60

// terminal reports whether a text ends like a sentence.
func terminal(s string) bool {
	s = strings.TrimRight(s, "\"')]*_”’")
	return s != "" && strings.IndexByte(".?!", s[len(s)-1]) >= 0 || strings.HasSuffix(s, "。")
}

// prose reports whether a line begins with a sentence: four words or more and a full stop or question mark.
func prose(line string) bool {
	for i := 0; i < len(line); i++ {
		if c := line[i]; (c == '.' || c == '?' || c == '!') && (i+1 == len(line) || line[i+1] == ' ' || line[i+1] == '"') {
			return wordCount(line[:i]) >= 4
		}
	}
	return false
}

func wordCount(s string) int {
	n, in := 0, false
	for i := 0; i < len(s); i++ {
		if blank := isBlank(s[i]); blank {
			in = false
		} else if !in {
			n, in = n+1, true
		}
	}
	return n
}

// hiddenBreak finds a border within the annex's sentence [from, to): after a full stop before a figure, or where a
// full stop is glued to the next sentence. It returns 0 when there is none.
func hiddenBreak(text string, start, from, to int) int {
	for i := from; i < to-1; i++ {
		if text[i] != '.' || i-start < 4 || !lowerRun(text[:i]) {
			continue
		}
		if digitAt(text, i+2) && text[i+1] == ' ' && i+2 < to && !dotGoesOn(text, start, i+1, i+2) {
			return i + 2
		}
		word := wordEnd(text, i+1)
		if word-i > 2 && 'A' <= text[i+1] && text[i+1] <= 'Z' && lowerRun(text[:word]) && word < to && text[word] == ' ' {
			return i + 1
		}
	}
	return 0
}

// lowerRun reports whether a text ends in two lower-case letters.
func lowerRun(s string) bool {
	n := len(s)
	return n > 1 && 'a' <= s[n-1] && s[n-1] <= 'z' && 'a' <= s[n-2] && s[n-2] <= 'z'
}
