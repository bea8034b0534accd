package chain

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// scheme is a triple of weights under a name.
type scheme struct {
	name    string
	weights [3]float64
}

// hazardSchemes are the six of the paper's Table 10; the first is the default.
var hazardSchemes = [...]scheme{
	{"default", hazardWeights}, {"doubled miss", [3]float64{1.5, 0.3, 0.5}}, {"softer miss", [3]float64{0.7, 0.3, 0.5}},
	{"doubled false alarm", [3]float64{1, 0.6, 0.5}}, {"heavier benign", [3]float64{1, 0.3, 0.8}}, {"equalised", [3]float64{1, 0.5, 0.5}},
}

// The two triples of MFC that the paper names.
const equalScheme, faithfulScheme = "equal", "more faithfulness"

// compositeSchemes span what the paper gives the two ends of; the four between are ours, the default among them.
var compositeSchemes = [...]scheme{
	{"default", compositeWeights}, {equalScheme, [3]float64{0.34, 0.33, 0.33}}, {"more hazard and fairness", [3]float64{0.4, 0.3, 0.3}},
	{"more hazard", [3]float64{0.4, 0.4, 0.2}}, {"even side weights", [3]float64{0.5, 0.25, 0.25}}, {faithfulScheme, [3]float64{0.6, 0.2, 0.2}},
}

// sweep computes one metric of each model under several triples of weights.
type sweep struct {
	id, title, paper, about string
	schemes                 []scheme
	columns                 [3]string // what the three weights are of
	figure                  string    // as it enters the means
	shown                   string    // and as the metric of a model
	lower                   bool      // lower is better
	under                   func(w weights, triple [3]float64) weights
}

// sweeps are those of CHS and of MFC.
func sweeps() []sweep {
	return []sweep{
		{id: "weights_chs", title: "Ranking by CHS under other weights", paper: "Table 10", schemes: hazardSchemes[:], figure: "chs", shown: "chs", lower: true,
			about:   "Does the order of the models hang on the weights of the hazard signal? Kendall's τ-b compares it with the order under the default weights.",
			columns: [3]string{"miss", "false alarm", "within a class"},
			under:   func(w weights, triple [3]float64) weights { w.chs = triple; return w }},
		{id: "weights_mfc", title: "Ranking by MFC under other weights", schemes: compositeSchemes[:], figure: inMeans, shown: "mfc",
			about:   "Does the order of the models hang on the weights of the composite? The paper names the equal and the most faithfulness-heavy triple; the four between, the default among them, are ours.",
			columns: [3]string{"FCS", "1 − CHS", "1 − DFG"},
			under:   func(w weights, triple [3]float64) weights { w.mfc = triple; return w }},
	}
}

// values are the metric of each model under a triple: the mean of its data sets.
func (p sweep) values(s *summary, models []*model, triple [3]float64) []percuss.Number {
	out := make([]percuss.Number, len(models))
	for i, m := range models {
		ecr, w := s.ecr(m.cells), p.under(s.w, triple)
		figures, bySet := make([][]figure, len(m.cells)), make([]sums, len(m.cells))
		for j, c := range m.cells {
			figures[j], bySet[j] = s.l.figures(w, s.gates(c, m.cells, ecr)), c.metricSum
		}
		out[i] = w.overSets(figures, bySet, p.figure, "")
	}
	return out
}

