package cases

import (
	"bytes"
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

// The names of rows that are means.
const (
	ofModels = "mean of the models"
	ofSets   = "mean of the sets"
)

// panelSection sets models and sets side by side; false where there is one cell, whose tables say it all.
func panelSection(f evidence.Findings) (section, bool) {
	if f.Panel == nil {
		return section{}, false
	}
	s := section{"s-panel", "Models side by side", "The papers' tables of a panel: a row or a column for each model. Means of models are over " +
		"the same cases, which every resample shares; a mean of sets counts each set the same.",
		[]percuss.Table{panelAccuracy(f), panelMechanisms(f), panelWordings(f), panelHiding(f)}}
	if len(f.Panel.Pairs) > 0 {
		s.Tables = append(s.Tables, panelPairs(f))
	}
	return s, true
}

// setColumn and modelColumn name a row, the set first; unlike the columns of a cell they are shown also where all rows
// share them.
func setColumn() percuss.Column   { return col("set", "Set", percuss.Words) }
func modelColumn() percuss.Column { return col("model", "Model", percuss.Words) }

// cellOf is the first cell of a model on a set.
func cellOf(f evidence.Findings, model, set string) (evidence.Cell, bool) {
	i := slices.IndexFunc(f.Cells, func(c evidence.Cell) bool { return c.Model == model && c.Set == set })
	if i < 0 {
		return evidence.Cell{}, false
	}
	return f.Cells[i], true
}

// panelAccuracy is Table 2: a row a set, a column a model.
func panelAccuracy(f evidence.Findings) percuss.Table {
	t := percuss.Table{ID: "panel_accuracy", Title: "Right, by set and model", Paper: "Table 2",
		About:   "The share of cases whose right diagnosis has the highest score on the full evidence.",
		Columns: columns(setColumn())}
	for _, m := range f.Panel.Models {
		t.Columns = append(t.Columns, col("right_"+m.Model, m.Model, percuss.Percent))
	}
	t.Columns = append(t.Columns, col("mean", "Mean of the models", percuss.Percent))
	for _, s := range f.Panel.Sets {
		row := cells(percuss.Said(s.Set))
		for _, m := range f.Panel.Models {
			right := percuss.Absent("the model was not asked on this set")
			if c, ok := cellOf(f, m.Model, s.Set); ok {
				right = c.Accuracy
			}
			row = append(row, percuss.Measured(right))
		}
		t.Rows = append(t.Rows, line(append(row, percuss.Measured(s.Accuracy))...))
	}
	if len(f.Panel.Sets) > 1 {
		row := cells(percuss.Said(ofSets))
		for _, m := range f.Panel.Models {
			row = append(row, percuss.Measured(m.Accuracy))
		}
		t.Rows = append(t.Rows, means(append(row, percuss.Measured(f.Panel.Accuracy))...))
	}
	return t
}

// coarseClasses are the coarse classes of all sets, in the order of the rules.
func coarseClasses(p evidence.Panel) (names []string) {
	for _, s := range p.Sets {
		for _, x := range s.Shares {
			if !slices.Contains(names, x.Name) {
				names = append(names, x.Name)
			}
		}
	}
	return names
}

// panelMechanisms is Table 14, and with its means Table 15: shares of strength by coarse class.
func panelMechanisms(f evidence.Findings) percuss.Table {
	classes := coarseClasses(*f.Panel)
	t := percuss.Table{ID: "panel_mechanisms", Title: "Shares of strength by coarse class", Paper: "Tables 14 and 15",
		About: "Of the strength of the salient combinations in the margin of the right diagnosis. Suspicious is not a class of its own: it is " +
			"the strict set, whose parts the classes hold.",
		Columns: columns(setColumn(), modelColumn())}
	for _, name := range classes {
		t.Columns = append(t.Columns, col("strength_share_"+name, name, percuss.Percent))
	}
	t.Columns = append(t.Columns, col("suspicious", "Suspicious", percuss.Percent))
	for _, s := range f.Panel.Sets {
		for _, c := range f.Cells {
			if c.Set != s.Set {
				continue
			}
			row := cells(percuss.Said(c.Set), percuss.Said(c.Model))
			for _, name := range classes {
				row = append(row, percuss.Measured(weightOf(c, name)))
			}
			t.Rows = append(t.Rows, line(append(row, percuss.Measured(c.Gold.Suspicious))...))
		}
		if s.Of < 2 {
			continue
		}
		row := cells(percuss.Said(s.Set), percuss.Said(ofModels))
		for _, name := range classes {
			row = append(row, percuss.Measured(meanShare(s, name)))
		}
		t.Rows = append(t.Rows, means(append(row, percuss.Measured(s.Suspicious))...))
	}
	return t
}

// noClass is why a class has no share on a set.
const noClass = "the rules for this set have no such class"

func weightOf(c evidence.Cell, class string) percuss.Estimate {
	for _, m := range c.Gold.Coarse {
		if m.Name == class {
			return m.Weight
		}
	}
	return percuss.Absent(noClass)
}

func meanShare(s evidence.PanelSet, class string) percuss.Estimate {
	for _, x := range s.Shares {
		if x.Name == class {
			return x.Share
		}
	}
	return percuss.Absent(noClass)
}

// settingsOf are a cell's rows that differ in one thing, each after the reference that it is held against.
func settingsOf(c evidence.Cell, kind evidence.Kind) (out []evidence.StabilityRow) {
	for i, s := range c.Stability {
		if s.Kind != kind {
			continue
		}
		if i > 0 && c.Stability[i-1].Kind == "" {
			out = append(out, c.Stability[i-1])
		}
		out = append(out, s)
	}
	return out
}

// figureOf is a figure of a setting with its column, which gets the setting's name.
type figureOf struct {
	id, name string
	scale    percuss.Scale
	of       func(evidence.StabilityRow) percuss.Estimate
}

// settingsTable has a row a set and model, and columns for each setting that some cell was asked under.
func settingsTable(f evidence.Findings, t percuss.Table, kind evidence.Kind, figures []figureOf) percuss.Table {
	var names []string
	for _, c := range f.Cells {
		for _, s := range settingsOf(c, kind) {
			if !slices.Contains(names, s.Name) {
				names = append(names, s.Name)
			}
		}
	}
	t.Columns = columns(setColumn(), modelColumn(), col("cases", "Cases", percuss.Whole))
	for _, g := range figures {
		for _, name := range names {
			t.Columns = append(t.Columns, col(g.id+"_"+name, g.name+", "+name, g.scale))
		}
	}
	for _, set := range f.Panel.Sets {
		for _, c := range f.Cells {
			rows := settingsOf(c, kind)
			if c.Set != set.Set || len(rows) == 0 {
				continue
			}
			row := cells(percuss.Said(c.Set), percuss.Said(c.Model), percuss.Counted(rows[0].Cases))
			for _, g := range figures {
				for _, name := range names {
					e := percuss.Absent("not asked under this setting")
					if i := slices.IndexFunc(rows, func(s evidence.StabilityRow) bool { return s.Name == name }); i >= 0 {
						e = g.of(rows[i])
					}
					row = append(row, percuss.Measured(e))
				}
			}
			t.Rows = append(t.Rows, line(row...))
		}
	}
	return explained(t, "no case was asked in another way")
}

// panelWordings is Table 8.
func panelWordings(f evidence.Findings) percuss.Table {
	return settingsTable(f, percuss.Table{ID: "panel_wordings", Title: "Wordings side by side", Paper: "Table 8",
		About: "The same cases in other words, each figure the mean over the candidate orders. Suspicious: the strict suspicious share of strength."},
		evidence.ByWording, []figureOf{
			{"right", "Right", percuss.Percent, func(s evidence.StabilityRow) percuss.Estimate { return s.Accuracy }},
			{"suspicious", "Suspicious", percuss.Percent, func(s evidence.StabilityRow) percuss.Estimate { return s.Suspicious }},
		})
}

// panelHiding is Table 9.
func panelHiding(f evidence.Findings) percuss.Table {
	return settingsTable(f, percuss.Table{ID: "panel_hiding", Title: "Ways of hiding side by side", Paper: "Table 9",
		About: "Hidden findings left out of the prompt, or marked as not specified. Suspicious each: strict suspicious combinations a case. Strength: their share of it."},
		evidence.ByHiding, []figureOf{
			{"suspicious_per_case", "Suspicious each", percuss.Hundredths, func(s evidence.StabilityRow) percuss.Estimate { return s.PerCase }},
			{"suspicious", "Strength", percuss.Percent, func(s evidence.StabilityRow) percuss.Estimate { return s.Suspicious }},
		})
}

// panelPairs holds every two models against each other on the same cases.
func panelPairs(f evidence.Findings) percuss.Table {
	t := percuss.Table{ID: "panel_pairs", Title: "Differences between models, on the same cases",
		About: "First minus second, in percentage points. Right: on the cases that both answered; p is McNemar's exact test, adjusted by Holm over " +
			"all rows. Suspicious: strict suspicious share of strength, on the cases of which both have all scores.",
		Columns: columns(setColumn(), col("first", "First", percuss.Words), col("second", "Second", percuss.Words), col("cases", "Cases", percuss.Whole),
			col("right", "Right, points", percuss.ShareDiff), col("only_first", "Only first right", percuss.Whole), col("only_second", "Only second right", percuss.Whole),
			bare("p", "p", percuss.PValue), bare("p_adjusted", "p, adjusted", percuss.PValue), col("scored", "Scored", percuss.Whole),
			col("suspicious", "Suspicious, points", percuss.ShareDiff))}
	for _, p := range f.Panel.Pairs {
		t.Rows = append(t.Rows, line(percuss.Said(p.Set), percuss.Said(p.A), percuss.Said(p.B), percuss.Counted(p.Cases), percuss.Measured(p.Accuracy), percuss.Counted(p.OnlyA), percuss.Counted(p.OnlyB),
			percuss.Valued(p.P), percuss.Valued(p.Adjusted), percuss.Counted(p.Scored), percuss.Measured(p.Suspicious)))
	}
	return t
}

// The coarse classes that the terminal shows, by which models are ranked, too.
const (
	faithfulClass = "faithful/plausible"
	conflictClass = "conflict"
)

// panelWords is the panel on the terminal, a line for each model and set.
func panelWords(b *bytes.Buffer, f evidence.Findings) {
	if f.Panel == nil {
		return
	}
	of := func(e percuss.Estimate) string { return report.Percent(e.Value) }
	b.WriteByte('\n')
	report.Wrap(b, "", "Models side by side: share of cases that are right, and of strength that is faithful or plausible, in conflict, and suspicious.")
	const layout = "%s %s %7s %8s %8s %10s\n"
	fmt.Fprintf(b, layout, report.Pad("set", 14), report.Pad("model", 28), "right", "faithful", "conflict", "suspicious")
	line := func(set, model string, right, faithful, conflict, suspicious percuss.Estimate) {
		fmt.Fprintf(b, layout, report.Pad(set, 14), report.Pad(model, 28), of(right), of(faithful), of(conflict), of(suspicious))
	}
	for _, s := range f.Panel.Sets {
		for _, m := range f.Panel.Models {
			if c, ok := cellOf(f, m.Model, s.Set); ok {
				line(s.Set, m.Model, c.Accuracy, weightOf(c, faithfulClass), weightOf(c, conflictClass), c.Gold.Suspicious)
			}
		}
		if s.Of > 1 {
			line(s.Set, ofModels, s.Accuracy, meanShare(s, faithfulClass), meanShare(s, conflictClass), s.Suspicious)
		}
	}
}
