package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// tableOf returns a table of the findings; every table must have one cell a column and columns of different ids.
func tableOf(t *testing.T, f Findings, id string) percuss.Table {
	t.Helper()
	var found []percuss.Table
	ids := map[string]bool{}
	for _, a := range f.Analyses {
		for _, table := range a.Tables {
			checkTable(t, table)
			if ids[table.ID] {
				t.Errorf("two tables %s", table.ID)
			}
			ids[table.ID] = true
			if table.ID == id {
				found = append(found, table)
			}
		}
	}
	if len(found) != 1 {
		t.Fatalf("%d tables %q", len(found), id)
	}
	return found[0]
}

// checkTable holds what every rendering relies on.
func checkTable(t *testing.T, table percuss.Table) {
	t.Helper()
	seen := map[string]bool{}
	for _, c := range table.Columns {
		if c.ID == "" || c.Head == "" || c.Scale == "" || seen[c.ID] {
			t.Errorf("%s: column %+v", table.ID, c)
		}
		seen[c.ID] = true
	}
	if table.Title == "" || table.About == "" || (len(table.Rows) == 0) != (table.Absent != "") {
		t.Errorf("%s: title %q, about %q, %d rows, absent %q", table.ID, table.Title, table.About, len(table.Rows), table.Absent)
	}
	for i, r := range table.Rows {
		if len(r.Cells) != len(table.Columns) {
			t.Errorf("%s: row %d has %d cells for %d columns", table.ID, i, len(r.Cells), len(table.Columns))
			continue
		}
		for j, c := range r.Cells {
			if words := table.Columns[j].Scale == percuss.Words; !words && c.Text != "" || words && c.Estimate.Value.OK() {
				t.Errorf("%s: row %d, %s: %+v does not fit its column", table.ID, i, table.Columns[j].ID, c)
			}
		}
	}
}

// cellAt returns a cell by the words of its row's first columns and the id of its column.
func cellAt(t *testing.T, table percuss.Table, column string, row ...string) percuss.Cell {
	t.Helper()
	at := slices.IndexFunc(table.Columns, func(c percuss.Column) bool { return c.ID == column })
	if at < 0 {
		t.Fatalf("%s: no column %s", table.ID, column)
	}
	for _, r := range table.Rows {
		match := true
		for i, words := range row {
			match = match && i < len(r.Cells) && r.Cells[i].Text == words
		}
		if match {
			return r.Cells[at]
		}
	}
	t.Fatalf("%s: no row %s", table.ID, strings.Join(row, ", "))
	return percuss.Cell{}
}

func TestDistinct(t *testing.T) {
	columns := distinct([]percuss.Column{headed("model", "a", "text"), headed("model", "b", "rate"), headed("model_2", "c", "rate"), headed("model", "d", "rate")})
	var got []string
	for _, c := range columns {
		got = append(got, c.ID)
	}
	if !slices.Equal(got, []string{"model", "model_2", "model_2_2", "model_3"}) {
		t.Error(got)
	}
}

func TestMarkExtreme(t *testing.T) {
	row := func(v percuss.Number, head bool) percuss.Row {
		return percuss.Row{Cells: []percuss.Cell{percuss.Valued(v)}, Head: head}
	}
	for _, c := range []struct {
		mark string
		want string
	}{{"max", "max max - - - -"}, {"min", "- - - min - -"}} {
		// The first two are printed alike; the row that stands apart has no part in it.
		rows := []percuss.Row{row(percuss.Num(0.70041), false), row(percuss.Num(0.69961), false), row(percuss.Num(0.9), true),
			row(percuss.Num(0.2), false), row(percuss.Number{}, false), row(percuss.Num(0.3), false)}
		markExtreme(rows, 0, c.mark)
		var got []string
		for _, r := range rows {
			got = append(got, map[bool]string{true: "-", false: r.Cells[0].Mark}[r.Cells[0].Mark == ""])
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %s", c.mark, got)
		}
	}
	for name, rows := range map[string][]percuss.Row{"one alone": {row(percuss.Num(0.2), false)},
		"most share it": {row(percuss.Num(0.2), false), row(percuss.Num(0.2), false), row(percuss.Num(0.3), false)}} {
		markExtreme(rows, 0, "min")
		if rows[0].Cells[0].Mark != "" {
			t.Errorf("%s: marked", name)
		}
	}
}

// TestFlipsUnderFurtherPrompts: the leading table of flips has a column a model, the other prompts a table each.
func TestFlipsUnderFurtherPrompts(t *testing.T) {
	b := paperBattery()
	var records []Record
	for _, variant := range []string{"neutral", "strict"} {
		for _, name := range []string{"m", "n"} {
			r := record("s", "i", "A", "A", "", b, edit{id: "M5-a", answer: map[bool]string{true: "B", false: "A"}[variant == "strict"]})
			r.Subject.Model, r.Subject.Variant = name, variant
			records = append(records, r)
		}
	}
	f := summarised(t, Options{Battery: b}, records...)
	for id, want := range map[string]float64{"flip_families": 0, "flip_families_strict": 1} {
		table := tableOf(t, f, id)
		if len(table.Columns) != 5 || table.Columns[3].Head != "m" || table.Long != (want == 1) {
			t.Errorf("%s has the columns %v, long: %v", id, table.Columns, table.Long)
		}
		near(t, id, cellAt(t, table, "m", "M5").Estimate.Value, want)
	}
}
