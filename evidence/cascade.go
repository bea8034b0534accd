package evidence

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// cascade says which interactions of the base setting are found again under the checks (spec/evidence-audit.md, section
// 4). A step changes one thing: the wording under the base order, the order under the base wording, the way of hiding.
func (r *reading) cascade(base Measured, all []measuredTable) []Survival {
	var wording, order, hide []measuredTable
	own := base.Setting
	for _, m := range all[1:] {
		switch s := m.Measured.Setting; {
		case s.Selector != "":
		case s.Hide != own.Hide:
			hide = append(hide, m)
		case s.Wording == own.Wording:
			order = append(order, m)
		case s.Order == own.Order:
			wording = append(wording, m)
		}
	}
	if len(wording)+len(order)+len(hide) == 0 {
		return nil
	}
	var out []Survival
	for _, i := range r.followed(base) {
		again := func(m measuredTable) bool {
			j, _ := m.find(i.Set)
			return r.same(i, j)
		}
		family := func(m measuredTable) bool {
			of := m.families(i.Set)
			return slices.ContainsFunc(m.Interactions, func(j Interaction) bool { return r.same(i, j) && slices.Equal(m.families(j.Set), of) })
		}
		out = append(out, Survival{Set: i.Set, Value: i.Value, Rule: i.Rule, Suspicious: i.Suspicious,
			Prompt: verdict(i.Set, wording, again), Order: verdict(i.Set, order, again),
			Neutralize: verdict(i.Set, hide, again), Family: verdict(i.Set, hide, family)})
	}
	return out
}

// followed are the suspicious salient interactions and as many controls: salient ones that the strict rules did not pick,
// drawn at random, at least one where there is any.
func (r *reading) followed(base Measured) []Interaction {
	var suspicious, others []Interaction
	for _, i := range base.Interactions {
		switch {
		case i.strength() < r.a.o.Salient:
		case i.Suspicious:
			suspicious = append(suspicious, i)
		default:
			others = append(others, i)
		}
	}
	slices.SortFunc(others, func(a, b Interaction) int { return a.Set.Compare(b.Set) })
	drawn := percuss.Rand(r.a.o.Seed, r.s.Item, "", "evidence/controls").Perm(len(others))
	for _, k := range drawn[:min(len(drawn), max(1, len(suspicious)))] {
		suspicious = append(suspicious, others[k])
	}
	return suspicious
}

// same reports whether j is i found again: salient, of the same sign, and suspicious if i is.
func (r *reading) same(i, j Interaction) bool {
	return j.strength() >= r.a.o.Salient && (i.Value > 0) == (j.Value > 0) && (j.Suspicious || !i.Suspicious)
}

// families are the families of a set's units, sorted, each once.
func (m measuredTable) families(s lattice.Set) []string {
	var out []string
	for u := range s.Units() {
		out = append(out, m.ids[u].Family)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// verdict is the outcome of a step for one set: it holds in every variant, fails in one, or was not asked in one.
func verdict(s lattice.Set, variants []measuredTable, holds func(measuredTable) bool) Verdict {
	out := Holds
	if len(variants) == 0 {
		out = NotAsked
	}
	for _, m := range variants {
		switch {
		case m.State != Scored || s.Size() > m.table.Order:
			out = NotAsked
		case !holds(m):
			return Fails
		}
	}
	return out
}
