package figure

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
)

// multiples are small charts side by side, one a data set: models are the rows of each, in one order, and all have one
// scale and one legend.
type multiples struct {
	models, sets []string
	cells        map[[2]string]Group // by model and set
	items        []int               // of each cell
}

// The sizes of small charts, in the units of their view box.
const (
	smallLabel = 150.0
	smallGap   = 22.0
	smallHead  = 24.0
	smallMost  = 1000.0 // of a row of charts; further sets begin another
	mostCells  = 200    // of all charts; of more, a table tells more
)

// multiplesOf sorts cells by model and set. There is nothing to set side by side unless both are several.
func multiplesOf(cells []Group) (m multiples, ok bool) {
	m.cells = map[[2]string]Group{}
	for _, g := range cells {
		place := [2]string{g.Model, g.Set}
		if _, twice := m.cells[place]; twice || g.Model == "" || g.Set == "" {
			continue
		}
		m.cells[place] = g
		m.items = append(m.items, g.Items)
		if !slices.Contains(m.models, g.Model) {
			m.models = append(m.models, g.Model)
		}
		if !slices.Contains(m.sets, g.Set) {
			m.sets = append(m.sets, g.Set)
		}
	}
	return m, len(m.models) > 1 && len(m.sets) > 1 && len(m.models) <= mostRows && len(m.models)*len(m.sets) <= mostCells
}

// small is how small charts are laid out.
type small struct {
	id, title, caption, class string
	top, width, row, foot     float64 // of all charts; of one chart and its rows; foot is below them
	columns                   []percuss.Column
	cell                      func(s *scene, g Group, x, y float64) []percuss.Cell // draws a cell whose left upper corner is given
	under                     func(s *scene, x, y, rows float64)                   // what lies under the cells of a chart, whose rows begin at y
	axis                      string
	around                    func(s *scene, width, bottom float64) float64 // a legend; it says where the drawing ends
	alternative               func(rows []percuss.Row) string
}

// draw draws the charts, a row of them below the other; nothing where no cell has a value.
func (m multiples) draw(o small) ([]Drawing, error) {
	abreast := max(1, min(len(m.sets), int((smallMost-smallLabel+smallGap)/(o.width+smallGap))))
	s := &scene{Class: o.class, Title: o.title}
	width := smallLabel + (o.width+smallGap)*float64(abreast) - smallGap
	high := smallHead + o.row*float64(len(m.models)) + o.foot
	data := percuss.Table{Columns: append([]percuss.Column{{ID: "set", Head: "Data set"}, {ID: "model", Head: "Model"}}, o.columns...)}
	for i, set := range m.sets {
		top := o.top + (high+10)*float64(i/abreast)
		if i%abreast == 0 {
			for k, model := range m.models {
				s.text("", "", 0, top+smallHead+o.row*(float64(k)+0.5)+4, fit(model, 22))
			}
		}
		data.Rows = append(data.Rows, m.chart(s, o, set, smallLabel+(o.width+smallGap)*float64(i%abreast), top)...)
	}
	if !measured(data) {
		return nil, nil
	}
	bottom := o.top + (high+10)*float64((len(m.sets)+abreast-1)/abreast) - 10
	if o.axis != "" {
		s.text("small", "middle", (smallLabel+width)/2, bottom+10, o.axis)
		bottom += 18
	}
	bottom = o.around(s, width, bottom)
	s.Width, s.Height, s.Alternative = at(width), at(bottom), o.alternative(data.Rows)
	caption := rests("One small chart for each data set, the models in the same order and on the same scale. "+o.caption, Sample(m.items, "item", "cell"))
	return wide(newDrawing(o.id, o.title, caption, "scene", s, data))
}

// chart draws the chart of one set from (x, y) on, and gives its numbers.
func (m multiples) chart(s *scene, o small, set string, x, y float64) (out []percuss.Row) {
	s.text("head", "", x, y+14, fit(set, int(o.width/7)))
	y += smallHead
	o.under(s, x, y, o.row*float64(len(m.models)))
	for k, model := range m.models {
		top := y + o.row*float64(k)
		g, ok := m.cells[[2]string{model, set}]
		if !ok {
			s.text("", "middle", x+o.width/2, top+o.row/2+4, "–")
			continue
		}
		for cells := range slices.Chunk(o.cell(s, g, x, top), len(o.columns)) {
			out = append(out, percuss.Row{Cells: append([]percuss.Cell{percuss.Said(set), percuss.Said(model)}, cells...)})
		}
	}
	return out
}

// measured says whether a table has any value.
func measured(t percuss.Table) bool {
	return slices.ContainsFunc(t.Rows, func(r percuss.Row) bool {
		return slices.ContainsFunc(r.Cells[2:], func(c percuss.Cell) bool { return c.Estimate.Value.OK() })
	})
}

// ruled draws the scale of a chart from 0 to 1 under its rows.
func ruled(s *scene, x, y, width, rows float64) {
	for _, v := range []float64{0, 0.5, 1} {
		s.line("rule", x+v*width, y, x+v*width, y+rows)
		s.text("small", "middle", x+v*width, y+rows+12, fmt.Sprintf("%g", v))
	}
}

// drawAll draws FCS, the joint distribution and the flips of cells.
func (m multiples) drawAll() ([]Drawing, error) {
	var out []Drawing
	for _, o := range []small{m.fcs(), m.joint(), m.flips()} {
		more, err := m.draw(o)
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}
