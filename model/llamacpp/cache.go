package llamacpp

import (
	"slices"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// memory is the engine's cache of computed tokens: cells that each belong to one or more sequences.
type memory interface {
	// remove takes the sequence out of all its cells from position from on.
	remove(seq, from int) error
	// share puts the first n cells of one sequence into another, which is empty.
	share(src, dst, n int) error
	// save returns what the sequence holds; nil: it cannot be saved.
	save(seq int) []byte
	// restore puts what was saved into a sequence, which is empty, and reports whether there was room in one piece.
	restore(seq int, state []byte) bool
	clear() error
}

// slot is a sequence of the engine and what the cache holds of it.
type slot struct {
	id     int
	tokens []llama.Token
	cells  []int // of the same length: which cell holds the token
	busy   bool  // a request is using it
	used   int64 // when it was last of use
}

// cache keeps the books of the engine's memory: which tokens each sequence holds and how many cells that takes.
type cache struct {
	mem   memory
	slots []*slot
	refs  []int // by cell: number of slots that it belongs to
	free  []int // cells that belong to none
	clock int64

	parked []*parked
	space  int // most tokens of parked sequences together; 0: none is parked
}

func newCache(mem memory, slots int) *cache {
	c := &cache{mem: mem}
	for i := range slots {
		c.slots = append(c.slots, &slot{id: i})
	}
	return c
}

// used is the number of cells that hold something.
func (c *cache) used() int { return len(c.refs) - len(c.free) }

// best returns the slot that holds the longest prefix of the tokens and that prefix's length. The last token is
// never counted: it must be computed for its logits. On a tie the lowest slot wins; nil when nothing fits.
func (c *cache) best(tokens []llama.Token) (*slot, int) {
	var from *slot
	length := 0
	for _, s := range c.slots {
		if n := min(common(s.tokens, tokens), len(tokens)-1); n > length {
			from, length = s, n
		}
	}
	return from, length
}

// take makes a busy slot that holds the first n tokens of from (nil for none). It is nil when every slot is busy.
func (c *cache) take(from *slot, n int) (*slot, error) {
	var s *slot
	for _, o := range c.slots {
		if !o.busy && len(o.tokens) == 0 {
			s = o
			break
		}
	}
	if s == nil {
		if s = c.oldest(from); s == nil && from != nil && !from.busy {
			s = from
		}
		if s == nil {
			return nil, nil
		}
		keep := 0
		if s == from {
			keep = n
		}
		if err := c.trim(s, keep); err != nil {
			return nil, err
		}
	}
	s.busy = true
	if from == nil || s == from || n == 0 {
		return s, nil
	}
	if err := c.mem.share(from.id, s.id, n); err != nil {
		return nil, err
	}
	c.touch(from)
	s.tokens = append(s.tokens[:0], from.tokens[:n]...)
	s.cells = append(s.cells[:0], from.cells[:n]...)
	for _, cell := range s.cells {
		c.refs[cell]++
	}
	return s, nil
}

// oldest returns the idle slot that was of use longest ago and holds something, but not except.
func (c *cache) oldest(except *slot) *slot {
	var s *slot
	for _, o := range c.slots {
		if !o.busy && o != except && len(o.tokens) > 0 && (s == nil || o.used < s.used) {
			s = o
		}
	}
	return s
}

// evict empties one idle slot, but not except, and reports whether there was one.
func (c *cache) evict(except *slot) (bool, error) {
	s := c.oldest(except)
	if s == nil {
		return false, nil
	}
	return true, c.trim(s, 0)
}

// trim cuts the slot to its first n tokens.
func (c *cache) trim(s *slot, n int) error {
	if n >= len(s.tokens) {
		return nil
	}
	if err := c.mem.remove(s.id, n); err != nil {
		return err
	}
	for _, cell := range s.cells[n:] {
		if c.refs[cell]--; c.refs[cell] == 0 {
			c.free = append(c.free, cell)
		}
	}
	s.tokens, s.cells = s.tokens[:n], s.cells[:n]
	return nil
}

// add records that the token was computed for the slots.
func (c *cache) add(token llama.Token, slots []*slot) {
	cell := len(c.refs)
	if n := len(c.free); n > 0 {
		cell, c.free = c.free[n-1], c.free[:n-1]
	} else {
		c.refs = append(c.refs, 0)
	}
	c.refs[cell] = len(slots)
	for _, s := range slots {
		s.tokens = append(s.tokens, token)
		s.cells = append(s.cells, cell)
	}
}

// release makes the slot idle; what it holds stays until the room is needed.
func (c *cache) release(s *slot) {
	s.busy = false
	c.touch(s)
}

func (c *cache) touch(s *slot) {
	c.clock++
	s.used = c.clock
}

// clear forgets everything.
func (c *cache) clear() error {
	for _, s := range c.slots {
		s.tokens, s.cells, s.busy = s.tokens[:0], s.cells[:0], false
	}
	c.refs, c.free, c.parked = slices.Delete(c.refs, 0, len(c.refs)), nil, nil
	return c.mem.clear()
}
