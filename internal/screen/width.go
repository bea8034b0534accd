package screen

import (
	"strings"
	"unicode/utf8"

	"github.com/rivo/uniseg"
)

// plain reports whether every byte of s takes one column.
func plain(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return false
		}
	}
	return true
}

// Width is how many columns a terminal gives a line: none to a combining mark, two to a wide character of East Asia. Colours
// of ours take none.
func Width(s string) int {
	if plain(s) {
		return len(s)
	}
	n := 0
	for s != "" {
		_, width, rest := next(s)
		n, s = n+width, rest
	}
	return n
}

// next is the first piece of a text that cannot be parted, a character with its marks or a colour, and its width.
func next(s string) (piece string, width int, rest string) {
	if n := colour(s); n > 0 {
		return s[:n], 0, s[n:]
	}
	if c := s[0]; c < utf8.RuneSelf && (len(s) == 1 || s[1] < utf8.RuneSelf) {
		if c < ' ' || c == 0x7f {
			return s[:1], 0, s[1:]
		}
		return s[:1], 1, s[1:]
	}
	piece, rest, width, _ = uniseg.FirstGraphemeClusterInString(s, -1)
	return piece, width, rest
}

// colour is the length of the colour that a text begins with, ESC [ … m; 0 without one.
func colour(s string) int {
	if !strings.HasPrefix(s, "\x1b[") {
		return 0
	}
	for i := 2; i < len(s); i++ {
		switch c := s[i]; {
		case c == 'm':
			return i + 1
		case c != ';' && (c < '0' || c > '9'):
			return 0
		}
	}
	return 0
}

// Cut shortens a line to at most n columns, with an ellipsis where something is missing.
func Cut(s string, n int) string {
	if n <= 0 {
		return ""
	}
	if Width(s) <= n {
		return s
	}
	head, _, _ := part(s, n-1)
	return head + "…"
}

// part takes as much of the beginning of a text as n columns hold.
func part(s string, n int) (head string, width int, rest string) {
	rest = s
	for rest != "" {
		_, w, after := next(rest)
		if width+w > n {
			break
		}
		width, rest = width+w, after
	}
	return s[:len(s)-len(rest)], width, rest
}

// Pad makes a cell of exactly n columns: what is longer is cut.
func Pad(s string, n int) string {
	s = Cut(s, n)
	return s + strings.Repeat(" ", max(0, n-Width(s)))
}
