package chain

import (
	"fmt"
	"math"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// chainLength lists what the correlations with the length of the chain are of.
func (s *summary) chainLength() percuss.Table {
	t := percuss.Table{ID: "chain_length", Title: "Length of the baseline chain in each cell", Long: true,
		About: "Mean words of the baseline's chain, the share of chains with a reasoning block, and the metrics that are held against the length.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words), headed("set", "Data set", percuss.Words),
			headed("words", "Words", percuss.Length), headed("block", "Chains with a reasoning block", percuss.Rate), headed("fcs", "FCS (F)", percuss.Rate),
			headed("ecr", "ECR", percuss.Rate), headed("chs", "CHS", percuss.Rate)}, Rows: []percuss.Row{}}
	for _, g := range s.rivalCells() {
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(g.Model), percuss.Said(g.Variant), percuss.Said(g.Set),
			percuss.Measured(g.figure("words", "")), percuss.Measured(g.figure("block", "")), percuss.Measured(g.figure("fcs", "F")),
			percuss.Measured(g.figure("ecr", "")), percuss.Measured(g.figure("chs", ""))}})
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	return t
}

// updates is how often the chain registers the edit at all, and CDR without the models whose chain is too short to.
func (s *summary) updates() percuss.Table {
	t := percuss.Table{ID: "updates", Title: "Update rate, and CDR without chain-compressed models",
		About: "a + b of the joint table: the share of M2, M4 and M5 edits that leave a trace in the new chain. The last row leaves out the models of the failure mode chain compression, whose chain is too short to register anything. Each model once, under its first prompt.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("mode", "Failure mode", percuss.Words), headed("update", "a + b", percuss.Rate),
			headed("b", "(b) update, flip", percuss.Rate), headed("cdr", "CDR", percuss.Rate), headed("cdr_inflected", "CDR, inflected rule", percuss.Rate)},
		Rows: []percuss.Row{}}
	row := func(g Group, name, mode string) {
		t.Rows = append(t.Rows, percuss.Row{Head: g.Model == "", Cells: []percuss.Cell{percuss.Said(name), percuss.Said(mode), percuss.Measured(g.figure("update", "")),
			percuss.Measured(g.Joint[0].B), percuss.Measured(g.figure("cdr", "")), percuss.Measured(g.figure("cdr_inflected", ""))}})
	}
	models := s.rivals()
	var rest []*model
	for _, m := range models {
		mode := s.modeOf(m)
		row(m.group, m.group.Model, mode)
		if mode != modeCompression {
			rest = append(rest, m)
		}
	}
	if s.whole != nil {
		row(*s.whole, s.whole.Name, "")
	}
	switch {
	case len(models) == 0:
		t.Absent = noModels
	case len(rest) == 0:
		t.Notes = []string{"Every model is of the mode chain compression."}
	case len(rest) == len(models):
		t.Notes = []string{"No model is of the mode chain compression."}
	default:
		row(s.registering(rest), fmt.Sprintf("without chain compression (%d of %d models)", len(rest), len(models)), "")
	}
	return t
}

// registering is a group with how often the chains of some models register an edit, the mean of the models, and with no other
// figure.
func (s *summary) registering(models []*model) Group {
	var draws []*stat.Draws
	var cells []*cell
	var parts []sums
	for _, m := range models {
		draws, cells, parts = append(draws, m.tables), append(cells, m.cells...), append(parts, s.pooled(m.cells))
	}
	mean, err := draws[0], error(nil)
	if len(draws) > 1 {
		mean, err = stat.Average(draws...)
	}
	var g Group
	s.tabulate(&g, cells, estimated(s.l.tables(), mean, err, parts...), parts)
	g.Metrics = s.ordered(nil, nil, &g)
	return g
}

// modeOf is the failure mode of a model.
func (s *summary) modeOf(m *model) string {
	i := slices.IndexFunc(s.modes, func(o Mode) bool { return o.Model == m.group.Model && o.Variant == m.group.Variant })
	if i < 0 {
		return ""
	}
	return s.modes[i].Mode
}

// aggregated are the models once each, and then the panel.
func (s *summary) aggregated() []Group {
	out := s.rivalGroups()
	if s.whole != nil {
		out = append(out, *s.whole)
	}
	return out
}

// leaveOneOut is FCS without F4, and without M6.
func (s *summary) leaveOneOut() percuss.Table {
	t := percuss.Table{ID: "leave_out", Title: "FCS without F4, and without M6",
		About: "F4 (inserted notes) fires nearly always and M6 (times) nearly never. The change is FCS without the family minus FCS with it, on the same items and resamples. Each model once, under its first prompt.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("left_out", "Left out", percuss.Words), headed("scope", "Scope", percuss.Words),
			headed("fcs", "FCS", percuss.Rate), headed("fcs_without", "FCS without", percuss.Rate), headed("change", "Change", percuss.Decimal)},
		Rows: []percuss.Row{}}
	for _, left := range leaveOut {
		for _, scope := range [...]string{left.own, "all"} {
			name := left.family + "/" + scope
			var with, without []percuss.Number
			for _, g := range s.aggregated() {
				whole, rest := g.figure("fcs", scope), g.figure("fcs_without", name)
				t.Rows = append(t.Rows, percuss.Row{Head: g.Model == "", Cells: []percuss.Cell{percuss.Said(g.label()), percuss.Said(left.family), percuss.Said(scope),
					percuss.Measured(whole), percuss.Measured(rest), percuss.Measured(g.figure("fcs_change", name))}})
				if g.Model != "" {
					with, without = append(with, whole.Value), append(without, rest.Value)
				}
			}
			if tau, ok := stat.KendallTauB(with, without, s.o.Level).Value.Get(); ok {
				t.Notes = append(t.Notes, fmt.Sprintf("Ranking of the models by FCS (%s) with and without %s: τ-b %.2f.", scope, left.family, tau))
			}
		}
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
	}
	return t
}

