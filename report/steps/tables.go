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
	out := summaryTables(r.Findings)
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

// summaryTables set the models side by side: answers, and what each judge says of the steps.
func summaryTables(f step.Findings) []percuss.Table {
	of := []percuss.Column{{ID: "model", Head: "Model", Scale: percuss.Words}, {ID: "role", Head: "Role", Scale: percuss.Words}, {ID: "set", Head: "Data set", Scale: percuss.Words},
		{ID: "prompt", Head: "Prompt", Scale: percuss.Words}}
	answers := percuss.Table{ID: "summary", Title: "Answers, side by side", About: "A row for each model. Vote: of all chains of an item. Hedged: of the steps as they were written.",
		Columns: append(slices.Clone(of), percuss.Column{ID: "items", Head: "Items", Scale: percuss.Whole}, percuss.Column{ID: "accuracy", Head: "One chain", Scale: percuss.Percent},
			percuss.Column{ID: "majority", Head: "Vote", Scale: percuss.Percent}, percuss.Column{ID: "ece", Head: "ECE", Scale: percuss.Rate}, percuss.Column{ID: "hedged", Head: "Hedged", Scale: percuss.Percent})}
	judged := percuss.Table{ID: "summary_steps", Title: "Steps, side by side", About: "A row for each model and judge, under the first way of showing the steps. Corrected: for what is known of the judge.",
		Columns: append(slices.Clone(of), percuss.Column{ID: "judge", Head: "Judge", Scale: percuss.Words}, percuss.Column{ID: "steps", Head: "Steps", Scale: percuss.Whole},
			percuss.Column{ID: "errors", Head: "Error rate", Scale: percuss.Percent}, percuss.Column{ID: "corrected", Head: "Corrected", Scale: percuss.Percent},
			percuss.Column{ID: "chains", Head: "Chains with an error", Scale: percuss.Percent})}
	for _, c := range f.Cells {
		row := []percuss.Cell{percuss.Said(c.Model), percuss.Said(string(c.Role)), percuss.Said(c.Set), percuss.Said(c.Variant)}
		answers.Rows = append(answers.Rows, percuss.Row{Cells: append(slices.Clone(row), percuss.Counted(c.Items), percuss.Measured(c.Accuracy), percuss.Measured(c.Majority),
			percuss.Measured(c.ECE), percuss.Measured(c.Hedged))})
		for _, t := range first(f, c) {
			judged.Rows = append(judged.Rows, percuss.Row{Cells: append(slices.Clone(row), percuss.Said(t.Judge), percuss.Counted(t.Steps), percuss.Measured(t.Errors), percuss.Measured(t.Corrected),
				percuss.Measured(t.Chains))})
		}
	}
	if len(answers.Rows) == 0 {
		answers.Rows, answers.Absent = []percuss.Row{}, "no chain was answered"
	}
	if len(judged.Rows) == 0 {
		judged.Rows, judged.Absent = []percuss.Row{}, "no step was judged"
	}
	return []percuss.Table{answers, judged}
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
