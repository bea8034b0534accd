package figure

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
)

// Stacks are bars that are parted into shares of 1. Below each bar its shares stand in words.
type Stacks struct {
	ID, Title, Caption string
	Of                 string // what a whole bar is, such as "the salient combinations"
	Sample             string // what the bars rest on, such as "20 cases"; empty: the bars say it
	Bars               []Stack
}

// Stack is one bar.
type Stack struct {
	Label string
	Parts []Share
}

// Share is one part of a bar: its name, its share from 0 to 1, its colour and, where it helps, its count in words.
type Share struct {
	Name, Class, Count string
	Value              float64
}

// stackView is a bar laid out.
type stackView struct {
	bar
	Under string
}

// stackWidth is the width of a whole bar in the units of the view box.
const stackWidth = 700.0

// Draw draws the bars; nothing when there is none.
func (s Stacks) Draw() ([]Drawing, error) {
	if len(s.Bars) == 0 {
		return nil, nil
	}
	v := struct {
		Stacks
		Height int
		Bars   []stackView
		scale
	}{Stacks: s, Height: 4}
	for _, b := range s.Bars {
		v.Bars = append(v.Bars, b.layOut(v.Height))
		v.Height += 62
	}
	v.scale = newScale(stackWidth, float64(v.Height), "share of "+cmp.Or(s.Of, "the whole")+", %", 100)
	v.Height += scaleHeight
	return wide(newDrawing(s.ID, s.Title, rests(s.Caption, s.Sample), "stacks", v, s.data()))
}

// scaleHeight is what the scale below parted bars takes.
const scaleHeight = 36

// scale is the scale below parted bars.
type scale struct {
	Ticks                     []tickLine
	Axis, AxisX, AxisY, Right string
}

// newScale begins at y and ends at a number.
func newScale(width, y float64, axis string, end float64) scale {
	s := scale{Axis: axis, AxisX: at(width / 2), AxisY: at(y + 29), Right: at(width)}
	for i, anchor := range []string{"start", "middle", "middle", "middle", "end"} {
		x := width * float64(i) / 4
		s.Ticks = append(s.Ticks, tickLine{Label: fmt.Sprintf("%g", end*float64(i)/4), X: at(x), Top: at(y), Bottom: at(y + 4), TextY: at(y + 15), Anchor: anchor})
	}
	return s
}

// data are the numbers drawn.
func (s Stacks) data() percuss.Table {
	t := percuss.Table{Columns: []percuss.Column{{ID: "bar", Head: "Bar"}, {ID: "part", Head: "Part"}, {ID: "share", Head: "Share", Scale: percuss.Percent, Bare: true}}}
	for _, b := range s.Bars {
		for _, p := range b.Parts {
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(b.Label), percuss.Said(p.Name), percuss.Valued(percuss.Num(p.Value))}})
		}
	}
	return t
}

func (s Stack) layOut(top int) stackView {
	v := stackView{bar: bar{Label: fit(s.Label, 110), TextY: fmt.Sprint(top + 12), Y: fmt.Sprint(top + 17), Mid: fmt.Sprint(top + 32)}, Under: fmt.Sprint(top + 50)}
	var words []string
	x := 0.0
	for i, p := range s.Parts {
		letter := string(rune('a' + i%26))
		w := min(max(p.Value, 0)*stackWidth, stackWidth-x)
		drawn := part{Class: p.Class, X: at(x), Width: at(w), Mid: at(x + w/2)}
		percent := fmt.Sprintf("%.0f %%", 100*p.Value)
		switch {
		case w >= 56:
			drawn.Letter = letter + " " + percent
		case w >= 14:
			drawn.Letter = letter
		}
		if w > 0 {
			v.Parts = append(v.Parts, drawn)
		}
		word := fmt.Sprintf("%s %s %s", letter, p.Name, percent)
		if p.Count != "" {
			word += " (" + p.Count + ")"
		}
		words = append(words, word)
		x += w
	}
	v.Text = strings.Join(words, ", ")
	return v
}
