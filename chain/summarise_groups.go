package chain

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// summary gathers the groups. A model's draws are kept, for tiers and the panel are their means.
type summary struct {
	l      layout
	o      stat.Options
	w      weights
	about  map[string]Described
	items  map[string][]string // of each data set, over all its cells
	cells  []Group
	models []*model
	tiers  []Group
	whole  *Group // the panel
	modes  []Mode
}

// model is one model under one prompt.
type model struct {
	group           Group
	cells           []*cell // that the group is of: the medical ones, where there are any
	others          []*cell // of other domains, in no mean of medical ones
	metrics, tables *stat.Draws
}

// medical reports whether the group is of medical cells.
func (m *model) medical() bool { return m.cells[0].domain == "" }

// add summarises the cells of one model under one prompt. Cells of another domain are there for comparison: they enter
// the model's figures only where it has no medical cell.
func (s *summary) add(cells []*cell) {
	inside, others := slices.Clone(cells), []*cell{}
	inside = slices.DeleteFunc(inside, func(c *cell) bool { return c.domain != "" })
	if len(inside) == 0 {
		inside = cells
	} else {
		others = slices.DeleteFunc(slices.Clone(cells), func(c *cell) bool { return c.domain == "" })
	}
	ecr := s.ecr(inside)
	m := &model{cells: inside, others: others}
	each, pooled, errTables := s.drawTables(inside)
	apart, _, errApart := s.drawTables(others)
	var metrics []*stat.Draws
	for _, c := range cells {
		if i := slices.Index(inside, c); i >= 0 {
			metrics = append(metrics, s.addCell(c, s.gates(c, inside, ecr), each[i], errTables))
		} else {
			s.addCell(c, s.gates(c, others, ecr), apart[slices.Index(others, c)], errApart)
		}
	}
	var err error
	m.metrics, m.tables = metrics[0], pooled
	figures := s.l.figures(s.w, gate{means: withheld(ecr)})
	if len(inside) > 1 {
		if m.metrics, err = stat.Average(metrics...); err == nil {
			m.metrics = m.metrics.Recombined(find(figures, inMeans, ""))
		}
	}
	m.group = s.group(inside, "", m.metrics, m.tables, figures, first(err, errTables))
	m.group.Name = cells[0].model + ", " + cells[0].variant
	m.group.Domain = inside[0].domain
	m.group.Remarks = append(m.group.Remarks, domainRemarks(m)...)
	s.models = append(s.models, m)
}

// addCell summarises one cell, of which the tables are drawn, and returns the draws of its metrics.
func (s *summary) addCell(c *cell, g gate, tables *stat.Draws, errTables error) *stat.Draws {
	figures := s.l.figures(s.w, g)
	wide := sample(c.set, s.items[c.set], c.metrics, len(c.metricSum))
	c.has = present(figures, c.metricSum)
	metrics, err := stat.Draw(wide, statistic(figures), s.options(figures))
	out := s.group([]*cell{c}, c.set, metrics, tables, figures, first(err, errTables))
	out.Name = fmt.Sprintf("%s on %s, %s", c.model, c.set, c.variant)
	out.Domain = c.domain
	s.cells = append(s.cells, out)
	if c.domain != "" {
		c.draws = metrics
	}
	return metrics
}

// domainRemarks say which cells a model's figures are of, where it has some of another domain.
func domainRemarks(m *model) []string {
	switch {
	case !m.medical():
		return []string{fmt.Sprintf("No medical data set: these figures are of questions of another domain (%s).", sets(m.cells))}
	case len(m.others) > 0:
		return []string{fmt.Sprintf("Of another domain and in none of these figures: %s.", sets(m.others))}
	}
	return nil
}

