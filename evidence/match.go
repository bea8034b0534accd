package evidence

import "github.com/percuss/percuss/stat/lattice"

// matcher names interactions of the same units as Labels.Of does, without looking at their flags again: for each list of
// flags of a rule it knows the set of units that have one of them.
type matcher []matched

type matched struct {
	rule           *Rule
	any            []lattice.Set
	all, none, but lattice.Set
}

// matcher prepares the rules for units with these flags.
func (l Labels) matcher(units [][]Flag, narrative bool) matcher {
	rules := l.Rules
	if narrative {
		rules = l.Narrative
	}
	having := func(wanted []Flag) (out lattice.Set) {
		for i, flags := range units {
			for _, f := range flags {
				for _, w := range wanted {
					if f == w {
						out |= 1 << i
					}
				}
			}
		}
		return out
	}
	out := make(matcher, len(rules))
	for i := range rules {
		r := &rules[i]
		m := matched{rule: r, all: having(r.All), none: having(r.None), but: having(r.But)}
		for _, wanted := range r.Any {
			m.any = append(m.any, having(wanted))
		}
		out[i] = m
	}
	return out
}

// of returns the rule for an interaction of a set of units.
func (m matcher) of(positive bool, s lattice.Set) *Rule {
	for i := range m {
		if m[i].applies(positive, s) {
			return m[i].rule
		}
	}
	return &Rule{}
}

func (m *matched) applies(positive bool, s lattice.Set) bool {
	r := m.rule
	switch {
	case r.Sign == "positive" && !positive, r.Sign == "negative" && positive, s.Size() < r.Least:
		return false
	case len(r.All) > 0 && s&^m.all != 0, s&m.none != 0, len(r.But) > 0 && s&^m.but == 0:
		return false
	}
	for _, wanted := range m.any {
		if s&wanted == 0 {
			return false
		}
	}
	return true
}
