package screen

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestWidth(t *testing.T) {
	for s, want := range map[string]int{"": 0, "abc": 3, "e\u0301t\u00e9": 3, "胸痛": 4, "→": 1, "\x1b[31mred\x1b[0m": 3, "\x1b[31": 3, "👩‍⚕️": 2, "a\tb": 2} {
		if got := Width(s); got != want {
			t.Errorf("%q takes %d columns, want %d", s, got, want)
		}
	}
}

func TestCut(t *testing.T) {
	for _, c := range []struct {
		s    string
		n    int
		want string
	}{{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"胸痛痛", 4, "胸…"}, {"e\u0301e\u0301e\u0301", 2, "e\u0301…"}, {"abc", 0, ""}} {
		if got := Cut(c.s, c.n); got != c.want {
			t.Errorf("%q in %d columns: %q, want %q", c.s, c.n, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		s, n := rapid.String().Draw(t, "s"), rapid.IntRange(0, 12).Draw(t, "n")
		if got := Width(Cut(s, n)); got > n {
			t.Fatalf("%d columns of %d", got, n)
		}
	})
}

func TestFold(t *testing.T) {
	for _, c := range []struct {
		s, indent, hang string
		n               int
		want            string
	}{
		{"one two three", "", "", 8, "one two\nthree"},
		{"one two three", "> ", "  ", 9, "> one two\n>   three"},
		{"a\n\n  b", "", "", 8, "a\n\n  b"},
		{"keep  two blanks", "", "", 20, "keep  two blanks"},
		{"abcdefghij", "", "", 4, "abcd\nefgh\nij"},
		{"ab cdefghij", "", "", 4, "ab\ncdef\nghij"},
		{"胸痛胸痛", "", "", 5, "胸痛\n胸痛"},
		{"\x1b[31mab cd\x1b[0m", "", "", 3, "\x1b[31mab\ncd\x1b[0m"},
		{"胸", "    ", "", 2, "    胸"},
	} {
		if got := strings.Join(Fold(c.s, c.indent, c.hang, c.n), "\n"); got != c.want {
			t.Errorf("%q: %q, want %q", c.s, got, c.want)
		}
	}
}

func TestFoldWhole(t *testing.T) {
	if got := strings.Join(FoldWhole("at /a/long/path now", "", "  ", 8), "|"); got != "at|  /a/long/path|  now" {
		t.Errorf("%q", got)
	}
}

// No line is too long, and no word is lost, whatever the text is.
func TestFoldKeepsAll(t *testing.T) {
	blanks := strings.NewReplacer(" ", "", "\n", "", "\t", "")
	rapid.Check(t, func(t *rapid.T) {
		s := rapid.StringOf(rapid.SampledFrom([]rune("ab e\u0301\n\t胸痛👩‍⚕️ -"))).Draw(t, "s")
		n := rapid.IntRange(6, 30).Draw(t, "n")
		lines := Fold(s, "  ", " ", n)
		for _, l := range lines {
			if Width(l) > n {
				t.Fatalf("%q is wider than %d", l, n)
			}
		}
		if got, want := blanks.Replace(strings.Join(lines, "")), blanks.Replace(s); got != want {
			t.Fatalf("%q, want %q", got, want)
		}
	})
}

func TestWhatIsNoTerminal(t *testing.T) {
	var b bytes.Buffer
	s := Of(&b, func(string) string { return "" })
	if columns, height := s.Size(); s.Terminal || s.Colour || columns != Columns || height != rows {
		t.Errorf("%+v", s)
	}
}
