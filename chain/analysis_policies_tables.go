package chain

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

func (p *policies) analyses(s *summary) []percuss.Analysis {
	models := s.ranked()
	a := percuss.Analysis{ID: "policies", Title: "Fixed policies beside the models",
		About: "What rules that read nothing would score on these very items. A metric that such a rule can win does not show by itself that a model reasons."}
	if len(p.items) == 0 {
		a.Absent = "no question has options: a fixed policy needs letters to choose from"
		return []percuss.Analysis{a}
	}
	p.scores = p.score(s, setsOf(models))
	for _, m := range models {
		p.scores = append(p.scores, p.repeated(s, m))
	}
	a.Tables = []percuss.Table{p.table(models), p.wins(models)}
	return []percuss.Analysis{a}
}

// table sets the policies beside the models.
func (p *policies) table(models []*model) percuss.Table {
	t := percuss.Table{ID: "policies", Title: "Models and fixed policies",
		About:   "Every metric of the models, then that of the policies on the same items. An edit counts as fired where it fired for some model; a policy has no chain, so it never shows a trace of an edit.",
		Columns: []percuss.Column{headed("name", "Model or policy", percuss.Words), headed("items", "Items", percuss.Whole)},
		Rows:    []percuss.Row{}, Notes: []string{
			"A policy's scores are those of these items exactly, so they have no interval. The commonest letter is looked up in the keys of these items: no reader could know it.",
			"Repeating the baseline takes a model's own first answer and never moves. Random letters are drawn anew for every reply; the figures are those of the expected counts, so that a spread such as DFG comes out too small.",
		}}
	for _, f := range policyFigures {
		id := f.id
		if f.scope != "" {
			id += "_" + strings.ToLower(f.scope)
		}
		t.Columns = append(t.Columns, headed(id, f.head, percuss.Rate))
	}
	for _, m := range models {
		row := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.subject()), percuss.Counted(m.group.Items)}}
		for _, f := range policyFigures {
			row.Cells = append(row.Cells, percuss.Measured(m.group.figure(f.id, f.scope)))
		}
		t.Rows = append(t.Rows, row)
	}
	for _, x := range p.scores {
		row := percuss.Row{Head: true, Cells: []percuss.Cell{percuss.Said(x.name), percuss.Counted(x.items)}}
		for _, v := range x.values {
			row.Cells = append(row.Cells, percuss.Valued(v))
		}
		t.Rows = append(t.Rows, row)
	}
	if won := p.won(models); len(won) > 0 {
		t.Notes = append(t.Notes, "A fixed policy does at least as well as the best model in: "+strings.Join(won, ", ")+".")
	}
	return t
}

// win compares the best model with the best policy in one metric.
type win struct {
	metric, better string
	model, policy  string
	of, by         percuss.Number
	won            bool // by the policy
}

// compared compares every metric that has a better direction, with the policies that compete in it.
func (p *policies) compared(models []*model) []win {
	better := map[string]string{}
	for _, d := range Definitions() {
		better[d.ID] = d.Better
	}
	var out []win
	for i, f := range policyFigures {
		w := win{metric: f.head, better: better[f.id]}
		if w.better != "higher" && w.better != "lower" {
			continue
		}
		beats := func(v, best percuss.Number) bool {
			x, ok := v.Get()
			y, has := best.Get()
			return ok && (!has || w.better == "higher" && x > y || w.better == "lower" && x < y)
		}
		for _, m := range models {
			if v := m.group.figure(f.id, f.scope).Value; beats(v, w.of) {
				w.model, w.of = m.subject(), v
			}
		}
		for _, x := range p.scores {
			if v := x.values[i]; x.competes(f.id) && beats(v, w.by) {
				w.policy, w.by = x.name, v
			}
		}
		w.won = w.of.OK() && w.by.OK() && !beats(w.of, w.by)
		out = append(out, w)
	}
	return out
}

// competes says whether a policy is held against the models in a metric. Repeating a baseline has the accuracy of its
// model, which says nothing; and a policy in expectation has no spread, so that DFG, and MFC that holds it, would flatter it.
func (x policyScore) competes(metric string) bool {
	switch metric {
	case "acc":
		return x.model == ""
	case "dfg", "mfc":
		return !x.expected
	}
	return true
}

