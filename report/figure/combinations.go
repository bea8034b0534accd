package figure

import (
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// Combinations are the combinations of findings that move a margin, a row each: the findings as dots under their
// numbers, then a bar to the left or right of zero.
type Combinations struct {
	Title, Caption string
	Units          []ChartUnit
	Threshold      float64 // from which a combination counts, in nats
	Rows           []Combination
}

// ChartUnit is a finding at the head of its column of dots.
type ChartUnit struct{ Number, Mark, Class, Text string }

// Combination is one row.
type Combination struct {
	Units       []int // places in Combinations.Units
	Value       float64
	Text, Label string         // the findings, and what the combination is called, in words
	Class       string         // colour of the bar
	Floor       percuss.Number // what noise alone seldom exceeds at this order, nats
}

// The sizes of the chart, in the units of its view box.
const (
	dotColumn  = 24.0
	valueWidth = 54.0
	signedPlot = 200.0
	rowText    = 310.0
	lineHeight = 34.0
	linesTop   = 42.0
	tickWidth  = 22.0 // of the number at a line of the grid
)

// combinationsView is the chart laid out.
type combinationsView struct {
	Combinations
	Width, Height                      string
	PlotLeft, PlotRight, ValueX, TextX string
	AxisX, AxisY                       string
	Heads                              []unitHead
	Ticks                              []signedTick
	Lines                              []line
}

type unitHead struct{ Number, Mark, Class, Whole, Left, X string }

type signedTick struct {
	Label, X, Bottom, TextY string
	Dashed                  bool
}

type dot struct{ Class, X, R string }

type line struct {
	Whole, First, Second, Value, Class string
	Y1, Y2, Mid, MidText, BarY         string
	X, BarWidth                        string
	FloorX, FloorY, FloorWidth         string
	Join                               bool
	JoinLo, JoinHi                     string
	Dots                               []dot
}

// Draw draws the chart as a figure of a page; nothing when there is no row.
func (c Combinations) Draw() (template.HTML, error) {
	v, ok := c.laid()
	if !ok {
		return "", nil
	}
	return drawn("combinations", v)
}

// laid lays the chart out; false when there is no row.
func (c Combinations) laid() (combinationsView, bool) {
	c.Rows = slices.DeleteFunc(slices.Clone(c.Rows), func(r Combination) bool { return !percuss.Num(r.Value).OK() })
	if len(c.Rows) == 0 || len(c.Units) == 0 {
		return combinationsView{}, false
	}
	left := dotColumn*float64(len(c.Units)) + valueWidth
	bottom := linesTop + lineHeight*float64(len(c.Rows))
	v := combinationsView{Combinations: c, Width: at(left + signedPlot + rowText), Height: at(bottom + 34), PlotLeft: at(left), PlotRight: at(left + signedPlot),
		ValueX: at(left - 8), TextX: at(left + signedPlot + 10), AxisX: at(left + signedPlot/2), AxisY: at(bottom + 29)}
	for i, u := range c.Units {
		x := dotColumn * float64(i)
		v.Heads = append(v.Heads, unitHead{u.Number, u.Mark, u.Class, u.Number + " " + u.Text, at(x + 1), at(x + dotColumn/2)})
	}
	most := c.reach()
	place := func(x float64) float64 { return left + signedPlot/2 + min(max(x/most, -1), 1)*(signedPlot/2-6) }
	for _, x := range []float64{-most, -c.Threshold, 0, c.Threshold, most} {
		text := signed(percuss.Num(x).Format(1))
		dashed := x != 0 && math.Abs(x) == c.Threshold
		switch {
		case math.Abs(x) == most && !dashed && most < 2*c.Threshold:
			continue // it would lie on the threshold's
		case dashed && place(c.Threshold)-place(0) < tickWidth:
			text = "" // it would lie on that of 0
		}
		v.Ticks = append(v.Ticks, signedTick{text, at(place(x)), at(bottom), at(bottom + 14), dashed})
	}
	for i, r := range c.Rows {
		v.Lines = append(v.Lines, c.line(r, linesTop+lineHeight*float64(i), place))
	}
	return v, true
}

// reach is how far the axis goes to either side, in nats: to the longest bar, the threshold and the widest noise floor, so
// that a bar is seen to end inside its band. A floor of more than three times all else would leave no bar to look at, and
// its band ends at the edge.
func (c Combinations) reach() float64 {
	most, floor := c.Threshold, 0.0
	for _, r := range c.Rows {
		most, floor = max(most, math.Abs(r.Value)), max(floor, r.Floor.Or(0))
	}
	if most <= 0 {
		return 1
	}
	return max(most, min(floor, 3*most))
}

// line lays out one row whose top is y.
func (c Combinations) line(r Combination, y float64, place func(float64) float64) line {
	zero, end, mid := place(0), place(r.Value), y+lineHeight/2
	value := natsOf(r.Value)
	l := line{First: fit(r.Text, 44), Second: fit(r.Label, 56), Value: value, Class: r.Class, Y1: at(y + 14), Y2: at(y + 28), Mid: at(mid), MidText: at(mid + 4),
		BarY: at(mid - 7), X: at(min(zero, end)), BarWidth: at(math.Abs(end - zero))}
	var numbers []string
	for i, u := range c.Units {
		d := dot{"off", at(dotColumn*float64(i) + dotColumn/2), "2.5"}
		if slices.Contains(r.Units, i) {
			d.Class, d.R = "dot "+u.Class, "7"
			numbers = append(numbers, u.Number)
			if l.JoinHi = d.X; !l.Join {
				l.Join, l.JoinLo = true, d.X
			}
		}
		l.Dots = append(l.Dots, d)
	}
	l.Whole = fmt.Sprintf("%s (%s): %s nats, %s", strings.Join(numbers, " + "), r.Text, value, r.Label)
	if f, ok := r.Floor.Get(); ok && f > 0 {
		lo, hi := place(-f), place(f)
		l.FloorX, l.FloorY, l.FloorWidth = at(lo), at(mid-14), at(hi-lo)
	}
	return l
}

// drawn executes one drawing.
func drawn(name string, v any) (template.HTML, error) {
	var b strings.Builder
	if err := drawings.ExecuteTemplate(&b, name, v); err != nil {
		return "", fmt.Errorf("draw the figure: %w", err)
	}
	return template.HTML(b.String()), nil // every text in it went through the template's own escaping
}
