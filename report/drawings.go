package report

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report/figure"
)

// FigureFolder is the folder of the figures' files beside the report.
const FigureFolder = "figures"

// Figures draws what there are numbers for: the flip rates, the joint distribution, the matrices of flips and of firing,
// FCS against the parameter count, and the differences of the analyses. Each model is drawn under its first prompt.
func Figures(f chain.Findings) ([]figure.Drawing, error) {
	all, _ := firsts(f, shown(f))
	var cells []level
	for _, g := range f.Cells {
		cells = append(cells, level{Kind: "cell", Group: g})
	}
	cells, _ = firsts(f, cells)
	out, err := figure.Chain(drawn(leading(all)), drawn(all), drawn(cells))
	if err != nil {
		return nil, err
	}
	for _, t := range Tables(f) {
		var more []figure.Drawing
		if t.ID == "fcs_params" {
			more, err = figure.Sizes(t)
		} else if forest, ok := forestOf(t, f); ok {
			more, err = forest.Draw()
		}
		if err != nil {
			return nil, err
		}
		out = append(out, more...)
	}
	return out, nil
}

func drawn(all []level) []figure.Group {
	out := make([]figure.Group, len(all))
	for i, l := range all {
		out[i] = figure.Group{Title: l.title(), Group: l.Group}
	}
	return out
}

// forests are the tables of differences that are drawn as forest plots, with the column that is drawn and, where a table
// has rows of more kinds, how the label of those that are drawn begins.
var forests = map[string]struct{ column, title, only string }{
	"effects": {"difference", "What edits do beyond the noise floor", "all "},
	"f_block": {"fdelta", "What edits of the chain cost in accuracy, points", ""},
}

// The most rows of a forest plot, of more the table tells more; and the most words of a label.
const (
	mostForest  = 80
	forestLabel = 3
)

// forestOf is the forest plot of a table: a row is named by its leading words.
func forestOf(t percuss.Table, all chain.Findings) (figure.Forest, bool) {
	of, known := forests[t.ID]
	if !known {
		return figure.Forest{}, false
	}
	var items []int
	for _, g := range membersOf(all, "") {
		items = append(items, g.Items)
	}
	f := figure.Forest{ID: t.ID, Sample: figure.Sample(items, "item", "model"), Title: of.title, Caption: "The table " + t.Title + " has these and what they are compared with."}
	rows := firstRows(t, all)
	for _, r := range rows {
		var label []string
		row, drawn := figure.ForestRow{}, of.only == ""
		for i, c := range t.Columns {
			at := cellAt(r, i)
			if worded(c) && i < forestLabel && at.Text != "" && c.ID != "prompt" {
				label = append(label, at.Text)
				drawn = drawn || strings.HasPrefix(at.Text, of.only)
			}
			if c.ID == of.column {
				row.Estimate, f.Scale = at.Estimate, c.Scale
			}
		}
		if drawn {
			row.Label = strings.Join(label, ", ")
			f.Rows = append(f.Rows, row)
		}
	}
	return f, f.Scale != "" && len(f.Rows) <= mostForest
}

// firstRows leaves out the rows of a table of models and prompts that are of a model's further prompts.
func firstRows(t percuss.Table, f chain.Findings) []percuss.Row {
	model := slices.IndexFunc(t.Columns, func(c percuss.Column) bool { return c.ID == "model" })
	prompt := slices.IndexFunc(t.Columns, func(c percuss.Column) bool { return c.ID == "prompt" })
	if model < 0 || prompt < 0 {
		return t.Rows
	}
	first := map[string]string{}
	for _, g := range membersOf(f, "") {
		first[g.Model] = g.Variant
	}
	return slices.DeleteFunc(slices.Clone(t.Rows), func(r percuss.Row) bool {
		of, known := first[cellAt(r, model).Text]
		return known && cellAt(r, prompt).Text != of
	})
}

// pngScale is the pixels of an image for a unit of its drawing: an inch has 192 of them.
const pngScale = 2

// WriteFigures writes every figure in a format, "svg", "pdf" or "png", as figures/ID.FORMAT into the folder, which it
// makes if need be, and beside it figures/ID.csv with exactly the numbers drawn.
func WriteFigures(dir, format string, all []figure.Drawing) error {
	dir = filepath.Join(dir, FigureFolder)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("make the folder of the figures: %w", err)
	}
	for _, d := range all {
		drawn, err := fileOf(d, format)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, d.ID+"."+format), drawn, 0o644); err != nil {
			return fmt.Errorf("write the figure %s: %w", d.ID, err)
		}
		if err := WriteTable(filepath.Join(dir, d.ID+".csv"), TableCSV(d.Data)); err != nil {
			return fmt.Errorf("write the numbers of the figure %s: %w", d.ID, err)
		}
	}
	return nil
}

// fileOf is a figure as a file of a format.
func fileOf(d figure.Drawing, format string) ([]byte, error) {
	switch format {
	case "pdf":
		return d.PDF()
	case "png":
		return d.PNG(pngScale)
	}
	return []byte(Visible(d.SVG())), nil
}
