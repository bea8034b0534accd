package figure

import (
	"fmt"
	"math"
	"strings"
	"unicode/utf8"

	"github.com/percuss/percuss"
)

// Forest is a forest plot: differences with their intervals, a line each, around zero.
type Forest struct {
	ID, Title, Caption string
	Scale              percuss.Scale // of the differences
	Sample             string        // what the plot rests on, such as "20 items"; empty: the rows say it
	Rows               []ForestRow
}

// ForestRow is one difference.
type ForestRow struct {
	Label    string
	Estimate percuss.Estimate
}

// forestView is the plot laid out.
type forestView struct {
	Title, TextX, MidX, Foot, TickY string
	Axis, AxisY                     string
	Width, Height                   string
	Ticks                           []forestTick
	Rows                            []forestLine
}

type forestTick struct {
	Label, X string
	Zero     bool
}

type forestLine struct {
	Label, Words, Whole string
	TextY, Mid, Top     string
	X, Left, Lo, Hi     string
	Missing, Apart      bool // Apart: the interval excludes zero
}

// The sizes of a forest plot, in the units of its view box.
const (
	forestLabel = 160.0 // of the labels at least, and at most
	forestWide  = 440.0
	forestPlot  = 260.0
	forestText  = 220.0
	forestRow   = 22.0

	letterWidth = 6.4 // of a letter of a label, about
)

// labelWidth is what the longest label needs.
func (f Forest) labelWidth() float64 {
	longest := 0
	for _, r := range f.Rows {
		longest = max(longest, utf8.RuneCountInString(r.Label))
	}
	return min(max(forestLabel, letterWidth*float64(longest+2)), forestWide)
}

// signed gives a number a true minus sign.
func signed(s string) string { return strings.Replace(s, "-", "−", 1) }

// Draw draws the plot; nothing where no row has a value.
func (f Forest) Draw() ([]Drawing, error) {
	reach := 0.0
	for _, r := range f.Rows {
		for _, n := range []percuss.Number{r.Estimate.Value, r.Estimate.Lo, r.Estimate.Hi} {
			reach = max(reach, math.Abs(n.Or(0)))
		}
	}
	known := false
	data := percuss.Table{Columns: []percuss.Column{{ID: "row", Head: "Row"}, {ID: "difference", Head: "Difference", Scale: f.Scale}}}
	for _, r := range f.Rows {
		known = known || r.Estimate.Value.OK()
		data.Rows = append(data.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(r.Label), percuss.Measured(r.Estimate)}})
	}
	if !known {
		return nil, nil
	}
	d, err := newDrawing(f.ID, f.Title, rests(f.Caption+" Lines are intervals; squares: the interval leaves out zero, circles: it does not.", f.Sample), "forest", f.layOut(reach), data)
	d.Wide = true
	return []Drawing{d}, err
}

// axis is what the axis measures, with its unit.
func (f Forest) axis() string {
	switch f.Scale {
	case percuss.Points:
		return "difference, percentage points"
	case percuss.Nats:
		return "difference, nats"
	}
	return "difference of two shares"
}

func (f Forest) layOut(reach float64) forestView {
	end, step := Chart{Most: reach}.axis()
	left := f.labelWidth()
	place := func(v float64) float64 {
		return left + (min(max(v/end, -1), 1)+1)/2*forestPlot
	}
	foot := 8 + forestRow*float64(len(f.Rows))
	v := forestView{Title: f.Title, Width: at(left + forestPlot + forestText), Height: at(foot + 40), TextX: at(left + forestPlot + 12),
		MidX: at(place(0)), Foot: at(foot), TickY: at(foot + 15), Axis: f.axis(), AxisY: at(foot + 33)}
	step = max(step, end/2)
	for x := -end; x <= end*1.0001; x += step {
		v.Ticks = append(v.Ticks, forestTick{signed(fmt.Sprintf("%.3g", math.Round(1e9*x)/1e9)), at(place(x)), math.Abs(x) < step/1e6})
	}
	decimals := 3
	if f.Scale == percuss.Points {
		decimals = 1
	} else if f.Scale == percuss.Nats {
		decimals = 2
	}
	for i, r := range f.Rows {
		line := r.layOut(8+forestRow*float64(i), decimals, place)
		line.Label = fit(r.Label, int(left/letterWidth))
		v.Rows = append(v.Rows, line)
	}
	return v
}

func (r ForestRow) layOut(top float64, decimals int, place func(float64) float64) forestLine {
	e, mid := r.Estimate, top+forestRow/2
	l := forestLine{Label: r.Label, TextY: at(top + 15), Mid: at(mid), Top: at(mid - 4)}
	x, ok := e.Value.Get()
	if !ok {
		l.Missing, l.Whole = true, r.Label+": –"
		return l
	}
	lo, hi := e.Lo.Or(x), e.Hi.Or(x)
	l.X, l.Left, l.Lo, l.Hi = at(place(x)), at(place(x)-4), at(place(lo)), at(place(hi))
	l.Apart = e.Lo.OK() && e.Hi.OK() && (lo > 0 || hi < 0)
	l.Words = signed(e.Value.Format(decimals))
	if e.Lo.OK() && e.Hi.OK() {
		l.Words += fmt.Sprintf(" (%s to %s), n %d", signed(e.Lo.Format(decimals)), signed(e.Hi.Format(decimals)), e.N)
	}
	l.Whole = r.Label + ": " + l.Words
	return l
}
