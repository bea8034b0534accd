package figure

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
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
	Width, Height int
	Corridor      string
	Ticks         []tick
	Points        []point // in the order of drawing
	Named         []point // in the order of their numbers
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
	Name               string // the number in the legend
	Label, LegendY     string // the legend's line
	MarkY, MarkTop     string
	x, y               float64
	group, scope       string
	d, p               percuss.Estimate
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
	for i := range f.Points {
		q := &f.Points[i]
		y := plotTop + 10 + legendLine*float64(i)
		q.Label, q.LegendY, q.MarkY, q.MarkTop = fit(q.Name+"  "+q.group, 44)+", "+q.scope, at(y+4), at(y), at(y-5)
	}
	f.Named = slices.Clone(f.Points)
	f.Points = label(f.Points)
	put(f.Points)
	f.Width, f.Height = 680, int(max(360, plotTop+20+legendLine*float64(len(f.Named))))
	return f
}

// legendLine is the height of a line of the legend.
const legendLine = 17.0

// drawRates draws the flip rates against each other; nothing when no group has both.
func drawRates(groups []Group) ([]Drawing, error) {
	f := newRates(groups)
	if len(f.Points) == 0 {
		return nil, nil
	}
	data := percuss.Table{Columns: []percuss.Column{{ID: "number", Head: "No.", Scale: percuss.Whole}, {ID: "group", Head: "Group"}, {ID: "scope", Head: "Scope"},
		{ID: "afr_d", Head: "AFR_D", Scale: percuss.Rate}, {ID: "afr_p", Head: "AFR_P", Scale: percuss.Rate}}}
	for i, q := range f.Named {
		data.Rows = append(data.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Counted(i + 1), percuss.Said(q.group), percuss.Said(q.scope), percuss.Measured(q.d), percuss.Measured(q.p)}})
	}
	var items []int
	for _, q := range f.Named {
		items = append(items, min(q.d.N, q.p.N))
	}
	d, err := newDrawing("afr", "AFR_D against AFR_P", rests("AFR_D, AFR_P: flip rates of destructive and of preserving edits. Above the band, edits that change the evidence move the answer more than edits that leave it alone; "+
		"inside it (FCS from 0.45 to 0.55) the two are about equal. Circles: the chain is edited (F); squares: the question is edited (M). Marks at the same place share one "+
		"label. Lines are intervals.", Sample(items, "item", "mark")), "rates", f, data)
	return []Drawing{d}, err
}

// near is the distance within which two points, or their numbers, would hide each other.
const near = 12.0

// label joins the numbers of points that lie together, so that none is hidden, and puts circles after squares: drawn
// on top of them, a circle leaves the corners of the square to be seen.
func label(points []point) []point {
	for i := range points {
		for k := range points[:i] {
			first := &points[k]
			if first.Number != "" && math.Abs(first.x-points[i].x) < near && math.Abs(first.y-points[i].y) < near {
				first.Number += ", " + points[i].Number
				points[i].Number = ""
				break
			}
		}
	}
	slices.SortStableFunc(points, func(a, b point) int { return cmp.Compare(a.layer(), b.layer()) })
	return points
}

// put places the labels: each where it lies on no mark and no other label, of some places around its mark; where all are
// taken, at the first.
func put(points []point) {
	const digit, high, reach = 6.5, 12.0, 6.0
	type box struct{ x0, y0, x1, y1 float64 }
	var taken []box
	for _, p := range points {
		taken = append(taken, box{p.x - reach, p.y - reach, p.x + reach, p.y + reach})
	}
	for i := range points {
		p := &points[i]
		if p.Number == "" {
			continue
		}
		w := digit * float64(len(p.Number))
		var best [2]float64
		for k, shift := range [...][2]float64{{8, -7}, {8, 15}, {-8 - w, -7}, {-8 - w, 15}, {8, -20}, {8, 28}, {24, 4}, {24, -14}} {
			b := box{p.x + shift[0], p.y + shift[1] - high, p.x + shift[0] + w, p.y + shift[1]}
			free := b.x0 >= plotLeft && b.y1 <= plotTop+plotSide && b.y0 >= 0 && !slices.ContainsFunc(taken, func(o box) bool {
				return b.x0 < o.x1 && o.x0 < b.x1 && b.y0 < o.y1 && o.y0 < b.y1
			})
			if k == 0 || free {
				best = shift
			}
			if free {
				break
			}
		}
		p.NumX, p.NumY = at(p.x+best[0]), at(p.y+best[1])
		taken = append(taken, box{p.x + best[0], p.y + best[1] - high, p.x + best[0] + w, p.y + best[1]})
	}
}

// layer orders the marks: what covers more comes first.
func (p point) layer() int {
	if p.Square {
		return 0
	}
	return 1
}

func newPoint(title, scope string, d, p chain.Metric, number int) point {
	x, y := p.Value.Or(0), d.Value.Or(0)
	q := point{group: title, scope: scope, d: d.Estimate, p: p.Estimate, Square: scope == "M", Number: fmt.Sprint(number), Name: fmt.Sprint(number), x: plotLeft + x*plotSide, y: plotTop + (1-y)*plotSide, X: plotX(x), Y: plotY(y),
		Left: at(plotLeft + x*plotSide - 5), Top: at(plotTop + (1-y)*plotSide - 5),
		NumX: at(plotLeft + x*plotSide + 8), NumY: at(plotTop + (1-y)*plotSide - 7)}
	q.Text = fmt.Sprintf("%s, scope %s: AFR_D %s (%s), AFR_P %s (%s), n = %d items",
		title, scope, d.Value.Format(3), span(d.Estimate), p.Value.Format(3), span(p.Estimate), min(d.N, p.N))
	if q.BarX = p.Lo.OK() && p.Hi.OK(); q.BarX {
		q.XLo, q.XHi = plotX(p.Lo.Or(0)), plotX(p.Hi.Or(0))
	}
	if q.BarY = d.Lo.OK() && d.Hi.OK(); q.BarY {
		q.YLo, q.YHi = plotY(d.Lo.Or(0)), plotY(d.Hi.Or(0))
	}
	return q
}