// sets lists the data sets of some cells.
func sets(cells []*cell) string {
	var names []string
	for _, c := range cells {
		if !slices.Contains(names, c.set) {
			names = append(names, c.set)
		}
	}
	return listed(names)
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// options are those of a draw of some figures.
func (s *summary) options(figures []figure) stat.Options {
	o := s.o
	o.Metrics = described(figures)
	return o
}

// drawTables resamples the tables of each of some cells, and those that pool their trials. Where they cannot be drawn each
// of the draws is nil.
func (s *summary) drawTables(cells []*cell) (each []*stat.Draws, pooled *stat.Draws, err error) {
	if len(cells) == 0 {
		return nil, nil, nil
	}
	samples := make([]stat.Sample, len(cells))
	for i, c := range cells {
		samples[i] = sample(c.set, s.items[c.set], c.tables, len(s.l.ops)*tabColumns)
	}
	figures := s.l.tables()
	if len(cells) == 1 {
		pooled, err = stat.Draw(samples[0], statistic(figures), s.options(figures))
		return []*stat.Draws{pooled}, pooled, err
	}
	each, pooled, err = stat.DrawEach(samples, statistic(figures), s.options(figures))
	if err != nil {
		each, pooled = make([]*stat.Draws, len(cells)), nil
	}
	return each, pooled, err
}

// ecr is a model's ECR: the mean of its data sets.
func (s *summary) ecr(cells []*cell) percuss.Number {
	if len(s.l.family("F1")) == 0 {
		return percuss.Number{}
	}
	values := make([]percuss.Number, len(cells))
	for i, c := range cells {
		values[i] = quotient(c.metricSum[colKept], c.metricSum[colAsked])
	}
	return mean(values...)
}

// gates says why MFC is withheld from a cell, and from the means that it enters with some others; and whether its fairness
// gap enters their headline.
func (s *summary) gates(c *cell, among []*cell, model percuss.Number) gate {
	var all []sums
	for _, other := range among {
		all = append(all, other.metricSum)
	}
	c.aside = aside(c.metricSum, all)
	return gate{cell: withheld(s.ecr([]*cell{c})), means: withheld(model), aside: c.aside}
}

// present says which figures have a value.
func present(figures []figure, s sums) []bool {
	out := make([]bool, len(figures))
	for i, f := range figures {
		out[i] = f.value(s).OK()
	}
	return out
}

// group makes the tables of a cell, which has a set, or of the model that several cells are.
func (s *summary) group(cells []*cell, set string, metrics, tables *stat.Draws, figures []figure, err error) Group {
	g := s.frame(cells)
	g.Model, g.Set = cells[0].model, set
	g.Tier = s.about[g.Model].Tier
	pooled := make(sums, len(s.l.ops)*tabColumns)
	for _, c := range cells {
		pooled = plus(pooled, c.tableSum)
	}
	s.fill(&g, cells, metrics, tables, figures, []sums{pooled}, err)
	return g
}

// frame is a group with its counts.
func (s *summary) frame(cells []*cell) Group {
	t := newTally()
	variant := cells[0].variant
	var d Doubts
	for _, c := range cells {
		t.plus(c.tally)
		d.ECRUnsure += int(c.metricSum[colUnsure])
		d.GapMixed += int(c.metricSum[colPairMixed])
		if c.variant != variant {
			variant = "several"
		}
	}
	d.CDRCut = t.cdrCut
	return Group{Variant: variant, Items: t.items, Doubts: d, Dropped: t.droppedCounts(), Outcomes: t.outcomeCounts(),
		Remarks: s.l.remarks(cells, t)}
}

// fill enters the estimates. parts are the column sums of the pooled tables, one for each model that the group is the
// mean of.
func (s *summary) fill(g *Group, cells []*cell, metrics, tables *stat.Draws, figures []figure, parts []sums, err error) {
	tableFigures := s.l.tables()
	var e, t []percuss.Estimate
	if err != nil || metrics == nil || tables == nil {
		e, t = absent(len(figures), err), absent(len(tableFigures), err)
	} else {
		e, t = metrics.Estimates(), tables.Estimates()
	}
	metricSums := make([]sums, len(cells))
	for i, c := range cells {
		metricSums[i] = c.metricSum
	}
	for i, f := range figures {
		e[i] = noted(i, f, f.finish(e[i], metricSums), cells)
		if !e[i].Value.OK() {
			e[i].Why = f.lacking(figures, e, e[i].Why)
		}
		if f.id == inMeans && g.Model == "" && !e[i].Value.OK() {
			e[i].Why = fmt.Sprintf("no model has one; %s: %s", cells[0].model, e[i].Why)
		}
	}
	for i, f := range tableFigures {
		t[i] = f.finish(t[i], parts)
	}
	s.tabulate(g, cells, t, parts)
	g.Metrics = s.ordered(figures, e, g)
	g.Remarks = append(g.Remarks, lowFiringRemark(*g)...)
}

// absent are estimates that could not be made.
func absent(n int, err error) []percuss.Estimate {
	why := "it could not be drawn"
	if err != nil {
		why = err.Error()
	}
	out := make([]percuss.Estimate, n)
	for i := range out {
		out[i] = percuss.Absent(why)
	}
	return out
}

// tabulate fills in the joint table and the firing rows.
func (s *summary) tabulate(g *Group, cells []*cell, t []percuss.Estimate, parts []sums) {
	counts := make([]operatorCounts, len(s.l.ops))
	var sets []string
	for _, c := range cells {
		sets = append(sets, c.set)
		for i, n := range c.counts {
			counts[i].mixed += n.mixed
			counts[i].mixedFlips += n.mixedFlips
			counts[i].marker += n.marker
		}
	}
	for _, r := range s.l.jointRows() {
		j := r.joint(t[:4], parts)
		j.Stem = s.l.stemOf("cdr", "")
		g.Joint = append(g.Joint, j)
		t = t[4:]
	}
	for _, r := range s.l.operatorRows() {
		g.Operators = append(g.Operators, s.l.firing(r, t[:figuresPerRow], parts, counts, sets))
		t = t[figuresPerRow:]
	}
	for _, r := range s.l.familyRows() {
		g.Families = append(g.Families, s.l.firing(r, t[:figuresPerRow], parts, counts, sets))
		t = t[figuresPerRow:]
	}
	for i, f := range s.l.drift() {
		g.inner = append(g.inner, Metric{ID: f.id, Estimate: t[i], Stem: s.l.stemOf("cdr", "")})
	}
}
