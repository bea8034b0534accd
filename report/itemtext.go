package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/percuss/percuss/chain/battery"
)

// Visible shows a text that is not ours: characters that would steer a terminal or turn the reading direction are
// replaced by U+FFFD.
func Visible(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\n' || r == '\t':
			return r
		case r < ' ', r >= 0x7f && r < 0xa0, r == 0x200e, r == 0x200f, r == 0x061c,
			r >= 0x202a && r <= 0x202e, r >= 0x2066 && r <= 0x2069:
			return '\uFFFD'
		}
		return r
	}, s)
}

// WriteItemText prints one item for a terminal: question, chain, each edit as a word diff and what moved. Removed
// words stand in [-…-], added ones in {+…+}; with color they are red and green as well.
func WriteItemText(w io.Writer, it Item, b battery.Battery, color bool) error {
	t := &itemText{color: color}
	v := newItemView(it, b)
	q := it.Subject.Question
	t.line("%s · %s · %s", q.ID, v.Model, v.Variant)
	for _, c := range q.Context {
		t.line("\n%s", Visible(c))
	}
	t.line("\n%s\n", Visible(q.Stem))
	for _, o := range q.Options {
		mark := " "
		if o.Label == q.Gold {
			mark = "*"
		}
		t.line("%s %s. %s", mark, o.Label, Visible(o.Text))
	}
	t.line("\nbaseline: %s\nat once, without a chain: %s\n\n%s", v.Base, v.Direct, Visible(v.Chain))
	if v.Answer != "" {
		t.line("%s", Visible(v.Answer))
	}
	for _, trial := range v.Trials {
		t.trial(trial)
	}
	_, err := io.WriteString(w, t.String())
	return err
}

// itemText gathers the lines.
type itemText struct {
	strings.Builder
	color bool
}

func (t *itemText) line(format string, args ...any) { fmt.Fprintf(t, format+"\n", args...) }

func (t *itemText) trial(v trialView) {
	if !v.Fired {
		t.line("\n%s %s: not fired: %s", v.ID, v.Title, v.Why)
		return
	}
	t.line("\n%s %s: %s", v.ID, v.Title, v.Moved)
	var diff strings.Builder
	for _, p := range abridge(v.Pieces, 160, 70) {
		text := strings.ReplaceAll(Visible(p.Text), "\n", " ")
		switch p.Kind {
		case deleted:
			diff.WriteString(t.mark("31", "[-", text, "-]"))
		case inserted:
			diff.WriteString(t.mark("32", "{+", text, "+}"))
		default:
			diff.WriteString(text)
		}
	}
	t.line("    %s", strings.TrimSpace(diff.String()))
	for _, remark := range []string{v.Registers, map[bool]string{true: "The chain was quoted in a user turn, not continued."}[v.Quoted]} {
		if remark != "" {
			t.line("    %s", remark)
		}
	}
}

// mark sets a changed stretch apart.
func (t *itemText) mark(sgr, open, text, end string) string {
	if !t.color {
		return open + text + end
	}
	return "\x1b[" + sgr + "m" + open + text + end + "\x1b[0m"
}
