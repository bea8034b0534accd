package cases

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// Counts are shown only where the value is their quotient.
func TestCountsAreTheQuotient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		e := percuss.Estimate{Value: percuss.Num(rapid.Float64Range(-1, 2).Draw(t, "value")), Num: percuss.Num(float64(rapid.IntRange(-1,
			9).Draw(t, "num"))), Den: percuss.Num(rapid.SampledFrom([]float64{0, 1, 2, 2.5, 8}).Draw(t, "den"))}
		if rapid.Bool().Draw(t, "fits") && e.Den.Or(0) > 0 {
			e.Value = percuss.Num(e.Num.Or(0) / e.Den.Or(1))
		}
		num, den, ok := report.Quotient(e)
		if ok && (den <= 0 || percuss.Num(float64(num)/float64(den)).Format(6) != e.Value.Format(6)) {
			t.Fatalf("%d/%d for %s", num, den, e.Value.Format(6))
		}
	})
}

// Every table has a name and a title of its own, a title for every column and as many entries as columns; what is
// missing is no row of zeros.
func TestTablesFitTheirColumns(t *testing.T) {
	ids := map[string]bool{}
	for _, table := range allTables(small()) {
		if table.ID == "" || table.Title == "" || ids[table.ID] {
			t.Errorf("table %q, title %q", table.ID, table.Title)
		}
		ids[table.ID] = true
		heads := map[string]bool{}
		for _, c := range table.Columns {
			if c.Head == "" || c.Scale == "" {
				t.Errorf("table %s: column %+v", table.ID, c)
			}
		}
		for _, head := range report.TableCSV(table)[0] {
			if head == "" || heads[head] {
				t.Errorf("table %s: column %q of its file", table.ID, head)
			}
			heads[head] = true
		}
		for _, row := range table.Rows {
			if len(row.Cells) != len(table.Columns) {
				t.Fatalf("table %s: %d cells in %d columns", table.ID, len(row.Cells), len(table.Columns))
			}
		}
		if len(table.Rows) == 0 && !slices.Contains([]string{"ranks", "rank_agreement"}, table.ID) {
			t.Errorf("table %s has no row, so that nothing here tests it", table.ID)
		}
	}
	for _, table := range allTables(Report{}) {
		if len(table.Rows) != 0 {
			t.Errorf("table %s of nothing has %d rows", table.ID, len(table.Rows))
		}
	}
	for _, table := range allTables(small()) {
		if len(table.Rows) > 0 && table.Absent != "" {
			t.Errorf("table %s is absent (%s) with %d rows", table.ID, table.Absent, len(table.Rows))
		}
	}
}

func TestCSV(t *testing.T) {
	r := small()
	r.Findings.Cells[0].Model = "=cmd|' /C calc'!A0"
	r.Findings.Ranks = &evidence.Ranks{Rows: []evidence.RankRow{{Set: "ddxplus", Models: []evidence.RankedModel{{Model: "m1",
		Accuracy: percuss.Num(0.5), ByAcc: percuss.Num(1.5)}}, Faithful: percuss.Absent("one model")}}}
	dir := filepath.Join(t.TempDir(), "tables")
	if err := WriteCSV(dir, r); err != nil {
		t.Fatal(err)
	}
	read := func(name string) []map[string]string {
		raw, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		all, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		var out []map[string]string
		for _, row := range all[1:] {
			m := map[string]string{}
			for i, head := range all[0] {
				m[head] = row[i]
			}
			out = append(out, m)
		}
		return out
	}
	for _, table := range allTables(r) {
		if n := len(read(table.ID + ".csv")); n != len(table.Rows) {
			t.Errorf("%s has %d rows, want %d", table.ID, n, len(table.Rows))
		}
	}
	first := read("accuracy.csv")[0]
	for head, want := range map[string]string{"model": "'=cmd|' /C calc'!A0", "set": "ddxplus", "cases": "42", "accuracy_num": "25", "accuracy_den": "42", "accuracy_n": "42", "margin_empty": "-1.2"} {
		if first[head] != want {
			t.Errorf("%s is %q, want %q", head, first[head], want)
		}
	}
	if row := read("cascade.csv")[0]; row["precision"] != "" || !strings.Contains(row["precision_why"], "no judgements") || row["asked"] != "90" {
		t.Errorf("a missing precision is %q because %q", row["precision"], row["precision_why"])
	}
	if row := read("ranks.csv")[0]; row["rank_accuracy"] != "1.5" || row["rank_faithful"] != "" {
		t.Errorf("ranks %v", row)
	}
}

