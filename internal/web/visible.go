package web

import "strings"

// Visible shows a text that is not ours: characters that would steer a terminal, turn the reading direction or be seen
// by nobody are replaced by U+FFFD. The carriage return of a line end is dropped. The joiners that some scripts and
// emoji need stay.
func Visible(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ', r >= 0x7f && r < 0xa0, // control
			r == 0x200e, r == 0x200f, r == 0x061c, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // direction
			r == 0x200b, r == 0xfeff, r >= 0x2060 && r <= 0x2065, r >= 0x206a && r <= 0x206f, r >= 0xe0000 && r <= 0xe007f: // unseen
			return '\uFFFD'
		}
		return r
	}, s)
}
