package steps

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/step"
)

// Tables are all tables of the report, in its order: the summary, those of the findings, the claims.
func Tables(r Report) []percuss.Table {
	out := []percuss.Table{summaryTable(r.Findings)}
	for _, a := range r.Findings.Analyses {
		out = append(out, a.Tables...)
	}
	if len(r.Claims) > 0 {
		out = append(out, report.ClaimsTable(r.Claims))
	}
	return out
}

// WriteCSV writes one file for every table into the folder, which it makes if need be. Every file has the same columns
// whether or not it has any row. A missing value is an empty cell.
func WriteCSV(dir string, r Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the tables: %w", err)
	}
	for _, t := range append(Tables(r), report.CallsTable(r.Calls)) {
		if err := report.WriteTable(filepath.Join(dir, t.ID+".csv"), report.TableCSV(t)); err != nil {
			return fmt.Errorf("write table %s: %w", t.ID, err)
		}
	}
	return nil
}

// summaryTable sets the models side by side: answers and steps of the same chains.
func summaryTable(f step.Findings) percuss.Table {
	t := percuss.Table{ID: "summary", Title: "Answers and steps side by side",
		About: "A row for each model and judge. Error rate: what the judge says of the steps under the first way of showing them. Corrected: for what is known of the judge.",
		Columns: []percuss.Column{{ID: "model", Head: "Model", Scale: percuss.Words}, {ID: "role", Head: "Role", Scale: percuss.Words}, {ID: "set", Head: "Data set", Scale: percuss.Words},
			{ID: "prompt", Head: "Prompt", Scale: percuss.Words}, {ID: "items", Head: "Items", Scale: percuss.Whole}, {ID: "accuracy", Head: "One chain", Scale: percuss.Percent},
			{ID: "majority", Head: "Vote", Scale: percuss.Percent}, {ID: "ece", Head: "ECE", Scale: percuss.Rate}, {ID: "judge", Head: "Judge", Scale: percuss.Words},
			{ID: "errors", Head: "Error rate", Scale: percuss.Percent}, {ID: "corrected", Head: "Corrected", Scale: percuss.Percent}, {ID: "hedged", Head: "Hedged", Scale: percuss.Percent}}}
	for _, c := range f.Cells {
		traces := first(f, c)
		if len(traces) == 0 {
			none := percuss.Absent("no step was judged")
			traces = []step.Trace{{Errors: none, Corrected: none}}
		}
		for _, tr := range traces {
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(c.Model), percuss.Said(string(c.Role)), percuss.Said(c.Set), percuss.Said(c.Variant), percuss.Counted(c.Items),
				percuss.Measured(c.Accuracy), percuss.Measured(c.Majority), percuss.Measured(c.ECE), percuss.Said(tr.Judge), percuss.Measured(tr.Errors), percuss.Measured(tr.Corrected),
				percuss.Measured(c.Hedged)}})
		}
	}
	if len(t.Rows) == 0 {
		t.Rows, t.Absent = []percuss.Row{}, "no chain was answered"
	}
	return t
}

// shared are the columns that a page leaves out where all rows say the same.
var shared = []string{"model", "set", "prompt", "judge", "view"}

// trimmed is a table without the columns of words that say nothing: empty in every row, or one of those that all rows share.
func trimmed(t percuss.Table) percuss.Table {
	var kept []int
	out := t
	out.Columns, out.Rows = nil, nil
	for i, c := range t.Columns {
		if says(t, i) {
			kept, out.Columns = append(kept, i), append(out.Columns, c)
		}
	}
	for _, r := range t.Rows {
		of := r
		of.Cells = nil
		for _, i := range kept {
			if i < len(r.Cells) {
				of.Cells = append(of.Cells, r.Cells[i])
			}
		}
		out.Rows = append(out.Rows, of)
	}
	return out
}

// says tells whether a column is worth showing.
func says(t percuss.Table, i int) bool {
	c := t.Columns[i]
	if c.Scale != percuss.Words && c.Scale != "" || len(t.Rows) == 0 {
		return true
	}
	text := func(r percuss.Row) string {
		if i < len(r.Cells) {
			return r.Cells[i].Text
		}
		return ""
	}
	same := !slices.ContainsFunc(t.Rows, func(r percuss.Row) bool { return text(r) != text(t.Rows[0]) })
	if same && text(t.Rows[0]) == "" {
		return false
	}
	return !same || i == 0 || !slices.Contains(shared, c.ID)
}
