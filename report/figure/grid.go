package figure

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// Grid is a table of figures, a column for each kind of figure.
type Grid struct {
	ID, Title, Caption string
	Sample             string   // what the grid rests on, such as "20 cases"; empty: the cells say it
	Shades             string   // what the colours measure, with its unit
	Columns            []string // heads; a line break parts them in two
	Rows               []GridRow
}

// GridRow is one row.
type GridRow struct {
	Title string // what stands after the first comma goes into a second line
	Cells []GridCell
}

// GridCell is one figure: as it is shown, a second line for its interval or count, and its place from 0 to 1 on the
// colours' scale, where it has one.
type GridCell struct {
	Shown, Under string
	Scale        percuss.Number
}

// The sizes of a grid, in the units of its view box.
const (
	gridLabel  = 190
	gridColumn = 96
	gridRow    = 40
	gridHead   = 40
)

// Draw draws the grid; nothing when there is no row.
func (g Grid) Draw() ([]Drawing, error) {
	if len(g.Rows) == 0 || len(g.Columns) == 0 {
		return nil, nil
	}
	v := struct {
		Grid
		Width, Height int
		Heads         []placed
		Rows          []row
		Key           shades
	}{Grid: g, Width: gridLabel + max(gridColumn*len(g.Columns), 270), Height: gridHead + gridRow*len(g.Rows) + shadesHeight}
	v.Key = newShades(cmp.Or(g.Shades, "share"), gridLabel+2, float64(gridHead+gridRow*len(g.Rows)), 0.4, func(v float64) string { return fmt.Sprintf("%.0f %%", 100*v) })
	for i, c := range g.Columns {
		x := at(gridLabel + gridColumn*(float64(i)+0.5))
		first, second, _ := strings.Cut(c, "\n")
		v.Heads = append(v.Heads, placed{first, x, "15"}, placed{second, x, "31"})
	}
	for i, r := range g.Rows {
		v.Rows = append(v.Rows, g.row(r, float64(gridHead+gridRow*i)))
	}
	return wide(newDrawing(g.ID, g.Title, rests(g.Caption+" Deeper colour and a longer bar at the foot: a larger share. A dashed cell with an en dash has nothing to show.", g.Sample),
		"grid", v, g.data()))
}

// data are the figures as they are shown, cell by cell.
func (g Grid) data() percuss.Table {
	t := percuss.Table{Columns: []percuss.Column{{ID: "row", Head: "Row"}, {ID: "column", Head: "Column"}, {ID: "value", Head: "Value", Scale: percuss.Decimal, Bare: true},
		{ID: "shown", Head: "Shown"}, {ID: "below", Head: "Below it"}}}
	for _, r := range g.Rows {
		for i, column := range g.Columns {
			var c GridCell
			if i < len(r.Cells) {
				c = r.Cells[i]
			}
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(r.Title), percuss.Said(strings.ReplaceAll(column, "\n", " ")),
				percuss.Valued(c.Scale), percuss.Said(c.Shown), percuss.Said(c.Under)}})
		}
	}
	return t
}

// row lays out one row; a cell that is not there is drawn as missing.
func (g Grid) row(r GridRow, top float64) row {
	first, second, _ := strings.Cut(r.Title, ", ")
	out := row{Title: r.Title, First: fit(first, 34), Second: fit(second, 40), Y1: at(top + 17), Y2: at(top + 31)}
	for i, column := range g.Columns {
		x := float64(gridLabel + gridColumn*i)
		head := strings.ReplaceAll(column, "\n", " ")
		c := cell{Missing: true, Shown: "–", Title: r.Title + ", " + head + ": –", X: at(x + 2), Y: at(top + 2), Mid: at(x + gridColumn/2),
			Y1: at(top + 17), Y2: at(top + 30), BarTop: at(top + gridRow - 6)}
		if i < len(r.Cells) && r.Cells[i].Shown != "" && r.Cells[i].Shown != "–" {
			of := r.Cells[i]
			c.Missing, c.Shown, c.Count, c.Depth = false, of.Shown, of.Under, "0.05"
			c.Title = strings.TrimSpace(fmt.Sprintf("%s, %s: %s %s", r.Title, head, of.Shown, of.Under))
			if s, ok := of.Scale.Get(); ok {
				s = min(max(s, 0), 1)
				c.Bar, c.Depth = at(s*(gridColumn-4)), fmt.Sprintf("%.2f", 0.05+0.4*s)
			}
		}
		out.Cells = append(out.Cells, c)
	}
	return out
}
