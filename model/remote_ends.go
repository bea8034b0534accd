package model

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/percuss/percuss"
)

// An address that failed so often in a row is drained; after a while, which doubles, one request tries it again. One that
// asks to wait for longer than the first of these is drained for that time.
const (
	drainedAfter = 3
	firstDrain   = 15 * time.Second
	longestDrain = 5 * time.Minute
)

// endpoint is one address of a model, with a limit of its own.
type endpoint struct {
	caller Caller
	limit  *limiter

	mu       sync.Mutex
	sessions int // open ones whose home it is
	failed   int // in a row
	pause    time.Duration
	drained  bool      // no reply has come since it was
	until    time.Time // it is not to be tried before
	trying   bool      // the request that tries it is out
	wrong    bool      // its last fault would end the run, were it the only address
}

func newEndpoints(callers []Caller, o RemoteOptions) []*endpoint {
	b := newBudget(cost{inRequests: float64(o.RequestsPerMinute), inTokens: float64(o.TokensPerMinute)})
	ends := make([]*endpoint, len(callers))
	for i, c := range callers {
		ends[i] = &endpoint{caller: c, limit: newLimiter(o.Concurrency, b, o.Now)}
		// What several addresses say is left may be said of several budgets: then refusals alone tell.
		if says, ok := c.(Reporter); ok && len(callers) == 1 {
			says.Report(func(a Allowance) { b.follow(o.Now(), a) })
		}
	}
	return ends
}

// standing is what an address is good for at present.
type standing int

const (
	barred  standing = iota // drained: it is not asked while another can be
	due                     // the drain is over: one request may try it
	trusted                 // it is asked
)

func (e *endpoint) standing(now time.Time) standing {
	e.mu.Lock()
	defer e.mu.Unlock()
	switch {
	case !e.drained:
		return trusted
	case now.Before(e.until):
		return barred
	}
	return due
}

// try reports whether the caller's request is the one that tries the address, which is due. It ends with lives, fails or
// untried.
func (e *endpoint) try(now time.Time) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	if !e.drained || e.trying || now.Before(e.until) {
		return false
	}
	e.trying = true
	return true
}

// untried notes that nothing came of a trial: its request was not sent.
func (e *endpoint) untried() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.trying = false
}

// lives notes a reply of the server, whatever it was.
func (e *endpoint) lives() {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.failed, e.pause, e.drained, e.trying, e.until, e.wrong = 0, 0, false, false, time.Time{}, false
}

// fails notes that a request got no reply, or one that tells of no good; atOnce: no second one is needed to know. It
// reports whether the address is drained from now on. Requests that were sent before it was do not drain it further.
func (e *endpoint) fails(now time.Time, atOnce bool) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.wrong = atOnce
	if e.failed++; e.failed < drainedAfter && !atOnce || now.Before(e.until) {
		return false
	}
	e.failed = drainedAfter - 1 // one more is enough when it is tried again
	e.drained, e.trying = true, false
	e.pause = min(max(firstDrain, 2*e.pause), longestDrain)
	e.until = now.Add(e.pause)
	return true
}

// rests drains the address for as long as it asks for.
func (e *endpoint) rests(now time.Time, d time.Duration) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.drained, e.trying = true, false
	if until := now.Add(d); until.After(e.until) {
		e.until = until
	}
}

// enter counts an open session.
func (e *endpoint) enter(n int) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.sessions += n
}

// load is how many sessions are open.
func (e *endpoint) load() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.sessions
}

// pick is the address to ask: home as long as it is trusted, for the server has what it computed of the subject; else
// the one that stands best, and of several the one with the fewest sessions. Where none does, home is asked all the same.
func (r *remote) pick(home *endpoint) *endpoint {
	now := r.o.Now()
	best, as := home, home.standing(now)
	if as == trusted {
		return home
	}
	for _, e := range r.ends {
		if s := e.standing(now); s > as || s == as && as > barred && best != home && e.load() < best.load() {
			best, as = e, s
		}
	}
	return best
}

