package figure

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// joint is the joint distribution as stacked bars, one for each group and rule.
type joint struct {
	Height int
	Bars   []bar
	scale
}

type bar struct {
	Label, Text   string
	Y, TextY, Mid string
	Parts         []part
	group         string
	of            chain.Joint
}

// keyHeight is what the explanation of the four parts takes at the top.
const keyHeight = 52

// jointWidth is the width of a whole bar in the units of the view box.
const jointWidth = 600.0

type part struct{ Class, Letter, X, Width, Mid string }

// newJoint draws two rules that give the same four counts as one bar, since a second one would say nothing new.
func newJoint(groups []Group) joint {
	f := joint{Height: keyHeight}
	for _, g := range groups {
		drawn := map[[5]string]int{}
		for _, j := range g.Joint {
			if j.Family != "" || !j.C.Value.OK() {
				continue
			}
			shape := [5]string{fmt.Sprint(j.Parsed), j.A.Value.Format(6), j.B.Value.Format(6), j.C.Value.Format(6), j.D.Value.Format(6)}
			if i, ok := drawn[shape]; ok {
				f.Bars[i].Label += ", the same by the " + j.Rule + " rule"
				continue
			}
			drawn[shape] = len(f.Bars)
			f.Bars = append(f.Bars, newBar(g.Title, j, f.Height))
			f.Height += 48
		}
	}
	f.scale = newScale(jointWidth, float64(f.Height), "share of the compared trials, from 0 to 1", 1)
	f.Height += scaleHeight
	return f
}

func newBar(title string, j chain.Joint, top int) bar {
	b := bar{group: title, of: j, Label: fmt.Sprintf("%s, %s rule, %d trials", fit(title, 46), j.Rule, j.Parsed), TextY: fmt.Sprint(top + 12), Y: fmt.Sprint(top + 17), Mid: fmt.Sprint(top + 33)}
	b.Text = fmt.Sprintf("%s: update and keep %s, update and flip %s, no update and keep (CDR) %s, no update and flip %s",
		b.Label, j.A.Value.Format(3), j.B.Value.Format(3), j.C.Value.Format(3), j.D.Value.Format(3))
	x := 0.0
	for i, e := range []percuss.Estimate{j.A, j.B, j.C, j.D} {
		letter := string(rune('a' + i))
		w := e.Value.Or(0) * jointWidth
		p := part{Class: "j" + letter, X: at(x), Width: at(w), Mid: at(x + w/2)}
		switch {
		case w >= 60:
			p.Letter = letter + " " + e.Value.Format(2)
		case w >= 20:
			p.Letter = letter
		}
		b.Parts = append(b.Parts, p)
		x += w
	}
	return b
}

// drawJoint draws the joint distribution; nothing when no group has one.
func drawJoint(groups []Group) ([]Drawing, error) {
	f := newJoint(groups)
	if len(f.Bars) == 0 {
		return nil, nil
	}
	data := percuss.Table{Columns: []percuss.Column{{ID: "group", Head: "Group"}, {ID: "rule", Head: "Rule"}, {ID: "parsed", Head: "Trials", Scale: percuss.Whole},
		{ID: "a", Head: "a update, keep", Scale: percuss.Rate}, {ID: "b", Head: "b update, flip", Scale: percuss.Rate},
		{ID: "c", Head: "c no update, keep (CDR)", Scale: percuss.Rate}, {ID: "d", Head: "d no update, flip", Scale: percuss.Rate}}}
	for _, b := range f.Bars {
		data.Rows = append(data.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(b.group), percuss.Said(b.of.Rule), percuss.Counted(b.of.Parsed),
			percuss.Measured(b.of.A), percuss.Measured(b.of.B), percuss.Measured(b.of.C), percuss.Measured(b.of.D)}})
	}
	var trials []int
	for _, b := range f.Bars {
		trials = append(trials, b.of.Parsed)
	}
	d, err := newDrawing("joint", "Joint distribution of chain update and answer flip", rests("Shares of the compared M2, M4 and M5 trials. a: the chain registers the edit, the answer "+
		"stays; b: it registers, the answer flips; c: no trace, the answer stays (CDR); d: no trace, the answer flips.", itemsOf(groups)+"; "+Sample(trials, "trial", "bar")), "joint", f, data)
	return []Drawing{d}, err
}
