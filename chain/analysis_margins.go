package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// The columns of an item's margins: flips and keeps with a known change of the margin, those whose margin fell, and
// those on whose side the margin after the edit is.
const (
	marginFlips = iota
	marginFlipsFall
	marginFlipsBelow // the margin after the edit is below 0: the letters left the baseline's answer too
	marginKeeps
	marginKeepsFall
	marginKeepsAbove // the margin after the edit is at least 0
	marginColumns
)

// marginReplicates bounds the resamples of the area under the curve, each of which passes over every trial.
const marginReplicates = 1000

// marginsOf gathers the margins of one model under one prompt.
type marginsOf struct {
	rows   map[string]map[string][]float64 // by data set and item
	trials []marginTrial
}

// marginTrial is how far the margin fell in one trial, and whether the answer flipped.
type marginTrial struct {
	item    string // with its data set
	fell    float64
	flipped bool
}

// auc is the area under the curve of the fall for flips. The trials are put in the order of their items first, on which
// the resamples depend.
func (m *marginsOf) auc(o stat.Options) percuss.Estimate {
	slices.SortStableFunc(m.trials, func(a, b marginTrial) int { return strings.Compare(a.item, b.item) })
	fell, flipped, items := make([]float64, len(m.trials)), make([]bool, len(m.trials)), make([]string, len(m.trials))
	for i, t := range m.trials {
		fell[i], flipped[i], items[i] = t.fell, t.flipped, t.item
	}
	o.Replicates = min(o.Replicates, marginReplicates)
	return stat.AUC(fell, flipped, items, o)
}

// margins is the continuous companion of the flip: how an edit changes the margin of the baseline's answer (chain audit,
// section 8).
type margins struct {
	models map[[2]string]*marginsOf // by prompt and model
}

func newMargins() *margins { return &margins{map[[2]string]*marginsOf{}} }

func (a *margins) add(r Record) {
	before, ok := r.Base.Margin.Get()
	if !ok || r.Domain != "" {
		return
	}
	for _, t := range r.Operators {
		after, ok := t.Reading.Margin.Get()
		if !ok || !enters(t) {
			continue
		}
		key := [2]string{r.Subject.Variant, r.Subject.Model}
		m := a.models[key]
		if m == nil {
			m = &marginsOf{rows: map[string]map[string][]float64{}}
			a.models[key] = m
		}
		m.enter(r.Subject, after-before, after, t.Flip == Flipped)
	}
}

// enter adds one trial.
func (m *marginsOf) enter(s percuss.SubjectID, change, after float64, flipped bool) {
	if m.rows[s.Set] == nil {
		m.rows[s.Set] = map[string][]float64{}
	}
	row := m.rows[s.Set][s.Item]
	if row == nil {
		row = make([]float64, marginColumns)
		m.rows[s.Set][s.Item] = row
	}
	if flipped {
		row[marginFlips]++
		row[marginFlipsFall] += bit(change < 0)
		row[marginFlipsBelow] += bit(after < 0)
	} else {
		row[marginKeeps]++
		row[marginKeepsFall] += bit(change < 0)
		row[marginKeepsAbove] += bit(after >= 0)
	}
	m.trials = append(m.trials, marginTrial{s.Set + "\x00" + s.Item, -change, flipped})
}

// marginFigures are the agreements of margin and flip.
func marginFigures() []figure {
	one := func(id string, num, den int, why string) figure {
		n, d := []int{num}, []int{den}
		return figure{id: id, value: ratioOf(n, d), terms: told(over(n, d)), num: n, den: d, hi: 1, absent: why}
	}
	const noFlips, noKeeps = "no flip has a known margin", "no kept answer has a known margin"
	return []figure{one("flips_fall", marginFlipsFall, marginFlips, noFlips), one("keeps_fall", marginKeepsFall, marginKeeps, noKeeps),
		one("flips_below", marginFlipsBelow, marginFlips, noFlips), one("keeps_above", marginKeepsAbove, marginKeeps, noKeeps)}
}

