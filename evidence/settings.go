package evidence

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strconv"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// The numbers of candidate orders and of random selections that a check is made with (spec/evidence-audit.md, section 4).
const (
	checkOrders    = 3
	checkSelectors = 3
)

// planned is a setting that is to be asked, or why it is not.
type planned struct {
	setting Setting
	order   int // highest order of an interaction
	why     string
}

// base is the base setting.
func (a *Audit) base() Setting {
	return Setting{Wording: a.o.Wording, Hide: a.o.Hide, EvidenceFirst: a.o.EvidenceFirst}
}

// wanted are the checks that are made on one case.
type wanted struct{ stability, neutralize, selectors, counterfactuals, floor bool }

// checksOf says which checks are made on a case: those whose share of its set reaches its place in the draw. None are
// made on a case that was not drawn.
func (a *Audit) checksOf(s percuss.Subject) wanted {
	place, drawn := a.o.Rank[s.Item]
	if !drawn {
		return wanted{}
	}
	of := a.o.Checks.Of(a.o.Drawn[s.Set], a.o.Can[s.Model].Layout == exactLayout)
	return wanted{place < of.Stability, place < of.Neutralize, place < of.Selectors, place < of.Counterfactuals, place < of.Floor}
}

// checks are the settings that a case is asked under besides the base setting and its rotations. units is the number of
// audited units.
func (a *Audit) checks(s percuss.Subject, units int) []planned {
	want, order := a.checksOf(s), min(a.o.CheckOrder, a.order(units))
	var out []planned
	if want.stability {
		out = a.stability(len(s.Case.Candidates), order)
	}
	if want.neutralize {
		p := planned{setting: a.base(), order: order}
		p.setting.Hide = Neutralize
		if a.o.Hide == Neutralize {
			p.setting.Hide = Drop
		}
		out = append(out, p)
	}
	if want.selectors {
		for _, choice := range a.otherSelectors(s.Case.Narrative) {
			p := planned{setting: a.base(), order: order}
			p.setting.Selector, p.setting.SelectorSeed = choice.Selector, choice.SelectorSeed
			if units >= len(s.Case.Units) {
				p.why = "other selectors: every finding is audited, so that none can choose otherwise"
			}
			out = append(out, p)
		}
	}
	return out
}

// stability are all wordings under three orders of so many candidates, the base setting apart.
func (a *Audit) stability(candidates, order int) []planned {
	var out []planned
	for _, wording := range a.wordings() {
		for k := range checkOrders {
			if wording == a.o.Wording && k == 0 {
				continue
			}
			p := planned{setting: a.base(), order: order}
			p.setting.Wording, p.setting.Order = wording, k
			if k >= permutations(candidates) {
				p.why = fmt.Sprintf("candidate order %d: there are no more orders of %d candidates", k, candidates)
			}
			out = append(out, p)
		}
	}
	return out
}

// wordings are all wordings, that of the base setting first.
func (a *Audit) wordings() []string {
	out := []string{a.o.Wording}
	for _, w := range a.o.Prompts.Wordings() {
		if w != a.o.Wording {
			out = append(out, w)
		}
	}
	return out
}

// otherSelectors are the selections that the base setting's is compared with.
func (a *Audit) otherSelectors(narrative bool) []Setting {
	base, all := a.o.Selector, []Selector{Balanced, TargetSalient, RandomBalanced}
	if narrative {
		base, all = a.o.Narrative, []Selector{Spaced, Random}
	}
	var out []Setting
	for _, s := range all {
		switch {
		case s == base:
		case s == Random || s == RandomBalanced:
			for k := range checkSelectors {
				out = append(out, Setting{Selector: s, SelectorSeed: k + 1})
			}
		default:
			out = append(out, Setting{Selector: s})
		}
	}
	return out
}

// audited are the units of a case that are shown and hidden under a setting.
func (a *Audit) audited(c percuss.Case, s Setting) ([]percuss.Unit, error) {
	selector, n, seed := a.o.Selector, a.o.Units, a.o.Seed
	if c.Narrative {
		selector, n = a.o.Narrative, a.o.Sentences
	}
	if s.SelectorSeed > 0 {
		seed = percuss.Rand(a.o.Seed, "", strconv.Itoa(s.SelectorSeed), "evidence/selection").Uint64()
	}
	return Select(c, c.Gold, cmp.Or(s.Selector, selector), n, seed, a.o.Thresholds)
}

// candidates are the candidates under their letters. The base order is a seeded shuffle of the file's, because files put
// the right one first; every further order is a shuffle of its own that differs from those before it.
func (a *Audit) candidates(c percuss.Case, s Setting) []percuss.Option {
	var orders [][]string
	for k := 0; k <= s.Order; k++ {
		names := slices.Clone(c.Candidates)
		if k > 0 || !a.o.FileOrder {
			r := percuss.Rand(a.o.Seed, c.ID, strconv.Itoa(k), "evidence/order")
			again := func(o []string) bool { return slices.Equal(o, names) }
			for first := true; first || k < permutations(len(names)) && slices.ContainsFunc(orders, again); first = false {
				r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
			}
		}
		orders = append(orders, names)
	}
	names := orders[s.Order]
	options := make([]percuss.Option, len(names))
	for i := range names {
		options[i] = percuss.Option{Label: percuss.Label(i), Text: names[(i+s.Rotation)%len(names)]}
	}
	return options
}

// permutations is n!, or a million where that is more.
func permutations(n int) int {
	out := 1
	for k := 2; k <= n && out < 1_000_000; k++ {
		out *= k
	}
	return out
}

// order is the highest order of an interaction of n units under the base setting.
func (a *Audit) order(n int) int {
	if a.o.MaxOrder == 0 {
		return n
	}
	return min(a.o.MaxOrder, n)
}

// shownSets are the sets of shown units that the interactions up to an order need, and the full set. Neighbours share the
// longest beginning of their prompts: all sets that agree on the first units stand together. The full set is the last.
func shownSets(n, order int) ([]lattice.Set, error) {
	sets, err := lattice.Subsets(n, order)
	if err != nil {
		return nil, err
	}
	if full := lattice.Full(n); !slices.Contains(sets, full) {
		sets = append(sets, full)
	}
	slices.SortFunc(sets, func(a, b lattice.Set) int {
		return cmp.Compare(bits.Reverse32(uint32(a)), bits.Reverse32(uint32(b)))
	})
	return sets, nil
}
