package model

import (
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
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
