package report

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// The plot of the two flip rates, in the units of its view box.
const (
	plotLeft = 50.0
	plotTop  = 10.0
	plotSide = 300.0
)

// afrFigure sets AFR of destructive edits against AFR of preserving ones. FCS is half of AFR_D and half of 1 − AFR_P,
// so its corridor is the band in which the two differ by a tenth at most.
type afrFigure struct {
	Corridor string
	Ticks    []tick
	Points   []point
}

type tick struct{ Label, X, Y string }

// point is one group in one scope; the bars are the two intervals.
type point struct {
	Label, Text, Class   string
	Square               bool
	X, Y, Left, Top      string
	XLo, XHi, YLo, YHi   string
	BarX, BarY           bool
	Number, NumX, NumY   string
	Scope, AfrD, AfrP, N string
}

func at(v float64) string    { return fmt.Sprintf("%.1f", v) }
func plotX(v float64) string { return at(plotLeft + v*plotSide) }
func plotY(v float64) string { return at(plotTop + (1-v)*plotSide) }

func newAfrFigure(groups []group) afrFigure {
	var f afrFigure
	const half = corridorHigh - corridorLow
	for _, c := range [][2]float64{{0, 0}, {half, 0}, {1, 1 - half}, {1, 1}, {1 - half, 1}, {0, half}} {
		f.Corridor += plotX(c[0]) + "," + plotY(c[1]) + " "
	}
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		f.Ticks = append(f.Ticks, tick{fmt.Sprintf("%g", v), plotX(v), plotY(v)})
	}
	for _, g := range groups {
		for _, scope := range []string{"F", "M"} {
			d, okD := metric(g.Group, "afr_d", scope)
			p, okP := metric(g.Group, "afr_p", scope)
			if okD && okP && d.Value.OK() && p.Value.OK() {
				f.Points = append(f.Points, newPoint(g.Title, scope, d, p, len(f.Points)+1))
			}
		}
	}
	return f
}

func newPoint(title, scope string, d, p chain.Metric, number int) point {
	x, y := p.Value.Or(0), d.Value.Or(0)
	q := point{Label: title, Scope: scope, Square: scope == "M", Number: fmt.Sprint(number), X: plotX(x), Y: plotY(y),
		Left: at(plotLeft + x*plotSide - 5), Top: at(plotTop + (1-y)*plotSide - 5),
		NumX: at(plotLeft + x*plotSide + 8), NumY: at(plotTop + (1-y)*plotSide - 7),
		AfrD: d.Value.Format(3), AfrP: p.Value.Format(3), N: fmt.Sprint(min(d.N, p.N))}
	q.Text = fmt.Sprintf("%s, scope %s: AFR of destructive edits %s (%s), of preserving edits %s (%s), n = %s items",
		title, scope, q.AfrD, span(d.Estimate, 3), q.AfrP, span(p.Estimate, 3), q.N)
	if q.BarX = p.Lo.OK() && p.Hi.OK(); q.BarX {
		q.XLo, q.XHi = plotX(p.Lo.Or(0)), plotX(p.Hi.Or(0))
	}
	if q.BarY = d.Lo.OK() && d.Hi.OK(); q.BarY {
		q.YLo, q.YHi = plotY(d.Lo.Or(0)), plotY(d.Hi.Or(0))
	}
	return q
}

// jointFigure is the joint distribution as stacked bars, one for each group and rule.
type jointFigure struct {
	Height int
	Bars   []bar
}

type bar struct {
	Label, Text   string
	Y, TextY, Mid string
	Parts         []part
}

type part struct{ Class, Letter, X, Width, Mid string }

func newJointFigure(groups []group) jointFigure {
	f := jointFigure{Height: 10}
	for _, g := range groups {
		for _, j := range g.Joint {
			if j.Family == "" && j.C.Value.OK() {
				f.Bars = append(f.Bars, newBar(g.Title, j, f.Height))
				f.Height += 48
			}
		}
	}
	return f
}

func newBar(title string, j chain.Joint, top int) bar {
	b := bar{Label: title + ", " + j.Rule + " rule", TextY: fmt.Sprint(top + 12), Y: fmt.Sprint(top + 17), Mid: fmt.Sprint(top + 33)}
	b.Text = fmt.Sprintf("%s: update and keep %s, update and flip %s, no update and keep (CDR) %s, no update and flip %s, %d trials",
		b.Label, j.A.Value.Format(3), j.B.Value.Format(3), j.C.Value.Format(3), j.D.Value.Format(3), j.Parsed)
	const width = 600.0
	x := 0.0
	for i, e := range []percuss.Estimate{j.A, j.B, j.C, j.D} {
		letter := string(rune('a' + i))
		w := e.Value.Or(0) * width
		p := part{Class: "j" + letter, X: at(x), Width: at(w), Mid: at(x + w/2)}
		if w >= 20 {
			p.Letter = letter
		}
		b.Parts = append(b.Parts, p)
		x += w
	}
	return b
}
