package evidence

import (
	"cmp"
	"math"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// strength is the size of an interaction, nats.
func (i Interaction) strength() float64 { return math.Abs(i.Value) }

// margin is the score of candidate d in a prompt minus the best other's, NaN where one is missing. A score that is a
// bound counts as it stands.
func (t *table) margin(row, d int) float64 {
	scores, _ := t.at(row)
	best := math.Inf(-1)
	for i, s := range scores {
		if i != d {
			best = math.Max(best, s) // NaN where one is
		}
	}
	return scores[d] - best
}

// of is the margin of candidate d where a set of units is shown; missing where it was not asked or has no scores.
func (t *table) of(shown lattice.Set, d int) percuss.Number {
	if t.rowOf[shown] == 0 {
		return percuss.Number{}
	}
	return percuss.Num(t.margin(int(t.rowOf[shown])-1, d))
}

// values are the margins of candidate d by set of shown units.
func (t *table) values(d int) []percuss.Number {
	out := make([]percuss.Number, len(t.rowOf))
	for row, shown := range t.sets {
		out[shown] = percuss.Num(t.margin(row, d))
	}
	return out
}

// bounded counts the scores that are bounds only, and says whether one of candidate d's is.
func (t *table) bounded(d int) (n int, own bool) {
	for i, b := range t.bound {
		if b {
			n++
			own = own || i%t.width() == d
		}
	}
	return n, own
}

// lead returns the best candidate of a prompt, −1 for a tie, and whether the prompt has a usable answer: a score of every
// candidate, the highest not only a bound.
func (t *table) lead(row int) (best int, usable bool) {
	scores, bounds := t.at(row)
	for i, s := range scores {
		switch {
		case math.IsNaN(s):
			return -1, false
		case s > scores[best]:
			best = i
		}
	}
	if bounds[best] {
		return -1, false
	}
	for i, s := range scores {
		if i != best && s > scores[best]-rounding {
			return -1, true
		}
	}
	return best, true
}

// meanMass is the mean probability that lies on the candidates' letters.
func (t *table) meanMass() percuss.Number {
	sum, n := 0.0, 0
	for row := range t.sets {
		if scores, _ := t.at(row); !slices.ContainsFunc(scores, math.IsNaN) {
			sum += t.mass[row]
			n++
		}
	}
	return percuss.Num(min(sum/float64(n), 1))
}

// target is a diagnosis that is audited under a setting.
type target struct {
	at    int // its column
	name  string
	rules matcher
}

// target is a diagnosis with the flags that the setting's units have for it.
func (r *reading) target(t *table, name string) target {
	return target{r.columns[name], name, r.a.o.Labels.matcher(r.flags(t, name), r.narrative)}
}

// flags are those of a setting's units, as seen from a diagnosis.
func (r *reading) flags(t *table, name string) [][]Flag {
	out := make([][]Flag, len(t.Units))
	for i, u := range r.unitsOf(t) {
		out[i] = Flags(u, r.names, name, r.a.o.Thresholds)
	}
	return out
}

// gold measures the gold's margin under a setting.
func (r *reading) gold(t *table) Measured {
	return t.measure(r.target(t, r.s.Case.Gold))
}

// measure reads a diagnosis's margin.
func (t *table) measure(d target) Measured {
	m := Measured{Setting: t.Setting, State: t.state, Why: t.why, Mass: t.meanMass()}
	for i, at := range t.column {
		if at == d.at {
			m.Letter = t.letters[i].Label
		}
	}
	var own bool
	m.Censored, own = t.bounded(d.at)
	switch {
	case m.State != Scored:
	case t.constant():
		m.State, m.Why = Constant, "all candidates have the same score in every prompt"
	case own:
		m.State, m.Why = Censored, "the diagnosis's letter was not among those that the back-end returned"
	}
	full := lattice.Full(t.units())
	if row := int(t.rowOf[full]) - 1; row >= 0 && m.State != Constant {
		best, usable := t.lead(row)
		m.Answered = usable
		if best >= 0 {
			m.Prediction, m.Correct = t.name(best), best == d.at
		}
	}
	if m.State == Scored {
		m.Margin, m.Empty = t.of(full, d.at), t.of(0, d.at)
		t.interpret(&m, d)
	}
	return m
}

// name is the candidate of a column.
func (t *table) name(column int) string { return t.letters[slices.Index(t.column, column)].Text }

// interpret turns margins into named interactions, strongest first.
func (t *table) interpret(m *Measured, d target) {
	game, err := lattice.FromValues(t.values(d.at), t.Order)
	if err != nil {
		m.State, m.Why = Unscored, err.Error()
		return
	}
	sets, err := lattice.Subsets(t.units(), t.Order)
	if err != nil {
		m.State, m.Why = Unscored, err.Error()
		return
	}
	m.Interactions = make([]Interaction, 0, len(sets)-1)
	for _, s := range sets[1:] {
		v, ok := game.Interaction(s).Get()
		if !ok {
			m.State, m.Why, m.Interactions = Waiting, "a prompt that an interaction needs was not asked", nil
			return
		}
		rule, opposite := d.rules.of(v > 0, s), d.rules.of(!(v > 0), s)
		m.Interactions = append(m.Interactions, Interaction{s, v, rule.ID, rule.Label, rule.Suspicious, opposite.ID})
	}
	slices.SortFunc(m.Interactions, func(a, b Interaction) int {
		return cmp.Or(cmp.Compare(b.strength(), a.strength()), a.Set.Compare(b.Set))
	})
	m.ByOrder = game.ByOrder(0)
	if t.Order < t.units() {
		return
	}
	full, _ := m.Margin.Get()
	empty, _ := m.Empty.Get()
	if sum, ok := game.Sum(t.Order).Get(); ok {
		m.Residual = percuss.Num(math.Abs(sum - (full - empty)))
	}
}
