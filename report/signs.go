package report

import (
	"regexp"
	"strings"

	"github.com/percuss/percuss"
)

// fixed prints a number for a reader: as Number.Format does, with a true minus sign, which a hyphen is not.
func fixed(n percuss.Number, decimals int) string {
	return strings.Replace(n.Format(decimals), "-", "−", 1)
}

// negative is a hyphen that stands for a minus sign: before a digit, at the beginning or after a blank or a bracket.
var negative = regexp.MustCompile(`(^|[\s(\[±])-(\d)`)

// Signed sets true minus signs in a sentence of ours that holds numbers. It is not for texts of models or files.
func Signed(s string) string { return negative.ReplaceAllString(s, "${1}−${2}") }

// signedAll sets true minus signs in sentences.
func signedAll(all []string) []string {
	out := make([]string, len(all))
	for i, s := range all {
		out[i] = Signed(s)
	}
	return out
}
