package evidence

import (
	"fmt"
	"maps"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Why a mean or a difference is missing.
const (
	notEverySet = "the model was not asked on every set"
	noneInBoth  = "no case is answered under both models"
	scoredNever = "no case is scored under both models"
)

// weight is a share of strength of a cell and the name under which cells are set side by side.
type weight struct {
	name string
	of   ratio
}

// suspiciousShare is the name of the suspicious share among a cell's weights, which no coarse class has.
const suspiciousShare = "\x00suspicious"

// weigh keeps what a panel needs of a cell's own figures: the ratios behind the suspicious share and the coarse
// classes' shares of strength.
func (c *cell) weigh(out *Cell, figures []figure) {
	for _, f := range figures {
		if f.into == &out.Gold.Suspicious {
			c.weights = append(c.weights, weight{suspiciousShare, f.of[0]})
		}
		for i := range out.Gold.Coarse {
			if f.into == &out.Gold.Coarse[i].Weight {
				c.weights = append(c.weights, weight{out.Gold.Coarse[i].Name, f.of[0]})
			}
		}
	}
}

// share is the figure of a weight; of a cell without it, one that is missing.
func (c *cell) share(name string) figure {
	at := slices.IndexFunc(c.weights, func(w weight) bool { return w.name == name })
	if at < 0 {
		return figure{absent: noRoles}
	}
	return figure{of: []ratio{c.weights[at].of}, absent: noSalient}
}

// right is the figure of the accuracy.
func (c *cell) right() figure {
	return figure{of: []ratio{c.main.over("correct", "answered")}, absent: "no case has a usable answer on the full evidence"}
}

// draw resamples some of the cell's cases, all where items is nil, under a key.
func (c *cell) draw(key string, items []string, o stat.Options, figures ...figure) (*stat.Draws, error) {
	if items == nil {
		items = slices.Sorted(maps.Keys(c.main.rows))
	}
	filled := make([]bool, len(c.main.names))
	for _, row := range c.main.rows {
		for at, v := range row {
			filled[at] = filled[at] || v != 0
		}
	}
	figures, used := compacted(figures, filled)
	sample := stat.Sample{Key: key, Items: items, Sums: make(stat.Sums, len(items))}
	for i, item := range items {
		sample.Sums[i] = picked(c.main.rows[item], used)
	}
	o.Metrics = described(figures)
	return stat.Draw(sample, statistic(figures), o)
}

// panel sets models and sets side by side; nil where there is one cell. A model that was run under several variants
// enters once, under the first.
func panel(cells []*cell, o stat.Options) *Panel {
	var first []*cell
	for _, c := range cells {
		if !slices.ContainsFunc(first, func(x *cell) bool { return x.subject.Model == c.subject.Model && x.subject.Set == c.subject.Set }) {
			first = append(first, c)
		}
	}
	if len(first) < 2 {
		return nil
	}
	p := &Panel{Models: []PanelModel{}, Sets: []PanelSet{}, Pairs: []PanelPair{}}
	sets := grouped(first, func(c *cell) string { return c.subject.Set })
	p.accuracies(first, len(sets), o)
	for _, of := range sets {
		p.Sets = append(p.Sets, panelSet(of, o))
		for i, a := range of {
			for _, b := range of[i+1:] {
				p.Pairs = append(p.Pairs, panelPair(a, b, o))
			}
		}
	}
	raw := make([]percuss.Number, len(p.Pairs))
	for i, x := range p.Pairs {
		raw[i] = x.P
	}
	for i, adjusted := range stat.Holm(raw) {
		p.Pairs[i].Adjusted = adjusted
	}
	return p
}

// grouped are the cells with the same name, in the order in which the names first come.
func grouped(cells []*cell, name func(*cell) string) (out [][]*cell) {
	at := map[string]int{}
	for _, c := range cells {
		i, ok := at[name(c)]
		if !ok {
			i = len(out)
			at[name(c)] = i
			out = append(out, nil)
		}
		out[i] = append(out[i], c)
	}
	return out
}

// accuracies are the last line of Table 2: each model's mean over the sets, and the mean of the models.
func (p *Panel) accuracies(cells []*cell, sets int, o stat.Options) {
	var means []*stat.Draws
	for _, of := range grouped(cells, func(c *cell) string { return c.subject.Model }) {
		m := PanelModel{Model: of[0].subject.Model, Sets: len(of), Accuracy: percuss.Absent(notEverySet)}
		if len(of) == sets {
			mean, err := meanOfDraws(of, func(c *cell) (*stat.Draws, error) {
				return c.draw(c.subject.Set, nil, o, c.right())
			})
			if m.Accuracy = estimateOf(mean, 0, err); err == nil {
				means = append(means, mean)
			}
		}
		p.Models = append(p.Models, m)
	}
	p.Accuracy = percuss.Absent("a model was not asked on every set")
	if len(means) == len(p.Models) {
		mean, err := stat.Average(means...)
		p.Accuracy = estimateOf(mean, 0, err)
	}
}

// meanOfDraws is the mean over cells.
func meanOfDraws(cells []*cell, draw func(*cell) (*stat.Draws, error)) (*stat.Draws, error) {
	var parts []*stat.Draws
	for _, c := range cells {
		d, err := draw(c)
		if err != nil {
			return nil, err
		}
		parts = append(parts, d)
	}
	return stat.Average(parts...)
}

// estimateOf is one metric of draws; where they could not be made, missing with the reason.
func estimateOf(d *stat.Draws, metric int, err error) percuss.Estimate {
	if err != nil {
		return percuss.Absent(err.Error())
	}
	return d.Estimates()[metric]
}

// panelSet is the mean of the models on a set, whose cases they share: each resample is of the same cases for all.
func panelSet(cells []*cell, o stat.Options) PanelSet {
	out := PanelSet{Set: cells[0].subject.Set, Of: len(cells), Shares: []PanelShare{}}
	names := []string{suspiciousShare}
	for _, c := range cells {
		for _, w := range c.weights {
			if !slices.Contains(names, w.name) {
				names = append(names, w.name)
			}
		}
	}
	have := make([]int, len(names)+1)
	mean, err := meanOfDraws(cells, func(c *cell) (*stat.Draws, error) {
		figures := []figure{c.right()}
		for _, name := range names {
			figures = append(figures, c.share(name))
		}
		d, err := c.draw(out.Set, nil, o, figures...)
		if err == nil {
			for i, e := range d.Estimates() {
				have[i] += int(bit(e.Value.OK()))
			}
		}
		return d, err
	})
	of := func(metric int) percuss.Estimate {
		e := estimateOf(mean, metric, err)
		if have[metric] > 0 && have[metric] < len(cells) {
			e.Warnings = append(slices.Clone(e.Warnings), fmt.Sprintf("over %d of the %d models: the others have none", have[metric], len(cells)))
		}
		return e
	}
	out.Accuracy, out.Suspicious = of(0), of(1)
	for i, name := range names[1:] {
		out.Shares = append(out.Shares, PanelShare{name, of(i + 2)})
	}
	return out
}

// panelPair is the difference of two models on the cases that both answered, and on those that both have scores of.
func panelPair(a, b *cell, o stat.Options) PanelPair {
	out := PanelPair{Set: a.subject.Set, A: a.subject.Model, B: b.subject.Model, Accuracy: percuss.Absent(noneInBoth), Suspicious: percuss.Absent(scoredNever)}
	answered, scored := newBlock(), []string{}
	right := func(c *cell, item string) (float64, bool) {
		return c.main.at(item, "correct"), c.main.at(item, "answered") > 0
	}
	for _, item := range slices.Sorted(maps.Keys(a.main.rows)) {
		if a.main.at(item, "scored") > 0 && b.main.at(item, "scored") > 0 {
			scored = append(scored, item)
		}
		x, okA := right(a, item)
		y, okB := right(b, item)
		if !okA || !okB {
			continue
		}
		out.Cases++
		out.OnlyA += int(x * (1 - y))
		out.OnlyB += int(y * (1 - x))
		answered.mean(item, "difference", percuss.Num(x-y))
	}
	key := out.Set + "/" + out.A + "/" + out.B
	if out.Scored = len(scored); out.Scored > 0 {
		out.Suspicious = suspiciousDifference(a, b, key+"/scored", scored, o)
	}
	if out.Cases == 0 {
		return out
	}
	out.P = stat.McNemar(out.OnlyA, out.OnlyB)
	answered.fill(key, o, []figure{{&out.Accuracy, []ratio{answered.over("difference", "difference/n")}, difference, noneInBoth}})
	return out
}

// suspiciousDifference is the difference of the suspicious shares of strength on the same cases.
func suspiciousDifference(a, b *cell, key string, items []string, o stat.Options) percuss.Estimate {
	x, err := a.draw(key, items, o, a.share(suspiciousShare))
	if err != nil {
		return percuss.Absent(err.Error())
	}
	y, err := b.draw(key, items, o, b.share(suspiciousShare))
	if err != nil {
		return percuss.Absent(err.Error())
	}
	d, err := stat.Subtract(x, y)
	return estimateOf(d, 0, err)
}
