package llamacpp

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// paper is a memory that checks what it is asked.
type paper map[int]int // tokens by sequence

func (p paper) remove(seq, from int) error {
	if from > p[seq] {
		return fmt.Errorf("sequence %d has %d tokens, not %d", seq, p[seq], from)
	}
	p[seq] = from
	return nil
}

func (p paper) share(src, dst, n int) error {
	if p[dst] != 0 || p[src] < n {
		return fmt.Errorf("%d tokens from %d (%d) to %d (%d)", n, src, p[src], dst, p[dst])
	}
	p[dst] = n
	return nil
}

func (p paper) save(seq int) []byte { return make([]byte, p[seq]) }

func (p paper) restore(seq int, state []byte) bool {
	fits := p[seq] == 0 && len(state)%7 != 0 // some never fit
	if fits {
		p[seq] = len(state)
	}
	return fits
}

func (p paper) clear() error { clear(p); return nil }

func TestCacheKeepsBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := paper{}
		c := newCache(mem, 4)
		c.space = rapid.IntRange(0, 20).Draw(t, "space")
		for range rapid.IntRange(1, 25).Draw(t, "steps") {
			tokens := tokensOf(rapid.StringMatching(`a[ab]{1,5}`).Draw(t, "tokens"))
			from, n := c.best(tokens)
			s, err := c.take(from, n)
			if err != nil {
				t.Fatal(err)
			}
			if s == nil {
				t.Fatal("no slot although all are idle")
			}
			if common(s.tokens, tokens) != n || len(s.tokens) != n {
				t.Fatalf("slot holds %v, want the first %d of %v", s.tokens, n, tokens)
			}
			for _, tok := range tokens[n:] {
				c.add(tok, []*slot{s})
				mem[s.id]++
			}
			c.release(s)
			if rapid.Bool().Draw(t, "park") {
				if err := c.park(s); err != nil {
					t.Fatal(err)
				}
			}
			checkBooks(t, c, mem)
		}
		for {
			evicted, err := c.evict(nil)
			if err != nil {
				t.Fatal(err)
			}
			if !evicted {
				break
			}
		}
		if c.used() != 0 {
			t.Fatalf("%d cells after everything was evicted", c.used())
		}
	})
}

// checkBooks holds the books against the memory, and what is parked against the space for it.
func checkBooks(t *rapid.T, c *cache, mem paper) {
	parked := 0
	for _, p := range c.parked {
		parked += len(p.tokens)
	}
	if parked > c.space {
		t.Fatalf("%d tokens are parked where there is space for %d", parked, c.space)
	}
	cells := map[int]int{}
	for _, o := range c.slots {
		if len(o.tokens) != mem[o.id] || len(o.cells) != len(o.tokens) {
			t.Fatalf("slot %d: %d tokens, %d cells, memory %d", o.id, len(o.tokens), len(o.cells), mem[o.id])
		}
		for _, cell := range o.cells {
			cells[cell]++
		}
	}
	if c.used() != len(cells) {
		t.Fatalf("%d cells used, %d referred to", c.used(), len(cells))
	}
}

func TestCacheNeverTakesABusySlot(t *testing.T) {
	c := newCache(paper{}, 2)
	a, _ := c.take(nil, 0)
	b, _ := c.take(nil, 0)
	if a == b || a == nil || b == nil {
		t.Fatal("two requests got one slot")
	}
	if s, err := c.take(nil, 0); s != nil || err != nil {
		t.Errorf("a third got %v, %v", s, err)
	}
	if evicted, _ := c.evict(nil); evicted {
		t.Error("a busy slot was evicted")
	}
}

// A parked sequence costs no cells, and comes back as far as it is of use.
func TestParkedSequencesComeBack(t *testing.T) {
	mem := paper{}
	c := newCache(mem, 2)
	c.space = 40
	fill := func(text string) *slot {
		s, err := c.take(nil, 0)
		if err != nil || s == nil {
			t.Fatal(s, err)
		}
		for _, token := range tokensOf(text) {
			c.add(token, []*slot{s})
			mem[s.id]++
		}
		c.release(s)
		return s
	}
	put := func(text string) {
		if err := c.park(fill(text)); err != nil {
			t.Fatal(err)
		}
	}
	put("a question with its answer")
	put("a question with its answer, and")
	if len(c.parked) != 1 || c.used() != 0 {
		t.Fatalf("%d are parked, %d cells used: the beginning of another is of no use", len(c.parked), c.used())
	}
	wanted := tokensOf("a question with its answer: so")
	if p, n := c.asleep(wanted, 20); p != nil {
		t.Errorf("%d tokens are brought back for 6 more than there are", n)
	}
	p, n := c.asleep(wanted, 0)
	if p == nil || n != 26 {
		t.Fatalf("%v, %d tokens", p, n)
	}
	s, err := c.wake(p, n)
	if err != nil || s == nil || textOf(s.tokens) != "a question with its answer" || !s.busy || c.used() != 26 || mem[s.id] != 26 {
		t.Errorf("%+v, %v; %d cells used", s, err, c.used())
	}
	put("something else altogether")
	if len(c.parked) != 1 || textOf(c.parked[0].tokens) != "something else altogether" {
		t.Errorf("%d are parked: that which was of use longest ago goes first", len(c.parked))
	}
	put(strings.Repeat("long", 11)) // more than there is space for
	if len(c.parked) != 1 || c.used() != 26+44 {
		t.Errorf("%d are parked, %d cells used", len(c.parked), c.used())
	}
	stuck := &parked{tokens: tokensOf("seven x"), state: make([]byte, 7)} // the paper memory has no room for it
	if s, err := c.wake(stuck, 3); s != nil || err != nil || c.used() != 26 {
		t.Errorf("what does not fit came back: %+v, %v; %d cells used", s, err, c.used())
	}
}
