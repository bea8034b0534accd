package figure

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
)

// Chart is a chart of horizontal bars or points, in panels that share one axis.
type Chart struct {
	ID, Title, Caption string
	Percent            bool    // values are shares, shown in percent
	Axis               string  // what the axis measures, with its unit
	Sample             string  // what the chart rests on, such as "20 cases"; empty: the rows say it
	Most               float64 // end of the axis; 0: what the values need
	Points             bool    // points instead of bars
	Mark               string  // what the marks stand for, in words; empty: there are none
	Panels             []Panel
}

// Panel is one part of a chart.
type Panel struct {
	Title string
	Bars  []Bar
}

// Bar is one row. A missing value is drawn as an en dash with its reason.
type Bar struct {
	Label, Class string // Class is one of the style sheet's; empty: the plain colour
	Estimate     percuss.Estimate
	Mark         percuss.Number // a diamond beside the value, such as what chance would give
	Text         string         // the numbers in words, right of the plot
	Joined       bool           // by a line to the row above, where both have values
}

// The sizes of a chart, in the units of its view box.
const (
	chartLabel = 310.0
	chartPlot  = 280.0
	chartText  = 310.0
	chartRow   = 24.0
	chartHead  = 30.0
	chartFoot  = 26.0
	axisHeight = 12.0 // of what an axis measures, below its numbers
)

// chartView is a chart laid out.
type chartView struct {
	Chart
	Class         string
	Width, Height string
	Left, TextX   string
	Heads         []placed
	Ticks         []tickLine
	Rows          []barView
	Axes          []placed
}

// placed is a text at a place.
type placed struct{ Text, X, Y string }

// tickLine is a line of the grid with its number at the foot.
type tickLine struct{ Label, X, Top, Bottom, TextY, Anchor string }

// barView is a row laid out.
type barView struct {
	Label, Class, Text, Whole string
	TextY, Y, Width, Mid      string
	Missing, Point, HasRange  bool
	X, Lo, Hi                 string
	Diamond                   string // points of the mark; empty: none
	FromX, FromY              string // where the line that joins it to the row above begins; empty: there is none
}

// Draw draws the chart; nothing when no panel has a row.
func (c Chart) Draw() ([]Drawing, error) {
	v := chartView{Chart: c, Class: "chart", Width: at(chartLabel + chartPlot + chartText), Left: at(chartLabel), TextX: at(chartLabel + chartPlot + 12)}
	end, step := c.axis()
	y := 4.0
	for _, p := range c.Panels {
		if len(p.Bars) == 0 {
			continue
		}
		if p.Title != "" {
			v.Heads = append(v.Heads, placed{p.Title, "0", at(y + 18)})
			y += chartHead
		}
		top := y
		for i, b := range p.Bars {
			row := c.row(b, y, end)
			if k := len(v.Rows) - 1; b.Joined && i > 0 && !row.Missing && !v.Rows[k].Missing {
				row.FromX, row.FromY = v.Rows[k].X, v.Rows[k].Mid
			}
			v.Rows = append(v.Rows, row)
			y += chartRow
		}
		for x := 0.0; x <= end*1.0001; x += step {
			v.Ticks = append(v.Ticks, tickLine{c.tick(x), at(chartLabel + x/end*chartPlot), at(top), at(y), at(y + 15), "middle"})
		}
		y += chartFoot
	}
	if len(v.Rows) == 0 {
		return nil, nil
	}
	if c.Axis != "" {
		v.Axes = append(v.Axes, placed{c.Axis, at(chartLabel + chartPlot/2), at(y + 4)})
		y += axisHeight
	}
	v.Height = at(y)
	caption := c.Caption + " Lines are intervals."
	if c.Mark != "" {
		caption += " Diamonds: " + c.Mark + "."
	}
	return wide(newDrawing(c.ID, c.Title, rests(caption, c.Sample), "chart", v, c.data()))
}

// wide is a drawing that a page lets scroll.
func wide(d Drawing, err error) ([]Drawing, error) {
	d.Wide = true
	return []Drawing{d}, err
}

// data are the numbers drawn.
func (c Chart) data() percuss.Table {
	scale := percuss.Hundredths
	if c.Percent {
		scale = percuss.Percent
	}
	t := percuss.Table{Columns: []percuss.Column{{ID: "panel", Head: "Part"}, {ID: "row", Head: "Row"}, {ID: "value", Head: "Value", Scale: scale}}}
	if c.Mark != "" {
		t.Columns = append(t.Columns, percuss.Column{ID: "mark", Head: "Diamond", Scale: scale, Bare: true})
	}
	for _, p := range c.Panels {
		for _, b := range p.Bars {
			cells := []percuss.Cell{percuss.Said(p.Title), percuss.Said(b.Label), percuss.Measured(b.Estimate)}
			if c.Mark != "" {
				cells = append(cells, percuss.Valued(b.Mark))
			}
			t.Rows = append(t.Rows, percuss.Row{Cells: cells})
		}
	}
	return t
}

// row lays out one row whose top is y.
func (c Chart) row(b Bar, y, end float64) barView {
	place := func(v float64) float64 { return chartLabel + min(max(v/end, 0), 1)*chartPlot }
	v := barView{Label: fit(b.Label, 50), Class: b.Class, Text: fit(b.Text, 52), Whole: b.Label + ": " + b.Text, TextY: at(y + 16),
		Y: at(y + 4), Mid: at(y + chartRow/2), Point: c.Points}
	if v.Class == "" {
		v.Class = "plain"
	}
	if m, ok := b.Mark.Get(); ok {
		x, mid := place(m), y+chartRow/2
		v.Diamond = fmt.Sprintf("%s,%s %s,%s %s,%s %s,%s", at(x-5), at(mid), at(x), at(mid-6), at(x+5), at(mid), at(x), at(mid+6))
	}
	value, ok := b.Estimate.Value.Get()
	if !ok {
		v.Missing = true
		return v
	}
	v.X, v.Width = at(place(value)), at(place(value)-chartLabel)
	lo, okLo := b.Estimate.Lo.Get()
	hi, okHi := b.Estimate.Hi.Get()
	if v.HasRange = okLo && okHi; v.HasRange {
		v.Lo, v.Hi = at(place(lo)), at(place(hi))
	}
	return v
}

// axis is where the axis ends and the step of its grid.
func (c Chart) axis() (end, step float64) {
	most := 0.0
	for _, p := range c.Panels {
		for _, b := range p.Bars {
			for _, n := range []percuss.Number{b.Estimate.Value, b.Estimate.Hi, b.Mark} {
				most = max(most, n.Or(0))
			}
		}
	}
	if c.Most > 0 {
		most = c.Most
	}
	if most < 1e-9 {
		most = 1
	}
	most = min(most, 1e12) // what no margin reaches, and far from where a sum overflows
	unit := math.Pow(10, math.Floor(math.Log10(most)))
	for _, s := range []float64{0.1, 0.2, 0.25, 0.5, 1, 2, 2.5, 5} {
		if step = s * unit; most/step <= 5 {
			break
		}
	}
	return math.Ceil(most/step-1e-9) * step, step
}

// tick is the number at a line of the grid.
func (c Chart) tick(x float64) string {
	if c.Percent {
		return fmt.Sprintf("%.4g %%", math.Round(1e6*x)/1e4)
	}
	return fmt.Sprintf("%.4g", math.Round(1e9*x)/1e9)
}
