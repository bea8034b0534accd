package evidence

import (
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// selected enters what the case showed under other selections of its units. Random selections are pooled over their
// seeds.
func (c *cell) selected(r Record) {
	item, means := r.Subject.Item, map[string][]float64{}
	scored := map[Selector]bool{}
	for _, v := range r.Variants {
		if s := v.Setting.Selector; s != "" && v.State == Scored {
			scored[s] = true
			c.mechanisms(item, s, v.Measured, r.CheckOrder)
		}
	}
	if base := r.Reference(); len(scored) > 0 && base.State == Scored {
		scored[c.baseSelector()] = true
		c.mechanisms(item, c.baseSelector(), base, r.CheckOrder)
	}
	for s := range scored {
		c.stable.selectors[s]++
	}
	for _, x := range r.Compared {
		if v, ok := x.Overlap.Get(); ok && x.Kind == BySelector {
			key := selectorColumn(x.Of.Selector, "overlap")
			means[key] = append(means[key], v)
		}
	}
	for key, values := range means {
		c.checks.mean(item, key, meanOf(values))
	}
}

// baseSelector is the selector of the base setting.
func (c *cell) baseSelector() Selector {
	if c.cases.structured == 0 {
		return c.o.Narrative
	}
	return c.o.Selector
}

func selectorColumn(s Selector, of string) string { return "selector/" + string(s) + "/" + of }

// mechanisms enters the salient interactions under a selector.
func (c *cell) mechanisms(item string, s Selector, m Measured, order int) {
	for _, x := range salientUpTo(m, order, c.o.Salient) {
		rule := c.layout.rules[c.layout.slot(x.Rule)].ID
		c.checks.add(item, selectorColumn(s, rule), 1)
		c.checks.add(item, selectorColumn(s, rule+"/strength"), math.Abs(x.Value))
	}
}

// selectorRows lay out Table 16, the base selector first.
func (c *cell) selectorRows(out *Cell) []figure {
	out.Selectors = []SelectorRow{}
	for _, s := range []Selector{c.baseSelector(), Balanced, TargetSalient, RandomBalanced, Spaced, Random} {
		known := slices.ContainsFunc(out.Selectors, func(r SelectorRow) bool { return r.Selector == s })
		if n := c.stable.selectors[s]; n > 0 && !known {
			out.Selectors = append(out.Selectors, SelectorRow{Selector: s, Cases: n})
		}
	}
	var figures []figure
	for i := range out.Selectors {
		figures = append(figures, c.selectorRow(&out.Selectors[i], i == 0)...)
	}
	return figures
}

// selectorRow lays out one selector.
func (c *cell) selectorRow(row *SelectorRow, reference bool) []figure {
	l := &c.layout
	of := func(slots []int) columns {
		var out columns
		for _, slot := range slots {
			id := l.rules[slot].ID
			out.count = append(out.count, c.checks.column(selectorColumn(row.Selector, id)))
			out.strength = append(out.strength, c.checks.column(selectorColumn(row.Selector, id+"/strength")))
		}
		return out
	}
	every := make([]int, len(l.rules))
	for slot := range every {
		every[slot] = slot
	}
	all := of(every)
	sums := c.checks.sums()
	shown := slices.DeleteFunc(slices.Clone(every), func(slot int) bool {
		narrative := slot >= len(c.o.Labels.Rules)
		wanted := narrative && c.cases.narratives > 0 || !narrative && c.cases.structured > 0
		return (!wanted || slot == len(every)-1) && total(sums, of([]int{slot}).count) == 0
	})
	known := c.withKnownRoles(every)
	suspicious := slices.DeleteFunc(slices.Clone(known), func(slot int) bool { return !l.rules[slot].Suspicious })
	row.Salient = int(total(sums, all.count))
	figures := []figure{{&row.Suspicious, []ratio{{of(suspicious).strength, of(known).strength}}, rate, c.withRoles(noSalient)}}
	groups := l.groups(shown, func(r Rule) string { return r.Coarse })
	row.Coarse = make([]Mechanism, len(groups))
	for i, g := range groups {
		figures = append(figures, g.lay(&row.Coarse[i], of(g.slots), all, sums)...)
	}
	if row.Overlap = percuss.Absent("it is the reference"); reference {
		return figures
	}
	overlap := c.checks.over(selectorColumn(row.Selector, "overlap"), selectorColumn(row.Selector, "overlap/n"))
	return append(figures, figure{&row.Overlap, []ratio{overlap}, rate, "no case has interactions under both"})
}
