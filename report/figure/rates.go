package figure

import (
	"fmt"

	"github.com/percuss/percuss/chain"
)

// The plot of the two flip rates, in the units of its view box.
const (
	plotLeft = 50.0
	plotTop  = 10.0
	plotSide = 300.0
)

// rates sets AFR of destructive edits against AFR of preserving ones. FCS is half of AFR_D and half of 1 − AFR_P, so
// its corridor is the band in which the two differ by a tenth at most.
type rates struct {
	Corridor string
	Ticks    []tick
	Points   []point
}

type tick struct{ Label, X, Y string }

// point is one group in one scope; the bars are the two intervals.
type point struct {
	Text               string
	Square             bool // the question is edited
	X, Y, Left, Top    string
	XLo, XHi, YLo, YHi string
	BarX, BarY         bool
	Number, NumX, NumY string
}

func plotX(v float64) string { return at(plotLeft + v*plotSide) }
func plotY(v float64) string { return at(plotTop + (1-v)*plotSide) }

func newRates(groups []Group) rates {
	var f rates
	const half = CorridorHigh - CorridorLow
	for _, c := range [][2]float64{{0, 0}, {half, 0}, {1, 1 - half}, {1, 1}, {1 - half, 1}, {0, half}} {
		f.Corridor += plotX(c[0]) + "," + plotY(c[1]) + " "
	}
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		f.Ticks = append(f.Ticks, tick{fmt.Sprintf("%g", v), plotX(v), plotY(v)})
	}
	for _, g := range groups {
		for _, scope := range []string{"F", "M"} {
			d, okD := g.Metric("afr_d", scope)
			p, okP := g.Metric("afr_p", scope)
			if okD && okP && d.Value.OK() && p.Value.OK() {
				f.Points = append(f.Points, newPoint(g.Title, scope, d, p, len(f.Points)+1))
			}
		}
	}
	return f
}

func newPoint(title, scope string, d, p chain.Metric, number int) point {
	x, y := p.Value.Or(0), d.Value.Or(0)
	q := point{Square: scope == "M", Number: fmt.Sprint(number), X: plotX(x), Y: plotY(y),
		Left: at(plotLeft + x*plotSide - 5), Top: at(plotTop + (1-y)*plotSide - 5),
		NumX: at(plotLeft + x*plotSide + 8), NumY: at(plotTop + (1-y)*plotSide - 7)}
	q.Text = fmt.Sprintf("%s, scope %s: AFR of destructive edits %s (%s), of preserving edits %s (%s), n = %d items",
		title, scope, d.Value.Format(3), span(d.Estimate), p.Value.Format(3), span(p.Estimate), min(d.N, p.N))
	if q.BarX = p.Lo.OK() && p.Hi.OK(); q.BarX {
		q.XLo, q.XHi = plotX(p.Lo.Or(0)), plotX(p.Hi.Or(0))
	}
	if q.BarY = d.Lo.OK() && d.Hi.OK(); q.BarY {
		q.YLo, q.YHi = plotY(d.Lo.Or(0)), plotY(d.Hi.Or(0))
	}
	return q
}
