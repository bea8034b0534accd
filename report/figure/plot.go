package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// Plot is a plane with points: one panel for each group, side by side, all on the same axes.
type Plot struct {
	ID, Title, Caption string
	Sample             string // what the plot rests on, such as "20 items"; empty: the caption says it
	X, Y               Axis
	Diagonal           bool   // a dashed line where Y equals X
	Weight             string // what the bars at the foot of a panel measure, in words; empty: there are none
	Panels             []PlotPanel
}

// PlotPanel is one plane with its series.
type PlotPanel struct {
	Title  string
	Series []Series
}

// Series is a list of points of one thing.
type Series struct {
	Name   string
	Joined bool // by a line, in their order
	Points []PlotPoint
}

// PlotPoint is one point. It is drawn where both numbers are there; where they have intervals, these are lines.
type PlotPoint struct {
	Label  string // what it is, beside the name of its series; may be empty
	X, Y   percuss.Estimate
	Weight percuss.Number // 0 to 1: how much of the series it stands for
}

// The sizes of a plot, in the units of its view box.
const (
	panelSide   = 250.0
	panelLeft   = 56.0 // of the numbers of the axis
	panelTop    = 40.0 // of the title of a panel and of the axis
	panelFoot   = 44.0
	panelGap    = 14.0
	panelRow    = 3 // panels side by side
	plotLegend  = 380.0
	weightHigh  = 46.0
	plotLetters = 60 // of a line of the legend

	panelLetters = 36 // of a panel's title
)

// mostNamed is how many series or points a legend names; of more the table tells more.
const mostNamed = 24

// Draw draws the plot; nothing where no point has both numbers.
func (p Plot) Draw() ([]Drawing, error) {
	p.X, p.Y = p.fitted(p.X, func(q PlotPoint) percuss.Estimate { return q.X }), p.fitted(p.Y, func(q PlotPoint) percuss.Estimate { return q.Y })
	data, drawn := p.data()
	if drawn == 0 {
		return nil, nil
	}
	s := &scene{Class: "sizes", Title: p.Title}
	columns := min(len(p.Panels), panelRow)
	broad, high := panelLeft+panelSide+panelGap, panelTop+panelSide+panelFoot
	legend := 0.0
	for i, panel := range p.Panels {
		x, y := broad*float64(i%columns)+panelLeft, high*float64(i/columns)+panelTop
		p.panel(s, panel, x, y, len(p.Panels) == 1)
	}
	if len(p.Panels) == 1 {
		legend = plotLegend
	}
	rows := float64((len(p.Panels) + columns - 1) / columns)
	named := 0.0
	if len(p.Panels) == 1 {
		named = panelTop + legendLine*float64(min(p.Panels[0].named(), mostNamed)+2)
	}
	s.Width, s.Height = at(max(broad*float64(columns)+legend, 640)), at(max(high*rows, named))
	s.Alternative = fmt.Sprintf("%d points are drawn. The table of the figure's data has all of them.", drawn)
	for _, r := range data.Rows[:min(len(data.Rows), mostNamed)] {
		s.Alternative += fmt.Sprintf(" %s %s: %s, %s.", r.Cells[1].Text, r.Cells[2].Text, p.X.word(r.Cells[3].Estimate.Value), p.Y.word(r.Cells[4].Estimate.Value))
	}
	caption := p.Caption
	if p.Diagonal {
		caption += " On the dashed line both are equal."
	}
	if p.Weight != "" {
		caption += " Bars at the foot: " + p.Weight + "."
	}
	return wide(newDrawing(p.ID, p.Title, rests(caption+" Lines are intervals.", p.Sample), "scene", s, data))
}

// named is how many lines the legend of a panel has.
func (p PlotPanel) named() int {
	n := 0
	for _, s := range p.Series {
		if s.Joined {
			n++
		} else {
			n += len(s.Points)
		}
	}
	return n
}

