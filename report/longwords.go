package report

import (
	"html/template"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// mostLetters is how long a word may be that a page shows unfolded: broken to the width of a phone, it fills three screens.
const mostLetters = 2000

// words is a text for a page with each word of more than mostLetters letters folded, for it would be a tower of lines that
// nobody reads.
func words(s string) template.HTML {
	if len(s) <= mostLetters {
		return template.HTML(template.HTMLEscapeString(s))
	}
	var out strings.Builder
	plain := 0 // where the text begins that is not written yet
	for at := 0; at < len(s); {
		n := strings.IndexFunc(s[at:], unicode.IsSpace)
		if n < 0 {
			n = len(s) - at
		}
		if word := s[at : at+n]; n > mostLetters {
			if letters := utf8.RuneCountInString(word); letters > mostLetters {
				out.WriteString(template.HTMLEscapeString(s[plain:at]))
				out.WriteString("<details><summary>one word of " + percuss.Grouped(letters) + " letters</summary>" + template.HTMLEscapeString(word) + "</details>")
				plain = at + n
			}
		}
		if at += n; at < len(s) {
			_, size := utf8.DecodeRuneInString(s[at:])
			at += size
		}
	}
	out.WriteString(template.HTMLEscapeString(s[plain:]))
	return template.HTML(out.String()) // every piece of the text was escaped
}

// clippedWords is clip for a page.
func clippedWords(s string, most int) template.HTML { return words(clip(s, most)) }
