package llamacpp

import (
	"slices"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// parked is a sequence that lies in the machine's memory, outside the engine's cache, where it costs nobody anything:
// attention looks at every cell of the cache, whoever it belongs to.
type parked struct {
	tokens []llama.Token
	state  []byte // as the library writes it
	used   int64  // when it was last of use
}

// worthWaking is from how many tokens on it is better to bring a parked sequence back than to compute them.
const worthWaking = 16

// park moves what an idle slot holds out of the cache. Where that takes more than the space for it, those that were of use
// longest ago go; what cannot be saved stays in the slot.
func (c *cache) park(s *slot) error {
	n := len(s.tokens)
	if n == 0 || n > c.space {
		return nil
	}
	state := c.mem.save(s.id)
	if state == nil {
		return nil
	}
	held := n
	c.parked = slices.DeleteFunc(c.parked, func(p *parked) bool { return common(p.tokens, s.tokens) == len(p.tokens) })
	for _, p := range c.parked {
		held += len(p.tokens)
	}
	for held > c.space {
		oldest := slices.MinFunc(c.parked, func(a, b *parked) int { return int(a.used - b.used) })
		held -= len(oldest.tokens)
		c.parked = slices.DeleteFunc(c.parked, func(p *parked) bool { return p == oldest })
	}
	c.clock++
	c.parked = append(c.parked, &parked{tokens: slices.Clone(s.tokens), state: state, used: c.clock})
	return c.trim(s, 0)
}

// asleep returns the parked sequence that holds the longest prefix of the tokens, without the last, and that prefix's
// length; nil where it is not longer than have by enough to be brought back.
func (c *cache) asleep(tokens []llama.Token, have int) (*parked, int) {
	var from *parked
	length := have + worthWaking - 1
	for _, p := range c.parked {
		if n := min(common(p.tokens, tokens), len(tokens)-1); n > length {
			from, length = p, n
		}
	}
	return from, length
}

// wake makes a busy slot that holds the first n tokens of a parked sequence, which stays parked. It is nil when every
// slot is busy, or where the engine cannot take the sequence back. The cache must have room for all of it.
func (c *cache) wake(p *parked, n int) (*slot, error) {
	s, err := c.take(nil, 0)
	if s == nil || err != nil {
		return nil, err
	}
	if !c.mem.restore(s.id, p.state) {
		s.busy = false
		return nil, c.mem.remove(s.id, 0)
	}
	for _, t := range p.tokens {
		c.add(t, []*slot{s})
	}
	c.clock++
	p.used = c.clock
	return s, c.trim(s, n)
}
