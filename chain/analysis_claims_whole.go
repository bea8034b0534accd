package chain

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// couldFire reports whether an operator was tried on an item: not where a foreign log or a missing baseline has nothing to
// edit, nor where the question is of another domain.
func couldFire(t OperatorTrial) bool {
	return t.Edit.Fired || t.Reading.State == NotFired && t.Reading.Why != otherDomain
}

// silent claims that every operator fired somewhere: one that never does is in no mean. Data sets that enter no mean of
// a model, those of another domain beside medical ones, do not count.
func (c *runClaims) silent(s *summary) percuss.Claim {
	items := 0
	seen := make([]bool, len(c.l.ops))
	counted := setsOf(s.ranked())
	for set, byItem := range c.fired {
		if !slices.Contains(counted, set) {
			continue
		}
		items += len(byItem)
		for _, ops := range byItem {
			for i, fired := range ops {
				seen[i] = seen[i] || fired
			}
		}
	}
	var idle, untried []string
	for i, op := range c.l.ops {
		switch {
		case seen[i]:
		case c.tried[op.ID]:
			idle = append(idle, op.ID)
		default:
			untried = append(untried, op.ID)
		}
	}
	e := stat.Wilson(0, items, s.o.Level)
	shown, verdict := fmt.Sprintf("all %d operators fired", len(c.l.ops)), percuss.ClaimHolds
	switch {
	case len(untried) == len(c.l.ops):
		shown, verdict = "no item could be edited", percuss.CannotTell
	case len(idle) > 0:
		shown, verdict = fmt.Sprintf("fired on none of %s: %s", plural(items, "item"), strings.Join(idle, ", ")), percuss.CannotTell
		if e.Hi.Or(1) < rareFiring {
			verdict = percuss.ClaimFails
		}
	case len(untried) > 0:
		shown, verdict = fmt.Sprintf("%d of the operators fired; on no item was there what these edit: %s", len(c.l.ops)-len(untried), strings.Join(untried, ", ")), percuss.CannotTell
	}
	if len(idle) == 0 {
		e = percuss.Estimate{Value: percuss.Num(float64(len(c.l.ops))), N: items}
	}
	return claim("all-fired", "", "Every operator of the battery fired on some item, so that none is silently missing from a mean.", verdict, e, shown,
		fmt.Sprintf("an operator that fired on none of so many items that it fires on less than %.0f %% of them", 100*rareFiring))
}

// widths claims that no interval has zero width, which would read as certainty.
func widths(s *summary) percuss.Claim {
	n, flatOnes := 0, []string{}
	look := func(g Group, name string, e percuss.Estimate) {
		lo, hasLo := e.Lo.Get()
		hi, hasHi := e.Hi.Get()
		if !hasLo || !hasHi {
			return
		}
		n++
		if hi-lo <= flat*max(1, hi, -hi) {
			flatOnes = append(flatOnes, name+" of "+g.Name)
		}
	}
	groups := slices.Concat(s.cells, s.groups(s.models), s.tiers)
	if s.whole != nil {
		groups = append(groups, *s.whole)
	}
	for _, g := range groups {
		for _, m := range g.Metrics {
			look(g, strings.TrimSpace(m.ID+" "+m.Scope), m.Estimate)
		}
		for _, f := range slices.Concat(g.Operators, g.Families) {
			look(g, f.ID+" rate", f.Rate)
			look(g, f.ID+" AFR", f.AFR)
			look(g, f.ID+" accuracy", f.Acc)
			look(g, f.ID+" change of accuracy", f.Delta)
			look(g, f.ID+" change of the margin", f.Margin)
		}
		for _, j := range g.Joint {
			for i, e := range [...]percuss.Estimate{j.A, j.B, j.C, j.D} {
				look(g, fmt.Sprintf("share %c of the joint table (%s)", 'a'+i, j.Rule), e)
			}
		}
	}
	e := percuss.Estimate{Value: percuss.Num(float64(len(flatOnes))), N: n}
	verdict, shown := percuss.ClaimHolds, fmt.Sprintf("%s, all with a width", plural(n, "interval"))
	switch {
	case n == 0:
		verdict, shown = percuss.CannotTell, "there are no intervals"
	case len(flatOnes) > 0:
		verdict, shown = percuss.ClaimFails, fmt.Sprintf("%d of %s without a width: %s", len(flatOnes), plural(n, "interval"), listed(flatOnes))
	}
	return claim("widths", "", "Every interval has a width: none reads as certainty.", verdict, e, shown, "an interval of zero width")
}