// What a column holds decides how it is printed and what stands in its file.
func TestScalesOfTheTables(t *testing.T) {
	at := func(table percuss.Table, id string) percuss.Column {
		for _, c := range table.Columns {
			if c.ID == id {
				return c
			}
		}
		t.Fatalf("table %s has no column %s", table.ID, id)
		return percuss.Column{}
	}
	f := threeByTwo().Findings
	for _, c := range []struct {
		table percuss.Table
		id    string
		scale percuss.Scale
		bare  bool
	}{{accuracyTable(f), "accuracy", percuss.Percent, false}, {accuracyTable(f), "margin_full", percuss.Nats, false}, {accuracyTable(f), "cases", percuss.Whole, false},
		{mechanismTable(f), "strength", percuss.Nats, true}, {mechanismTable(f), "null", percuss.Percent, true}, {stabilityTable(f), "difference", percuss.ShareDiff, false},
		{stabilityTable(f), "overlap", percuss.Hundredths, false}, {panelPairs(f), "right", percuss.ShareDiff, false}, {panelPairs(f), "p", percuss.PValue, true},
		{rankTable(f), "rank_accuracy", percuss.Hundredths, true}} {
		if got := at(c.table, c.id); got.Scale != c.scale || got.Bare != c.bare {
			t.Errorf("%s of %s: %+v, want %s", c.id, c.table.ID, got, c.scale)
		}
	}
}

func TestJSONRoundTrip(t *testing.T) {
	var one, two bytes.Buffer
	if err := WriteJSON(&one, small()); err != nil {
		t.Fatal(err)
	}
	var back Report
	if err := json.Unmarshal(one.Bytes(), &back); err != nil {
		t.Fatal(err)
	}
	if back.Schema != "percuss.evidence-report/1" || len(back.Definitions) == 0 || len(back.Findings.Cells) != 2 {
		t.Errorf("schema %q, %d definitions, %d cells", back.Schema, len(back.Definitions), len(back.Findings.Cells))
	}
	if err := WriteJSON(&two, back); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one.String(), two.String()); d != "" {
		t.Error(d)
	}
}

// The shipped rules are explained; a user's own table is not explained by ours.
func TestDefinitionsOfRules(t *testing.T) {
	has := func(l evidence.Labels) bool {
		return slices.ContainsFunc(definitions(l), func(d Definition) bool { return d.ID == "rule_1" })
	}
	own := evidence.DefaultLabels()
	own.Rules = own.Rules[1:]
	if !has(evidence.DefaultLabels()) || has(own) || len(definitions(own)) < 10 {
		t.Error("the definitions do not follow the rules in force")
	}
	ids := map[string]bool{}
	for _, d := range definitions(evidence.DefaultLabels()) {
		if ids[d.ID] || d.Name == "" || d.Means == "" || d.Source == "" {
			t.Errorf("definition %+v", d)
		}
		ids[d.ID] = true
	}
}

func TestChance(t *testing.T) {
	for p, want := range map[float64]string{0: "0 %", 1e-9: "< 0.1 %", 0.25: "25 %", 0.1234: "12.3 %", 1: "100 %"} {
		if got := chance(p); got != want {
			t.Errorf("%g: %s, want %s", p, got, want)
		}
	}
	if got := report.Percent(percuss.Number{}); got != "–" {
		t.Errorf("a missing share is %q", got)
	}
}
