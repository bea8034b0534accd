package evidence

import (
	"github.com/percuss/percuss/stat/lattice"
)

// The sources of noise (Noise.Source).
const (
	noiseBatch = "batch"
	noiseOrder = "order"
)

// noise pools the squared deviations of the gold's margins and interactions between repetitions of the base setting's
// prompts, and between candidate orders. Where letters are drawn, two halves of the draws are the repetitions.
func (r *reading) noise() []Noise {
	base := r.tables[0]
	orders := []*table{base}
	for _, t := range r.variants() {
		if s := t.Setting; s.Order != base.Setting.Order && s.Selector == "" {
			s.Order = base.Setting.Order
			if s == base.Setting {
				orders = append(orders, t)
			}
		}
	}
	if base.Sampled == 0 {
		return append(r.pool(noiseBatch, append([]*table{base}, r.repeats...)), r.pool(noiseOrder, orders)...)
	}
	// Two halves of the draws differ by twice the variance of all of them.
	batch := r.pool(noiseBatch, r.halves)
	for i := range batch {
		batch[i].Sum /= 2
	}
	return append(batch, r.pool(noiseOrder, orders)...)
}

// pool sums the squared deviations from their mean of so many askings of the same prompts. It is empty where there are
// fewer than two, or one is not scored.
func (r *reading) pool(source string, askings []*table) []Noise {
	if len(askings) < 2 {
		return nil
	}
	d := r.columns[r.s.Case.Gold]
	var games []*lattice.Game
	order := askings[0].Order
	for _, t := range askings {
		order = min(order, t.Order)
	}
	for _, t := range askings {
		if _, own := t.bounded(d); t.state != Scored || own || t.constant() {
			return nil
		}
		game, err := lattice.FromValues(t.values(d), order)
		if err != nil {
			return nil
		}
		games = append(games, game)
	}
	out := make([]Noise, order+1)
	for k := range out {
		out[k] = Noise{Source: source, Order: k, Repeats: len(askings) - 1}
	}
	x := make([]float64, len(askings))
	for _, shown := range askings[0].sets {
		common := true
		for i, t := range askings {
			v, ok := t.of(shown, d).Get()
			x[i], common = v, common && ok
		}
		if common {
			out[0].add(x)
		}
		if k := shown.Size(); k == 0 || k > order {
			continue
		}
		for i, g := range games {
			x[i] = g.Interaction(shown).Or(0)
		}
		out[shown.Size()].add(x)
	}
	return out
}

// add adds the squared deviations of repetitions of one measurement.
func (n *Noise) add(x []float64) {
	mean := 0.0
	for _, v := range x {
		mean += v / float64(len(x))
	}
	for _, v := range x {
		n.Sum += (v - mean) * (v - mean)
	}
	n.DoF += len(x) - 1
}