// settle gives a new session the address with the fewest of those that stand best.
func (r *remote) settle() *endpoint {
	r.mu.Lock()
	defer r.mu.Unlock()
	now := r.o.Now()
	home := r.pick(r.ends[0])
	for _, e := range r.ends {
		if e.standing(now) == home.standing(now) && e.load() < home.load() {
			home = e
		}
	}
	home.enter(1)
	return home
}

// otherUp reports whether another address can be asked.
func (r *remote) otherUp(than *endpoint) bool {
	now := r.o.Now()
	for _, e := range r.ends {
		if e != than && e.standing(now) > barred {
			return true
		}
	}
	return false
}

// tried is an address that is due, for one request that would else go to at; nil: there is none, or nothing better than
// what is due is known.
func (r *remote) tried(at *endpoint) *endpoint {
	now := r.o.Now()
	if len(r.ends) == 1 || at.standing(now) != trusted {
		return nil
	}
	for _, e := range r.ends {
		if e.try(now) {
			return e
		}
	}
	return nil
}

// otherSound reports whether another address, up or not, may be without such a fault as ends a run.
func (r *remote) otherSound(than *endpoint) bool {
	for _, e := range r.ends {
		e.mu.Lock()
		wrong := e.wrong
		e.mu.Unlock()
		if e != than && !wrong {
			return true
		}
	}
	return false
}

// examine draws the conclusion from a fault for the address that it came from, and sends those who wait for a drained one
// elsewhere. A fault that would end the run is one of the address alone, until all others had one too: one that is
// drained may come back.
func (r *remote) examine(e *endpoint, f *Fault) *Fault {
	if len(r.ends) == 1 {
		return f
	}
	now := r.o.Now()
	switch f.Kind {
	case RateLimit, Overload:
		if f.RetryAfter >= firstDrain && r.otherUp(e) { // the others need not wait
			e.rests(now, f.RetryAfter)
			one := *f
			one.RetryAfter, f = 0, &one
		} else if f.Kind == Overload {
			e.fails(now, false)
		} else {
			e.lives()
		}
	case Dropped, Stalled, Server:
		e.fails(now, false)
	case Credentials, Quota, UnknownModel, Address, TLS:
		if f.Fatal && r.otherSound(e) {
			e.fails(now, true)
			one := *f
			one.Fatal, f = false, &one
		}
	default:
		e.lives()
	}
	// Also where another request's fault has drained it: the slot of this one would else be given to one that waits.
	if e.standing(now) == barred && r.otherUp(e) {
		e.limit.clear()
	}
	return f
}

// try asks a request at an address that is due.
func (s *remoteSession) try(going, calls context.Context, e *endpoint, i int, req percuss.Request, events chan<- event) {
	held, err := e.limit.wait(going, e.limit.join(costOf(req))[0])
	if err == nil {
		s.ask(going, calls, i, req, seat{e, held}, events)
		return
	}
	e.untried()
	if errors.Is(err, errMoved) {
		s.moved(going, calls, i, req, events)
	}
}

// moved asks a request wherever there is a slot.
func (s *remoteSession) moved(going, calls context.Context, i int, req percuss.Request, events chan<- event) {
	if held, err := s.seat(going, req); err == nil {
		s.ask(going, calls, i, req, held, events)
	}
}

// seat is a slot at an address.
type seat struct {
	at   *endpoint
	slot slot
}

// seat waits for a slot for a request, at another address where this one is drained meanwhile.
func (s *remoteSession) seat(going context.Context, r percuss.Request) (seat, error) {
	for {
		e := s.r.pick(s.home)
		held, err := e.limit.wait(going, e.limit.join(costOf(r))[0])
		if !errors.Is(err, errMoved) {
			return seat{e, held}, err
		}
	}
}
