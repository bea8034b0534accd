package figure

import (
	"strings"

	"github.com/percuss/percuss"
)

// File is the chart for a file of its own, with the numbers drawn; nothing when there is no row. The id names the file.
func (c Combinations) File(id string) ([]Drawing, error) {
	v, ok := c.laid()
	if !ok {
		return nil, nil
	}
	t := percuss.Table{Columns: []percuss.Column{{ID: "findings", Head: "Findings"}, {ID: "words", Head: "In words"}, {ID: "label", Head: "Label"},
		{ID: "interaction", Head: "Nats", Scale: percuss.Hundredths, Bare: true}, {ID: "floor", Head: "Noise floor, nats", Scale: percuss.Hundredths, Bare: true}}}
	for _, r := range v.Combinations.Rows {
		var numbers, words []string
		for _, u := range r.Units {
			numbers, words = append(numbers, c.Units[u].Number), append(words, c.Units[u].Text)
		}
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(strings.Join(numbers, " + ")), percuss.Said(strings.Join(words, " + ")), percuss.Said(r.Label),
			percuss.Valued(percuss.Num(r.Value)), percuss.Valued(r.Floor)}})
	}
	return single(newDrawing(id, c.Title, c.Caption, "combinationssvg", v, t))
}

// File is the lattice for a file of its own, with the margins drawn; nothing where Draw draws nothing. Its boxes lead
// nowhere.
func (l Lattice) File(id string) ([]Drawing, error) {
	l.Href = nil
	v, ok := l.laid()
	if !ok {
		return nil, nil
	}
	t := percuss.Table{Columns: []percuss.Column{{ID: "row", Head: "Row"}, {ID: "shown", Head: "Findings shown"}, {ID: "margin", Head: "Margin, nats", Scale: percuss.Hundredths, Bare: true}}}
	for _, r := range v.Rows {
		for _, n := range r.Nodes {
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(r.Text), percuss.Said(n.Name), percuss.Valued(l.Value(n.Set))}})
		}
	}
	return single(newDrawing(id, l.Title, l.Caption, "latticesvg", v, t))
}

// File is the profile for a file of its own, with the numbers drawn; nothing where no margin is known.
func (p Profile) File(id string) ([]Drawing, error) {
	v, ok := p.laid()
	if !ok {
		return nil, nil
	}
	t := percuss.Table{Columns: []percuss.Column{{ID: "shown", Head: "Findings shown", Scale: percuss.Whole, Bare: true}, {ID: "asked", Head: "Prompts", Scale: percuss.Whole, Bare: true},
		{ID: "of", Head: "Of", Scale: percuss.Whole, Bare: true}, {ID: "min", Head: "Smallest margin, nats", Scale: percuss.Hundredths, Bare: true},
		{ID: "median", Head: "Median", Scale: percuss.Hundredths, Bare: true}, {ID: "max", Head: "Largest", Scale: percuss.Hundredths, Bare: true}}}
	for _, l := range p.Layers {
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Counted(l.Shown), percuss.Counted(l.Asked), percuss.Counted(l.Of),
			percuss.Valued(l.Min), percuss.Valued(l.Median), percuss.Valued(l.Max)}})
	}
	return single(newDrawing(id, p.Title, p.Caption, "profilesvg", v, t))
}

func single(d Drawing, err error) ([]Drawing, error) {
	if err != nil {
		return nil, err
	}
	return []Drawing{d}, nil
}
