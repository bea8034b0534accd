package step

import (
	"cmp"
	"slices"
)

// Adjudicated is the rater of labels that settle what raters disagree on: they hold in the place of the others.
const Adjudicated = "adjudicated"

// class is a label without the kind of an error: what judge and experts are compared by.
func (s Says) class() Says {
	if s.IsError() {
		return Erroneous
	}
	return s
}

// expertStep is a judged step that people labelled.
type expertStep struct {
	of     *cell
	seen   *seenStep
	says   Says    // Correct, Erroneous or Abstain: the adjudicated class, else that of more than half of the raters; empty: there is none
	weight float64 // how many steps of the run it stands for, up to a factor
}

// cluster names what is resampled together: an item of a set, under whichever model.
func (e expertStep) cluster() string { return e.of.subject.Set + "\x00" + e.seen.item }

// consulted is what experts said of the run's steps.
type consulted struct {
	steps   []expertStep // in the order of cells and steps
	labels  int          // that were given
	strays  int          // of no judged step of the run under its first view
	unclear int          // steps whose raters have no majority
}

// given reports whether any label was given.
func (c consulted) given() bool { return c.labels > 0 }

// settled are the steps with a label that holds.
func (c consulted) settled() []expertStep {
	return slices.DeleteFunc(slices.Clone(c.steps), func(e expertStep) bool { return e.says == "" })
}

// expertsOf joins the labels of people with the judged steps of the cells.
func (a *Audit) expertsOf(cells []*cell) consulted {
	out := consulted{labels: len(a.o.Experts)}
	if !out.given() {
		return out
	}
	all := index(cells)
	said := map[*seenStep]map[string]Says{}
	weights := map[*seenStep]float64{}
	for _, l := range a.o.Experts {
		at := all.find(l)
		if at == nil || l.View != "" && len(a.o.Views) > 0 && l.View != a.o.Views[0].ID || !l.Says.Judges() && l.Says != Abstain {
			out.strays++
			continue
		}
		if said[at] == nil {
			said[at] = map[string]Says{}
		}
		said[at][l.Rater] = l.Says.class()
		weights[at] = max(weights[at], cmp.Or(l.Weight, 1))
	}
	for _, c := range cells {
		for i := range c.seen {
			by, ok := said[&c.seen[i]]
			if !ok {
				continue
			}
			e := expertStep{of: c, seen: &c.seen[i], says: settled(by), weight: weights[&c.seen[i]]}
			if e.says == "" {
				out.unclear++
			}
			out.steps = append(out.steps, e)
		}
	}
	return out
}

// settled is the adjudicated class, else that of more than half of the raters; empty: there is none.
func settled(by map[string]Says) Says {
	if final := by[Adjudicated]; final != "" {
		return final
	}
	votes := map[Says]int{}
	for _, says := range by {
		votes[says]++
	}
	for says, n := range votes {
		if 2*n > len(by) {
			return says
		}
	}
	return ""
}

// stepPlace is where a step stands, but for prompt and set, which a label may leave out.
type stepPlace struct {
	model, item string
	chain, step int
}

// found is a judged step with its cell.
type found struct {
	of   *cell
	seen *seenStep
}

// steps are the judged steps by their places.
type steps map[stepPlace][]found

func index(cells []*cell) steps {
	out := steps{}
	for _, c := range cells {
		for i := range c.seen {
			s := &c.seen[i]
			p := stepPlace{c.subject.Model, s.item, s.chain, s.step}
			out[p] = append(out[p], found{c, s})
		}
	}
	return out
}

// find is the step that a label is of; nil: there is none, or several that it could be of.
func (s steps) find(l Label) *seenStep {
	var at *seenStep
	for _, f := range s[stepPlace{l.Model, l.Item, l.Chain, l.Step}] {
		if l.Variant != "" && l.Variant != f.of.subject.Variant || l.Set != "" && l.Set != f.of.subject.Set {
			continue
		}
		if at != nil {
			return nil
		}
		at = f.seen
	}
	return at
}
