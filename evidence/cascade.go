package evidence

import (
	"cmp"
	"math"
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

// followed are the suspicious salient interactions and a control for each, as far as there are any: salient ones of the
// same order that the strict rules did not pick. Order matters most, for an interaction of order k sums 2^k margins and
// what disturbs them, then sign and strength. In a narrative nothing can be suspicious: one of its salient interactions,
// drawn at random, is followed.
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
	if r.narrative && len(suspicious) == 0 && len(others) > 0 {
		return []Interaction{others[percuss.Rand(r.a.o.Seed, r.s.Item, "", "evidence/controls").IntN(len(others))]}
	}
	out := suspicious
	for _, i := range suspicious {
		if at := control(i, others); at >= 0 {
			out = append(out, others[at])
			others = slices.Delete(others, at, at+1)
		}
	}
	return out
}

// control is the place of the interaction that is most like i: of its order, else there is none; of its sign where
// possible; of the nearest strength, the first of equals.
func control(i Interaction, of []Interaction) int {
	at := -1
	unlike := func(j Interaction) (sign, distance float64) {
		return bit((j.Value > 0) != (i.Value > 0)), math.Abs(j.strength() - i.strength())
	}
	for k, j := range of {
		if j.Set.Size() != i.Set.Size() {
			continue
		}
		sign, distance := unlike(j)
		if at >= 0 {
			oldSign, oldDistance := unlike(of[at])
			if cmp.Or(cmp.Compare(sign, oldSign), cmp.Compare(distance, oldDistance)) >= 0 {
				continue
			}
		}
		at = k
	}
	return at
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
