package explore

import (
	"fmt"
	"math/bits"
	"strings"

	"github.com/percuss/percuss"
)

// findings names an interaction's findings by their numbers, from 1.
func findings(set uint32) string {
	name := "findings "
	if bits.OnesCount32(set) == 1 {
		name = "finding "
	}
	var out []string
	for ; set != 0; set &= set - 1 {
		out = append(out, fmt.Sprint(bits.TrailingZeros32(set)+1))
	}
	return name + strings.Join(out, ", ")
}

// stemOf is the beginning of what was asked.
func stemOf(s percuss.Subject) string {
	if s.Case == nil {
		return s.Question.Stem
	}
	parts := append([]string{}, s.Case.Facts...)
	for _, u := range s.Case.Units {
		parts = append(parts, u.Text)
	}
	return strings.Join(parts, "; ")
}

// begin cuts a text to a number of characters, in one line.
func begin(s string, most int) string {
	out := []rune{}
	for _, r := range s {
		if len(out) == most {
			return strings.TrimSpace(string(out)) + " …"
		}
		if r == '\n' || r == '\r' || r == '\t' {
			r = ' '
		}
		out = append(out, r)
	}
	return string(out)
}

// signed prints a change to the hundredth, with its sign.
func signed(n percuss.Number) string {
	s := n.Format(2)
	if v, ok := n.Get(); ok && v > 0 && s != "0.00" {
		return "+" + s
	}
	return strings.Replace(s, "-", "−", 1)
}
