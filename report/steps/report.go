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
	Schema      string            `json:"schema"`
	Audit       string            `json:"audit"` // "steps"
	Spec        json.RawMessage   `json:"spec"`  // the resolved specification, seeds included
	Versions    map[string]string `json:"versions"`
	Models      []report.Model    `json:"models"`
	Data        []report.Data     `json:"data"`
	Calls       []report.Calls    `json:"calls"` // how the calls to each model ended
	Findings    step.Findings     `json:"findings"`
	Claims      []percuss.Claim   `json:"claims"` // what the tables seem to say, and whether the run bears it out
	Definitions []Definition      `json:"definitions"`
	Notes       []string          `json:"notes"`
}

// Item is one subject with all that a reader needs to check it.
type Item struct {
	Subject percuss.Subject
	Trials  []percuss.Trial
	Record  step.Record
	Texts   []step.Text // the chains in words, as step.Audit.Texts gives them; nil: they are not shown
	Answers percuss.Answers
}

// Complete sets the schema and the definitions.
func (r *Report) Complete() {
	r.Schema = Schema
	r.Definitions = terms()
}

// WriteJSON writes the report, indented; the same report always gives the same bytes.
func WriteJSON(w io.Writer, r Report) error { return report.WriteIndented(w, r) }

// title names a cell for a reader: by its set and prompt where the cells differ in them.
func title(f step.Findings, c step.Cell) string {
	name := c.Model
	if c.Role != "" {
		name += " (" + string(c.Role) + ")"
	}
	return name + place(f, c.Set, c.Variant)
}

// place is set and prompt where the cells differ in them.
func place(f step.Findings, set, variant string) string {
	out := ""
	if varies(f, func(c step.Cell) string { return c.Set }) {
		out += ", " + set
	}
	if varies(f, func(c step.Cell) string { return c.Variant }) {
		out += ", " + variant
	}
	return out
}

// varies says whether the cells differ in something.
func varies(f step.Findings, of func(step.Cell) string) bool {
	for _, c := range f.Cells {
		if of(c) != of(f.Cells[0]) {
			return true
		}
	}
	return false
}

// firstView is the view that figures are told by; empty: the run has none.
func firstView(f step.Findings) string {
	if len(f.Settings.Views) == 0 {
		return ""
	}
	return f.Settings.Views[0]
}

// first are a cell's traces under the first view, by judge.
func first(f step.Findings, c step.Cell) (out []step.Trace) {
	for _, t := range c.Traces {
		if t.View == firstView(f) {
			out = append(out, t)
		}
	}
	return out
}
