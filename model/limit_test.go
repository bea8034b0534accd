package model

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"
)

func TestLimiterGrowsByOneARoundAndHalvesOncePerBurst(t *testing.T) {
	l := newLimiter(32)
	round := func(v verdict) {
		t.Helper()
		n := int(l.limit)
		slots := make([]slot, n)
		for i := range slots {
			var err error
			if slots[i], err = l.acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for i := range slots {
			slots[i].full = true
			l.release(slots[i], v)
		}
	}
	for _, step := range []struct {
		v        verdict
		min, max float64
	}{{healthy, 8.9, 9.1}, {neutral, 8.9, 9.1}, {congested, 4.4, 4.6}, {congested, 2.2, 2.3}, {congested, 1.1, 1.2}, {congested, 1, 1}, {congested, 1, 1}, {healthy, 2, 2}} {
		round(step.v)
		if l.limit < step.min || l.limit > step.max {
			t.Fatalf("after a round of verdict %d the limit is %g, want %g to %g", step.v, l.limit, step.min, step.max)
		}
	}
	for range 200 {
		round(healthy)
	}
	if l.limit != 32 {
		t.Errorf("the limit grew to %g, want 32", l.limit)
	}
	if l.inFlight != 0 {
		t.Errorf("%d in flight after all were released", l.inFlight)
	}
}

func TestLimiterDoesNotGrowWhenItDoesNotLimit(t *testing.T) {
	l := newLimiter(32)
	for range 100 {
		s, err := l.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l.release(s, healthy)
	}
	if l.limit != firstLimit {
		t.Errorf("one at a time raised the limit to %g", l.limit)
	}
}

func TestLimiterServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1)
		held, _ := l.acquire(t.Context())
		var order []int
		var wg sync.WaitGroup
		for i := range 5 {
			wg.Go(func() {
				s, err := l.acquire(t.Context())
				if err != nil {
					t.Error(err)
					return
				}
				order = append(order, i) // one at a time: the limit is 1
				l.release(s, neutral)
			})
			synctest.Wait()
		}
		l.release(held, neutral)
		wg.Wait()
		for i, v := range order {
			if i != v {
				t.Fatalf("served in the order %v", order)
			}
		}
	})
}

func TestLimiterLetsGoOfWhoGivesUp(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newLimiter(1)
		held, _ := l.acquire(t.Context())
		why := errors.New("stopped")
		ctx, cancel := context.WithCancelCause(t.Context())
		failed := make(chan error)
		go func() { _, err := l.acquire(ctx); failed <- err }()
		synctest.Wait()
		cancel(why)
		if err := <-failed; !errors.Is(err, why) {
			t.Errorf("acquire returned %v, want the cause", err)
		}
		l.release(held, neutral)
		if s, err := l.acquire(t.Context()); err != nil {
			t.Error("no slot after a waiter gave up")
		} else {
			l.release(s, neutral)
		}
	})
}

// TestLimiterHoldsItsBound runs workers with random verdicts, some of which give up waiting.
func TestLimiterHoldsItsBound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		most := rapid.IntRange(1, 20).Draw(rt, "most")
		verdicts := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 60).Draw(rt, "verdicts")
		synctest.Test(t, func(t *testing.T) {
			l := newLimiter(most)
			var mu sync.Mutex
			inFlight := 0
			var wg sync.WaitGroup
			for i, v := range verdicts {
				wg.Go(func() {
					ctx := t.Context()
					if v == 3 {
						short, cancel := context.WithTimeout(ctx, time.Duration(i%3)*time.Millisecond)
						defer cancel()
						ctx = short
					}
					s, err := l.acquire(ctx)
					if err != nil {
						return
					}
					mu.Lock()
					if inFlight++; inFlight > most {
						t.Errorf("%d in flight, at most %d", inFlight, most)
					}
					mu.Unlock()
					time.Sleep(time.Duration(1+i%5) * time.Millisecond)
					mu.Lock()
					inFlight--
					mu.Unlock()
					l.release(s, verdict(v%3))
				})
			}
			wg.Wait()
			if l.inFlight != 0 || len(l.waiting) != 0 || l.limit < 1 || l.limit > float64(most) {
				t.Errorf("at the end %d in flight, %d waiting, limit %g of %d", l.inFlight, len(l.waiting), l.limit, most)
			}
		})
	})
}