func (a *margins) analyses(s *summary) []percuss.Analysis {
	out := percuss.Analysis{ID: "margins", Title: "Margins, the continuous companion of the flip", Tables: []percuss.Table{},
		About: "How far an edit moves the log-probability of the baseline's answer against the best other letter, flip or not. An edit can weaken an answer without tipping it."}
	if len(a.models) == 0 {
		out.Absent = "no log-probabilities of the letters before and after an edit: the back-end gives none, or they were not asked for"
		return []percuss.Analysis{out}
	}
	out.Tables = append(out.Tables, a.changes(s), a.agreement(s))
	return []percuss.Analysis{out}
}

// changes is the mean change for each operator.
func (a *margins) changes(s *summary) percuss.Table {
	t := percuss.Table{ID: "margins", Title: "Change of the margin by operator", Long: true,
		About: "Mean change of the margin in nats over the trials where it is known before and after, all medical data sets pooled. Below 0 the edit moved the model away from its answer.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words), headed("operator", "Operator", percuss.Words),
			headed("title", "Edit", percuss.Words), headed("intent", "Intent", percuss.Words), headed("n", "Trials", percuss.Whole),
			headed("change", "Change", percuss.Nats), headed("afr", "Flip rate", percuss.Rate)},
		Rows: []percuss.Row{}, Absent: "no operator has margins before and after its edit"}
	for _, m := range s.ranked() {
		for _, f := range m.group.Operators {
			if !f.Margin.Value.OK() {
				continue
			}
			t.Absent = ""
			t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(m.group.Variant), percuss.Said(f.ID),
				percuss.Said(f.Title), percuss.Said(intentName(f.Intent)), percuss.Counted(int(f.Margin.Den.Or(0))), percuss.Measured(f.Margin), percuss.Measured(f.AFR)}})
		}
	}
	return t
}

// agreement holds the sign of the change against the flips.
func (a *margins) agreement(s *summary) percuss.Table {
	t := percuss.Table{ID: "margins_agreement", Title: "Do margins and flips agree?",
		About: "Over the trials with two comparable answers and a margin before and after. A margin that is a fair companion falls where the answer flips, and ends below 0 there. AUC: the chance that the margin of a flip fell further than that of a kept answer; 0.5 says nothing.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words), headed("flips", "Flips", percuss.Whole),
			headed("keeps", "Keeps", percuss.Whole), headed("flips_fall", "Flips whose margin fell", percuss.Rate), headed("keeps_fall", "Keeps whose margin fell", percuss.Rate),
			headed("flips_below", "Flips with a margin below 0", percuss.Rate), headed("keeps_above", "Keeps with a margin of 0 or more", percuss.Rate),
			headed("auc", "AUC", percuss.Rate)},
		Rows: []percuss.Row{}, Absent: "no trial has two comparable answers and a margin before and after"}
	figures := marginFigures()
	for _, m := range s.ranked() {
		own := a.models[[2]string{m.group.Variant, m.group.Model}]
		if own == nil {
			continue
		}
		var samples []stat.Sample
		total := make(sums, marginColumns)
		for _, c := range m.cells {
			rows := own.rows[c.set]
			samples = append(samples, sample(c.set, s.items[c.set], rows, marginColumns))
			for _, row := range rows { // counts: their order does not matter
				total = plus(total, row)
			}
		}
		d, err := stat.DrawPooled(samples, statistic(figures), s.options(figures))
		r := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(m.group.Variant),
			percuss.Counted(int(total[marginFlips])), percuss.Counted(int(total[marginKeeps]))}}
		for _, e := range estimated(figures, d, err, total) {
			r.Cells = append(r.Cells, percuss.Measured(e))
		}
		t.Absent = ""
		t.Rows = append(t.Rows, percuss.Row{Cells: append(r.Cells, percuss.Measured(own.auc(s.o)))})
	}
	if s.o.Replicates > marginReplicates {
		t.Notes = append(t.Notes, fmt.Sprintf("The interval of AUC has %d resamples.", marginReplicates))
	}
	return t
}
