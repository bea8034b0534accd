package dataset

import (
	"regexp"
	"strings"
	"unicode"
)

var lineBreak = regexp.MustCompile(`[ \t]*[\r\n]+\s*`)

// CleanOption trims an option for display and matching: white space, the quote sign that a conversion from CSV left
// at the end of some (jind11/MedQA#5), and the doubled quotes that it left around spoken answers. A line break inside
// becomes a space, since an option is one line of a prompt.
func CleanOption(s string) string {
	s = dropStrayQuote(trim(s))
	if strings.HasPrefix(s, `"""`) && strings.HasSuffix(s, `"""`) && len(s) > 6 {
		s = s[2 : len(s)-2]
	}
	if !strings.ContainsAny(s, "\r\n") { // most; a file of many rows asks for the same text several times
		return s
	}
	return lineBreak.ReplaceAllString(s, " ")
}

// cleanStem trims a stem. Line breaks inside stay: they hold tables of laboratory values.
func cleanStem(s string) string { return dropStrayQuote(trim(s)) }

// dropStrayQuote takes away a quote sign at the end that has no partner.
func dropStrayQuote(s string) string {
	if strings.HasSuffix(s, `"`) && strings.Count(s, `"`)%2 == 1 {
		return trim(s[:len(s)-1])
	}
	return s
}

// trim takes away white space at both ends. It also removes zero-width signs, which strings.TrimSpace keeps.
func trim(s string) string {
	return strings.TrimFunc(s, func(r rune) bool {
		return unicode.IsSpace(r) || r == '\ufeff' || r == '\u200b'
	})
}

// Remarks of a loader on a row that it lets pass (Question.Flags).
const (
	// NoVignette: the stem speaks of "this patient" without describing one.
	NoVignette = "no-vignette"
	// SpreadsheetDate: an option reads like "2-Jan", which is what a spreadsheet makes of "1/2".
	SpreadsheetDate = "spreadsheet-date"
)

var (
	pointsAtPatient = regexp.MustCompile(`(?i)\b(?:this|the)\s+(?:patient|man|woman|boy|girl|child|infant|newborn|neonate)\b`)
	introduces      = regexp.MustCompile(`(?i)\b(?:an?|one|two)\s+(?:[\w-]+\s+){0,6}?(?:patient|man|woman|boy|girl|child|infant|newborn|neonate|male|female)\b`)
	sentenceEnd     = regexp.MustCompile(`[.!?]["')\]]*\s+\S`)
)

// lacksVignette reports whether a stem is a single sentence that points at a patient whom nothing introduces
// (jind11/MedQA#18): the description got lost and the question cannot be answered from what is left.
func lacksVignette(stem string) bool {
	return pointsAtPatient.MatchString(stem) && !introduces.MatchString(stem) && !sentenceEnd.MatchString(stem)
}

var dayAndMonth = regexp.MustCompile(`(?i)^(?:\d{1,2}-(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)-\d{2})$`)