// data are the numbers drawn, and drawn how many points there are.
func (p Plot) data() (t percuss.Table, drawn int) {
	head := func(a Axis) string {
		if a.Head != "" {
			return a.Head
		}
		return a.Title
	}
	t.Columns = []percuss.Column{{ID: "panel", Head: "Part", Scale: percuss.Words}, {ID: "series", Head: "Of", Scale: percuss.Words}, {ID: "point", Head: "Point", Scale: percuss.Words},
		{ID: "x", Head: head(p.X), Scale: p.X.Scale}, {ID: "y", Head: head(p.Y), Scale: p.Y.Scale}}
	if p.Weight != "" {
		t.Columns = append(t.Columns, percuss.Column{ID: "weight", Head: "Share", Scale: percuss.Percent, Bare: true})
	}
	for _, panel := range p.Panels {
		for _, s := range panel.Series {
			for _, q := range s.Points {
				if q.X.Value.OK() && q.Y.Value.OK() {
					drawn++
				}
				cells := []percuss.Cell{percuss.Said(panel.Title), percuss.Said(s.Name), percuss.Said(q.Label), percuss.Measured(q.X), percuss.Measured(q.Y)}
				if p.Weight != "" {
					cells = append(cells, percuss.Valued(q.Weight))
				}
				t.Rows = append(t.Rows, percuss.Row{Cells: cells})
			}
		}
	}
	return t, drawn
}

// panel draws one plane whose upper left corner is (x, y).
func (p Plot) panel(s *scene, panel PlotPanel, x, y float64, legend bool) {
	if panel.Title != "" {
		s.text("head", "", x, y-24, fit(panel.Title, panelLetters))
	}
	s.text("small", "", x, y-8, p.Y.Title)
	s.text("small", "middle", x+panelSide/2, y+panelSide+34, p.X.Title)
	for _, v := range p.X.ticks() {
		at := x + p.X.place(v)*panelSide
		s.line(p.X.rule(v), at, y, at, y+panelSide)
		s.text("small", "middle", at, y+panelSide+15, p.X.tick(v))
	}
	for _, v := range p.Y.ticks() {
		at := y + (1-p.Y.place(v))*panelSide
		s.line(p.Y.rule(v), x, at, x+panelSide, at)
		s.text("small", "end", x-6, at+4, p.Y.tick(v))
	}
	s.rect("frame", x, y, panelSide, panelSide, 0, "")
	if p.Diagonal {
		s.line("zero", x, y+panelSide, x+panelSide, y)
	}
	line, taken := 0, [][2]float64{}
	for i, of := range panel.Series {
		p.joined(s, of, x, y)
		for j, q := range of.Points {
			number := line + 1
			if of.Joined {
				number = 0
				if j == len(of.Points)-1 {
					number = line + 1
				}
			}
			if !legend {
				number = 0
			}
			p.point(s, of, q, i, x, y)
			taken = p.number(s, q, number, x, y, taken)
			if legend && (!of.Joined || j == len(of.Points)-1) {
				p.named(s, of, q, i, line, x, y)
				line++
			}
		}
	}
}

// joined draws the line through a series.
func (p Plot) joined(s *scene, of Series, x, y float64) {
	if !of.Joined {
		return
	}
	var was *PlotPoint
	for i := range of.Points {
		q := &of.Points[i]
		if !q.X.Value.OK() || !q.Y.Value.OK() {
			continue
		}
		if was != nil {
			s.line("join", x+p.X.place(was.X.Value.Or(0))*panelSide, y+(1-p.Y.place(was.Y.Value.Or(0)))*panelSide,
				x+p.X.place(q.X.Value.Or(0))*panelSide, y+(1-p.Y.place(q.Y.Value.Or(0)))*panelSide)
		}
		was = q
	}
}

