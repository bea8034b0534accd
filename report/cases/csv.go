package cases

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/percuss/percuss/report"
)

// WriteCSV writes one file for every table into the folder, which it makes if need be. Every file has the same columns
// whether or not it has any row. A missing value is an empty cell.
func WriteCSV(dir string, r Report) error {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the tables: %w", err)
	}
	for _, t := range allTables(r) {
		if err := report.WriteTable(filepath.Join(dir, t.ID+".csv"), report.TableCSV(t)); err != nil {
			return fmt.Errorf("write table %s: %w", t.ID, err)
		}
	}
	return nil
}
