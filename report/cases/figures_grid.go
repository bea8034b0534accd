package cases

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/figure"
)

// checksFigure is the summary of all checks: a row a cell.
func checksFigure(f evidence.Findings) figure.Grid {
	g := figure.Grid{ID: "checks", Shades: "share or overlap, %", Sample: cases(f), Title: "All checks side by side", Caption: "Each figure with its interval, a row for each model and set. Agreement and " +
		"overlap are with the reference setting. Strong: the share of changes of the evidence that move the right diagnosis strongly, for " +
		"families in a suspicious combination (high) and in no salient one (low).",
		Columns: []string{"Right", "Suspicious\nstrength", "Suspicious\ncount", "Random signs,\nsame sets", "Agreement,\nwording", "Agreement,\norder",
			"Agreement,\nhiding", "Overlap,\nhiding", "Survives all\nchecks", "Strong,\nhigh", "Strong,\nlow"}}
	for _, c := range f.Cells {
		cell := func(e percuss.Estimate, format func(percuss.Number) string) figure.GridCell {
			return figure.GridCell{Shown: format(e.Value), Under: strings.ReplaceAll(span(e, format), " to ", "–"), Scale: e.Value}
		}
		strength, byCount, random := cell(c.Gold.Suspicious, report.Percent), cell(c.Gold.SuspCount, report.Percent), figure.GridCell{}
		if v := c.Gold.SameSets.Count; v.OK() {
			random = figure.GridCell{Shown: report.Percent(v), Scale: v}
		}
		if c.Narrative { // nothing can be suspicious there
			strength, byCount, random = figure.GridCell{}, figure.GridCell{}, figure.GridCell{}
		}
		agreement := func(k evidence.Kind) percuss.Estimate { return stabilityOf(c, k).Agreement }
		g.Rows = append(g.Rows, figure.GridRow{Title: title(f, c), Cells: []figure.GridCell{cell(c.Accuracy, report.Percent), strength, byCount, random,
			cell(agreement(evidence.ByWording), report.Percent), cell(agreement(evidence.ByOrdering), report.Percent), cell(agreement(evidence.ByHiding), report.Percent),
			cell(stabilityOf(c, evidence.ByHiding).Overlap, hundredth), survivors(c), cell(strongOf(c, evidence.High), report.Percent),
			cell(strongOf(c, evidence.Low), report.Percent)}})
	}
	return g
}

// stabilityOf is the first row that compares settings of a kind.
func stabilityOf(c evidence.Cell, k evidence.Kind) evidence.StabilityRow {
	for _, s := range c.Stability {
		if s.Kind == k {
			return s
		}
	}
	return evidence.StabilityRow{}
}

// strongOf is the share of strong changes of a stratum.
func strongOf(c evidence.Cell, stratum evidence.Stratum) percuss.Estimate {
	for _, s := range c.Strata {
		if s.Stratum == stratum && s.Edit == "" {
			return s.Strong
		}
	}
	return percuss.Estimate{}
}

// survivors counts the combinations that the last step of the cascade keeps.
func survivors(c evidence.Cell) figure.GridCell {
	for i := len(c.Cascade) - 1; i >= 0; i-- {
		s := c.Cascade[i]
		if s.Control || strings.HasPrefix(s.Step, "family") || s.Asked == 0 {
			continue
		}
		of := cmp.Or(checked(c), s.Asked)
		return figure.GridCell{Shown: fmt.Sprintf("%d of %d", s.Kept, of), Under: s.Rate.Value.Format(2) + " in its step",
			Scale: percuss.Num(float64(s.Kept) / float64(of))}
	}
	return figure.GridCell{}
}

// checked counts the suspicious combinations that could be checked; 0 where that is not known.
func checked(c evidence.Cell) int {
	for _, s := range c.Cascade {
		if s.Step == "could be checked" {
			return s.Kept
		}
	}
	return 0
}

// rankFigure sets the models' places side by side; nothing where there is one model.
func rankFigure(f evidence.Findings) figure.Grid {
	g := figure.Grid{ID: "ranks", Shades: "value below the place, %", Sample: cases(f), Title: "Models by accuracy, faithful and conflict share", Columns: []string{"Place,\nright",
		"Place, faithful/\nplausible share", "Place,\nconflict share"},
		Caption: "Places from 1, the largest first, and below each the value. Shares are of strength, of the coarse classes faithful/plausible and conflict."}
	for _, r := range ranks(f) {
		for _, m := range r.Models {
			cell := func(place, value percuss.Number) figure.GridCell {
				return figure.GridCell{Shown: strings.TrimSuffix(place.Format(1), ".0"), Under: report.Percent(value), Scale: value}
			}
			g.Rows = append(g.Rows, figure.GridRow{Title: m.Model + ", " + r.Set, Cells: []figure.GridCell{cell(m.ByAcc, m.Accuracy),
				cell(m.ByFaith, m.Faithful), cell(m.ByConf, m.Conflict)}})
		}
		g.Caption += report.Signed(fmt.Sprintf(" %s: τ-b of right and faithful %s, of right and conflict %s.", r.Set, r.Faithful.Value.Format(2), r.Conflict.Value.Format(2)))
	}
	return g
}
