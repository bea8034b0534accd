package model

import (
	"context"
	"slices"
	"sync"
)

// firstLimit is how many requests are in flight before the server has shown what it takes.
const firstLimit = 8

// limiter bounds how many requests are in flight: one more for each round of successes at the bound, half as many
// after a sign of congestion. Who waits is served in the order of coming.
type limiter struct {
	mu       sync.Mutex
	most     int     // never more than this in flight
	limit    float64 // in flight at present, 1 to most
	inFlight int
	epoch    int // counts the decreases
	waiting  []chan struct{}
}

func newLimiter(most int) *limiter {
	return &limiter{most: most, limit: float64(min(firstLimit, most))}
}

// slot is the right to have one request in flight.
type slot struct {
	epoch int
	full  bool // taken when no other was left, so that the bound is what limits
}

// acquire waits for a slot until ctx is done.
func (l *limiter) acquire(ctx context.Context) (slot, error) {
	if ctx.Err() != nil {
		return slot{}, context.Cause(ctx)
	}
	l.mu.Lock()
	if len(l.waiting) > 0 || l.inFlight >= int(l.limit) {
		turn := make(chan struct{})
		l.waiting = append(l.waiting, turn)
		l.mu.Unlock()
		select {
		case <-turn: // whoever woke us has counted us
		case <-ctx.Done():
			l.abandon(turn)
			return slot{}, context.Cause(ctx)
		}
		l.mu.Lock()
	} else {
		l.inFlight++
	}
	defer l.mu.Unlock()
	return slot{epoch: l.epoch, full: l.inFlight >= int(l.limit)}, nil
}

// abandon gives up waiting; a slot that was granted in the same moment is handed on.
func (l *limiter) abandon(turn chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if i := slices.Index(l.waiting, turn); i >= 0 {
		l.waiting = slices.Delete(l.waiting, i, i+1)
	} else {
		l.inFlight--
	}
	l.wake()
}

// verdict is what the end of a request says about the server.
type verdict int

const (
	neutral   verdict = iota // nothing: a broken connection, a call that was cancelled
	healthy                  // an answer
	congested                // too many at once
)

// release returns a slot. Requests that were sent before the last decrease do not decrease again: one burst of
// refusals is one sign, however many of its requests it hits.
func (l *limiter) release(s slot, v verdict) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.inFlight--
	switch {
	case v == healthy && s.full:
		l.limit = min(float64(l.most), l.limit+1/l.limit)
	case v == congested && s.epoch == l.epoch:
		l.limit = max(1, l.limit/2)
		l.epoch++
	}
	l.wake()
}

// wake grants free slots. The lock is held.
func (l *limiter) wake() {
	for len(l.waiting) > 0 && l.inFlight < int(l.limit) {
		l.inFlight++
		close(l.waiting[0])
		l.waiting = l.waiting[1:]
	}
}
