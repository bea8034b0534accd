package cases

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/percuss/percuss/report"
)

// WriteCSV writes one file for every table into the folder, which it makes if need be. Every file has the same rows
// whether or not it has any but its head. A missing value is an empty cell.
func WriteCSV(dir string, r Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the tables: %w", err)
	}
	for _, t := range allTables(r) {
		if err := report.WriteTable(filepath.Join(dir, t.ID+".csv"), t.csv()); err != nil {
			return fmt.Errorf("write table %s: %w", t.ID, err)
		}
	}
	return nil
}

// csv is the table with a head.
func (t table) csv() [][]string {
	var head []string
	for _, c := range t.Columns {
		head = append(head, c.csvHead()...)
	}
	rows := [][]string{head}
	for _, entries := range t.Rows {
		var row []string
		for i, c := range t.Columns {
			row = append(row, c.csv(entries[i])...)
		}
		rows = append(rows, row)
	}
	return rows
}
