package steps

import (
	"bytes"
	"io"

	"github.com/percuss/percuss/report"
)

// WriteText writes the terminal summary. full adds every table. A missing value is an en dash.
func WriteText(w io.Writer, r Report, full bool) error {
	var b bytes.Buffer
	report.Wrap(&b, "", "Percuss, "+r.Audit+" audit")
	report.ClaimsText(&b, r.Claims, full, 3)
	for _, t := range Tables(r) {
		if full || !t.Long && t.Absent == "" {
			report.TableText(&b, t, 0)
		}
	}
	for _, n := range r.Notes {
		report.Wrap(&b, "", "Note: "+n)
	}
	_, err := w.Write(b.Bytes())
	return err
}