// won names the metrics that a policy wins.
func (p *policies) won(models []*model) []string {
	var out []string
	for _, w := range p.compared(models) {
		if w.won {
			out = append(out, w.metric)
		}
	}
	return out
}

// wins is the table of the comparison.
func (p *policies) wins(models []*model) percuss.Table {
	t := percuss.Table{ID: "policy_wins", Title: "Metrics that a fixed policy can win",
		About: "For each metric with a better direction, the best model and the best policy. Where the policy does at least as well, a good value alone shows nothing.",
		Columns: []percuss.Column{headed("metric", "Metric", percuss.Words), headed("better", "Better", percuss.Words),
			headed("model", "Best model", percuss.Words), headed("of", "Its value", percuss.Rate),
			headed("policy", "Best policy", percuss.Words), headed("by", "Its value", percuss.Rate), headed("reading", "Reading", percuss.Words)},
		Rows: []percuss.Row{}, Notes: []string{"Repeating the baseline is left out of accuracy, which is its model's own. The random letter is left out of DFG and of MFC, which holds DFG: in expectation all groups have one accuracy, so that its DFG is 0 by construction."}}
	for _, w := range p.compared(models) {
		reading := "the best model does better"
		switch {
		case w.won:
			reading = "won by a fixed policy: no evidence of reasoning by itself"
		case !w.of.OK() || !w.by.OK():
			reading = "one side has no value"
		}
		t.Rows = append(t.Rows, percuss.Row{Cells: []percuss.Cell{percuss.Said(w.metric), percuss.Said(w.better), percuss.Said(w.model),
			percuss.Valued(w.of), percuss.Said(w.policy), percuss.Valued(w.by), percuss.Said(reading)}})
	}
	return t
}

// claims are that each model's accuracy beats the best policy that needs no model.
func (p *policies) claims(s *summary) []percuss.Claim {
	var out []percuss.Claim
	for _, m := range s.ranked() {
		rule := p.best(m)
		if rule == nil {
			continue
		}
		e := p.lead(s, m, *rule)
		out = append(out, claim("beats-policies", m.subject(), "The model answers more items rightly than the best fixed policy"+smallWords(p.margin),
			e.Above(p.margin), e, measured("accuracy less that of \""+rule.name+"\"", e),
			fmt.Sprintf("an interval of the difference that ends below %g", p.margin)))
	}
	return out
}

// best is the policy that needs no model and answers most of a model's items rightly: by the mean of the data sets, over
// the items with a baseline answer. nil: there is no such item.
func (p *policies) best(m *model) *policyScore {
	var out *policyScore
	most := percuss.Number{}
	for _, rule := range p.rules() {
		var values []percuss.Number
		for _, c := range m.cells {
			expected := 0.0
			for _, id := range slices.Sorted(maps.Keys(p.right[c.id()])) {
				expected += rule.chance(c.set, p.items[c.set][id])
			}
			values = append(values, quotient(expected, float64(len(p.right[c.id()]))))
		}
		if v, ok := mean(values...).Get(); ok && (out == nil || v > most.Or(v)) {
			out, most = &rule, percuss.Num(v)
		}
	}
	return out
}

// lead is a model's accuracy minus that of a policy, paired by item: the mean of the data sets. Only items with a baseline
// answer count, as in the accuracy.
func (p *policies) lead(s *summary, m *model, rule policyScore) percuss.Estimate {
	f := figure{kind: share, lo: -1, hi: 1, den: []int{0}, absent: "no item has a baseline answer", terms: told(excess(1, []int{1}, []int{2}, []int{0})),
		value: func(s sums) percuss.Number { return quotient(s[1]-s[2], s[0]) }} // items, the model's right answers, the policy's
	var parts []*stat.Draws
	for _, c := range m.cells {
		rows := map[string][]float64{}
		for id, right := range p.right[c.id()] {
			rows[id] = []float64{1, bit(right), rule.chance(c.set, p.items[c.set][id])}
		}
		d, err := stat.Draw(sample(c.set, s.items[c.set], rows, 3), statistic([]figure{f}), s.options([]figure{f}))
		if err != nil {
			return percuss.Absent(err.Error())
		}
		parts = append(parts, d)
	}
	d, err := stat.Average(parts...)
	if err != nil {
		return percuss.Absent(err.Error())
	}
	return f.finish(d.Estimates()[0], nil)
}
