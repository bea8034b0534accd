package percuss

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// An empty table is written with empty lists, by value, by pointer and inside another value; what it holds comes back.
func TestTableJSON(t *testing.T) {
	full := Table{ID: "t", Title: "a < b & c", Columns: []Column{{ID: "x", Head: "X", Scale: Rate}},
		Rows: []Row{{Cells: []Cell{Measured(Absent("nothing fired"))}, Head: true}}, Notes: []string{"n"}, Long: true}
	for name, v := range map[string]any{"value": Table{ID: "e"}, "pointer": &Table{ID: "e"}, "within": struct{ Tables []Table }{[]Table{{ID: "e"}}}} {
		got, err := json.Marshal(v)
		if err != nil || !strings.Contains(string(got), `"columns":[],"rows":[]`) || strings.Contains(string(got), "null") {
			t.Errorf("%s: %s, %v", name, got, err)
		}
	}
	data, err := json.Marshal(full)
	var back Table
	if err != nil || json.Unmarshal(data, &back) != nil || !reflect.DeepEqual(back, full) {
		t.Errorf("%+v came back as %+v, %v", full, back, err)
	}
	// Whether <, > and & are escaped is for the encoder to say that the table is given to.
	var plain, escaped bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	if err := e.Encode(full); err != nil || !strings.Contains(plain.String(), "a < b & c") {
		t.Errorf("%s, %v", plain.String(), err)
	}
	if err := json.NewEncoder(&escaped).Encode(full); err != nil || strings.ContainsAny(escaped.String(), "<>&") {
		t.Errorf("%s, %v", escaped.String(), err)
	}
}
