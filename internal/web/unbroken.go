package web

import "regexp"

// beforeUnit is a number and the space before its unit, and the space behind the sign of equality in "n = 8".
var beforeUnit = regexp.MustCompile(`([0-9]) (%|nats?\b|points?\b)|\b(n|p) ([=<]) ([0-9])`)

// Unbroken keeps a number and its unit on one line: "95 %" reads badly when a line ends in the middle. It is for our own
// sentences; what a model or a file wrote is shown with the spaces that it has.
func Unbroken(s string) string {
	const space = "\u00a0"
	return beforeUnit.ReplaceAllStringFunc(s, func(m string) string {
		if m[0] == 'n' || m[0] == 'p' {
			return m[:1] + space + m[2:3] + space + m[4:]
		}
		return m[:1] + space + m[2:]
	})
}
