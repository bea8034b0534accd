package report

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
)

// Dropped says what the loader left out of the drawn items, and what it remarked on them, a sentence each.
func (d Data) Dropped() []string {
	var out []string
	for _, why := range slices.Sorted(maps.Keys(d.LeftOut)) {
		out = append(out, fmt.Sprintf("Findings or sentences of the drawn cases left out: %d (%s)", d.LeftOut[why], why))
	}
	for _, remark := range slices.Sorted(maps.Keys(d.Remarks)) {
		out = append(out, fmt.Sprintf("Drawn items with the loader's remark %s: %d", remark, d.Remarks[remark]))
	}
	return out
}

// WriteData writes data.csv into a folder that is there: what was read of each set, a count a row.
func WriteData(dir string, data []Data) error {
	rows := [][]string{{"set", "split", "file", "sha256", "count", "of", "n"}}
	for _, d := range data {
		add := func(count, of string, n int) {
			rows = append(rows, []string{d.Set, d.Split, d.File, d.SHA256, count, of, strconv.Itoa(n)})
		}
		add("rows", "", d.Rows)
		add("bad", "", d.Bad)
		add("drawn", "", d.Drawn)
		for _, why := range slices.Sorted(maps.Keys(d.LeftOut)) {
			add("left_out", why, d.LeftOut[why])
		}
		for _, remark := range slices.Sorted(maps.Keys(d.Remarks)) {
			add("remark", remark, d.Remarks[remark])
		}
	}
	if err := WriteTable(filepath.Join(dir, "data.csv"), rows); err != nil {
		return fmt.Errorf("write table data: %w", err)
	}
	return nil
}
