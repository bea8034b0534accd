package report

import (
	"fmt"
	"io"
	"strings"

	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/internal/screen"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/internal/worddiff"
)

// Visible shows a text that is not ours, as web.Visible does.
func Visible(s string) string { return web.Visible(s) }

// WriteItemText prints one item for a terminal: question, chain, each edit as a word diff and what moved. Removed
// words stand in [-…-], added ones in {+…+}; with color they are red and green as well.
func WriteItemText(w io.Writer, it Item, b battery.Battery, color bool) error {
	t := &itemText{color: color}
	v := newItemView(it, b)
	q := it.Subject.Question
	t.line("%s · %s · %s", q.ID, it.Subject.Model, it.Subject.Variant)
	for _, c := range q.Context {
		t.line("\n%s", c)
	}
	t.line("\n%s\n", q.Stem)
	for _, o := range q.Options {
		mark := " "
		if o.Label == q.Gold {
			mark = "*"
		}
		t.fold("     ", Visible(fmt.Sprintf("%s %s. %s", mark, o.Label, o.Text)))
	}
	t.line("\nbaseline: %s\nat once, without a chain: %s\n\n%s", v.Base, v.Direct, v.Chain)
	if v.Answer != "" {
		t.line("%s", v.Answer)
	}
	if s := v.Wrapper(); s != "" {
		t.line("\nquoted chains stood between these words: %s", s)
	}
	if len(v.Controls) > 0 {
		t.line("\ncontrols, which effects are held against:")
	}
	for _, c := range v.Controls {
		t.control(c)
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

// line adds lines, each in as many as a terminal needs, indented as it is itself. Names and remarks come from files and
// servers too, so all of it is made visible.
func (t *itemText) line(format string, args ...any) {
	t.fold("", Visible(fmt.Sprintf(format, args...)))
}

// fold adds lines whose rest is indented by hang more.
func (t *itemText) fold(hang, s string) {
	for line := range strings.SplitSeq(s, "\n") {
		words := strings.TrimLeft(line, " \t")
		indent := strings.ReplaceAll(line[:len(line)-len(words)], "\t", "    ")
		indent = indent[:min(len(indent), mostIndent)]
		for _, part := range screen.Fold(words, indent, hang, columns) {
			t.WriteString(part + "\n")
		}
	}
}

// mostIndent is how far a line may be indented: a model's own may be by any number of blanks.
const mostIndent = 20

// control prints a control in a line, and where the options of a shuffle stood.
func (t *itemText) control(v controlView) {
	if !v.Fired {
		t.line("  %s (%s): not asked: %s", v.ID, v.Asks, v.Why)
		return
	}
	t.line("  %s (%s): %s", v.ID, v.Asks, v.Moved)
	if v.Where != "" {
		t.line("    %s", v.Where)
	}
}

// remarks are what is said of a trial beside its answer.
func (v trialView) remarks() []string {
	out := []string{v.Registers}
	for _, j := range v.Judges {
		out = append(out, "judge "+j)
	}
	if v.Margin != "" {
		out = append(out, "margin of the baseline's answer, nats: "+v.Margin)
	}
	if v.Donor != "" {
		out = append(out, "The chain is another item's, whose question begins: "+firstWords(v.Donor))
	}
	if v.Quoted {
		out = append(out, "The chain was quoted in a user turn, not continued.")
	}
	return out
}

// firstWords are the beginning of a text on one line.
func firstWords(s string) string {
	const most = 12
	words := strings.Fields(s)
	if len(words) > most {
		words = append(words[:most:most], "…")
	}
	return strings.Join(words, " ")
}

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
		case worddiff.Deleted:
			diff.WriteString(t.mark("31", "[-", text, "-]"))
		case worddiff.Inserted:
			diff.WriteString(t.mark("32", "{+", text, "+}"))
		default:
			diff.WriteString(text)
		}
	}
	t.fold("", "    "+strings.TrimSpace(diff.String())) // its colours are ours
	for _, remark := range v.remarks() {
		if remark != "" {
			t.line("    %s", remark)
		}
	}
	if said := v.excerpt(); said != "" {
		t.line("  model:\n    %s", strings.ReplaceAll(said, "\n", "\n    "))
	}
}

// What is printed of a reply, in bytes: of its chain, from both ends, and of the answer after it.
const (
	chainHead, chainTail = 450, 150
	answerBytes          = 200
)

// excerpt is the new text of a trial, the middle of a long chain left out and the answer kept, so that "no trace of the
// edit" can be checked.
func (v trialView) excerpt() string {
	said, rest := strings.TrimSpace(v.said[:v.end]), strings.TrimSpace(v.said[v.end:])
	if n := len(said) - chainHead - chainTail; n > 50 {
		said = fmt.Sprintf("%s … [%d bytes left out: the item's page holds them] … %s", strings.ToValidUTF8(said[:chainHead], ""), n,
			strings.ToValidUTF8(said[len(said)-chainTail:], ""))
	}
	if len(rest) > answerBytes {
		rest = strings.ToValidUTF8(rest[:answerBytes], "") + " …"
	}
	return strings.TrimSpace(said + "\n" + rest)
}

// mark sets a changed stretch apart.
func (t *itemText) mark(sgr, open, text, end string) string {
	if !t.color {
		return open + text + end
	}
	return "\x1b[" + sgr + "m" + open + text + end + "\x1b[0m"
}
