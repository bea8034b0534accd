package report

import (
	"testing"

	"github.com/percuss/percuss"
)

// Names of strata stay in one line, where a page with many columns would break them within a word; numbers of a column of that
// name are no names, and a long text may break.
func TestNamesDoNotBreak(t *testing.T) {
	table := percuss.Table{Columns: []percuss.Column{{ID: "stratum", Scale: percuss.Words}, {ID: "value", Scale: percuss.Words}, {ID: "says", Scale: percuss.Words}},
		Rows: []percuss.Row{{Cells: []percuss.Cell{percuss.Said("bucket"), percuss.Said("faithful"), percuss.Said("faithful")}},
			{Cells: []percuss.Cell{percuss.Said("label"), percuss.Said("background or history influence of the case"), percuss.Said("a")}}}}
	lines := pageOf(table).Lines
	for i, want := range [][]bool{{true, true, false}, {true, false, false}} {
		for j, whole := range want {
			if got := lines[i].Cells[j].Whole; got != whole {
				t.Errorf("row %d, column %d: whole %v", i, j, got)
			}
		}
	}
	if parts := partsOfName("", percuss.Column{ID: "value", Scale: percuss.Decimal}); parts != nil {
		t.Errorf("a number has parts of a name: %q", parts)
	}
}
