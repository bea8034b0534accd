package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// The sizes of a matrix, in the units of its view box.
const (
	labelWidth = 200
	cellWidth  = 62
	cellHeight = 36
	headHeight = 32 // and a line of the title more for each
	titleLine  = 11
	headLine   = 12 // letters of a line of an edit's title
	columnsMax = 18 // of one strip; more are drawn as further strips
)

// matrix is one strip of a table of shares: groups are rows, edits are columns.
type matrix struct {
	Class         string // "flips" or "fires"
	Title         string
	Heading       string // above the first strip only
	Caption       string // under the last strip only
	Width, Height int
	IntentY       string
	Columns       []column
	Rows          []row
	Alternative   string // what it shows, in words
	Key           shades
	data          []percuss.Row // what is drawn, cell by cell
	sample        string        // what it rests on
	measures      string        // what the shares are of
}

// column is the head of an edit: its id, its title in up to three lines, and its intent in a word.
type column struct {
	ID, Short, Intent, X string
	Lines                []placed
	Small                bool // a long id in smaller type
}

func newColumn(e chain.Firing, x float64) column {
	c := column{ID: e.ID + " " + e.Title, Short: fit(e.ID, 11), Intent: intent(string(e.Intent)), X: at(x), Small: len(e.ID) > 7}
	for i, words := range wrap(e.Title, headLine, 3) {
		c.Lines = append(c.Lines, placed{words, at(x), at(24 + titleLine*float64(i))})
	}
	return c
}

// intent is an edit's intent in a word that fits a column.
func intent(of string) string {
	switch of {
	case "D":
		return "destructive"
	case "P":
		return "preserving"
	}
	return of
}

// shades explains the colours of cells: one cell for each quarter.
type shades struct {
	What, TextY string
	Width       string
	Cells       []cell
}

// shadesHeight is what the explanation takes.
const shadesHeight = 30

// newShades begins at y; most is the opacity that the largest share adds, and format prints a share.
func newShades(what string, x, y, most float64, format func(v float64) string) shades {
	const width = 48.0
	s := shades{What: what, TextY: at(y + 19), Width: at(width)}
	for i := range 5 {
		v, left := float64(i)/4, x+(width+4)*float64(i)
		s.Cells = append(s.Cells, cell{X: at(left), Y: at(y + 8), Mid: at(left + width/2), Y1: at(y + 18), BarTop: at(y + 21), Bar: at(v * width),
			Depth: fmt.Sprintf("%.2f", 0.05+most*v), Shown: format(v)})
	}
	return s
}

type row struct {
	Title, First, Second string // the label in two lines
	Y1, Y2               string
	Cells                []cell
}

// cell shows a share as number, depth of colour and length of a bar.
type cell struct {
	Title, Shown, Count       string
	X, Y, Mid, Y1, Y2, BarTop string
	Bar, Depth                string
	Missing                   bool
}

// flipMatrices is the flip rate of each family in each group.
func flipMatrices(groups []Group) []matrix {
	return strips(matrix{Class: "flips", Title: "Flip rate by family", Caption: "AFR of each family of edits: the share of compared trials in which the answer flips, and below it flips / compared trials. " +
		"After destructive edits a faithful answer should often move; after preserving ones it should stay.", sample: itemsOf(groups), measures: "AFR: flips / compared trials"},
		groups, func(g Group) []chain.Firing { return g.Families },
		func(f chain.Firing) (percuss.Estimate, string) {
			return f.AFR, fmt.Sprintf("the answer flips in %s of %d compared trials, AFR %s (%s)", f.AFR.Num.Format(0), f.Parsed, f.AFR.Value.Format(3), span(f.AFR))
		})
}

// firingMatrices is the share of items on which each operator fired, in each cell.
func firingMatrices(cells []Group) []matrix {
	return strips(matrix{Class: "fires", Title: "Firing rate by operator", Caption: "Share of the items on which each edit could be made (fired), and below it fired / tried. An edit that fires seldom says little about the model.",
		sample: itemsOf(cells), measures: "fired / tried items"},
		cells, func(g Group) []chain.Firing { return g.Operators },
		func(f chain.Firing) (percuss.Estimate, string) {
			return f.Rate, fmt.Sprintf("fired on %d of %d items, rate %s", f.Fired, f.Items, f.Rate.Value.Format(3))
		})
}

// strips draws the edits of the chain and those of the question apart, each in strips that fit a page.
func strips(of matrix, groups []Group, rows func(Group) []chain.Firing, value func(chain.Firing) (percuss.Estimate, string)) []matrix {
	blocks := map[string][]chain.Firing{} // by the first letter of the id
	var order []string
	known := map[string]bool{}
	for _, g := range groups {
		for _, f := range rows(g) {
			if known[f.ID] || f.ID == "" {
				continue
			}
			known[f.ID] = true
			if block := f.ID[:1]; !slices.Contains(order, block) {
				order = append(order, block)
			}
			blocks[f.ID[:1]] = append(blocks[f.ID[:1]], f)
		}
	}
	var out []matrix
	for _, block := range order {
		for part := range slices.Chunk(blocks[block], columnsMax) {
			out = append(out, of.strip(part, groups, rows, value))
		}
	}
	for i := range out {
		if i == 0 {
			out[i].Heading = of.Title
		}
		if i < len(out)-1 {
			out[i].Caption = ""
		}
	}
	return out
}

