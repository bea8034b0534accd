package report

import (
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// column is one figure of the table that sets the groups side by side.
type column struct{ ID, Scope, Mark string } // Mark: "max", "min" or empty, the extreme that is named among the models

// overviewColumns are those of the chain paper's Table 3, and the extrema that it marks.
var overviewColumns = []column{
	{"acc", "", "max"}, {"fcs", "F", ""}, {"fcs", "M", ""}, {"afr_d", "F", "min"}, {"afr_p", "F", ""}, {"cdr", "", "max"},
	{"ecr", "", "max"}, {"chs", "", "min"}, {"dfg", "", "min"}, {"mfc", "", ""},
}

// overview sets the groups side by side.
type overview struct {
	Heads  []Term
	Rows   []overviewRow
	Abroad string // the data sets of other domains, which enter no figure of it
	Paired bool   // a table holds the models against each other on the same items
}

// abroad names the data sets of other domains, where there are medical ones beside them.
func abroad(cells []chain.Group) string {
	var sets []string
	medical := false
	for _, c := range cells {
		medical = medical || c.Domain == ""
		if c.Domain != "" && !slices.Contains(sets, c.Set) {
			sets = append(sets, c.Set)
		}
	}
	if !medical {
		return ""
	}
	return strings.Join(sets, ", ")
}

// pairsID is the table that holds models against each other.
const pairsID = "model_pairs"

// paired says whether the findings hold the models against each other.
func paired(f chain.Findings) bool {
	return slices.ContainsFunc(f.Analyses, func(a percuss.Analysis) bool {
		return slices.ContainsFunc(a.Tables, func(t percuss.Table) bool { return t.ID == pairsID && len(t.Rows) > 0 })
	})
}

// unmarked is the same without extremes: among further prompts alone there are none to be named.
func (o overview) unmarked() overview {
	for _, row := range o.Rows {
		for i := range row.Cells {
			row.Cells[i].Mark = ""
		}
	}
	return o
}

type overviewRow struct {
	Title, Kind, Anchor, Size string
	Parts                     []string // of the title, which breaks between them only
	Cells                     []overviewCell
}

type overviewCell struct {
	Shown, Range, Mark string
	Low                bool // a fairness gap on few items
}

// newOverview is empty when there is one group only: its own table says the same.
func newOverview(groups []group, r Report) overview {
	var o overview
	if len(groups) < 2 {
		return o
	}
	for _, c := range overviewColumns {
		o.Heads = append(o.Heads, Term{c.ID, strings.TrimSpace(shortHeads[c.ID] + " " + c.Scope)})
	}
	for _, g := range groups {
		row := overviewRow{Title: g.Title, Kind: g.Sort(), Anchor: g.Anchor, Size: g.Size(), Parts: nameParts(g.Title)}
		for _, c := range overviewColumns {
			cell := overviewCell{Shown: "–"}
			if m, ok := g.Metric(c.ID, c.Scope); ok {
				cell.Shown, cell.Low = figureOf(m, r), m.LowFiring()
				if m.Lo.OK() && m.Hi.OK() {
					cell.Range = interval(m, r)
				}
				if g.Kind == "model" && !cell.Low && extreme(m, c, beside(g, groups)) {
					cell.Mark = c.Mark
				}
			}
			row.Cells = append(row.Cells, cell)
		}
		o.Rows = append(o.Rows, row)
	}
	return o
}

// closed is the tier that the paper's table sets apart.
const closed = "closed"

// beside are the models that a model's figures are held against: those of the closed tier, or all others.
func beside(g group, groups []group) []group {
	var out []group
	for _, o := range groups {
		if (o.Tier == closed) == (g.Tier == closed) {
			out = append(out, o)
		}
	}
	return out
}

// extreme says whether a model's figure is the highest or lowest among two or more models; of a tie all are, unless it is
// of more than half of them, which tells none apart.
func extreme(m chain.Metric, c column, groups []group) bool {
	if !m.Value.OK() || c.Mark == "" {
		return false
	}
	v, models, tied := m.Value.Format(3), 0, 0
	for _, g := range groups {
		o, has := g.Metric(c.ID, c.Scope)
		w, known := o.Value.Get()
		if g.Kind != "model" || !has || !known || o.LowFiring() {
			continue
		}
		models++
		if o.Value.Format(3) == v {
			tied++
		} else if c.Mark == "max" && w > m.Value.Or(w) || c.Mark == "min" && w < m.Value.Or(w) {
			return false
		}
	}
	return models > 1 && 2*tied <= models
}
