package chain

import (
	"fmt"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// claims are those of the effects, one a block, for each has a noise floor of its own: above the noise, the preserving
// edits as quiet as asking again, the contrast of the two intents. And that answers follow the option's text.
func (c *controls) claims(s *summary) []percuss.Claim {
	var out []percuss.Claim
	for _, m := range c.found {
		out = append(out, c.ofBlocks(m, battery.Destructive, c.aboveNoise)...)
		out = append(out, c.ofBlocks(m, battery.Preserving, c.quiet)...)
		out = append(out, c.ofBlocks(m, battery.Destructive, c.contrast)...)
		if e := c.rate(Shuffle, m.m.cells, s.o.Level); e.Value.OK() {
			out = append(out, c.stability(s, m.m))
		}
	}
	return out
}

// ofBlocks states a claim of each block that has edits of an intent, or says once that there are none.
func (c *controls) ofBlocks(m modelEffects, intent battery.Intent, state func(modelEffects, effect, string) percuss.Claim) []percuss.Claim {
	var out []percuss.Claim
	for _, block := range [...]battery.Block{battery.F, battery.M} {
		if g := m.group(intent, block); g != nil {
			out = append(out, state(m, *g, fmt.Sprintf("%s, %s-block", m.m.subject(), block)))
		}
	}
	if len(out) > 0 {
		return out
	}
	none := percuss.Absent("the battery has no " + intentName(intent) + " edit")
	return []percuss.Claim{state(m, effect{sham: none, narrow: none, against: none}, m.m.subject())}
}

// floor names what the edits of a block are held against.
func (m modelEffects) floor(e effect) string {
	if m.floors[e.block] == ShamChain {
		return "giving the model its own chain back"
	}
	return "asking the same again"
}

// edited names what the edits of a block act on.
func (e effect) edited() string {
	switch e.block {
	case battery.F:
		return " of the chain"
	case battery.M:
		return " of the question"
	}
	return ""
}

// aboveNoise claims that destructive edits move the answer more often than asking again.
func (c *controls) aboveNoise(m modelEffects, e effect, subject string) percuss.Claim {
	return claim("noise-floor", subject, fmt.Sprintf("Destructive edits%s move the answer more often than %s does%s", e.edited(), m.floor(e), smallWords(c.margin)),
		e.sham.Above(c.margin), e.sham, measured("flip rate less that of the sham", e.sham),
		fmt.Sprintf("an interval of the difference that ends below %g", c.margin))
}

// quiet claims that preserving edits are equivalent to asking again.
func (c *controls) quiet(m modelEffects, e effect, subject string) percuss.Claim {
	verdict := map[stat.Same]percuss.Holds{stat.AreEquivalent: percuss.ClaimHolds, stat.AreDifferent: percuss.ClaimFails, stat.SameUnknown: percuss.CannotTell}
	same := stat.Equivalent(e.narrow, c.margin)
	shown := measured("flip rate less that of the sham", e.narrow)
	if p, ok := same.P.Get(); ok {
		shown += fmt.Sprintf(", larger one-sided p %.3f", p)
	}
	return claim("preserving-quiet", subject, fmt.Sprintf("Preserving edits%s move the answer as often as %s, within %g.", e.edited(), m.floor(e), c.margin),
		verdict[same.Verdict], e.narrow, shown, fmt.Sprintf("a %.0f %% interval of the difference that lies outside ±%g", 100*(1-2*alpha), c.margin))
}

// contrast claims that destructive edits move the answer more often than preserving ones.
func (c *controls) contrast(_ modelEffects, e effect, subject string) percuss.Claim {
	return claim("contrast", subject, fmt.Sprintf("Destructive edits%s move the answer more often than preserving edits of the same items%s", e.edited(), smallWords(c.margin)),
		e.against.Above(c.margin), e.against, measured("flip rate less that of the preserving edits", e.against),
		fmt.Sprintf("an interval of the difference that ends below %g", c.margin))
}

// stability claims that an answer follows its option to another place.
func (c *controls) stability(s *summary, m *model) percuss.Claim {
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
	return claim("content-stable", m.subject(), "With the options in another order the same content is chosen more often than by chance"+smallWords(c.margin),
		over.Above(c.margin), e, fmt.Sprintf("%s, chance %.3f", measured("share of the same content", e), chance),
		fmt.Sprintf("a share whose interval ends less than %g above one in the number of options", c.margin))
}
