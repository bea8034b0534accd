package web

import (
	"strings"
	"testing"
	"unicode"

	"pgregory.net/rapid"
)

func TestVisible(t *testing.T) {
	for in, want := range map[string]string{
		"plain\n\ttext é": "plain\n\ttext é", "a\r\nb": "a\nb", "a\rb": "a\uFFFDb", "\x1b[2J": "\uFFFD[2J", "x\u202ey": "x\uFFFDy",
		"\u2067z": "\uFFFDz", "\x00": "\uFFFD", "zero\u200bwidth\ufeff": "zero\uFFFDwidth\uFFFD", "\U000e0041": "\uFFFD",
		"a\u200db": "a\u200db", "\xff": "\uFFFD", "\u0085": "\uFFFD",
	} {
		if got := Visible(in); got != want {
			t.Errorf("Visible(%q) = %q, want %q", in, got, want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		got := Visible(rapid.String().Draw(t, "text"))
		for _, r := range got {
			if r != '\n' && r != '\t' && unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
				t.Fatalf("%q holds %U", got, r)
			}
		}
		if again := Visible(got); again != got {
			t.Fatalf("%q becomes %q", got, again)
		}
	})
}

// TestVisibleTextStays: a text is looked at in whole only where something in it must not be seen.
func TestVisibleTextStays(t *testing.T) {
	signs := rapid.SampledFrom([]string{"a", "é", "漢", "😀", "\n", "\t", "\r\n", "\r", "\x00", "\x7f", "\u0085", "\u200d", "\u202e", "\ufeff",
		"\U000e0041", "\uFFFD", "\xff", "\xe2\x80"})
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOfN(signs, 0, 6).Draw(t, "signs"), "")
		shown := Visible(text)
		if IsVisible(text) != (shown == text) || IsVisible([]byte(text)) != IsVisible(text) {
			t.Errorf("%q is shown as %q, yet visible: %v, as bytes: %v", text, shown, IsVisible(text), IsVisible([]byte(text)))
		}
	})
}
