package chain

import (
	"fmt"
	"slices"
	"sync"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// model is one model under one prompt.
type model struct {
	group           Group
	cells           []*cell     // that the group is of: the medical ones, where there are any
	others          []*cell     // of other domains, in no mean of medical ones
	metrics, tables *stat.Draws // when the means are made, of the figures alone that analyses use
}

// medical reports whether the group is of medical cells.
func (m *model) medical() bool { return m.cells[0].domain == "" }

// newModel is the model that some cells are of. Cells of another domain are there for comparison: they enter the model's
// figures only where it has no medical cell.
func (s *summary) newModel(cells []*cell) *model {
	m := &model{cells: slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.domain != "" })}
	if len(m.cells) == 0 {
		m.cells = cells
	} else {
		m.others = slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.domain == "" })
	}
	ecr := s.ecr(m.cells)
	for _, among := range [...][]*cell{m.cells, m.others} {
		for _, c := range among {
			c.gate = s.gates(c, among, ecr)
			c.has = present(s.l.figures(s.w, c.gate), c.metricSum)
		}
	}
	return m
}

// summarise makes the groups: of each model and its cells, of the tiers and of the panel. A model's draws are made, enter the
// means and are let go before the next one's, so that the replicates of one model at a time are in memory.
func (s *summary) summarise(units [][]*cell) {
	for _, cells := range units {
		s.models = append(s.models, s.newModel(cells))
	}
	tiers, whole := s.byTier(), s.panel()
	means := slices.Concat(tiers, whole)
	for i, m := range s.models {
		s.draw(m, units[i])
		for _, mean := range means {
			mean.add(s, m)
		}
		m.metrics, m.tables = outliving(m.metrics, s.compared(m)), outliving(m.tables, s.registered())
		for _, c := range units[i] {
			c.tables = nil // they are drawn
		}
	}
	for _, mean := range tiers {
		s.tiers = append(s.tiers, mean.group)
	}
	for _, mean := range whole {
		mean.group.Remarks = append(mean.group.Remarks, deltaRemarks(mean.models)...)
		s.whole = &mean.group
	}
}

// outliving are draws of some figures alone; the memory of the others is the next model's.
func outliving(d *stat.Draws, figures []int) *stat.Draws {
	if d == nil {
		return nil
	}
	defer d.Release()
	return d.Keep(figures...)
}

// compared are the figures of a model whose draws analyses use: they test one, hold one against data sets of another domain
// and, where there are several models or prompts, compare those.
func (s *summary) compared(m *model) []int {
	out := []int{s.figure("fdelta", ""), s.figure("fcs", string(battery.F))}
	if rivals := s.rivals(); len(rivals) > 1 && slices.Contains(rivals, m) {
		out = append(out, s.paired()...)
	}
	if !slices.ContainsFunc(s.models, func(o *model) bool { return o != m && o.cells[0].model == m.cells[0].model }) {
		return out
	}
	for _, p := range promptMetrics {
		out = append(out, s.figure(p.id, p.scope))
	}
	return out
}

// registered are the figures of the tables whose draws are averaged over other models than those of a tier: how often the
// chain registers an edit.
func (s *summary) registered() []int {
	figures := s.l.tables()
	out := []int{find(figures, "update", "")}
	for _, r := range s.l.jointRows() {
		if r.family == "" {
			out = append(out, find(figures, r.id('b'), ""), find(figures, r.id('c'), ""))
		}
	}
	return out
}

// draw draws a model and its cells, which are given in their order, and makes their groups.
func (s *summary) draw(m *model, cells []*cell) {
	tables, errs := map[*cell][]percuss.Estimate{}, map[*cell]error{}
	for _, c := range m.others {
		each, alone, err := s.drawTables([]*cell{c})
		tables[c], errs[c] = each[0], err
		alone.Release()
	}
	each, pooled, err := s.drawTables(m.cells)
	for i, c := range m.cells {
		tables[c], errs[c] = each[i], err
	}
	m.tables = pooled
	groups, metrics := make([]Group, len(cells)), make([]*stat.Draws, len(cells))
	var wg sync.WaitGroup
	for i, c := range cells {
		wg.Go(func() {
			var d *stat.Draws
			groups[i], d = s.cellGroup(c, tables[c], errs[c])
			if c.domain != "" && d != nil {
				c.draws = d.Keep(s.figure("fcs", string(battery.F)))
			}
			if slices.Contains(m.cells, c) {
				metrics[i] = d
			} else {
				d.Release()
			}
		})
	}
	wg.Wait()
	s.cells = append(s.cells, groups...)
	var inside []*stat.Draws
	for i, c := range cells {
		if slices.Contains(m.cells, c) {
			inside = append(inside, metrics[i])
		}
	}
	m.metrics, err = inside[0], nil
	figures := s.l.figures(s.w, gate{means: m.cells[0].gate.means})
	if len(inside) > 1 {
		if m.metrics, err = stat.Average(inside...); err == nil {
			m.metrics = m.metrics.Recombined(find(figures, inMeans, ""))
		}
		for _, d := range inside {
			d.Release()
		}
	}
	m.group = s.group(m.cells, "", m.metrics, estimatesOf(m.tables), figures, first(err, errs[m.cells[0]]))
	m.group.Name = cells[0].model + ", " + cells[0].variant
	m.group.Domain = m.cells[0].domain
	m.group.Remarks = append(m.group.Remarks, domainRemarks(m)...)
}

// figure is the place of a figure.
func (s *summary) figure(id, scope string) int { return find(s.plain, id, scope) }

// cellGroup draws the metrics of a cell, of which the tables are drawn, and makes its group.
func (s *summary) cellGroup(c *cell, tables []percuss.Estimate, errTables error) (Group, *stat.Draws) {
	figures := s.l.figures(s.w, c.gate)
	metrics, err := stat.Draw(s.sample(c.set, c.metrics, s.l.width()), statistic(figures), s.options(figures))
	out := s.group([]*cell{c}, c.set, metrics, tables, figures, first(err, errTables))
	out.Name = fmt.Sprintf("%s on %s, %s", c.model, c.set, c.variant)
	out.Domain = c.domain
	return out, metrics
}
