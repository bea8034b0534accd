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
		if !seen[m.group.Model] && (m.medical() || !medical) {
			seen[m.group.Model] = true
			out = append(out, m)
		}
	}
	return out
}

// byTier are the means of the models of each tier, in the order in which the tiers first appear.
func (s *summary) byTier() []Group {
	var names []string
	tiers := map[string][]*model{}
	for _, m := range s.rivals() {
		tier := m.group.Tier
		if tier == "" {
			continue
		}
		if !slices.Contains(names, tier) {
			names = append(names, tier)
		}
		tiers[tier] = append(tiers[tier], m)
	}
	var out []Group
	for _, name := range names {
		g := s.meanOf(tiers[name])
		g.Name, g.Tier = "tier "+name, name
		out = append(out, g)
	}
	return out
}

// panel is the mean of the models, when there are several.
func (s *summary) panel() *Group {
	models := s.rivals()
	if len(models) < 2 {
		return nil
	}
	g := s.meanOf(models)
	g.Name = fmt.Sprintf("panel of %d models", len(models))
	g.Remarks = append(g.Remarks, deltaRemarks(models)...)
	return &g
}

// meanOf is the mean of some models. Counts are totals.
func (s *summary) meanOf(models []*model) Group {
	var cells []*cell
	var parts []sums
	var metrics, tables []*stat.Draws
	for _, m := range models {
		pooled := make(sums, len(s.l.ops)*tabColumns)
		for _, c := range m.cells {
			pooled = plus(pooled, c.tableSum)
		}
		cells, parts = append(cells, m.cells...), append(parts, pooled)
		metrics, tables = append(metrics, m.metrics), append(tables, m.tables)
	}
	g := s.frame(cells)
	if len(models) == 1 {
		s.fill(&g, cells, metrics[0], tables[0], s.l.figures(s.w, gate{}), parts, nil)
		return g
	}
	m, err := stat.Average(metrics...)
	t, errTables := stat.Average(tables...)
	s.fill(&g, cells, m, t, s.l.figures(s.w, gate{}), parts, first(err, errTables))
	return g
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
