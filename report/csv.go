package report

import (
	"encoding/csv"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// WriteCSV writes metrics.csv, operators.csv, joint.csv and calls.csv into the folder, which it makes if need be, and a
// file for each table of the analyses. Where a table has the name of one of those four or of data.csv, its file is named
// NAME_table.csv. A missing value is an empty cell. A cell of text that a spreadsheet would take for a formula gets an
// apostrophe in front.
func WriteCSV(dir string, r Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the tables: %w", err)
	}
	all := levels(r.Findings)
	type file struct {
		name string
		rows [][]string
	}
	written := []file{{"metrics.csv", metricRows(all)}, {"operators.csv", operatorRows(all)}, {"joint.csv", jointRows(all)},
		{"calls.csv", callRows(r.Calls)}}
	taken := map[string]bool{"data.csv": true}
	for _, f := range written {
		taken[f.name] = true
	}
	for _, t := range Tables(r.Findings) {
		if len(t.Columns) == 0 {
			continue // an analysis that is not available
		}
		name := t.ID + ".csv"
		if taken[name] {
			name = t.ID + "_table.csv"
		}
		written = append(written, file{name, TableCSV(t)})
	}
	for _, t := range written {
		if err := WriteTable(filepath.Join(dir, t.name), t.rows); err != nil {
			return fmt.Errorf("write the table: %w", err)
		}
	}
	return nil
}

// WriteTable writes one CSV file. A cell of text that a spreadsheet would take for a formula gets an apostrophe in
// front.
func WriteTable(name string, rows [][]string) (err error) {
	f, err := os.Create(name)
	if err != nil {
		return err
	}
	defer func() {
		if e := f.Close(); err == nil {
			err = e
		}
	}()
	return WriteRows(f, rows)
}

// WriteRows writes the rows of a CSV file as WriteTable does.
func WriteRows(w io.Writer, rows [][]string) error {
	for _, row := range rows {
		for i := range row {
			row[i] = inert(row[i])
		}
	}
	return csv.NewWriter(w).WriteAll(rows)
}

// inert quotes a cell that begins like a formula. A plain number stays a number.
func inert(cell string) string {
	if cell == "" || !strings.ContainsAny(cell[:1], "=+-@\t\r\n") {
		return cell
	}
	if _, err := strconv.ParseFloat(cell, 64); err == nil && cell[0] == '-' {
		return cell
	}
	return "'" + cell
}

// groupHead are the columns that say which group a row is of.
var groupHead = []string{"level", "group", "variant", "model", "set", "tier", "items"}

func groupCells(g level) []string {
	return []string{g.Kind, g.Name, g.Variant, g.Model, g.Set, g.Tier, strconv.Itoa(g.Items)}
}

func estimateHead(p string) []string {
	return []string{p, p + "_lo", p + "_hi", p + "_num", p + "_den", p + "_n"}
}

func estimateCells(e percuss.Estimate) []string {
	return []string{cell(e.Value), cell(e.Lo), cell(e.Hi), cell(e.Num), cell(e.Den), strconv.Itoa(e.N)}
}

// levelCell is blank where there is no interval: 0 would read as a level.
func levelCell(e percuss.Estimate) string {
	if !e.Lo.OK() || !e.Hi.OK() || e.Level == 0 {
		return ""
	}
	return strconv.FormatFloat(e.Level, 'g', -1, 64)
}

func cell(n percuss.Number) string {
	v, ok := n.Get()
	if !ok {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func join(parts ...[]string) []string {
	var out []string
	for _, p := range parts {
		out = append(out, p...)
	}
	return out
}

func metricRows(all []level) [][]string {
	rows := [][]string{join(groupHead, []string{"metric", "scope"}, estimateHead("value"),
		[]string{"level_of_interval", "method", "warnings", "why_missing", "stem"})}
	for _, g := range all {
		for _, m := range g.Metrics {
			rows = append(rows, join(groupCells(g), []string{m.ID, m.Scope}, estimateCells(m.Estimate),
				[]string{levelCell(m.Estimate), m.Method, strings.Join(m.Warnings, "; "), m.Why, string(m.Stem)}))
		}
	}
	return rows
}

func operatorRows(all []level) [][]string {
	rows := [][]string{join(groupHead, []string{"row", "id", "title", "intent", "locus", "tried", "fired", "parsed",
		"mixed", "mixed_flips", "marker_edits"}, estimateHead("rate"), estimateHead("afr"), estimateHead("accuracy"),
		estimateHead("delta"), estimateHead("margin_change"),
		[]string{"stem", "published_rate_lo", "published_rate_hi", "published_rate_of"})}
	for _, g := range all {
		for _, table := range g.firing() {
			for _, f := range table.Rows {
				rows = append(rows, join(groupCells(g), []string{table.Kind, f.ID, f.Title, string(f.Intent), string(f.Locus)},
					ints(f.Items, f.Fired, f.Parsed, f.Mixed, f.MixedFlips, f.Marker), estimateCells(f.Rate),
					estimateCells(f.AFR), estimateCells(f.Acc), estimateCells(f.Delta), estimateCells(f.Margin),
					[]string{string(f.Stem)}, publishedCells(f)))
			}
		}
	}
	return rows
}

// publishedCells are the paper's firing rate, blank where it prints none.
func publishedCells(f chain.Firing) []string {
	if f.Published == nil {
		return []string{"", "", ""}
	}
	return []string{cell(f.Published.Lo), cell(f.Published.Hi), f.Published.Of}
}

func jointRows(all []level) [][]string {
	rows := [][]string{join(groupHead, []string{"rule", "family", "fired", "parsed", "dropped"}, estimateHead("a"),
		estimateHead("b"), estimateHead("c"), estimateHead("d"), []string{"cdr_if_dropped_flipped", "cdr_if_dropped_kept",
			"stem"})}
	for _, g := range all {
		for _, j := range g.Joint {
			rows = append(rows, join(groupCells(g), []string{j.Rule, j.Family}, ints(j.Fired, j.Parsed, j.Dropped),
				estimateCells(j.A), estimateCells(j.B), estimateCells(j.C), estimateCells(j.D),
				[]string{cell(j.Lowest), cell(j.Highest), string(j.Stem)}))
		}
	}
	return rows
}

func callRows(all []Calls) [][]string {
	rows := [][]string{{"model", "counted", "name", "n"}}
	for _, c := range all {
		add := func(what, name string, n int) {
			rows = append(rows, []string{c.Model, what, name, strconv.Itoa(n)})
		}
		add("requests", "", c.Requests)
		for _, o := range c.Outcomes {
			add("outcome", o.Name, o.N)
		}
		add("letters", "answered", c.Letters)
		add("letters", "censored", c.Censored)
		add("beginnings", "all", c.Begun)
		add("beginnings", "quoted", c.Quoted)
		add("chains", "all", c.Chains)
		add("chains", "cut", c.Cut)
		add("edits", "waiting", c.Waiting)
		for _, o := range c.Reported {
			add("reported", o.Name, o.N)
		}
	}
	return rows
}

func ints(all ...int) []string {
	out := make([]string, len(all))
	for i, n := range all {
		out[i] = strconv.Itoa(n)
	}
	return out
}
