package steps

import (
	"bytes"
	"fmt"
	"io"

	"github.com/percuss/percuss/report"
)

// WriteText writes the terminal summary: what the page opens with, and the summary table. full adds every table. A missing
// value is an en dash.
func WriteText(w io.Writer, r Report, full bool) error {
	var b bytes.Buffer
	f := r.Findings
	report.Wrap(&b, "", "Percuss, "+r.Audit+" audit")
	for _, s := range alerts(r) {
		b.WriteByte('\n')
		report.Wrap(&b, "", s)
	}
	if len(f.Cells) == 0 {
		report.Wrap(&b, "", "There are no findings.")
	}
	compared := comparisons(f)
	for _, c := range compared {
		b.WriteByte('\n')
		report.Wrap(&b, "", c.Title)
		all := c.sentences(f)
		if len(compared) > mostCompared && !full {
			all = all[:len(c.told())] // the verdicts alone
		}
		sentences(&b, all)
	}
	if all := trust(f); len(all) > 0 {
		b.WriteByte('\n')
		sentences(&b, all)
	}
	for i, c := range f.Cells {
		if i == mostInText && !full {
			report.Wrap(&b, "", fmt.Sprintf("… and %s, in the table below.", report.Plural(len(f.Cells)-i, "cell")))
			break
		}
		b.WriteByte('\n')
		report.Wrap(&b, "", title(f, c))
		for _, s := range cautions(f, c) {
			report.Wrap(&b, "", "Caution: "+s)
		}
		sentences(&b, answer(f, c))
	}
	report.ClaimsText(&b, r.Claims, full, leadClaims)
	tables := r
	tables.Claims = nil // they stand above
	for i, t := range Tables(tables) {
		if i < len(summaryTables(f)) || full {
			more := len(t.Rows) - mostRows
			if !full && more > 0 {
				t.Rows = t.Rows[:mostRows]
			}
			report.TableText(&b, trimmed(t), 0)
			if !full && more > 0 {
				report.Wrap(&b, "  ", "… and "+report.Plural(more, "more row"))
			}
		}
	}
	callWords(&b, r.Calls)
	for _, n := range r.Notes {
		report.Wrap(&b, "", "Note: "+n)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// How many cells the short summary puts into words, how many comparisons with more than their verdicts, and of how many it shows what was measured behind one claim.
const (
	mostInText   = 4
	mostCompared = 2
	mostRows     = 8 // of a table
	leadClaims   = 3
)

func sentences(b *bytes.Buffer, all []report.Sentence) {
	for _, s := range all {
		report.Wrap(b, "", s.String())
	}
}

// callWords count the calls to each model by outcome.
func callWords(b *bytes.Buffer, calls []report.Calls) {
	if len(calls) > 0 {
		b.WriteByte('\n')
	}
	for _, c := range calls {
		words := fmt.Sprintf("Calls to %s: %d.", c.Model, c.Requests)
		for _, o := range c.Outcomes {
			if o.N > 0 {
				words += fmt.Sprintf(" %s: %d.", o.Name, o.N)
			}
		}
		report.Wrap(b, "", words)
		for _, w := range c.Warnings {
			report.Wrap(b, "", "Warning: "+c.Model+": "+w+".")
		}
	}
}
