package explore

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/percuss/percuss/report/versus"
)

// mostCompared is how many comparisons are kept, those used last.
const mostCompared = 2

// comparisons are those that were made, or are being made.
type comparisons struct {
	mu   sync.Mutex
	made []*comparison // the one used last at the end
}

// comparison is of two runs as their answers were.
type comparison struct {
	of    comparisonOf
	done  chan struct{} // closed when found and err are there
	c     versus.Comparison
	err   error
	op    map[string]int // items on which each edit's outcome differs
	ops   []string       // their names
	moved int            // items of which some trial came out in another way
}

// comparisonOf names the runs, what their answers are, and the models that were said to be each other's partners.
type comparisonOf struct{ a, b, stateA, stateB, modelA, modelB string }

// comparison returns the comparison of two runs. It is made while nobody waits for longer than a page does: then ok is
// false, and the page is to be asked for again.
func (s *Server) comparison(ctx context.Context, a, b *volume, modelA, modelB string) (c *comparison, ok bool, err error) {
	of := comparisonOf{a: a.Name, b: b.Name, modelA: modelA, modelB: modelB}
	if of.stateA, err = a.State(ctx); err != nil {
		return nil, false, err
	}
	if of.stateB, err = b.State(ctx); err != nil {
		return nil, false, err
	}
	c = s.begun(of, a, b)
	select {
	case <-c.done:
	case <-time.After(patience):
		return nil, false, nil
	case <-ctx.Done():
		return nil, false, ctx.Err()
	}
	return c, true, c.err
}

// begun is the comparison that is there, or one that is begun.
func (s *Server) begun(of comparisonOf, a, b *volume) *comparison {
	k := &s.compared
	k.mu.Lock()
	defer k.mu.Unlock()
	if i := slices.IndexFunc(k.made, func(c *comparison) bool { return c.of == of }); i >= 0 {
		c := k.made[i]
		k.made = append(slices.Delete(k.made, i, i+1), c)
		return c
	}
	c := &comparison{of: of, done: make(chan struct{})}
	k.made = append(k.made, c)
	if len(k.made) > mostCompared {
		k.made = slices.Delete(k.made, 0, 1)
	}
	s.hold(a)
	s.hold(b)
	s.work.Go(func() {
		defer s.leave(a)
		defer s.leave(b)
		defer close(c.done)
		if c.make(s.life, a, b); c.err != nil {
			k.drop(c) // the next page tries again
		}
	})
	return c
}

func (k *comparisons) drop(c *comparison) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.made = slices.DeleteFunc(k.made, func(other *comparison) bool { return other == c })
}

// pairOf compares two volumes.
func pairOf(ctx context.Context, a, b *volume, as map[string]string) (versus.Comparison, error) {
	var sides [2]versus.Run
	for i, v := range []*volume{a, b} {
		versions, err := v.Versions(ctx)
		if err != nil {
			return versus.Comparison{}, err
		}
		sides[i] = versus.Run{Name: v.Name, Subjects: v.Subjects(), Records: v.Records(ctx), Versions: versions}
	}
	return versus.Pair(sides[0], sides[1], as)
}

// make compares.
func (c *comparison) make(ctx context.Context, a, b *volume) {
	as := map[string]string{}
	if c.of.modelA != "" && c.of.modelB != "" {
		as[c.of.modelA] = c.of.modelB
	}
	c.c, c.err = pairOf(ctx, a, b, as)
	c.op = map[string]int{}
	for _, m := range c.c.Items {
		if len(m.Trials) > 0 {
			c.moved++
		}
		seen := map[string]bool{}
		for _, t := range m.Trials {
			if !seen[t.Operator] {
				seen[t.Operator] = true
				if c.op[t.Operator]++; c.op[t.Operator] == 1 {
					c.ops = append(c.ops, t.Operator)
				}
			}
		}
	}
	slices.Sort(c.ops)
}
