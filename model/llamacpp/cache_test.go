package llamacpp

import (
	"fmt"
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

func (p paper) clear() error { clear(p); return nil }

func TestCacheKeepsBooks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		mem := paper{}
		c := newCache(mem, 4)
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
