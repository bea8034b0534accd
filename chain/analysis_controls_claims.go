package chain

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// claims are those of the effects: above the noise, the preserving edits as quiet as asking again, the contrast of the two
// intents, and answers that follow the option's text.
func (c *controls) claims(s *summary) []Claim {
	var out []Claim
	for _, m := range c.found {
		out = append(out, c.aboveNoise(m), c.quiet(m), c.contrast(m))
		if e := c.rate(Shuffle, m.m.cells, s.o.Level); e.Value.OK() {
			out = append(out, c.stability(s, m.m))
		}
	}
	return out
}

// aboveNoise claims that destructive edits move the answer more often than asking again.
func (c *controls) aboveNoise(m modelEffects) Claim {
	e := percuss.Absent("the battery has no destructive edit")
	if g := m.group(battery.Destructive, ""); g != nil {
		e = g.sham
	}
	return claim("noise-floor", m.m.subject(), "Destructive edits move the answer more often than asking the same again does.",
		above(e, c.margin), e, measured("flip rate less that of the sham", e),
		fmt.Sprintf("an interval of the difference that ends below %g", c.margin))
}

// quiet claims that preserving edits are equivalent to asking again.
func (c *controls) quiet(m modelEffects) Claim {
	e := percuss.Absent("the battery has no preserving edit")
	if g := m.group(battery.Preserving, ""); g != nil {
		e = g.narrow
	}
	verdict := map[stat.Same]Holds{stat.AreEquivalent: ClaimHolds, stat.AreDifferent: ClaimFails, stat.SameUnknown: CannotTell}
	same := stat.Equivalent(e, c.margin)
	shown := measured("flip rate less that of the sham", e)
	if p, ok := same.P.Get(); ok {
		shown += fmt.Sprintf(", larger one-sided p %.3f", p)
	}
	return claim("preserving-quiet", m.m.subject(), fmt.Sprintf("Preserving edits move the answer as often as asking the same again, within %g.", c.margin),
		verdict[same.Verdict], e, shown, fmt.Sprintf("a %.0f %% interval of the difference that lies outside ±%g", 100*(1-2*alpha), c.margin))
}

// contrast claims that destructive edits move the answer more often than preserving ones.
func (c *controls) contrast(m modelEffects) Claim {
	e := percuss.Absent("the battery has no destructive edit")
	if g := m.group(battery.Destructive, ""); g != nil {
		e = g.against
	}
	return claim("contrast", m.m.subject(), "Destructive edits move the answer more often than preserving edits of the same items.",
		above(e, c.margin), e, measured("flip rate less that of the preserving edits", e),
		fmt.Sprintf("an interval of the difference that ends below %g", c.margin))
}

// stability claims that an answer follows its option to another place.
func (c *controls) stability(s *summary, m *model) Claim {
	kept, n := 0, 0
	chance := 0.0
	for _, cell := range m.cells {
		for id, item := range c.items[cell.id()] {
			if item.control(Shuffle) == unknown {
				continue
			}
			n++
			kept += int(bit(item.control(Shuffle) == stayed))
			chance += 1 / max(1, float64(c.options[itemOf{cell.set, id}]))
		}
	}
	e := stat.Wilson(kept, n, s.o.Level)
	chance /= float64(n)
	over := e
	over.Value, over.Lo, over.Hi = minus(e.Value, percuss.Num(chance)), minus(e.Lo, percuss.Num(chance)), minus(e.Hi, percuss.Num(chance))
	return claim("content-stable", m.subject(), "With the options in another order the same content is chosen more often than by chance.",
		above(over, c.margin), e, fmt.Sprintf("%s, chance %.3f", measured("share of the same content", e), chance),
		fmt.Sprintf("a share whose interval ends less than %g above one in the number of options", c.margin))
}
