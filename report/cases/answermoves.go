package cases

import (
	"fmt"
	"math"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
)

func movesWords(c evidence.Cell) string {
	g := c.Gold
	if g.Salient == 0 {
		return fmt.Sprintf("No combination of findings moves the right diagnosis by %s or more in the %s that could be scored.",
			nat(g.Threshold), report.Plural(c.Scored, "case"))
	}
	out := fmt.Sprintf("%s of findings change the margin of the right diagnosis by %s or more (its odds against the strongest rival by a "+
		"factor of %.1f)", report.Plural(g.Salient, "combination"),
		nat(g.Threshold), math.Exp(g.Threshold))
	if g.PerCase.Value.OK() {
		out += fmt.Sprintf(", %s a case (%s)", g.PerCase.Value.Format(1), sample(g.PerCase, func(n percuss.Number) string { return n.Format(1) }))
	}
	out += "."
	var orders []string
	for _, o := range c.Orders {
		if v, ok := o.Weight.Value.Get(); ok && (o.Order <= 3 || v >= 0.0005) {
			orders = append(orders, fmt.Sprintf("%s %s", orderName(o.Order), report.Percent(o.Weight.Value)))
		}
	}
	if len(orders) > 0 {
		out += " Of their strength: " + strings.Join(orders, ", ") + "."
	}
	if under, of := underNoise(c); 2*under > of {
		return out + fmt.Sprintf(" But %s of %s are weaker than noise alone makes a combination of their order, so which findings they are, and by what mechanism, says little.",
			percuss.Grouped(under), percuss.Grouped(of))
	}
	best := -1
	for i, m := range g.Mechanisms {
		if m.Weight.Value.OK() && (best < 0 || m.Strength > g.Mechanisms[best].Strength) {
			best = i
		}
	}
	if best >= 0 && !c.Narrative {
		m := g.Mechanisms[best]
		out += fmt.Sprintf(" The strongest mechanism is %s (%s of the strength).", m.Name, report.Percent(m.Weight.Value))
	}
	return out
}

// underNoise counts the salient combinations that are weaker than the noise of their order, under the source of noise that leaves the most of
// them in doubt.
func underNoise(c evidence.Cell) (under, of int) {
	for _, id := range []string{"batch", "order"} {
		u, n := 0, 0
		for _, f := range c.Floor {
			if f.Source == id && f.Floor.OK() {
				u, n = u+f.Under, n+f.Of
			}
		}
		if u > under {
			under, of = u, n
		}
	}
	return under, of
}
