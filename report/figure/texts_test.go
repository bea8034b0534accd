package figure

import (
	"fmt"
	"math"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// textBoxes is a canvas that remembers where the ink of each text lies, in units of the view box.
type textBoxes struct {
	pixels
	texts []textBox
}

type textBox struct {
	text   string
	lo, hi place
}

func (c *textBoxes) write(l lettering) {
	b := textBox{text: l.text, lo: place{math.Inf(1), math.Inf(1)}, hi: place{math.Inf(-1), math.Inf(-1)}}
	for _, points := range c.letters(l) {
		for _, p := range points {
			x, y := p.x/c.scale-margin, p.y/c.scale-margin
			b.lo, b.hi = place{min(b.lo.x, x), min(b.lo.y, y)}, place{max(b.hi.x, x), max(b.hi.y, y)}
		}
	}
	if b.lo.x < b.hi.x {
		c.texts = append(c.texts, b)
	}
}

// long are figures whose every label is long.
func long(t testing.TB) (out []Drawing) {
	t.Helper()
	const name = "medical-reasoning-distill-qwen-14b, another prompt of ours, with more words behind it than anybody reads"
	var groups []Group
	for range 2 {
		g := two()[0]
		g.Title, g.Families = name, nil
		for i, title := range []string{"laboratory value across its limit", "demographic swap", "clinical number shifted", "race or ethnicity", "commutation", "dose tenfold in the chain"} {
			g.Families = append(g.Families, chain.Firing{ID: fmt.Sprintf("M%d-laboratory", i), Title: title, Intent: "D", AFR: share(1234, 5678)})
		}
		groups = append(groups, g)
	}
	all, err := Chain(groups, groups, nil)
	if err != nil {
		t.Fatal(err)
	}
	bars := []Bar{{Label: name, Text: name, Estimate: share(1, 2)}, {Label: name, Text: name, Estimate: share(1, 3)}}
	for i, d := range []drawing{
		Chart{Axis: "share of the strength (|interaction| in nats), %", Panels: []Panel{{name, bars}, {"", bars}}, Percent: true},
		Forest{Scale: percuss.Points, Rows: []ForestRow{{name, share(1, 2)}, {name, share(1, 3)}}},
		Stacks{Of: "the combinations", Bars: []Stack{{name, []Share{{"one part", "weak", "", 0.5}, {"another", "plain", "", 0.1}}}}},
		longPlot(name, false), longPlot(name, true),
		Grid{Columns: []string{"Random signs,\nsame sets", "Place, faithful/\nplausible share", "Suspicious\nstrength"}, Rows: []GridRow{{name, []GridCell{
			{"91.7 %", "43.1–100 %", percuss.Num(0.9)}, {"12 of 345", "0.00 in its step", percuss.Num(0.9)}, {"91.7 %", "43.1–100 %", percuss.Num(0.9)}}}}},
	} {
		more, err := d.Draw()
		if err != nil {
			t.Fatal(err)
		}
		more[0].ID = fmt.Sprintf("%T %d", d, i)
		all = append(all, more...)
	}
	return all
}

// longPlot is a plot of long names whose points lie on each other: in one panel with a legend, or in many.
func longPlot(name string, many bool) Plot {
	p := Plot{X: Axis{Title: "accuracy of one chain, after less before, points", Scale: percuss.ShareDiff}, Y: Axis{Title: "error rate of steps, after less before, points", Scale: percuss.ShareDiff},
		Panels: []PlotPanel{{Title: name}}}
	for range 30 {
		p.Panels[0].Series = append(p.Panels[0].Series, Series{Name: name, Points: []PlotPoint{{name, share(1, 3), share(1, 4), percuss.Num(0.5)}}})
	}
	for len(p.Panels) < 5 && many {
		p.Panels = append(p.Panels, p.Panels[0])
	}
	return p
}

// No text of any figure runs out of it or lies on another.
func TestTextsHaveRoom(t *testing.T) {
	for _, d := range append(everyKind(t), long(t)...) {
		c := &textBoxes{pixels: pixels{scale: 1}}
		if _, err := d.paintOn(c); err != nil {
			t.Fatal(err)
		}
		for i, b := range c.texts {
			if b.lo.x < -margin || b.lo.y < -margin || b.hi.x > c.of.width+margin || b.hi.y > c.of.height+margin {
				t.Errorf("%s: %q runs out of the drawing, from %.0f to %.0f of %.0f", d.ID, b.text, b.lo, b.hi, c.of.width)
			}
			for _, o := range c.texts[:i] {
				if min(b.hi.x, o.hi.x)-max(b.lo.x, o.lo.x) > 0.5 && min(b.hi.y, o.hi.y)-max(b.lo.y, o.lo.y) > 0.5 {
					t.Errorf("%s: %q lies on %q", d.ID, b.text, o.text)
				}
			}
		}
		if len(c.texts) < 3 {
			t.Errorf("%s: %d texts", d.ID, len(c.texts))
		}
	}
}
