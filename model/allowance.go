package model

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Allowance is what a server says may still be sent, in the headers of its replies.
type Allowance struct{ Requests, Tokens Remaining }

// Remaining is one of the budgets of a server, a bucket that fills evenly. The zero value: the server does not say.
type Remaining struct {
	Limit, Left float64
	Full        time.Duration // from the reply until nothing of the limit is used
}

// Reporter is implemented by callers whose server says what may still be sent. Remote calls Report once, before the
// first Call; to may be called at any time and from any goroutine.
type Reporter interface {
	Report(to func(Allowance))
}

// ReadAllowance reads the headers x-ratelimit-*-requests and -tokens of OpenAI's protocol, or anthropic-ratelimit-*.
// What is missing or makes no sense is left out.
func ReadAllowance(h http.Header, now time.Time) Allowance {
	a := Allowance{
		Requests: remaining(h, now, "X-Ratelimit-Limit-Requests", "X-Ratelimit-Remaining-Requests", "X-Ratelimit-Reset-Requests"),
		Tokens:   remaining(h, now, "X-Ratelimit-Limit-Tokens", "X-Ratelimit-Remaining-Tokens", "X-Ratelimit-Reset-Tokens"),
	}
	if a.Requests == (Remaining{}) {
		a.Requests = remaining(h, now, "Anthropic-Ratelimit-Requests-Limit", "Anthropic-Ratelimit-Requests-Remaining", "Anthropic-Ratelimit-Requests-Reset")
	}
	if a.Tokens == (Remaining{}) { // of its budgets for tokens the one that is nearest its end
		a.Tokens = remaining(h, now, "Anthropic-Ratelimit-Tokens-Limit", "Anthropic-Ratelimit-Tokens-Remaining", "Anthropic-Ratelimit-Tokens-Reset")
	}
	return a
}

// longestFull is the longest reset that is followed. What takes longer, a budget by the day, is the server's to
// enforce: it then says 429, and for how long.
const longestFull = 10 * time.Minute

// remaining reads three headers.
func remaining(h http.Header, now time.Time, limit, left, reset string) Remaining {
	given := h.Get(limit)
	if given == "" {
		return Remaining{}
	}
	l, err := strconv.ParseFloat(given, 64)
	n, err2 := strconv.ParseFloat(h.Get(left), 64)
	full := resetIn(strings.TrimSpace(h.Get(reset)), now)
	if err != nil || err2 != nil || !(l > 0 && l < 1e15) || !(n >= 0 && n <= l) || full <= 0 || full > longestFull {
		return Remaining{}
	}
	return Remaining{Limit: l, Left: n, Full: full}
}

// resetIn reads 6m0s, a number of seconds, or a time.
func resetIn(s string, now time.Time) time.Duration {
	if d, err := time.ParseDuration(s); err == nil {
		return d
	}
	if v, err := strconv.ParseFloat(s, 64); err == nil && v < longestFull.Seconds() {
		return time.Duration(v * float64(time.Second))
	}
	if at, err := time.Parse(time.RFC3339, s); err == nil {
		return at.Sub(now)
	}
	return 0
}
