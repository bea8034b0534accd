package cases

import (
	"bytes"
	"fmt"
	"io"

	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// WriteText writes the terminal summary: what the page opens with, and for each model and set the mechanisms. full adds
// every table. A missing value is an en dash.
func WriteText(w io.Writer, r Report, full bool) error {
	var b bytes.Buffer
	report.Wrap(&b, "", "Percuss, "+r.Audit+" audit")
	for _, s := range alerts(r) {
		b.WriteByte('\n')
		report.Wrap(&b, "", s)
	}
	if len(r.Findings.Cells) == 0 {
		report.Wrap(&b, "", "There are no findings.")
	}
	panelWords(&b, r.Findings)
	for _, c := range r.Findings.Cells {
		cellWords(&b, title(r.Findings, c), c, !full)
	}
	report.ClaimsText(&b, r.Claims, full, leadClaims)
	if full {
		told := r
		told.Claims = nil // they stand above
		for _, t := range Tables(told) {
			report.TableText(&b, t, 0)
		}
	}
	callWords(&b, r.Calls)
	for _, n := range r.Notes {
		report.Wrap(&b, "", "Note: "+n)
	}
	_, err := w.Write(b.Bytes())
	return err
}

// leadClaims is of how many cells the short summary shows what was measured behind one claim.
const leadClaims = 3

// cellWords is a cell in words.
func cellWords(b *bytes.Buffer, name string, c evidence.Cell, mechanisms bool) {
	b.WriteByte('\n')
	report.Wrap(b, "", name)
	for _, s := range c.Cautions {
		report.Wrap(b, "", "Caution: "+s)
	}
	for _, s := range answer(c) {
		report.Wrap(b, "", s.String())
	}
	if !mechanisms || len(c.Gold.Mechanisms) == 0 || c.Gold.Salient == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s %6s %8s %8s %8s\n", report.Pad("mechanism", 46), "count", "share", "random", "strength")
	for _, m := range c.Gold.Mechanisms {
		name := m.Name
		if m.Suspicious {
			name += " (suspicious)"
		}
		fmt.Fprintf(b, "%s %6d %8s %8s %8s\n", report.Pad(name, 46), m.Count, report.Percent(m.Share.Value), report.Percent(m.SameSets.Count), report.Percent(m.Weight.Value))
	}
}

// callWords count the calls of each model by outcome.
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
