package chain

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// groups returns the groups of some models.
func (s *summary) groups(models []*model) []Group {
	out := []Group{}
	for _, m := range models {
		out = append(out, m.group)
	}
	return out
}

// rivals are the models that tiers and the panel are the means of: each once, under the first prompt that it has medical
// cells under. A model without a medical cell is none, unless none has one.
func (s *summary) rivals() []*model {
	medical := slices.ContainsFunc(s.models, (*model).medical)
	var out []*model
	seen := map[string]bool{}
	for _, m := range s.models {
		if !seen[m.cells[0].model] && (m.medical() || !medical) {
			seen[m.cells[0].model] = true
			out = append(out, m)
		}
	}
	return out
}

// byTier are the means of the models of each tier, in the order in which the tiers first appear.
func (s *summary) byTier() []*meanGroup {
	var names []string
	tiers := map[string][]*model{}
	for _, m := range s.rivals() {
		tier := s.about[m.cells[0].model].Tier
		if tier == "" {
			continue
		}
		if !slices.Contains(names, tier) {
			names = append(names, tier)
		}
		tiers[tier] = append(tiers[tier], m)
	}
	var out []*meanGroup
	for _, name := range names {
		g := s.meanOf(tiers[name])
		g.group.Name, g.group.Tier = "tier "+name, name
		out = append(out, g)
	}
	return out
}

// panel is the mean of the models; none where there are not several.
func (s *summary) panel() []*meanGroup {
	models := s.rivals()
	if len(models) < 2 {
		return nil
	}
	g := s.meanOf(models)
	g.group.Name = fmt.Sprintf("panel of %d models", len(models))
	return []*meanGroup{g}
}

// meanGroup is the mean of some models, which are drawn one after the other.
type meanGroup struct {
	group           Group
	models          []*model
	cells           []*cell
	parts           []sums // column sums of the tables of each model
	added           int
	metrics, tables *stat.Mean
	err, errTables  error
}

// meanOf is the mean of some models, to which their draws are still to be added. Counts are totals.
func (s *summary) meanOf(models []*model) *meanGroup {
	g := &meanGroup{models: models}
	figures := s.l.tables()
	hasMetrics, hasTables := make([]int, len(s.plain)), make([]int, len(figures))
	for _, m := range models {
		g.cells, g.parts = append(g.cells, m.cells...), append(g.parts, s.pooled(m.cells))
		for i := range hasMetrics {
			hasMetrics[i] += int(bit(slices.ContainsFunc(m.cells, func(c *cell) bool { return c.has[i] })))
		}
		for i, has := range present(figures, g.parts[len(g.parts)-1]) {
			hasTables[i] += int(bit(has))
		}
	}
	g.metrics, g.tables = stat.NewMean(len(models), hasMetrics), stat.NewMean(len(models), hasTables)
	g.group = s.frame(g.cells)
	return g
}

// add adds a model's draws where it is one of the group's, and makes the group when it is the last.
func (g *meanGroup) add(s *summary, m *model) {
	if !slices.Contains(g.models, m) {
		return
	}
	figures := s.plain
	if len(g.models) == 1 {
		s.fill(&g.group, g.cells, m.metrics, estimatesOf(m.tables), figures, g.parts, nil)
		return
	}
	g.err, g.errTables = first(g.err, g.metrics.Add(m.metrics)), first(g.errTables, g.tables.Add(m.tables))
	if g.added++; g.added < len(g.models) {
		return
	}
	metrics, err := g.metrics.Draws()
	tables, errTables := g.tables.Draws()
	s.fill(&g.group, g.cells, metrics, estimatesOf(tables), figures, g.parts, first(g.err, err, g.errTables, errTables))
	metrics.Release()
	tables.Release()
	g.metrics, g.tables = nil, nil
}

// ordered lists the metrics in the order of Definitions, and keeps the others for the analyses. CDR stands in the joint table; DFG and MFC
// have one form for a cell and another for the means.
func (s *summary) ordered(figures []figure, e []percuss.Estimate, g *Group) []Metric {
	found := map[string][]Metric{}
	for i, f := range figures {
		switch {
		case f.id == inMeans && g.Set == "":
			found["mfc"] = []Metric{{ID: "mfc", Estimate: e[i], Stem: s.l.stemOf("mfc", "")}}
		case f.id == headlineGap && g.Set == "":
			found["dfg"] = []Metric{{ID: "dfg", Estimate: e[i], Stem: s.l.stemOf("dfg", "")}}
		case f.id == "dfg":
			all := Metric{ID: "dfg_all", Estimate: e[i], Stem: s.l.stemOf("dfg", "")}
			found["dfg_all"] = []Metric{all}
			if g.Set != "" {
				all.ID = "dfg"
				found["dfg"] = []Metric{all}
			}
		case f.id == inMeans || f.id == headlineGap || f.id == "mfc" && g.Set == "":
		default:
			found[f.id] = append(found[f.id], Metric{f.id, f.scope, e[i], s.l.stemOf(f.id, f.scope)})
		}
	}
	for _, j := range g.Joint {
		if j.Family == "" {
			id := map[string]string{rules[0]: "cdr", rules[1]: "cdr_inflected"}[j.Rule]
			found[id] = []Metric{{ID: id, Estimate: j.C, Stem: j.Stem}}
		}
	}
	var out []Metric
	for _, d := range Definitions() {
		out = append(out, found[d.ID]...)
		delete(found, d.ID)
	}
	for _, f := range figures {
		g.inner = append(g.inner, found[f.id]...)
		delete(found, f.id)
	}
	return out
}
