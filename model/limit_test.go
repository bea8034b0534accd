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

// newTestLimiter is one without budgets.
func newTestLimiter(most int) *limiter { return newLimiter(most, newBudget(cost{}), time.Now) }

// acquire queues one request and waits for its turn.
func (l *limiter) acquire(ctx context.Context) (slot, error) {
	return l.wait(ctx, l.join(cost{inRequests: 1})[0])
}

// give returns a slot.
func (l *limiter) give(s slot, v verdict) { l.release(s, v, work{output: 10}, s.cost) }

// One burst of refusals is one sign, however many of its requests it hits.
func TestLimiterHalvesOncePerBurst(t *testing.T) {
	l := newTestLimiter(64)
	for _, want := range []float64{8, 4, 2, 1, 1} {
		n := int(l.climb.level)
		slots := make([]slot, n)
		for i := range slots {
			var err error
			if slots[i], err = l.acquire(t.Context()); err != nil {
				t.Fatal(err)
			}
		}
		for i := range slots {
			l.give(slots[i], congested)
		}
		if l.climb.level != want {
			t.Fatalf("after a burst of %d refusals the limit is %g, want %g", n, l.climb.level, want)
		}
	}
	if l.inFlight != 0 {
		t.Errorf("%d in flight after all were released", l.inFlight)
	}
}

func TestLimiterDoesNotGrowWhenItDoesNotLimit(t *testing.T) {
	l := newTestLimiter(32)
	for range 100 {
		s, err := l.acquire(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		l.give(s, healthy)
	}
	if l.climb.level != firstLevel {
		t.Errorf("one at a time raised the limit to %g", l.climb.level)
	}
}

// Who waits in a queue that is cleared goes elsewhere, and holds no slot.
func TestLimiterCleared(t *testing.T) {
	l := newTestLimiter(1)
	held, err := l.acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	waiting := l.join(cost{}, cost{})
	l.clear()
	for _, one := range waiting {
		if _, err := l.wait(t.Context(), one); !errors.Is(err, errMoved) {
			t.Errorf("a ticket of the cleared queue: %v", err)
		}
	}
	l.give(held, neutral)
	if l.inFlight != 0 {
		t.Errorf("%d in flight", l.inFlight)
	}
}

func TestLimiterServesInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := newTestLimiter(1)
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
				l.give(s, neutral)
			})
			synctest.Wait()
		}
		l.give(held, neutral)
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
		l := newTestLimiter(1)
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
		l.give(held, neutral)
		if s, err := l.acquire(t.Context()); err != nil {
			t.Error("no slot after a waiter gave up")
		} else {
			l.give(s, neutral)
		}
	})
}

// TestLimiterHoldsItsBound runs workers with random verdicts, some of which give up waiting.
func TestLimiterHoldsItsBound(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		most := rapid.IntRange(1, 20).Draw(rt, "most")
		verdicts := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 60).Draw(rt, "verdicts")
		synctest.Test(t, func(t *testing.T) {
			l := newTestLimiter(most)
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
					l.give(s, verdict(v%3))
				})
			}
			wg.Wait()
			if l.inFlight != 0 || len(l.waiting) != 0 || l.climb.level < 1 || l.climb.level > float64(most) {
				t.Errorf("at the end %d in flight, %d waiting, limit %g of %d", l.inFlight, len(l.waiting), l.climb.level, most)
			}
		})
	})
}
