package report

import (
	"bytes"
	"strings"
	"testing"

	"pgregory.net/rapid"
	"unicode"
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

func TestItemText(t *testing.T) {
	for _, color := range []bool{false, true} {
		var b bytes.Buffer
		if err := WriteItemText(&b, items()[0], small().Findings.Battery, color); err != nil {
			t.Fatal(err)
		}
		wants := []string{"* A. Rest", "  B. Surgery", "flips", "not fired: too short", "The chain shows no trace of the edit."}
		if color {
			wants = append(wants, "\x1b[31m[-Severe-]\x1b[0m\x1b[32m{+Mild+}\x1b[0m")
		} else {
			wants = append(wants, "[-Severe-]{+Mild+}")
		}
		for _, want := range wants {
			if !strings.Contains(b.String(), want) {
				t.Errorf("color %v: no %q in\n%s", color, want, b.String())
			}
		}
	}
}