// leaveOutDelta is the change of accuracy under chain edits without F4.
func (s *summary) leaveOutDelta() percuss.Table {
	t := percuss.Table{ID: "leave_out_delta", Title: "Δ accuracy without F4",
		About:   "Baseline minus edited accuracy in points on the same items, over F1-50, F2, F3, F4 and F5, and without F4. Each model once, under its first prompt.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("fdelta", "Δ", percuss.Points), headed("fdelta_without", "Δ without F4", percuss.Points)},
		Rows:    []percuss.Row{}}
	for _, g := range s.aggregated() {
		t.Rows = append(t.Rows, percuss.Row{Head: g.Model == "", Cells: []percuss.Cell{percuss.Said(g.label()),
			percuss.Measured(g.figure("fdelta", "")), percuss.Measured(g.figure("fdelta_without", "F4"))}})
	}
	if len(t.Rows) == 0 {
		t.Absent = noModels
		return t
	}
	signs, both := 0, 0
	var with, without []float64
	for _, m := range s.rivals() {
		a, okA := m.group.figure("fdelta", "").Value.Get()
		b, okB := m.group.figure("fdelta_without", "F4").Value.Get()
		if okA && okB {
			both++
			signs += int(bit((a < 0) != (b < 0)))
			with, without = append(with, a), append(without, b)
		}
	}
	if both > 1 {
		t.Notes = []string{fmt.Sprintf("Median over %d models %s points, without F4 %s; the sign of Δ changes in %d.", both,
			stat.Quantile(with, 0.5).Format(1), stat.Quantile(without, 0.5).Format(1), signs)}
	}
	return t
}

// fcsParams is FCS against the number of parameters, the points of the paper's Figure 4: the mean, and each data set.
func (s *summary) fcsParams() percuss.Table {
	models := s.rivals()
	t := percuss.Table{ID: "fcs_params", Title: "FCS against parameter count", Paper: "Figure 4",
		About: "FCS in scope F of the models whose number of parameters the specification gives, in billions.",
		Columns: []percuss.Column{headed("model", "Model", percuss.Words), headed("tier", "Tier", percuss.Words), headed("params", "Parameters, billions", percuss.Decimal),
			headed("fcs", "FCS (F)", percuss.Rate)}, Rows: []percuss.Row{}}
	names := setsOf(models)
	for _, name := range names {
		t.Columns = append(t.Columns, headed("fcs_"+name, "FCS (F), "+name, percuss.Rate))
	}
	t.Columns = distinct(t.Columns)
	var size, fcs []percuss.Number
	for _, m := range models {
		g := m.group
		params, ok := s.about[g.Model].Params.Get()
		if !ok || params <= 0 {
			continue
		}
		e := g.figure("fcs", "F")
		r := percuss.Row{Cells: []percuss.Cell{percuss.Said(g.Model), percuss.Said(g.Tier), percuss.Valued(percuss.Num(params / 1e9)), percuss.Measured(e)}}
		for _, name := range names {
			cell := percuss.Absent("the model was not asked this data set")
			if c, ok := s.cell(g.Variant, g.Model, name); ok {
				cell = c.figure("fcs", "F")
			}
			r.Cells = append(r.Cells, percuss.Measured(cell))
		}
		t.Rows = append(t.Rows, r)
		size, fcs = append(size, percuss.Num(math.Log10(params))), append(fcs, e.Value)
	}
	if len(t.Rows) == 0 {
		t.Absent = "the specification gives the number of parameters (params) of no model"
		return t
	}
	t.Notes = []string{correlationNote(size, fcs, s.o.Level)}
	return t
}

// correlationNote is the correlation of FCS with the logarithm of the size.
func correlationNote(size, fcs []percuss.Number, level float64) string {
	r, rho := stat.Pearson(size, fcs, level), stat.Spearman(size, fcs, level)
	if !r.Value.OK() {
		return "FCS against log10 of the parameters: no correlation, " + r.Why + "."
	}
	interval := ""
	if r.Lo.OK() {
		interval = fmt.Sprintf(" (%s to %s)", r.Lo.Format(2), r.Hi.Format(2))
	}
	few := ""
	if readCorrelation(r) == tooFew {
		few = " (" + tooFew + ")"
	}
	return fmt.Sprintf("FCS against log10 of the parameters over %d models%s: Pearson r %s%s, Spearman ρ %s.", r.N, few, r.Value.Format(2), interval, rho.Value.Format(2))
}
