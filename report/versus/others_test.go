package versus

import (
	"fmt"
	"strings"
	"testing"
)

// An edit that each run made in another version is named and is in no figure; the others are.
func TestOtherEdits(t *testing.T) {
	side := func(name, word string, versions map[string]string) Run {
		r := runOf(name, line{item: "1", answer: "A", ops: map[string]string{"M1": word, "M5": word, "F1": "stays"}}, line{item: "2", answer: "A", ops: map[string]string{"M1": "stays", "M5": "stays", "F1": "stays"}})
		r.Versions = versions
		return r
	}
	before := map[string]string{"M1": "M1/1", "M5": "M5/1", "gone": "x"}
	all := compared(t, side("a", "stays", before), side("b", "moves", map[string]string{"M5": "M5/1", "new": "y"}), nil)
	one := compared(t, side("a", "stays", before), side("b", "moves", map[string]string{"M1": "M1/2", "M5": "M5/1"}), nil)
	if len(all.Others) != 0 || len(all.Items[0].Trials) != 2 {
		t.Errorf("the same versions: %+v, %+v", all.Others, all.Items[0].Trials)
	}
	if len(one.Others) != 1 || one.Others[0] != (OtherEdit{"M1", "M1/1", "M1/2"}) || len(one.Items[0].Trials) != 1 || one.Items[0].Trials[0].Operator != "M5" {
		t.Errorf("M1 in another version: %+v, %+v", one.Others, one.Items[0].Trials)
	}
	if want := "Edited in another way in each run, and so in no figure: M1 (version M1/1, then M1/2)."; one.Lead[0] != want {
		t.Errorf("%q, want %q", one.Lead[0], want)
	}
	if got, want := fmt.Sprint(rowsOf(all, "moves"), rowsOf(one, "moves")), "[all edits F1 M1 M5] [all edits F1 M5]"; got != want {
		t.Errorf("rows %s, want %s", got, want)
	}
	for c, want := range map[*Comparison]float64{&all: 2.0 / 6, &one: 1.0 / 4} {
		for _, table := range c.Tables {
			if table.ID == "moves" {
				if got := table.Rows[0].Cells[5].Estimate.Value.Or(-1); got != want {
					t.Errorf("edits move %g of the answers after, want %g", got, want)
				}
			}
		}
	}
}

// rowsOf are the edits that a table has a row of.
func rowsOf(c Comparison, id string) []string {
	var out []string
	for _, table := range c.Tables {
		for _, r := range table.Rows {
			if table.ID == id {
				out = append(out, r.Cells[3].Text)
			}
		}
	}
	return out
}

func TestManyOtherEdits(t *testing.T) {
	var all []OtherEdit
	for i := range mostOthers + 2 {
		all = append(all, OtherEdit{fmt.Sprint("M", i), "1", "2"})
	}
	if said := otherEdits(all); !strings.HasSuffix(said, "M7 (version 1, then 2) and 2 more.") {
		t.Errorf("%q", said)
	}
}
