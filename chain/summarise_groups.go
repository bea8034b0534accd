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
	plain  []figure // of no gate, laid out once: each stands at the place that it has under any
	about  map[string]Described
	items  map[string][]string // of each data set, over all its cells
	cells  []Group
	models []*model
	tiers  []Group
	whole  *Group // the panel
	modes  []Mode
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

// drawTables resamples the tables of some cells, and those that pool their trials. Of each cell it returns the estimates
// alone: the replicates of one that is a part of nothing are let go.
func (s *summary) drawTables(cells []*cell) (each [][]percuss.Estimate, pooled *stat.Draws, err error) {
	each = make([][]percuss.Estimate, len(cells))
	if len(cells) == 0 {
		return each, nil, nil
	}
	samples := make([]stat.Sample, len(cells))
	for i, c := range cells {
		samples[i] = s.sample(c.set, c.tables, s.l.tableWidth())
	}
	figures := s.l.tables()
	if len(cells) == 1 {
		if pooled, err = stat.Draw(samples[0], statistic(figures), s.options(figures)); err == nil {
			each[0] = pooled.Estimates()
		}
		return each, pooled, err
	}
	pooled, err = stat.DrawEach(samples, statistic(figures), s.options(figures), func(i int, d *stat.Draws) { each[i] = d.Estimates() })
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
	return gate{cell: withheld(s.ecr([]*cell{c})), means: withheld(model), aside: aside(c.metricSum, all)}
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
func (s *summary) group(cells []*cell, set string, metrics *stat.Draws, tables []percuss.Estimate, figures []figure, err error) Group {
	g := s.frame(cells)
	g.Model, g.Set = cells[0].model, set
	g.Tier = s.about[g.Model].Tier
	s.fill(&g, cells, metrics, tables, figures, []sums{s.pooled(cells)}, err)
	return g
}

// pooled are the column sums of the tables of some cells.
func (s *summary) pooled(cells []*cell) sums {
	out := make(sums, s.l.tableWidth())
	for _, c := range cells {
		out = plus(out, c.tableSum)
	}
	return out
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

// fill enters the estimates, those of the tables as they were drawn. parts are the column sums of the pooled tables, one for
// each model that the group is the mean of.
func (s *summary) fill(g *Group, cells []*cell, metrics *stat.Draws, t []percuss.Estimate, figures []figure, parts []sums, err error) {
	tableFigures := s.l.tables()
	var e []percuss.Estimate
	if err != nil || metrics == nil || t == nil {
		e, t = absent(len(figures), err), absent(len(tableFigures), err)
	} else {
		e = metrics.Estimates()
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

// estimatesOf are those of some draws; nil where there are none.
func estimatesOf(d *stat.Draws) []percuss.Estimate {
	if d == nil {
		return nil
	}
	return d.Estimates()
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
