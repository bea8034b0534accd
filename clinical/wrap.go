package clinical

import (
	"strings"
	"unicode/utf8"
)

// mathCommands are the LaTeX commands that may stand around a label.
var mathCommands = [...]string{`\(`, `\[`, `\textbf{`, `\textit{`, `\text{`, `\mathbf{`, `\mathrm{`, `\mathit{`, `\bf `, `\rm `,
	`\displaystyle`, `\ `, `\,`, `\quad`}

// skipOpeners returns the first position from i on that is neither white space nor a mark that may stand before a
// label: emphasis, quotation marks, brackets, mathematics, a short tag. It crosses line breaks only when told to.
func skipOpeners(text string, i int, lines bool) int {
	for i < len(text) {
		n := 0
		switch c := text[i]; c {
		case ' ', '\t', '\r', '*', '_', '#', '`', '"', '\'', '$', '(', '[', '{', '~', '|':
			n = 1
		case '\n':
			if lines {
				n = 1
			}
		case '-':
			if i+1 < len(text) && text[i+1] == ' ' {
				n = 1
			}
		case '<':
			n = tagLength(text, i)
		case '\\':
			n = mathLength(text, i)
		default:
			if c >= utf8.RuneSelf {
				n = markLength(text, i, "“‘«„（【「『–—→•\u00a0\u2009\u202f：")
			}
		}
		if n == 0 {
			return i
		}
		i += n
	}
	return i
}

// skipClosers returns the first position from i on that is neither a space nor a mark that may close what
// skipOpeners opened.
func skipClosers(text string, i int) int {
	for i < len(text) {
		n := 0
		switch c := text[i]; c {
		case ' ', '\t', '\r', '*', '_', '`', '"', '\'', '$', ')', ']', '}', '~', '|':
			n = 1
		case '<':
			n = tagLength(text, i)
		case '\\':
			if i+1 < len(text) && strings.IndexByte(`)] ,`, text[i+1]) >= 0 {
				n = 2
			}
		default:
			if c >= utf8.RuneSelf {
				n = markLength(text, i, "”’»）】」』\u00a0\u2009\u202f")
			}
		}
		if n == 0 {
			return i
		}
		i += n
	}
	return i
}

// tagLength returns the length of a short tag such as <b> or </answer> at i, or 0.
func tagLength(text string, i int) int {
	for j := i + 1; j < len(text) && j < i+12; j++ {
		switch c := text[j]; {
		case c == '>' && j > i+1:
			return j - i + 1
		case c != '/' && !asciiWord(c):
			return 0
		}
	}
	return 0
}

func mathLength(text string, i int) int {
	for _, m := range mathCommands {
		if strings.HasPrefix(text[i:], m) {
			return len(m)
		}
	}
	return 0
}

// markLength returns the length of the rune at i when it is one of the marks, else 0.
func markLength(text string, i int, marks string) int {
	r, n := utf8.DecodeRuneInString(text[i:])
	if r != utf8.RuneError && strings.ContainsRune(marks, r) {
		return n
	}
	return 0
}

// closed reports whether what ends at i is complete there: the text, the line or the clause ends, or a word follows
// that goes on from an answer ("because").
func closed(text string, i int) bool {
	j := skipClosers(text, i)
	if j >= len(text) {
		return true
	}
	switch c := text[j]; c {
	case '\n', ';', '!', '?', '(':
		return true
	case '.', ',', ':':
		return !digitAt(text, j+1)
	case '-':
		return j > i && j+1 < len(text) && text[j+1] == ' '
	default:
		if markLength(text, j, "–—。，；！？") > 0 {
			return true
		}
		return j > i && classOf(text[j:wordEnd(text, j)]).any(goesOnWord)
	}
}

// lineStart and lineEnd bound the line that holds byte i.
func lineStart(text string, i int) int { return strings.LastIndexByte(text[:i], '\n') + 1 }

func lineEnd(text string, i int) int {
	if n := strings.IndexByte(text[i:], '\n'); n >= 0 {
		return i + n
	}
	return len(text)
}
