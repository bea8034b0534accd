package cli

import (
	"fmt"
	"io"
	"maps"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/spec"
)

// bytesFit turns bytes into tokens where it is judged whether a prompt fits: fewer than bytesPerToken, as the evidence
// audit reckons, so that a prompt that may not fit is told.
const bytesFit = 3

// fit fills in the longest prompt of each model, also of the cases that do not fit into its context, and that context.
func fit(rows []planned, s spec.Specification, items run.Items, can map[string]percuss.Capabilities, with reading) error {
	boundless := maps.Clone(can)
	for id, c := range boundless {
		c.ContextTokens = 0
		boundless[id] = c
	}
	audit, _, err := buildAudit(s, items, boundless, "", with)
	if err != nil {
		return err
	}
	at := map[string]*planned{}
	for i, m := range s.Models {
		rows[i].Context = can[m.ID].ContextTokens
		at[m.ID] = &rows[i]
	}
	for _, subject := range run.Subjects(run.Manifest{Spec: s, Capabilities: boundless}, items) {
		for _, t := range audit.Trials(subject, percuss.AnswerMap{}) {
			if t.Request == nil {
				continue
			}
			size := 0
			for _, m := range t.Request.Messages {
				size += len(m.Content)
			}
			p := at[subject.Model]
			p.Longest = max(p.Longest, int64(size+bytesFit-1)/bytesFit)
		}
	}
	return nil
}

// writeFit says whether the prompts fit, and which cases cannot be asked.
func writeFit(w io.Writer, rows []planned) {
	for _, r := range rows {
		context := "the model's context is not known before a run is begun"
		if r.Context > 0 {
			context = fmt.Sprintf("the model's context has %d", r.Context)
		}
		folded(w, "  ", "%s: the longest prompt has about %d tokens, reckoned as %d bytes each to be on the safe side; %s", r.Model, r.Longest, bytesFit, context)
		if r.Refused == 0 {
			continue
		}
		folded(w, "", "  %d of %s cannot be asked, and will be counted as refused:", r.Refused, report.Plural(r.Subjects, "case"))
		for _, why := range r.Why {
			folded(w, "", "    %s", why)
		}
		if n := r.Refused - len(r.Why); n > 0 {
			folded(w, "", "    and %d more", n)
		}
	}
}
