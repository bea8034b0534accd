package step

import (
	"fmt"
	"maps"
	"slices"
)

// qualities are how good the judges are, where it is known: what the report was told, and of the others what labels of
// experts say.
func (s *summary) qualities() map[string]Quality {
	out := maps.Clone(s.a.o.Quality)
	if out == nil {
		out = map[string]Quality{}
	}
	for at, j := range s.a.o.Judges {
		if _, told := out[j.ID]; told {
			continue
		}
		if q, ok := s.experts.quality(at); ok {
			out[j.ID] = q
		}
	}
	return out
}

// quality is how good a judge is by the labels of experts: over the steps that both call correct or an error, each weighted
// by how many steps of the run it stands for. ok is false where experts call none of them an error, or none correct.
func (c consulted) quality(judge int) (q Quality, ok bool) {
	var errors, correct weighted
	n := 0
	for _, e := range c.steps {
		if !e.says.Judges() || judge >= len(e.seen.says) || !e.seen.says[judge].Judges() {
			continue
		}
		n++
		if called := e.seen.says[judge].IsError(); e.says.IsError() {
			errors.add(e, called)
		} else {
			correct.add(e, !called)
		}
	}
	if errors.sum == 0 || correct.sum == 0 {
		return Quality{}, false
	}
	return Quality{Sensitivity: errors.rate(), Specificity: correct.rate(), Positives: errors.effective(), Negatives: correct.effective(), From: fmt.Sprintf("%d %s", n, ExpertLabels)}, true
}

// ExpertLabels ends the words of Quality.From where experts measured a judge on a weighted sample, whose numbers are effective.
const ExpertLabels = "expert labels"

// weighted is a weighted share of steps.
type weighted struct {
	hits, sum, squares float64
	clusters           map[string][2]float64 // the hits and the sum of an item
}

func (w *weighted) add(e expertStep, hit bool) {
	if w.clusters == nil {
		w.clusters = map[string][2]float64{}
	}
	v := e.weight * bit(hit)
	w.hits, w.sum, w.squares = w.hits+v, w.sum+e.weight, w.squares+e.weight*e.weight
	was := w.clusters[e.cluster()]
	w.clusters[e.cluster()] = [2]float64{was[0] + v, was[1] + e.weight}
}

func (w *weighted) rate() float64 { return min(1, w.hits/w.sum) }

// effective is how many independent steps of equal weight tell as much: fewer than were labelled, for weights differ (Kish
// 1965) and steps of one item are alike. The latter is what the variance between items, to first order, shows; where all
// steps are hits or none is, it shows nothing, and the items count as if they were the steps. At least 1.
func (w *weighted) effective() int {
	n, items := w.sum*w.sum/w.squares, float64(len(w.clusters))
	p, spread, ofItems := w.rate(), 0.0, 0.0
	for _, key := range slices.Sorted(maps.Keys(w.clusters)) {
		c := w.clusters[key]
		d := c[0] - p*c[1]
		spread += d * d
		ofItems += c[1] * c[1]
	}
	switch {
	case items < 2:
		n = 1
	case p > 0 && p < 1 && spread > 0:
		n = min(n, p*(1-p)*w.sum*w.sum*(items-1)/(items*spread))
	case p == 0 || p == 1:
		n = min(n, w.sum*w.sum/ofItems)
	}
	return max(1, int(n+rounding))
}

// rounding makes up for what sums of weights lose of a whole number.
const rounding = 1e-9
