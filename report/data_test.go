package report

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestDataThatWasDropped(t *testing.T) {
	if got := (Data{Set: "demo", Rows: 3, Drawn: 3}).Dropped(); len(got) != 0 {
		t.Errorf("nothing was left out: %q", got)
	}
	d := Data{Set: "mine", Split: "dev", File: "=m.jsonl", SHA256: "ab", Rows: 9, Bad: 1, Drawn: 4,
		LeftOut: map[string]int{"repeats another": 2, "names the gold": 120}, Remarks: map[string]int{"gold-told": 3}}
	want := []string{"Findings or sentences of the drawn cases left out: 120 (names the gold)",
		"Findings or sentences of the drawn cases left out: 2 (repeats another)", "Drawn items with the loader's remark gold-told: 3"}
	if diff := cmp.Diff(want, d.Dropped()); diff != "" {
		t.Error(diff)
	}
	dir := t.TempDir()
	if err := WriteData(dir, []Data{d, {Set: "none"}}); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "data.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil || len(rows) != 1+6+3 {
		t.Fatalf("%q, %v", rows, err)
	}
	mine := []string{"mine", "dev", "'=m.jsonl", "ab"} // no formula for a spreadsheet
	for i, rest := range [][]string{{"rows", "", "9"}, {"bad", "", "1"}, {"drawn", "", "4"}, {"left_out", "names the gold", "120"},
		{"left_out", "repeats another", "2"}, {"remark", "gold-told", "3"}} {
		if diff := cmp.Diff(append(mine[:4:4], rest...), rows[1+i]); diff != "" {
			t.Error(diff)
		}
	}
	if err := WriteData(filepath.Join(dir, "gone"), nil); err == nil {
		t.Error("a folder that is not there is no error")
	}
}
