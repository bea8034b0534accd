package evidence

import (
	"slices"

	"github.com/percuss/percuss"
)

// The reasons for what is missing.
const (
	noScored  = "no case is scored"
	noSalient = "no interaction is salient"
	noSuch    = "no salient interaction is of this kind"
	noRoles   = "nothing is known of what a narrative's sentences are evidence for"
)

// profiles lay out the mechanism tables.
func (c *cell) profiles(out *Cell) []figure {
	l, sums := &c.layout, c.main.sums()
	var figures []figure
	at := func(p *Profile, profile int, threshold float64) {
		p.Threshold = threshold
		figures = append(figures, c.profile(p, profile, sums)...)
	}
	at(&out.Gold, l.gold, c.o.Salient)
	at(&out.Everyone, len(l.thresholds), c.o.Salient)
	out.Thresholds = make([]Profile, len(swept))
	for i, t := range swept {
		if t != c.o.Salient { // else it is the gold's own profile, which is copied once made
			at(&out.Thresholds[i], slices.Index(l.thresholds, t), t)
		}
	}
	return figures
}

// profile lays out the tables of one threshold.
func (c *cell) profile(p *Profile, profile int, sums []float64) []figure {
	l, targets, null := &c.layout, c.main.column("targets/gold"), c.layout.null
	if profile == len(l.thresholds) {
		// The null is counted with the gold's flags alone.
		targets, null = c.main.column("targets/everyone"), nil
	}
	shown := c.shown(profile, sums)
	suspicious := slices.DeleteFunc(slices.Clone(shown), func(slot int) bool { return !l.rules[slot].Suspicious })
	all, susp := l.of(profile, shown), l.of(profile, suspicious)
	p.Targets, p.Salient, p.Strength = int(sums[targets]), int(total(sums, all.count)), total(sums, all.strength)
	figures := []figure{
		{&p.PerCase, []ratio{{all.count, []int{targets}}}, amount, noScored},
		{&p.SuspCase, []ratio{{susp.count, []int{targets}}}, amount, noScored},
		{&p.Suspicious, []ratio{{susp.strength, all.strength}}, rate, noSalient},
		{&p.SuspCount, []ratio{{susp.count, all.count}}, rate, noSalient},
	}
	if p.Overuse = percuss.Absent(noRoles); c.cases.structured > 0 {
		over := []int{c.main.column(overuseColumn(profile))}
		figures = append(figures, figure{&p.Overuse, []ratio{{over, all.count}}, rate, noSalient})
	}
	for _, table := range []struct {
		into *[]Mechanism
		by   func(Rule) string
	}{
		{&p.Mechanisms, func(r Rule) string { return r.Label }},
		{&p.Rules, func(r Rule) string { return r.ID }},
		{&p.Coarse, func(r Rule) string { return r.Coarse }},
	} {
		groups := l.groups(shown, table.by)
		*table.into = make([]Mechanism, len(groups))
		for i, g := range groups {
			m := &(*table.into)[i]
			m.Null = nullShare(null, g.slots)
			figures = append(figures, g.lay(m, l.of(profile, g.slots), all, sums)...)
		}
	}
	return figures
}

// shown are the rules that the tables list: those for structured cases, those for narratives, as the cell has them, and
// interactions under a rule that the table of labels lacks, where there are any.
func (c *cell) shown(profile int, sums []float64) []int {
	l, structured := &c.layout, len(c.o.Labels.Rules)
	var out []int
	for slot := range l.rules {
		last := slot == len(l.rules)-1
		switch {
		case last && sums[l.column(profile, slot)] == 0:
		case !last && slot < structured && c.cases.structured == 0:
		case !last && slot >= structured && c.cases.narratives == 0:
		default:
			out = append(out, slot)
		}
	}
	return out
}

// columns are those of counts and of strengths.
type columns struct{ count, strength []int }

// of are the columns of some rules in a profile.
func (l *layout) of(profile int, slots []int) columns {
	var out columns
	for _, slot := range slots {
		at := l.column(profile, slot)
		out.count, out.strength = append(out.count, at), append(out.strength, at+1)
	}
	return out
}

// group is some rules under one name.
type group struct {
	name       string
	suspicious bool
	slots      []int
}

// groups puts rules of one name together, in the order of the rules.
func (l *layout) groups(shown []int, by func(Rule) string) []group {
	var out []group
	for _, slot := range shown {
		name := by(l.rules[slot])
		at := slices.IndexFunc(out, func(g group) bool { return g.name == name })
		if at < 0 {
			at = len(out)
			out = append(out, group{name: name})
		}
		out[at].slots = append(out[at].slots, slot)
		out[at].suspicious = out[at].suspicious || l.rules[slot].Suspicious
	}
	return out
}

// lay fills in a mechanism's counts and lays out its shares of all.
func (g group) lay(m *Mechanism, own, all columns, sums []float64) []figure {
	m.Name, m.Suspicious = g.name, g.suspicious
	m.Count, m.Strength = int(total(sums, own.count)), total(sums, own.strength)
	return []figure{
		{&m.Share, []ratio{{own.count, all.count}}, rate, noSalient},
		{&m.Weight, []ratio{{own.strength, all.strength}}, rate, noSalient},
		{&m.Mean, []ratio{{own.strength, own.count}}, amount, noSuch},
	}
}

// nullShare is the share that random signs would give some rules, over all sets of units of the scored cases. The sets
// that are salient were chosen by their strength, so a share may depart from its null without any sense in the signs.
func nullShare(null []int, slots []int) percuss.Number {
	own, all := 0, 0
	for _, n := range null {
		all += n
	}
	if all == 0 {
		return percuss.Number{}
	}
	for _, slot := range slots {
		own += null[slot]
	}
	return percuss.Num(float64(own) / float64(all))
}
