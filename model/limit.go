package model

import (
	"context"
	"errors"
	"sync"
	"time"
)

// limiter bounds how many requests are in flight at one server: as many as its throughput gains by (see climb), half as
// many after a sign of congestion, and never more than the budget lets out. Who waits is served in the order of coming.
type limiter struct {
	budget *budget
	now    func() time.Time

	mu       sync.Mutex
	climb    climb
	inFlight int
	epoch    int // counts the decreases
	waiting  []*ticket
	timer    *time.Timer // until the budget lets the first one out; nil: it need not be waited for
}

func newLimiter(most int, b *budget, now func() time.Time) *limiter {
	return &limiter{budget: b, now: now, climb: newClimb(most)}
}

// ticket is a place in the queue. It holds no slot before its turn has come.
type ticket struct {
	cost  cost
	turn  chan struct{} // closed when it has come
	given bool
	left  bool // nobody waits for it any more
	moved bool // the queue was cleared: it has no slot and is to be bought elsewhere
	slot  slot
}

// slot is the right to have one request in flight.
type slot struct {
	epoch, stamp int
	sent         time.Time
	cost         cost
}

// join queues requests, one behind the other with none of another caller in between.
func (l *limiter) join(costs ...cost) []*ticket {
	tickets := make([]*ticket, len(costs))
	l.mu.Lock()
	defer l.mu.Unlock()
	for i, c := range costs {
		tickets[i] = &ticket{cost: c, turn: make(chan struct{})}
	}
	l.waiting = append(l.waiting, tickets...)
	l.wake()
	return tickets
}

// errMoved says that a queue was cleared.
var errMoved = errors.New("the server is not asked at present")

// wait waits for the turn of a ticket until ctx is done. The error is errMoved where the queue was cleared.
func (l *limiter) wait(ctx context.Context, t *ticket) (slot, error) {
	if ctx.Err() == nil {
		select {
		case <-t.turn:
			if t.moved {
				return slot{}, errMoved
			}
			return t.slot, nil
		case <-ctx.Done():
		}
	}
	l.leave(t)
	return slot{}, context.Cause(ctx)
}

// leave gives a ticket back. A slot that was granted in the same moment is handed on.
func (l *limiter) leave(t *ticket) {
	l.mu.Lock()
	defer l.mu.Unlock()
	t.left = true
	if t.given {
		l.inFlight--
		l.budget.settle(t.cost, cost{})
	}
	l.wake()
}

// clear sends everybody who waits elsewhere.
func (l *limiter) clear() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, t := range l.waiting {
		t.moved = true
		close(t.turn)
	}
	l.waiting = nil
}

// verdict is what the end of a request says about the server.
type verdict int

const (
	neutral   verdict = iota // nothing: a broken connection, a call that was cancelled
	healthy                  // an answer
	congested                // too many at once
)

// release returns a slot, with what the request was where it was answered. Requests that were sent before the last
// decrease do not decrease again: one burst of refusals is one sign, however many of its requests it hits.
func (l *limiter) release(s slot, v verdict, w work, was cost) {
	now := l.now()
	l.budget.settle(s.cost, was)
	l.mu.Lock()
	defer l.mu.Unlock()
	full := l.inFlight >= int(l.climb.level)
	l.inFlight--
	switch {
	case v == healthy && full:
		l.climb.ended(s.stamp, now.Sub(s.sent), w)
	case v == congested && s.epoch == l.epoch:
		l.climb.congested()
		l.epoch++
	}
	l.wake()
}

// wake grants free slots. The lock is held.
func (l *limiter) wake() {
	for len(l.waiting) > 0 && l.inFlight < int(l.climb.level) {
		t := l.waiting[0]
		if !t.left {
			now := l.now()
			if wait := l.budget.take(now, t.cost); wait > 0 {
				l.wakeIn(wait)
				return
			}
			l.inFlight++
			t.given, t.slot = true, slot{epoch: l.epoch, stamp: l.climb.stamp, sent: now, cost: t.cost}
			close(t.turn)
		}
		l.waiting[0] = nil
		l.waiting = l.waiting[1:]
	}
}

// wakeIn tries again later. The lock is held.
func (l *limiter) wakeIn(d time.Duration) {
	if l.timer != nil {
		l.timer.Stop()
	}
	l.timer = time.AfterFunc(d, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		l.wake()
	})
}
