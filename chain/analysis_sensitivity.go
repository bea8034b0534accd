package chain

import (
	"fmt"
	"math"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// sensitivity is analysis 7: what the headline figures hang on (chain paper, Appendix G and Table 10). Models enter once
// each, under the first prompt with medical data sets.
type sensitivity struct{}

func (sensitivity) add(Record) {}

func (sensitivity) analyses(s *summary) []percuss.Analysis {
	out := percuss.Analysis{ID: "sensitivity", Number: 7, Title: "What the figures hang on",
		About: "Weights, families left out, chain length, model size: which of them would change the picture. Each model enters once, under its first prompt."}
	for _, p := range sweeps() {
		out.Tables = append(out.Tables, p.tables(s)...)
	}
	out.Tables = append(out.Tables, s.correlations(), s.chainLength(), s.spread(), s.updates(), s.leaveOneOut(), s.leaveOutDelta(), s.fcsParams())
	return []percuss.Analysis{out}
}

// rivalCells are the groups of the cells of the models that the panel is of.
func (s *summary) rivalCells() []Group {
	var out []Group
	for _, m := range s.rivals() {
		for _, c := range m.cells {
			if g, ok := s.cell(c.variant, c.model, c.set); ok {
				out = append(out, g)
			}
		}
	}
	return out
}

// rivalGroups are the groups of the models that the panel is of.
func (s *summary) rivalGroups() []Group { return s.groups(s.rivals()) }

// quantity is a figure as one side of a correlation.
type quantity struct {
	name, id, scope string
	turned          bool // one minus the figure
}

// of are its values over some groups.
func (q quantity) of(groups []Group) []percuss.Number {
	out := make([]percuss.Number, len(groups))
	for i, g := range groups {
		out[i] = g.figure(q.id, q.scope).Value
		if q.turned {
			out[i] = minus(percuss.Num(1), out[i])
		}
	}
	return out
}

// The quantities that are correlated.
var (
	fcsF     = quantity{"FCS (F)", "fcs", "F", false}
	fcsM     = quantity{"FCS (M)", "fcs", "M", false}
	safety   = quantity{"1 − CHS", "chs", "", true}
	fairness = quantity{"1 − DFG", "dfg", "", true}
	ecrRate  = quantity{"ECR", "ecr", "", false}
	hazard2  = quantity{"CHS", "chs", "", false}
	length   = quantity{"words of the chain", "words", "", false}
)

// independent is the |r| below which the paper calls two figures nearly independent.
const independent = 0.3

// tooFew is said of a correlation over fewer pairs than an interval takes.
const tooFew = "too few to say"

// readCorrelation says what a correlation means, as far as its interval lets it; four pairs are the fewest with an interval,
// and a perfect line has none.
func readCorrelation(e percuss.Estimate) string {
	r, ok := e.Value.Get()
	lo, hi := e.Lo.Or(r), e.Hi.Or(r)
	switch {
	case !ok:
		return ""
	case e.N < 4:
		return tooFew
	case math.Abs(r) < independent && max(-lo, hi) < independent:
		return "nearly independent"
	case math.Abs(r) < independent:
		return fmt.Sprintf("nearly independent, but r from %.2f to %.2f is not excluded", lo, hi)
	case lo <= 0 && hi >= 0:
		return "cannot tell"
	case r > 0:
		return "rise together"
	}
	return "one falls as the other rises"
}

// correlations are those of FCS under either block, of the axes of MFC, and of the length of the chain.
func (s *summary) correlations() percuss.Table {
	models, cells := s.rivalGroups(), s.rivalCells()
	t := percuss.Table{ID: "correlations", Title: "Which figures move together?",
		About: fmt.Sprintf("Pearson's r and Spearman's ρ over models, or over cells (model and data set). An r below %.1f either way is called nearly independent, as in the paper; a larger one whose interval holds 0 cannot be told from none. Intervals take cells as independent, which those of one model are not.", independent),
		Columns: []percuss.Column{headed("first", "First", percuss.Words), headed("second", "Second", percuss.Words), headed("over", "Over", percuss.Words),
			headed("n", "Pairs", percuss.Whole), headed("pearson", "Pearson r", percuss.Decimal), headed("spearman", "Spearman ρ", percuss.Decimal), headed("reading", "Reading", percuss.Words)},
		Rows: []percuss.Row{}}
	for _, p := range []struct {
		a, b quantity
		over string
	}{{fcsF, fcsM, "models"}, {fcsF, fcsM, "cells"}, {fcsF, safety, "cells"}, {fcsF, fairness, "cells"}, {safety, fairness, "cells"},
		{length, fcsF, "cells"}, {length, ecrRate, "cells"}, {length, hazard2, "cells"}} {
		groups := models
		if p.over == "cells" {
			groups = cells
		}
		x, y := p.a.of(groups), p.b.of(groups)
		t.Rows = append(t.Rows, correlationRow(p.a.name, p.b.name, p.over, x, y, s.o.Level))
	}
	if len(models) == 0 {
		t.Rows, t.Absent = []percuss.Row{}, noModels
	}
	return t
}

// correlationRow is one pair of quantities.
func correlationRow(a, b, over string, x, y []percuss.Number, level float64) percuss.Row {
	r := stat.Pearson(x, y, level)
	return percuss.Row{Cells: []percuss.Cell{percuss.Said(a), percuss.Said(b), percuss.Said(over), percuss.Counted(r.N),
		percuss.Measured(r), percuss.Measured(stat.Spearman(x, y, level)), percuss.Said(readCorrelation(r))}}
}

// The chance corridor of FCS, and the wider band that the paper counts cells in.
const (
	corridorLo, corridorHi = 0.45, 0.55
	nearHalf               = 0.07
)

// spread counts cells near chance, and says how wide their intervals are.
func (s *summary) spread() percuss.Table {
	cells := s.rivalCells()
	t := percuss.Table{ID: "cells_spread", Title: "Cells near chance, and the width of their intervals",
		About: fmt.Sprintf("How many cells (model and data set) have FCS inside the chance corridor of %.2f to %.2f, and within %.2f of one half; and half the width of the interval, median over the cells.", corridorLo, corridorHi, nearHalf),
		Columns: []percuss.Column{headed("metric", "Metric", percuss.Words), headed("cells", "Cells", percuss.Whole), headed("inside", "In the corridor", percuss.Whole),
			headed("near", "Near one half", percuss.Whole), headed("half_width", "Median half-width", percuss.Rate)},
		Rows: []percuss.Row{}}
	for _, m := range [...]ranking{{id: "fcs", scope: "F", head: "FCS (F)"}, {id: "fcs", scope: "M", head: "FCS (M)"}, {id: "fcs", scope: "all", head: "FCS (all)"},
		{id: "afr_d", scope: "F", head: "AFR_D (F)"}, {id: "afr_p", scope: "F", head: "AFR_P (F)"}, {id: "chs", head: "CHS"}, {id: "ecr", head: "ECR"}, {id: "acc", head: "Accuracy"}} {
		n, inside, near := 0, 0, 0
		var widths []float64
		for _, g := range cells {
			e := g.figure(m.id, m.scope)
			v, ok := e.Value.Get()
			if !ok {
				continue
			}
			n++
			inside += int(bit(v >= corridorLo-1e-9 && v <= corridorHi+1e-9))
			near += int(bit(math.Abs(v-0.5) <= nearHalf+1e-9))
			if w, ok := minus(e.Hi, e.Lo).Get(); ok {
				widths = append(widths, w/2)
			}
		}
		r := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.head), percuss.Counted(n), percuss.Counted(inside), percuss.Counted(near), percuss.Valued(stat.Quantile(widths, 0.5))}}
		if m.id != "fcs" {
			none := percuss.Measured(percuss.Absent("chance is a band of FCS alone"))
			r.Cells[2], r.Cells[3] = none, none
		}
		t.Rows = append(t.Rows, r)
	}
	if len(cells) == 0 {
		t.Rows, t.Absent = []percuss.Row{}, noModels
	}
	return t
}
