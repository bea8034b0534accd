// Package cases renders the findings of the evidence audit: as tables and drawings, which package report writes as CSV,
// LaTeX, SVG and PDF; as JSON, a terminal summary, one self-contained HTML page and a page for every case beside it. It computes no statistics: every figure shown is one of the findings', or
// counts and sums what a case's record holds.
package cases

import (
	"encoding/json"
	"io"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// Schema names the layout of report.json of an evidence audit.
const Schema = "percuss.evidence-report/1"

// Report is what report.json holds. It is a function of the specification, the cases and the stored answers: no times
// and no costs.
type Report struct {
	Schema      string            `json:"schema"`
	Audit       string            `json:"audit"` // "evidence"
	Spec        json.RawMessage   `json:"spec"`  // the resolved specification, seeds included
	Versions    map[string]string `json:"versions"`
	Models      []report.Model    `json:"models"`
	Data        []report.Data     `json:"data"`
	Calls       []report.Calls    `json:"calls"` // how the calls to each model ended
	Findings    evidence.Findings `json:"findings"`
	Claims      []percuss.Claim   `json:"claims"` // what the tables seem to say, and whether the run bears it out
	Definitions []Definition      `json:"definitions"`
	Notes       []string          `json:"notes"`
}

// Case is one subject with all that a reader needs to check it.
type Case struct {
	Subject percuss.Subject
	Trials  []percuss.Trial
	Record  evidence.Record
	Answers percuss.Answers
}

// Complete sets the schema and the definitions.
func (r *Report) Complete() {
	r.Schema = Schema
	r.Definitions = definitions(r.Findings.Labels)
}

// WriteJSON writes the report, indented; the same report always gives the same bytes.
func WriteJSON(w io.Writer, r Report) error {
	return report.WriteIndented(w, r)
}

// title names a cell for a reader: by its prompt too, where the cells differ in it.
func title(f evidence.Findings, c evidence.Cell) string {
	name := c.Model + ", " + c.Set
	if c.Variant != "" && vary(f, "prompt") {
		name += ", " + c.Variant
	}
	return name
}

// vary says whether the cells differ in their model, set or prompt.
func vary(f evidence.Findings, id string) bool {
	of := func(c evidence.Cell) string {
		return map[string]string{"model": c.Model, "set": c.Set, "prompt": c.Variant}[id]
	}
	return slices.ContainsFunc(f.Cells, func(c evidence.Cell) bool { return of(c) != of(f.Cells[0]) })
}

// signed prints a number to the hundredth, with its sign where it is not 0: a true minus sign, as all reports have it.
func signed(n percuss.Number) string {
	s := minus(n.Format(2))
	if v, ok := n.Get(); ok && v > 0 && s != "0.00" {
		return "+" + s
	}
	return s
}