// number writes a point's number in the legend beside it, where there is room; 0: it has none. taken is where numbers stand.
func (p Plot) number(s *scene, q PlotPoint, number int, x, y float64, taken [][2]float64) [][2]float64 {
	vx, okX := q.X.Value.Get()
	vy, okY := q.Y.Value.Get()
	if number == 0 || !okX || !okY {
		return taken
	}
	cx, cy := x+p.X.place(vx)*panelSide, y+(1-p.Y.place(vy))*panelSide
	for _, by := range [][2]float64{{7, -6}, {7, 15}, {-15, -6}, {-15, 15}} {
		to := [2]float64{cx + by[0], cy + by[1]}
		if !slices.ContainsFunc(taken, func(t [2]float64) bool { return math.Abs(t[0]-to[0]) < 14 && math.Abs(t[1]-to[1]) < 12 }) {
			s.text("", "", to[0], to[1], fmt.Sprint(number))
			return append(taken, to)
		}
	}
	return taken
}

// point draws one point with its intervals.
func (p Plot) point(s *scene, of Series, q PlotPoint, series int, x, y float64) {
	vx, okX := q.X.Value.Get()
	vy, okY := q.Y.Value.Get()
	if w, ok := q.Weight.Get(); ok && okX {
		h := inPlot(w) * weightHigh
		s.rect("bar weak", x+p.X.place(vx)*panelSide-5, y+panelSide-h, 10, h, 0, fmt.Sprintf("%s %s: %.0f %%", of.Name, q.Label, 100*w))
	}
	if !okX || !okY {
		return
	}
	cx, cy := x+p.X.place(vx)*panelSide, y+(1-p.Y.place(vy))*panelSide
	if q.X.Lo.OK() && q.X.Hi.OK() {
		s.line("err", x+p.X.place(q.X.Lo.Or(vx))*panelSide, cy, x+p.X.place(q.X.Hi.Or(vx))*panelSide, cy)
	}
	if q.Y.Lo.OK() && q.Y.Hi.OK() {
		s.line("err", cx, y+(1-p.Y.place(q.Y.Lo.Or(vy)))*panelSide, cx, y+(1-p.Y.place(q.Y.Hi.Or(vy)))*panelSide)
	}
	p.mark(s, series, cx, cy, p.words(of, q))
}

// mark is a circle for the first series and a square for the next, in turn.
func (p Plot) mark(s *scene, series int, x, y float64, whole string) {
	if series%2 == 1 {
		s.rect("mark second", x-4, y-4, 8, 8, 0, whole)
		return
	}
	s.circle("mark", x, y, 4.5, whole)
}

// words are a point in words.
func (p Plot) words(of Series, q PlotPoint) string {
	out := of.Name
	if q.Label != "" {
		out += ", " + q.Label
	}
	ends := func(a Axis, e percuss.Estimate) string {
		if !e.Lo.OK() || !e.Hi.OK() {
			return a.word(e.Value)
		}
		return fmt.Sprintf("%s (%s to %s)", a.word(e.Value), a.word(e.Lo), a.word(e.Hi))
	}
	return fmt.Sprintf("%s: %s %s, %s %s, n = %d", out, p.X.Title, ends(p.X, q.X), p.Y.Title, ends(p.Y, q.Y), q.Y.N)
}

// named is a line of the legend.
func (p Plot) named(s *scene, of Series, q PlotPoint, series, line int, x, y float64) {
	left, top := x+panelSide+26, y+8+legendLine*float64(line)
	if line == mostNamed {
		s.text("small", "", left, top+4, "… the table has the others")
	}
	if line >= mostNamed {
		return
	}
	p.mark(s, series, left, top, "")
	words := fmt.Sprintf("%d  %s", line+1, of.Name)
	if !of.Joined {
		if q.Label != "" {
			words += ", " + q.Label
		}
		words += fmt.Sprintf(": %s, %s", p.X.word(q.X.Value), p.Y.word(q.Y.Value))
	} else {
		words += ": " + p.Y.word(q.Y.Value)
	}
	s.text("", "", left+10, top+4, fit(words, plotLetters))
}
