package steps

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/report"
)

// WriteItemText prints one item for a terminal: the votes of its chains, and each judged chain with what was said of its
// steps. With color errors are red as well as named in words.
func WriteItemText(w io.Writer, it Item, color bool) error {
	v := newItemView(it, nil, "")
	t := &itemText{color: color}
	t.line("", "%s · %s", it.Subject.Item, it.Subject.Model)
	for _, s := range v.Verdict {
		t.line("", "%s", s)
	}
	t.question(v)
	for _, c := range v.Judged {
		t.chain(c)
	}
	for i, c := range v.Rest {
		if i == mostRest {
			t.line("", "… and %d more chains whose steps were not judged", len(v.Rest)-i)
			break
		}
		t.WriteByte('\n')
		t.line("", "chain %d (%s): %s, %s", c.Number, c.Trial, c.Head(), report.Plural(c.Words, "word"))
	}
	_, err := w.Write(t.Bytes())
	return err
}

// mostRest is how many chains without judged steps are printed.
const mostRest = 8

// itemText gathers the lines.
type itemText struct {
	bytes.Buffer
	color bool
}

// line adds a line, in as many as a terminal needs; those after the first are indented as the text is. Names and texts come
// from files and servers, so the whole line is made visible.
func (t *itemText) line(indent, format string, args ...any) {
	words := strings.Join(strings.Fields(report.Visible(fmt.Sprintf(format, args...))), " ")
	for _, s := range screen.Fold(words, indent, strings.Repeat(" ", hang), screen.Columns) {
		t.WriteString(s + "\n")
	}
}

// hang is how far the further lines of a text are indented.
const hang = 4

func (t *itemText) question(v itemView) {
	q := v.Subject.Question
	t.WriteByte('\n')
	for _, s := range append(append([]string{}, q.Context...), q.Stem) {
		t.line("", "%s", s)
	}
	for _, o := range q.Options {
		mark := ""
		if o.Label == q.Gold {
			mark = " (gold)"
		}
		t.line("  ", "%s. %s%s", o.Label, o.Text, mark)
	}
	t.WriteString("\nvotes\n")
	for _, o := range v.Votes {
		mark := ""
		if o.Gold {
			mark = "  right"
		}
		t.line("  ", "%s  %s%s", o.Answer, o.Shown(), mark)
	}
	if len(v.Votes) == 0 {
		t.WriteString("  –\n")
	}
}

// chain prints a judged chain under its first view.
func (t *itemText) chain(c chainView) {
	t.WriteByte('\n')
	t.line("", "chain %d (%s): %s", c.Number, c.Trial, c.Head())
	view := c.Views[0]
	for _, s := range view.Steps {
		t.line("", "%d. %s", s.Number, orElse(s.Written, "–"))
		if !s.Same && s.Written != "" {
			t.line(strings.Repeat(" ", hang), "judges saw: %s", orElse(s.Shown, "nothing"))
		}
		for i, say := range s.Says {
			words := fmt.Sprintf("%s: %s", view.Judges[i], say.Word)
			if say.Why != "" {
				words += " (" + say.Why + ")"
			}
			if say.Again != "" {
				words += ", asked once more: " + say.Again
			}
			from := t.Len()
			t.line(strings.Repeat(" ", hang), "%s", words)
			if t.color && say.Class == "l-error" {
				t.red(from)
			}
		}
		found := s.Checks
		if s.Hedged {
			found = append([]string{"hedges"}, found...)
		}
		if len(found) > 0 {
			t.line(strings.Repeat(" ", hang), "without a judge: %s", strings.Join(found, "; "))
		}
	}
	for _, other := range c.Views[1:] {
		t.line("  ", "shown as %s: %s, %s called an error by %s", other.View, report.Plural(len(other.Steps), "step"), fmt.Sprint(other.Errors), other.Judges[0])
	}
}

// red colours what was written since a place; the colours are ours.
func (t *itemText) red(from int) {
	said := strings.TrimSuffix(string(t.Bytes()[from:]), "\n")
	t.Truncate(from)
	t.WriteString("\x1b[31m" + said + "\x1b[0m\n")
}
