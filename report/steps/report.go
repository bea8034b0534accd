// Package steps renders the findings of the step audit: as JSON, CSV and LaTeX tables, drawings, a terminal summary, one
// self-contained HTML page and a page for every item beside it. It computes no statistics: every figure shown is one of the
// findings', or counts what a record holds.
package steps

import (
	"encoding/json"
	"io"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// Schema names the layout of report.json of a step audit.
const Schema = "percuss.steps-report/1"

// Report is what report.json holds. It is a function of the specification, the items and the stored answers: no times and
// no costs.
type Report struct {
	Schema   string            `json:"schema"`
	Audit    string            `json:"audit"` // "steps"
	Spec     json.RawMessage   `json:"spec"`  // the resolved specification, seeds included
	Versions map[string]string `json:"versions"`
	Models   []report.Model    `json:"models"`
	Data     []report.Data     `json:"data"`
	Calls    []report.Calls    `json:"calls"` // how the calls to each model ended
	Findings step.Findings     `json:"findings"`
	Claims   []percuss.Claim   `json:"claims"` // what the tables seem to say, and whether the run bears it out
	Notes    []string          `json:"notes"`
}

// Item is one subject with all that a reader needs to check it.
type Item struct {
	Subject percuss.Subject
	Trials  []percuss.Trial
	Record  step.Record
	Answers percuss.Answers
}

// Complete sets the schema.
func (r *Report) Complete() { r.Schema = Schema }

// WriteJSON writes the report, indented; the same report always gives the same bytes.
func WriteJSON(w io.Writer, r Report) error { return report.WriteIndented(w, r) }

// Tables are all tables of the report, in its order.
func Tables(r Report) []percuss.Table {
	var out []percuss.Table
	for _, a := range r.Findings.Analyses {
		out = append(out, a.Tables...)
	}
	if len(r.Claims) > 0 {
		out = append(out, report.ClaimsTable(r.Claims))
	}
	return out
}
