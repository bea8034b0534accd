package annotate

import (
	"sync"
	"time"
)

// mostKept is how many senders a limiter tells apart. Beyond them new ones share one allowance, so that memory is bounded
// whatever is sent.
const mostKept = 10_000

// limiter allows each sender a number of tries at once, and one more each time a span has passed.
type limiter struct {
	burst float64
	span  time.Duration

	mu    sync.Mutex
	tries map[string]allowance
}

// allowance is what a sender had left at a time.
type allowance struct {
	left float64
	at   time.Time
}

// others is the sender that all share who find no place.
const others = ""

func newLimiter(burst int, span time.Duration) *limiter {
	return &limiter{burst: float64(burst), span: span, tries: map[string]allowance{}}
}

// take takes one try; wait is how long until there is one, 0 when it was taken.
func (l *limiter) take(sender string, now time.Time) (wait time.Duration) {
	l.mu.Lock()
	defer l.mu.Unlock()
	sender = l.place(sender, now)
	left := l.left(sender, now)
	if left < 1 {
		return time.Duration((1 - left) * float64(l.span))
	}
	l.tries[sender] = allowance{left - 1, now}
	return 0
}

// giveBack returns a try that proved right.
func (l *limiter) giveBack(sender string, now time.Time) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.tries[sender]; !ok {
		sender = others
	}
	if left := l.left(sender, now); left+1 < l.burst {
		l.tries[sender] = allowance{left + 1, now}
	} else {
		delete(l.tries, sender)
	}
}

// left is what a sender has.
func (l *limiter) left(sender string, now time.Time) float64 {
	a, ok := l.tries[sender]
	if !ok {
		return l.burst
	}
	return min(l.burst, a.left+max(0, float64(now.Sub(a.at))/float64(l.span)))
}

// place finds a sender's place, after forgetting those who have their whole allowance again.
func (l *limiter) place(sender string, now time.Time) string {
	if _, ok := l.tries[sender]; ok || len(l.tries) < mostKept {
		return sender
	}
	for s := range l.tries {
		if l.left(s, now) >= l.burst {
			delete(l.tries, s)
		}
	}
	if len(l.tries) < mostKept {
		return sender
	}
	return others
}
