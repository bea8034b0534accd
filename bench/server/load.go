package server

import (
	"slices"
	"time"

	"github.com/percuss/percuss"
)

// Load is what a client did to the server.
type Load struct{ calls []call }

// Requests is the number of counted requests.
func (l Load) Requests() int { return len(l.calls) }

// Without leaves out the first n requests, which a client made to get to know the server.
func (l Load) Without(n int) Load {
	sorted := slices.SortedFunc(slices.Values(l.calls), func(a, b call) int { return a.came.Compare(b.came) })
	return Load{calls: sorted[min(max(n, 0), len(sorted)):]}
}

// middle is the share of a run's requests, at its beginning and again at its end, that Rate leaves out: clients warm up,
// and at the end they wait for the last ones.
const middle = 0.05

// Rate is how many requests a second came while the client was sending: between its first and its last twentieth.
// It is missing of fewer than 20 requests, or where all came at one time.
func (l Load) Rate() percuss.Number {
	came := l.arrivals()
	skip := int(middle * float64(len(came)))
	if skip == 0 {
		return percuss.Number{}
	}
	first, last := skip, len(came)-1-skip
	took := came[last].Sub(came[first]).Seconds()
	if took <= 0 {
		return percuss.Number{}
	}
	return percuss.Num(float64(last-first) / took)
}

// InFlight is the mean number of requests that the server held from the first to the last one's arrival: the time to get
// going counts, the wait for the last replies does not. It is missing where all came at one time.
func (l Load) InFlight() percuss.Number {
	came := l.arrivals()
	if len(came) < 2 {
		return percuss.Number{}
	}
	last := came[len(came)-1]
	took := last.Sub(came[0])
	if took <= 0 {
		return percuss.Number{}
	}
	var held time.Duration
	for _, c := range l.calls {
		until := c.gone
		if until.IsZero() || until.After(last) {
			until = last
		}
		held += until.Sub(c.came)
	}
	return percuss.Num(float64(held) / float64(took))
}

func (l Load) arrivals() []time.Time {
	out := make([]time.Time, len(l.calls))
	for i, c := range l.calls {
		out[i] = c.came
	}
	slices.SortFunc(out, time.Time.Compare)
	return out
}
