package exchange

import (
	"strings"
	"unicode"
)

// byteOrderMark tells spreadsheets that a CSV file is UTF-8; without it some read accents as other letters.
const byteOrderMark = "\ufeff"

// formulaSigns begin what a spreadsheet takes for a formula, the wide forms in some languages.
const formulaSigns = "=+-@\uff1d\uff0b\uff0d\uff20"

// plain keeps a spreadsheet from taking a text for a formula, which a file from elsewhere could carry: an apostrophe before
// it makes it a text.
func plain(cell string) string {
	if risky(cell) {
		return "'" + cell
	}
	return cell
}

// unplain takes back what plain did.
func unplain(cell string) string {
	if rest, ok := strings.CutPrefix(cell, "'"); ok && risky(rest) {
		return rest
	}
	return cell
}

// risky says whether a spreadsheet could take a text for a formula. Apostrophes before it do not count, so that a text that
// has one of its own gets another, and keeps its own when plain is taken back.
func risky(cell string) bool {
	cell = strings.TrimLeft(cell, "'")
	if cell == "" {
		return false
	}
	if strings.ContainsRune("\t\r\n", rune(cell[0])) {
		return true
	}
	cell = strings.TrimLeftFunc(cell, func(r rune) bool { return r == '\'' || unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) })
	for _, r := range cell {
		return strings.ContainsRune(formulaSigns, r)
	}
	return false
}
