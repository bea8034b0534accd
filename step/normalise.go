package step

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss/clinical"
)

// Marks of markup. None of them carries a claim.
var (
	tags     = regexp.MustCompile(`(?i)</?(?:think|thinking|reasoning|answer|b|i|em|strong|br|p|ul|ol|li|u|sub|sup)\s*/?>`)
	links    = regexp.MustCompile(`\[([^\]\n]*)\]\([^)\s]*\)`)
	latex    = regexp.MustCompile(`\\(?:text|mathrm|mathbf|textbf|textit|boxed)\{([^{}]*)\}`)
	brackets = regexp.MustCompile(`\\[\[\]()]|\$\$`)
	rules    = regexp.MustCompile(`^[\s\-*_=]{3,}$`)
	bullets  = regexp.MustCompile(`^\s*(?:[-*+•–▪◦]\s+|>+\s*)+`)
	headings = regexp.MustCompile(`^\s*#{1,6}\s*`)
	numbers  = regexp.MustCompile(`^\s*(?:\(\d{1,3}\)|\d{1,3}[.)](?:\s+|$|[^\d\s])|\(?[a-z]\)\s)`)
)

// Normalise returns a step without the style of its writer: no markup, step numbers, marks of lists, hedging or linking
// words where a sentence begins, and no sentences that are nothing but talk (spec/step-audit.md, "Style-blind judging"; the
// words stand in style.yaml). White space is one space; quotes, dashes and the end of a sentence are written one way. What a step claims
// stays: within a sentence nothing is touched. Normalising again changes nothing. Empty: nothing is left.
func (s Style) Normalise(step string) string {
	for {
		plain := s.once(step)
		if plain == step {
			return plain
		}
		step = plain // what stood behind an opener may be a number or a mark
	}
}

// once takes away what can be seen at one look.
func (s Style) once(step string) string {
	var lines []string
	for l := range strings.Lines(unmarked(step)) {
		if l = s.line(l); l != "" {
			lines = append(lines, l)
		}
	}
	return strings.Join(lines, " ")
}

// unmarked takes away what markup may span several lines with, and writes marks in one way.
func unmarked(text string) string {
	text = tags.ReplaceAllString(text, " ")
	text = links.ReplaceAllString(text, "$1")
	for range 3 { // nested ones
		text = latex.ReplaceAllString(text, "$1")
	}
	text = brackets.ReplaceAllString(text, " ")
	return plainMarks.Replace(text)
}

// plainMarks takes away marks of bold type and code, and writes quotes, dashes and spaces in one way.
var plainMarks = strings.NewReplacer("**", "", "__", "", "```", " ", "`", "", "“", `"`, "”", `"`, "„", `"`, "’", "'", "‘", "'",
	"\u00a0", " ", "\u202f", " ", "—", " - ", "–", "-", "‑", "-", "…", "...", "\r", "\n")

// line is one line without its marks and talk.
func (s Style) line(l string) string {
	if rules.MatchString(l) {
		return ""
	}
	for before := ""; before != l; {
		before = l
		for _, mark := range []*regexp.Regexp{bullets, headings} {
			if at := mark.FindStringIndex(l); at != nil {
				l = l[at[1]:] // both are of a line's beginning
			}
		}
		l = strings.Trim(l, " \t\n*_|")
		if end, ok := clinical.StepMarker(l, 0); ok {
			l = l[end:]
		}
		if at := numbers.FindStringIndex(l); at != nil {
			l = l[numberEnd(l[:at[1]]):]
		}
	}
	var out []string
	for _, span := range clinical.Sentences(l) {
		if x := s.sentence(strings.Join(strings.Fields(span.In(l)), " ")); x != "" {
			out = append(out, x)
		}
	}
	return strings.Join(out, " ")
}

// numberEnd is where the number of a list ends in what was found of it: a letter glued to it is no part of it.
func numberEnd(found string) int {
	r, size := utf8.DecodeLastRuneInString(found)
	if strings.ContainsRune(".) \t", r) || unicode.IsSpace(r) {
		return len(found)
	}
	return len(found) - size
}

// sentence is one sentence without its openers; empty where nothing but talk stands in it.
func (s Style) sentence(x string) string {
	from := 0
	for words := wordsOf(x); len(words) > 0; {
		if len(words) <= s.longest && s.whole[joined(words)] {
			return ""
		}
		n := 0
		if strings.TrimLeft(x[from:words[0].start], `"'(`) == "" {
			n = s.openers.at(x, words)
		}
		if n == 0 {
			return finished(x[from:])
		}
		if n < len(words) {
			from = words[n].start
		}
		words = words[n:]
	}
	return ""
}

// finished begins a sentence with a capital and ends it with one mark.
func finished(x string) string {
	x = strings.TrimSpace(strings.TrimLeft(x, ",;:. "))
	first, size := utf8.DecodeRuneInString(x)
	if next, _ := utf8.DecodeRuneInString(x[size:]); unicode.IsLower(first) && !unicode.IsUpper(next) {
		x = string(unicode.ToUpper(first)) + x[size:] // but not of "pH" and "mRNA"
	}
	x = strings.TrimRight(x, " ,;:")
	if x == "" {
		return ""
	}
	if last := x[len(x)-1]; !strings.ContainsRune(".?!)\"'", rune(last)) {
		x += "."
	}
	return x
}
