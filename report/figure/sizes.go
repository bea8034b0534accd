package figure

import (
	"fmt"
	"math"
	"strings"

	"github.com/percuss/percuss"
)

// sizes sets FCS against the number of parameters, on a logarithmic axis.
type sizes struct {
	Title               string
	Width, Height       int
	BandTop, BandHeight string
	Across, Up          []tick
	Points              []sizePoint
}

type sizePoint struct {
	Text, Number, Label       string
	X, Y, NumX, NumY, LegendY string
	HasRange                  bool
	Lo, Hi                    string
}

// Sizes draws FCS against the parameter count, from a table whose first column of words names the model and that has the
// columns params (billions) and fcs, or such as begin so; nothing where no row has both numbers.
func Sizes(t percuss.Table) ([]Drawing, error) {
	name, params, fcs := -1, -1, -1
	for i, c := range t.Columns {
		switch words := c.Scale == percuss.Words || c.Scale == ""; {
		case words && name < 0:
			name = i
		case !words && params < 0 && strings.HasPrefix(c.ID, "params"):
			params = i
		case !words && fcs < 0 && strings.HasPrefix(c.ID, "fcs"):
			fcs = i
		}
	}
	if name < 0 || params < 0 || fcs < 0 {
		return nil, nil
	}
	data := percuss.Table{Columns: []percuss.Column{{ID: "model", Head: "Model"}, {ID: "params", Head: "Parameters, billions", Scale: percuss.Decimal},
		{ID: "fcs", Head: "FCS", Scale: percuss.Rate}}}
	low, high := math.Inf(1), math.Inf(-1)
	var without []string // models with a size and no FCS
	for _, r := range t.Rows {
		if len(r.Cells) <= max(name, params, fcs) {
			continue
		}
		p, okP := r.Cells[params].Estimate.Value.Get()
		if !okP || p <= 0 {
			continue
		}
		if !r.Cells[fcs].Estimate.Value.OK() {
			without = append(without, r.Cells[name].Text)
			continue
		}
		low, high = min(low, p), max(high, p)
		data.Rows = append(data.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(r.Cells[name].Text), r.Cells[params], r.Cells[fcs]}})
	}
	if len(data.Rows) == 0 {
		return nil, nil
	}
	f := newSizes(data, low, high)
	caption, items := sizesWords(data, without)
	d, err := newDrawing("fcs_params", f.Title, rests("Each point is a model. The band is the corridor of FCS from 0.45 to 0.55, in which destructive and preserving edits move the answer about "+
		"equally often. Lines are intervals."+caption, Sample(items, "item", "point")), "sizes", f, data)
	return []Drawing{d}, err
}

// sizesWords says which models are not drawn, and how many items each point has.
func sizesWords(data percuss.Table, without []string) (caption string, items []int) {
	for _, r := range data.Rows {
		items = append(items, r.Cells[2].Estimate.N)
	}
	if len(without) > 0 {
		caption = " Not drawn, for it has no FCS: " + strings.Join(without, ", ") + "."
	}
	return caption, items
}

func newSizes(data percuss.Table, low, high float64) sizes {
	f := sizes{Title: "FCS against the number of parameters", Width: 640, BandTop: plotY(CorridorHigh), BandHeight: at((CorridorHigh - CorridorLow) * plotSide)}
	from, to := math.Log10(low)-0.15, math.Log10(high)+0.15
	place := func(v float64) float64 { return plotLeft + (math.Log10(v)-from)/(to-from)*plotSide }
	f.Across = logTicks(from, to, place)
	for _, v := range []float64{0, 0.25, 0.5, 0.75, 1} {
		f.Up = append(f.Up, tick{Label: fmt.Sprintf("%g", v), Y: plotY(v)})
	}
	for i, r := range data.Rows {
		p, e := r.Cells[1].Estimate.Value.Or(0), r.Cells[2].Estimate
		x, y := place(p), inPlot(e.Value.Or(0))
		legend := plotTop + 14 + legendLine*float64(i)
		q := sizePoint{Number: fmt.Sprint(i + 1), X: at(x), Y: plotY(y), NumX: at(x + 8), NumY: at(plotTop + (1-y)*plotSide - 7), LegendY: at(legend),
			Label: fit(fmt.Sprintf("%d  %s, %.3g", i+1, r.Cells[0].Text, p), 44), Text: fmt.Sprintf("%s, %.3g billion parameters: FCS %s (%s)", r.Cells[0].Text, p,
				e.Value.Format(3), span(e))}
		if q.HasRange = e.Lo.OK() && e.Hi.OK(); q.HasRange {
			q.Lo, q.Hi = plotY(inPlot(e.Lo.Or(0))), plotY(inPlot(e.Hi.Or(0)))
		}
		f.Points = append(f.Points, q)
	}
	f.Height = int(max(360, plotTop+24+legendLine*float64(len(f.Points))))
	return f
}

// inPlot keeps a share inside the plot.
func inPlot(v float64) float64 { return min(max(v, 0), 1) }

// logTicks are lines at 1, 2 and 5 times powers of ten, at powers alone where these are many.
func logTicks(from, to float64, place func(float64) float64) []tick {
	var out []tick
	for e := math.Floor(from); e <= to; e++ {
		for _, m := range []float64{1, 2, 5} {
			v := m * math.Pow(10, e)
			if l := math.Log10(v); l < from || l > to || m > 1 && to-from > 2 {
				continue
			}
			out = append(out, tick{Label: fmt.Sprintf("%.4g", v), X: at(place(v))})
		}
	}
	return out
}
