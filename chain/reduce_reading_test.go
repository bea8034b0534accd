package chain

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCountWords: words are what strings.Fields takes for them, in any text.
func TestCountWords(t *testing.T) {
	for _, text := range []string{"", " ", "a", " a\tb\n\n c ", "a\u00a0b", "\u2003x y", "a\x1fb\x0bc\x0cd\x85e", "é è"} {
		if got, want := countWords(text), len(strings.Fields(text)); got != want {
			t.Errorf("%q: %d words, want %d", text, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.StringOf(rapid.RuneFrom([]rune(" \t\n\v\f\r\x1f\x85\u00a0ab")))).Draw(t, "text")
		if got, want := countWords(text), len(strings.Fields(text)); got != want {
			t.Fatalf("%d words, want %d", got, want)
		}
	})
}
