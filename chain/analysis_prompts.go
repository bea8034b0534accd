package chain

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// promptRobustness is analysis 6: the same audit under several prompts (chain paper, Table 9).
type promptRobustness struct{}

func (promptRobustness) add(Record) {}

// promptMetrics are the columns of Table 9; the paper's agree with scope all.
var promptMetrics = [...]ranking{
	{"fcs", "all", "FCS (all)", ""}, {"fcs", "F", "FCS (F)", ""}, {"afr_d", "all", "AFR_D (all)", ""}, {"afr_d", "F", "AFR_D (F)", ""},
	{"afr_p", "all", "AFR_P (all)", ""}, {"afr_p", "F", "AFR_P (F)", ""}, {"ecr", "", "ECR", ""}, {"acc", "", "Accuracy", ""},
}

// conditions are the models that were asked under several prompts, each with its prompts in order.
func (s *summary) conditions() [][]*model {
	var out [][]*model
	index := map[string]int{}
	for _, m := range s.ranked() {
		i, ok := index[m.group.Model]
		if !ok {
			i = len(out)
			index[m.group.Model] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], m)
	}
	return slices.DeleteFunc(out, func(m []*model) bool { return len(m) < 2 })
}

func (promptRobustness) analyses(s *summary) []percuss.Analysis {
	out := percuss.Analysis{ID: "prompts", Number: 6, Title: "Prompt robustness", Tables: []percuss.Table{},
		About: "Does another prompt couple the chain and the answer? The same items under each prompt, and the change against the first."}
	several := s.conditions()
	if len(several) == 0 {
		out.Absent = "no model was asked the same data sets under more than one prompt"
		return []percuss.Analysis{out}
	}
	out.Tables = append(out.Tables, promptTable(several), s.promptChanges(several))
	return []percuss.Analysis{out}
}

// promptColumns head model, prompt and the metrics on a scale.
func promptColumns(scale percuss.Scale, fixed ...percuss.Column) []percuss.Column {
	out := append([]percuss.Column{headed("model", "Model", percuss.Words), headed("prompt", "Prompt", percuss.Words)}, fixed...)
	for _, m := range promptMetrics {
		id := m.id
		if m.scope != "" {
			id += "_" + m.scope
		}
		out = append(out, headed(id, m.head, scale))
	}
	return out
}

// promptTable is Table 9.
func promptTable(several [][]*model) percuss.Table {
	t := percuss.Table{ID: "prompts", Title: "Metrics under each prompt", Paper: "Table 9",
		About:   "Means of the model's data sets under each prompt. The paper's columns agree with scope all.",
		Columns: promptColumns(percuss.Rate), Rows: []percuss.Row{}}
	for _, models := range several {
		for _, m := range models {
			r := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(m.group.Variant)}}
			for _, p := range promptMetrics {
				r.Cells = append(r.Cells, percuss.Measured(m.group.figure(p.id, p.scope)))
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

// promptChanges are the differences to the first prompt on the items that both share.
func (s *summary) promptChanges(several [][]*model) percuss.Table {
	t := percuss.Table{ID: "prompts_change", Title: "Change against the first prompt",
		About:   "The metric under the prompt minus that under the model's first prompt, on the items asked under both; both sides take part in the same resamples.",
		Columns: promptColumns(percuss.Decimal, headed("against", "Against", percuss.Words), headed("items", "Items", percuss.Whole)),
		Rows:    []percuss.Row{}}
	for _, models := range several {
		first := models[0]
		for _, m := range models[1:] {
			e, items, why := s.contrast(m.arm(), first.arm())
			r := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model), percuss.Said(m.group.Variant),
				percuss.Said(first.group.Variant), percuss.Counted(items)}}
			for _, p := range promptMetrics {
				change := percuss.Absent(why)
				if why == "" {
					change = e[s.figure(p.id, p.scope)]
				}
				r.Cells = append(r.Cells, percuss.Measured(change))
			}
			t.Rows = append(t.Rows, r)
		}
	}
	return t
}

// arm is one side of a comparison: some cells of one model under one prompt, and the draws of their mean.
type arm struct {
	cells []*cell
	draws *stat.Draws
}

func (m *model) arm() arm { return arm{m.cells, m.metrics} }

// contrast is the difference of two arms, a less b, figure by figure in the order of the layout's figures, on the items
// of the data sets that both have. why says why there is none. Where both have the same items, the draws at hand are
// used; else both are drawn again on the shared ones, the figures up to the last of some places where these are named.
func (s *summary) contrast(a, b arm, only ...int) (e []percuss.Estimate, items int, why string) {
	shared := map[string]map[string]bool{}
	whole := len(a.cells) == len(b.cells)
	for _, c := range a.cells {
		i := slices.IndexFunc(b.cells, func(o *cell) bool { return o.set == c.set })
		if i < 0 {
			whole = false
			continue
		}
		in := common(c, b.cells[i])
		whole = whole && len(in) == len(c.metrics) && len(in) == len(b.cells[i].metrics)
		if len(in) > 0 {
			shared[c.set] = in
			items += len(in)
		}
	}
	if items == 0 {
		return nil, 0, "the two have no item in common"
	}
	figures := s.plain
	x, y := a.draws, b.draws
	var errX, errY error
	if !whole || x == nil || y == nil {
		if len(only) > 0 {
			figures = figures[:slices.Max(only)+1] // whose parts are earlier ones
		}
		x, errX = s.drawShared(a.cells, shared, figures)
		y, errY = s.drawShared(b.cells, shared, figures)
	}
	if err := first(errX, errY); err != nil {
		return nil, items, err.Error()
	}
	d, err := stat.Subtract(x, y)
	if err != nil {
		return nil, items, err.Error()
	}
	e = d.Estimates()
	for i, f := range figures {
		e[i] = f.change(e[i])
	}
	return e, items, ""
}

// common are the items of both cells.
func common(a, b *cell) map[string]bool {
	out := map[string]bool{}
	for id := range a.metrics {
		if _, ok := b.metrics[id]; ok {
			out[id] = true
		}
	}
	return out
}

// drawShared draws the mean of some cells over the shared items of each data set.
func (s *summary) drawShared(cells []*cell, shared map[string]map[string]bool, figures []figure) (*stat.Draws, error) {
	var draws []*stat.Draws
	for _, c := range cells {
		in, ok := shared[c.set]
		if !ok {
			continue
		}
		rows := map[string]packed{}
		for id := range in {
			rows[id] = c.metrics[id]
		}
		d, err := stat.Draw(s.sample(c.set, rows, s.l.width()), statistic(figures), s.options(figures))
		if err != nil {
			return nil, fmt.Errorf("%s on %s, %s: %w", c.model, c.set, c.variant, err)
		}
		draws = append(draws, d)
	}
	return stat.Average(draws...)
}