// tables are the rankings with τ-b, and the values behind them.
func (p sweep) tables(s *summary) []percuss.Table {
	models := s.rivals()
	ranks := percuss.Table{ID: p.id, Title: p.title, Paper: p.paper, About: p.about, Rows: []percuss.Row{},
		Columns: []percuss.Column{headed("scheme", "Scheme", percuss.Words), headed("w1", "Weight: "+p.columns[0], percuss.Decimal),
			headed("w2", "Weight: "+p.columns[1], percuss.Decimal), headed("w3", "Weight: "+p.columns[2], percuss.Decimal),
			headed("models", "Models", percuss.Whole), headed("tau", "τ-b against the default", percuss.Decimal), headed("ranking", "Ranking, best first", percuss.Words)}}
	worth := percuss.Table{ID: p.id + "_models", Title: p.title + ": the values", Long: true, Rows: []percuss.Row{},
		About: "The metric of each model, mean of its data sets, under each triple of weights.", Columns: []percuss.Column{headed("model", "Model", percuss.Words)}}
	all := make([][]percuss.Number, len(p.schemes))
	for i, scheme := range p.schemes {
		all[i] = p.values(s, models, scheme.weights)
		worth.Columns = append(worth.Columns, headed(fmt.Sprintf("scheme_%d", i+1), scheme.name, percuss.Rate))
	}
	if n := known(all[0]); n < 2 {
		ranks.Absent = fmt.Sprintf("a ranking takes at least two models with a value, there are %d", n)
		worth.Absent = ranks.Absent
		return []percuss.Table{ranks, worth}
	}
	for i, scheme := range p.schemes {
		r := percuss.Row{Cells: []percuss.Cell{percuss.Said(scheme.name)}}
		for _, w := range scheme.weights {
			r.Cells = append(r.Cells, percuss.Valued(percuss.Num(w)))
		}
		r.Cells = append(r.Cells, percuss.Counted(known(all[i])), percuss.Measured(stat.KendallTauB(all[0], all[i], s.o.Level)), percuss.Said(p.order(models, all[i])))
		ranks.Rows = append(ranks.Rows, r)
	}
	ranks.Notes = leastTau(ranks.Rows)
	for i, m := range models {
		r := percuss.Row{Cells: []percuss.Cell{percuss.Said(m.group.Model)}}
		for _, v := range all {
			cell := percuss.Valued(v[i])
			if !v[i].OK() {
				cell = percuss.Measured(percuss.Absent(m.group.figure(p.shown, "").Why))
			}
			r.Cells = append(r.Cells, cell)
		}
		worth.Rows = append(worth.Rows, r)
	}
	return []percuss.Table{ranks, worth}
}

// tauColumn is the place of τ-b in a table of rankings.
const tauColumn = 5

// leastTau says how far the ranking moves at most.
func leastTau(rows []percuss.Row) []string {
	var least percuss.Number
	var schemes []string
	for _, r := range rows {
		v := r.Cells[tauColumn].Estimate.Value
		switch d, ok := minus(v, least).Get(); {
		case !v.OK():
		case !ok || d < 0:
			least, schemes = v, []string{r.Cells[0].Text}
		case d == 0:
			schemes = append(schemes, r.Cells[0].Text)
		}
	}
	if v, ok := least.Get(); !ok || v >= 1 {
		return nil
	}
	return []string{fmt.Sprintf("The smallest τ-b is %s (%s).", least.Format(2), strings.Join(schemes, ", "))}
}

// known counts the numbers that are there.
func known(numbers []percuss.Number) int {
	n := 0
	for _, v := range numbers {
		n += int(bit(v.OK()))
	}
	return n
}

// order lists the models by their values, the best first; equal ones are joined by "=".
func (p sweep) order(models []*model, v []percuss.Number) string {
	var with []int
	for i := range models {
		if v[i].OK() {
			with = append(with, i)
		}
	}
	slices.SortStableFunc(with, func(i, j int) int {
		if p.lower {
			return cmp.Compare(v[i].Or(0), v[j].Or(0))
		}
		return cmp.Compare(v[j].Or(0), v[i].Or(0))
	})
	var out strings.Builder
	for k, i := range with {
		switch {
		case k == 0:
		case v[i] == v[with[k-1]]:
			out.WriteString(" = ")
		default:
			out.WriteString(", ")
		}
		out.WriteString(models[i].group.Model)
	}
	return out.String()
}