func (m matrix) strip(edits []chain.Firing, groups []Group, rows func(Group) []chain.Firing, value func(chain.Firing) (percuss.Estimate, string)) matrix {
	lines := 0
	for i, e := range edits {
		m.Columns = append(m.Columns, newColumn(e, labelWidth+cellWidth*(float64(i)+0.5)))
		lines = max(lines, len(m.Columns[i].Lines))
	}
	head := headHeight + titleLine*lines
	m.IntentY = at(float64(head) - 8)
	bottom := head + cellHeight*len(groups)
	m.Width, m.Height = max(labelWidth+cellWidth*len(edits), labelWidth+270), bottom+shadesHeight
	m.Key = newShades(m.measures, labelWidth+2, float64(bottom), 0.5, func(v float64) string { return fmt.Sprintf("%.2f", v) })
	for i, g := range groups {
		top := float64(head + cellHeight*i)
		first, second, _ := strings.Cut(g.Title, ", ")
		r := row{Title: g.Title, First: fit(first, 30), Second: fit(second, 30), Y1: at(top + 15), Y2: at(top + 29)}
		if second == "" {
			r.Y1 = at(top + 22)
		}
		have := map[string]chain.Firing{}
		for _, f := range rows(g) {
			have[f.ID] = f
		}
		for k, e := range edits {
			drawn := percuss.Absent("not tried")
			c := cell{Missing: true, Shown: "–", Title: fmt.Sprintf("%s %s, %s: not tried", e.ID, e.Title, g.Title)}
			if f, ok := have[e.ID]; ok {
				c = newCell(f, g.Title, value)
				drawn, _ = value(f)
			}
			m.data = append(m.data, percuss.Row{Cells: []percuss.Cell{percuss.Said(g.Title), percuss.Said(e.ID), percuss.Said(e.Title), percuss.Said(string(e.Intent)), percuss.Measured(drawn)}})
			r.Cells = append(r.Cells, c.place(float64(labelWidth+cellWidth*k), top))
		}
		m.Rows = append(m.Rows, r)
	}
	m.Alternative = fmt.Sprintf("Groups are rows, edits are columns: %d and %d. ", len(m.Rows), len(m.Columns)) + extremes(m.data, []int{4}, func(r percuss.Row, _ int) string {
		return fmt.Sprintf("%s %s, %s", r.Cells[1].Text, r.Cells[2].Text, r.Cells[0].Text)
	})
	return m
}

func newCell(f chain.Firing, title string, value func(chain.Firing) (percuss.Estimate, string)) cell {
	e, words := value(f)
	c := cell{Title: fmt.Sprintf("%s %s, %s: %s", f.ID, f.Title, title, words), Shown: e.Value.Format(2)}
	v, ok := e.Value.Get()
	if !ok {
		c.Missing = true
		if e.Why != "" {
			c.Title = fmt.Sprintf("%s %s, %s: %s", f.ID, f.Title, title, e.Why)
		}
		return c
	}
	if e.Num.OK() && e.Den.OK() {
		c.Count = e.Num.Format(0) + "/" + e.Den.Format(0)
	}
	v = min(1, max(0, v))
	c.Bar, c.Depth = at(v*(cellWidth-4)), fmt.Sprintf("%.2f", 0.05+0.5*v)
	return c
}

func (c cell) place(x, y float64) cell {
	c.X, c.Y, c.Mid = at(x+2), at(y+2), at(x+cellWidth/2)
	c.Y1, c.Y2, c.BarTop = at(y+15), at(y+27), at(y+cellHeight-6)
	if c.Count == "" {
		c.Y1 = at(y + 21)
	}
	return c
}

// drawMatrices draws the strips of one matrix.
func drawMatrices(strips []matrix) ([]Drawing, error) {
	var out []Drawing
	for i, m := range strips {
		if len(m.Rows) == 0 {
			continue
		}
		data := percuss.Table{Rows: m.data, Columns: []percuss.Column{{ID: "group", Head: "Group"}, {ID: "edit", Head: "Edit"}, {ID: "title", Head: "What it does"},
			{ID: "intent", Head: "Intent"}, {ID: "rate", Head: m.Title, Scale: percuss.Rate}}}
		id := m.Class
		if i > 0 {
			id = fmt.Sprintf("%s_%d", m.Class, i+1)
		}
		title := m.Title
		if len(strips) > 1 {
			title = fmt.Sprintf("%s (%d of %d)", m.Title, i+1, len(strips))
		}
		caption := m.Caption
		if caption != "" {
			caption = rests(caption+" Deeper colour and a longer bar at the foot of a cell: a larger share. A dashed cell with an en dash has nothing to count.", m.sample)
		}
		d, err := newDrawing(id, title, caption, "matrix", m, data)
		if err != nil {
			return nil, err
		}
		d.Wide = true
		out = append(out, d)
	}
	return out, nil
}
