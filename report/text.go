package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/internal/screen"
)

// columns is the width of what is printed to a terminal.
const columns = screen.Columns

// mostWorded is how many groups the summary puts into words; of more, the panel speaks for them.
const mostWorded = 4

// WriteText writes the terminal summary, at most 80 columns wide. A missing value is
// an en dash. It gives panel and models in words and sets them side by side. full adds every
// group, its tables, other forms of the same figures and every edit's variants.
func WriteText(w io.Writer, r Report, full bool) error {
	t := &text{r: r, full: full}
	fmt.Fprintf(t, "Percuss, %s audit\n", clean(r.Audit))
	for _, s := range r.alerts() {
		t.paragraph("\n" + s)
	}
	all := shown(r.Findings)
	if full {
		t.whole(all)
	} else {
		t.short(all)
	}
	t.analyses()
	t.calls()
	for _, n := range r.Notes {
		t.paragraph("Note: " + n)
	}
	_, err := w.Write(t.Bytes())
	return err
}

// text gathers the summary.
type text struct {
	bytes.Buffer
	r    Report
	full bool
	many bool // groups, so that a short summary leaves out what is of each
}

// whole is every group, side by side and one by one.
func (t *text) whole(all []level) {
	if len(all) > 1 {
		t.sideBySide(all)
	}
	for i, l := range all {
		t.words(l)
		if i == 0 {
			t.notes(l)
		}
		t.tables(l)
		t.closing(l)
	}
}

// short is the answer first, then the models side by side.
func (t *text) short(all []level) {
	lead, _ := firsts(t.r.Findings, leading(all))
	chosen := lead
	if t.many = len(chosen) > mostWorded; t.many && chosen[0].Kind == "panel" {
		chosen = chosen[:1]
	}
	for i, l := range chosen {
		t.words(l)
		if i == 0 {
			t.notes(l)
		}
		if len(all) == 1 {
			t.tables(l)
		}
	}
	if note := promptsNote(t.r.Findings); note != "" {
		t.paragraph(note)
	}
	if len(lead) > 1 {
		t.sideBySide(lead)
	}
	if len(chosen) > 0 {
		t.closing(chosen[0])
	}
	if n := len(all) - len(lead); n > 0 {
		t.paragraph(fmt.Sprintf("\nThe other %d groups (tiers, models under further prompts, data sets) stand in the page, and here with --full.", n))
	}
}

// words are the group's name, size and sentences.
func (t *text) words(l level) {
	fmt.Fprintln(t)
	fmt.Fprintln(t, strings.TrimRight(Pad(l.heading(), columns), " "))
	fmt.Fprintln(t, l.Size())
	for _, s := range answer(l, t.r) {
		t.paragraph(s.String())
	}
}

// notes explain words of the sentences, once for all groups.
func (t *text) notes(l level) {
	if m, ok := metric(l.Group, "fcs", ""); ok && (m.Value.OK()) {
		t.paragraph(corridor())
	}
	if note := stemNote(l.Group); note != "" {
		t.paragraph(note)
	}
}

// tables are the figures of a group, the joint distribution, and firing and flips.
func (t *text) tables(l level) {
	t.metrics(l)
	t.joint(l.Group)
	t.firing(l)
}

// closing is what enters no rate, how the readings ended, and the remarks.
func (t *text) closing(l level) {
	outcomes := l.Outcomes
	if !t.full {
		outcomes = slices.DeleteFunc(slices.Clone(outcomes), func(c chain.Count) bool { return c.N == 0 })
	}
	t.counts("dropped (fired, in no rate)", l.Dropped)
	t.counts("how the readings ended", outcomes)
	for _, s := range l.Remarks {
		t.paragraph("Remark: " + s)
	}
}

func (t *text) counts(title string, rows []chain.Count) {
	fmt.Fprintf(t, "\n%s\n", title)
	if len(rows) == 0 {
		fmt.Fprintln(t, "  none")
	}
	for _, n := range rows {
		fmt.Fprintf(t, "  %s %7d\n", Pad(n.Name, 70), n.N)
	}
}

// calls names the outcomes that occurred, of models that all calls went well with together.
func (t *text) calls() {
	if len(t.r.Calls) > 0 {
		fmt.Fprintln(t)
	}
	well, models := 0, 0
	var each []string
	for _, c := range t.r.Calls {
		words := fmt.Sprintf("Calls to %s: %d.", c.Model, c.Requests)
		for _, o := range c.Outcomes {
			if o.N > 0 {
				words += fmt.Sprintf(" %s: %d.", o.Name, o.N)
			}
		}
		if t.many && c.outcome(string(percuss.OK)) == c.Requests {
			well, models = well+c.Requests, models+1
		} else {
			each = append(each, words)
		}
	}
	for _, w := range warnings(t.r.Calls) {
		each = append(each, "Warning: "+w.Models+": "+w.Says+".")
	}
	if models > 0 {
		t.paragraph(fmt.Sprintf("Calls to %s: %d. ok: %d.", Plural(models, "model"), well, well))
	}
	for _, s := range each {
		t.paragraph(s)
	}
}

// clean drops what could steer a terminal: names may come from files and servers.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Cf, r) {
			return ' '
		}
		return r
	}, s)
}

// Pad makes a cell of exactly n columns for a terminal's table. What could steer a terminal is dropped.
func Pad(s string, n int) string { return screen.Pad(clean(s), n) }

// paragraph wraps a text at the width of the summary.
func (t *text) paragraph(s string) {
	if strings.HasPrefix(s, "\n") {
		t.WriteByte('\n')
	}
	Wrap(&t.Buffer, "", s)
}
