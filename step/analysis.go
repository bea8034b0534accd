package step

import (
	"slices"

	"github.com/percuss/percuss"
)

// analyses are all tables, in the order of the report. What has nothing to show says why.
func (s *summary) analyses() []percuss.Analysis {
	return []percuss.Analysis{s.comparisons(), s.grid(), s.answers(), s.calibration(), s.trace(), s.position(), s.hedging(), s.controls(), s.leak(), s.judges(), s.checks(), s.expertCheck()}
}

// Columns that say what a row is of.
var cellColumns = []percuss.Column{column("model", "Model", percuss.Words), column("set", "Data set", percuss.Words), column("prompt", "Prompt", percuss.Words)}

func column(id, head string, scale percuss.Scale) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: scale}
}

// plainColumn is a column of numbers without interval and sample.
func plainColumn(id, head string, scale percuss.Scale) percuss.Column {
	return percuss.Column{ID: id, Head: head, Scale: scale, Bare: true}
}

// ofCells are the columns of a table with rows of cells, and its own.
func ofCells(own ...percuss.Column) []percuss.Column { return slices.Concat(cellColumns, own) }

// cellRow is a row of a cell.
func cellRow(c Cell, own ...percuss.Cell) percuss.Row {
	return percuss.Row{Cells: append([]percuss.Cell{percuss.Said(c.Model), percuss.Said(c.Set), percuss.Said(c.Variant)}, own...)}
}

// explained is a table that says why it has no rows, where it has none.
func explained(t percuss.Table, why string) percuss.Table {
	t.Absent = ""
	if len(t.Rows) == 0 {
		t.Rows, t.Absent = []percuss.Row{}, why
	}
	return t
}

// noCells is why a table has no rows.
const noCells = "no chain was answered"

// share is a count over a count, without an interval: it describes the run.
func share(k, n float64, why string) percuss.Estimate {
	if !(n > 0) {
		return percuss.Absent(why)
	}
	return percuss.Estimate{Value: percuss.Num(k / n), Num: percuss.Num(k), Den: percuss.Num(n)}
}
