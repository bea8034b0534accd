package model

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"
)

// Waiting between attempts doubles from firstWait to longestWait.
const (
	firstWait   = 500 * time.Millisecond
	longestWait = 30 * time.Second
)

// attempts is how often one request is sent at most in one call of Answer. Twelve survive a server that is away for a
// minute even when every wait comes out short; a stall costs minutes each time, and what is malformed at temperature 0
// mostly stays so.
func attempts(kind string) int {
	switch kind {
	case Stalled, Malformed, "error":
		return 3
	case RateLimit, Overload:
		return 40
	default:
		return 12
	}
}

// patience is the waiting of one request.
type patience struct {
	budget time.Duration
	waited time.Duration
	tries  map[string]int // failed attempts by kind
	failed int
	since  int // answers to anybody before its first failure
}

// next says how long to wait after a fault, or why the request is given up. rand is from [0, 1).
func (p *patience) next(f *Fault, rand float64) (time.Duration, error) {
	if p.tries == nil {
		p.tries = map[string]int{}
	}
	p.tries[f.Kind]++
	p.failed++
	if most := attempts(f.Kind); p.tries[f.Kind] >= most {
		return 0, fmt.Errorf("given up after %d attempts: %w", p.failed, f.Err)
	}
	wait := longestWait
	if n := p.failed - 1; n < 6 {
		wait = firstWait << n
	}
	wait = wait/2 + time.Duration(rand*float64(wait/2))
	if f.RetryAfter > 0 {
		// A little later than asked: all who were refused together would else come back in the same instant.
		wait = f.RetryAfter + time.Duration(rand*float64(firstWait))
	}
	switch {
	case f.RetryAfter > p.budget:
		return 0, fmt.Errorf("the server asks to wait %s, longer than the %s that a request waits in one run; resume the run later: %w",
			f.RetryAfter.Round(time.Second), p.budget, f.Err)
	case p.waited+wait > p.budget:
		return 0, fmt.Errorf("given up after %d attempts and %s of waiting; resume the run later: %w",
			p.failed, p.waited.Round(time.Second), f.Err)
	}
	p.waited += wait
	return wait, nil
}

// faultOf reads an attempt's error as a fault; an error that is none counts as one of an unknown kind.
func faultOf(err error) *Fault {
	var f *Fault
	if errors.As(err, &f) {
		return f
	}
	return &Fault{Kind: "error", Err: err}
}

// verdictOf says what a fault tells about the load of the server.
func verdictOf(kind string) verdict {
	switch kind {
	case RateLimit, Overload, Stalled:
		return congested
	}
	return neutral
}

// RetryAfter reads how long a reply asks to wait: the header Retry-After in seconds or as an HTTP date, or
// Retry-After-Ms. 0 when it does not say, or nothing sensible.
func RetryAfter(h http.Header, now time.Time) time.Duration {
	seconds := func(s string, unit time.Duration) time.Duration {
		v, err := strconv.ParseFloat(strings.TrimSpace(s), 64)
		if err != nil || !(v > 0) {
			return 0
		}
		return time.Duration(min(v*float64(unit), float64(maxWait)))
	}
	if d := seconds(h.Get("Retry-After-Ms"), time.Millisecond); d > 0 {
		return d
	}
	s := h.Get("Retry-After")
	if d := seconds(s, time.Second); d > 0 {
		return d
	}
	at, err := http.ParseTime(s)
	if err != nil {
		return 0
	}
	return min(max(0, at.Sub(now)), maxWait)
}

// maxWait bounds what is read, so that no header overflows a duration.
const maxWait = 10 * 365 * 24 * time.Hour

// givenUpInARow is how many requests, with no answer to anybody between them, are given up before a server counts as
// away. One may have been unlucky; three that each waited for minutes, or were sent off for an hour, were not.
const givenUpInARow = 3

// outage watches over all sessions whether the server still answers anybody. Without it, a server that is gone would be
// waited for anew with each of hundreds of requests.
type outage struct {
	mu       sync.Mutex
	answers  int             // so far
	sentOff  int             // requests in a row that were to wait longer than a request waits
	spent    int             // requests in a row that were given up after all their attempts
	subjects map[string]bool // of those that were spent
}

// answered notes an answer, of whatever outcome: the server is there.
func (o *outage) answered() {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.answers++
	o.sentOff, o.spent, o.subjects = 0, 0, nil
}

// soFar is the number of answers.
func (o *outage) soFar() int {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.answers
}

// gaveUp notes that a request of a subject was given up after f, and returns the fault that ends the run once the
// server counts as away. What was spent counts only when nobody was answered since its first failure, and when a second
// subject was met by the same: else a question that breaks the server, asked at the end of a run or alone on a resumed
// one, would stop the run for ever.
func (o *outage) gaveUp(subject string, f *Fault, p *patience) *Fault {
	o.mu.Lock()
	defer o.mu.Unlock()
	const kept = "nothing more is sent, and what was answered is kept"
	if f.RetryAfter > p.budget {
		if o.sentOff++; o.sentOff < givenUpInARow {
			return nil
		}
		wait := f.RetryAfter.Round(time.Second)
		return &Fault{Kind: Away, RetryAfter: f.RetryAfter, Err: fmt.Errorf("the server told %d requests in a row to wait, at last for %s: %s; resume the run in %s: %w",
			o.sentOff, wait, kept, wait, f.Err)}
	}
	if !ofTheServer(f.Kind) || p.since != o.answers {
		return nil
	}
	if o.subjects == nil {
		o.subjects = map[string]bool{}
	}
	o.subjects[subject] = true
	if o.spent++; o.spent < givenUpInARow || len(o.subjects) < 2 {
		return nil
	}
	return &Fault{Kind: Away, RetryAfter: f.RetryAfter, Err: fmt.Errorf("the last %d requests were given up after all their attempts, with no answer to any other: %s; see whether the server is up, then resume the run: %w",
		o.spent, kept, f.Err)}
}

// ofTheServer reports whether a fault says something about the server rather than about what it was asked: a reply that
// breaks its format at temperature 0 breaks it for this request.
func ofTheServer(kind string) bool {
	switch kind {
	case RateLimit, Overload, Server, Dropped, Stalled:
		return true
	}
	return false
}
