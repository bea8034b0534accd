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
	noRoles   = "in a narrative nothing is known of what a sentence is evidence for"
	noTurn    = "no salient interaction is of this kind under one sign and of another under the other"
	noCoin    = "only the base selection of units is held against random signs"
	oneSign   = "what the interactions would be called under the other sign is not known"
)

// profiles lay out the mechanism tables. floor is that of the noise by order, nil where there is none.
func (c *cell) profiles(out *Cell, floor map[int]float64) []figure {
	l, cut := &c.layout, c.late(floor)
	sums := c.main.sums()
	var figures []figure
	at := func(p *Profile, profile int, threshold float64) {
		p.Threshold, p.OveruseCut = threshold, cut
		figures = append(figures, c.profile(p, profile, sums)...)
	}
	at(&out.Gold, l.gold, c.o.Salient)
	at(&out.Everyone, l.everyone(), c.o.Salient)
	if floor != nil {
		out.AboveFloor = &Profile{Name: "salient and above the floor of its order"}
		at(out.AboveFloor, l.aboveFloor(), c.o.Salient)
	}
	out.Thresholds = make([]Profile, len(swept))
	for i, t := range swept {
		if t != c.o.Salient { // else it is the gold's own profile, which is copied once made
			at(&out.Thresholds[i], slices.Index(l.thresholds, t), t)
		}
	}
	return figures
}

// profile lays out the tables of one profile.
func (c *cell) profile(p *Profile, profile int, sums []float64) []figure {
	l, of, null := &c.layout, "gold", c.layout.null
	if profile == l.everyone() { // the null is counted with the gold's flags alone
		of, null = "everyone", nil
	}
	targets := c.main.column(targetColumn(of, false))
	shown := c.shown(profile, sums)
	all := l.of(profile, shown)
	p.Targets, p.Salient, p.Strength = int(sums[targets]), int(total(sums, all.count)), total(sums, all.strength)
	figures := []figure{{&p.PerCase, []ratio{{all.count, []int{targets}}}, amount, noScored}}
	figures = append(figures, c.suspicions(p, profile, of, sums)...)
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
			figures = append(figures, l.coin(&m.SameSets, profile, g.slots, all, sums)...)
		}
	}
	return figures
}

// suspicions lay out what is told of the strict suspicious set and of overuse, over structured cases.
func (c *cell) suspicions(p *Profile, profile int, of string, sums []float64) []figure {
	if c.cases.structured == 0 {
		none := percuss.Absent(noRoles)
		p.Suspicious, p.SuspCount, p.SuspCase, p.Overuse = none, none, none, none
		p.SameSets.ByCount, p.SameSets.ByStrength = none, none
		return nil
	}
	l := &c.layout
	known := c.withKnownRoles(c.shown(profile, sums))
	suspicious := slices.DeleteFunc(slices.Clone(known), func(slot int) bool { return !l.rules[slot].Suspicious })
	all, susp := l.of(profile, known), l.of(profile, suspicious)
	targets, over := []int{c.main.column(targetColumn(of, true))}, []int{c.main.column(overuseColumn(profile))}
	return append(l.coin(&p.SameSets, profile, suspicious, all, sums),
		figure{&p.SuspCase, []ratio{{susp.count, targets}}, amount, noScored},
		figure{&p.Suspicious, []ratio{{susp.strength, all.strength}}, rate, noSalient},
		figure{&p.SuspCount, []ratio{{susp.count, all.count}}, rate, noSalient},
		figure{&p.Overuse, []ratio{{over, all.count}}, rate, noSalient})
}

// withKnownRoles are the rules of structured cases among some. A rule that the table lacks is one of them where there are
// no narratives.
func (c *cell) withKnownRoles(slots []int) []int {
	return slices.DeleteFunc(slices.Clone(slots), func(slot int) bool { return slot >= c.layout.structured && c.cases.narratives > 0 })
}

// withRoles is why a suspicious figure is missing.
func (c *cell) withRoles(why string) string {
	if c.cases.structured == 0 {
		return noRoles
	}
	return why
}

// shown are the rules that the tables list: those for structured cases, those for narratives, as the cell has them, and
// interactions under a rule that the table of labels lacks, where there are any.
func (c *cell) shown(profile int, sums []float64) []int {
	l := &c.layout
	var out []int
	for slot := range l.rules {
		last := slot == len(l.rules)-1
		switch {
		case last && sums[l.column(profile, slot)] == 0:
		case !last && slot < l.structured && c.cases.structured == 0:
		case !last && slot >= l.structured && c.cases.narratives == 0:
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
	m.SameSets.ByCount, m.SameSets.ByStrength = percuss.Absent(noCoin), percuss.Absent(noCoin)
	m.Count, m.Strength = int(total(sums, own.count)), total(sums, own.strength)
	return []figure{
		{&m.Share, []ratio{{own.count, all.count}}, rate, noSalient},
		{&m.Weight, []ratio{{own.strength, all.strength}}, rate, noSalient},
		{&m.Mean, []ratio{{own.strength, own.count}}, amount, noSuch},
	}
}
