package web

import (
	"strings"
	"unicode/utf8"
)

// Visible shows a text that is not ours: characters that would steer a terminal, turn the reading direction or be seen
// by nobody are replaced by U+FFFD. The carriage return of a line end is dropped. The joiners that some scripts and
// emoji need stay.
func Visible(s string) string {
	if IsVisible(s) {
		return s
	}
	return strings.Map(func(r rune) rune {
		if isHidden(r) {
			return utf8.RuneError
		}
		return r
	}, strings.ReplaceAll(s, "\r\n", "\n"))
}

// IsVisible reports whether a text may be shown as it stands. Nearly every one may, and this is told quicker than each
// character is mapped to itself.
func IsVisible[T string | []byte](text T) bool {
	for i := 0; i < len(text); {
		size := 1
		if c := text[i]; c < utf8.RuneSelf {
			if isHidden(rune(c)) {
				return false
			}
		} else {
			var r rune
			r, size = utf8.DecodeRuneInString(string(text[i:min(i+utf8.UTFMax, len(text))]))
			if r == utf8.RuneError && size == 1 || isHidden(r) {
				return false
			}
		}
		i += size
	}
	return true
}

// isHidden reports whether a character is none that a reader may see.
func isHidden(r rune) bool {
	switch {
	case r >= ' ' && r < 0x7f, r == '\n', r == '\t':
		return false
	case r < ' ', r < 0xa0, // control
		r == 0x200e, r == 0x200f, r == 0x061c, r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069, // direction
		r == 0x200b, r == 0xfeff, r >= 0x2060 && r <= 0x2065, r >= 0x206a && r <= 0x206f, r >= 0xe0000 && r <= 0xe007f: // unseen
		return true
	}
	return false
}
