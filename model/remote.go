package model

import (
	"context"
	"errors"
	"math/rand/v2"
	"sync"
	"time"

	"github.com/percuss/percuss"
)

// Caller makes one attempt at a request. Several goroutines call it at once. An error is a *Fault: Fatal when no
// further request can succeed; any other fault is worth a repetition. What a reply ended in is no error but the
// answer's outcome, a refusal that concerns this request alone included. When ctx is done the attempt ends at once.
type Caller interface {
	Call(ctx context.Context, r percuss.Request) (percuss.Answer, error)
}

// RemoteOptions say how a remote model is asked. The zero value is ready for use.
type RemoteOptions struct {
	Concurrency int           // most requests in flight at one address, over all sessions; 0: 32
	Budget      time.Duration // most waiting of one request between its attempts; 0: 5 minutes
	Grace       time.Duration // what is in flight may take this long when the run is stopped; 0: 5 seconds

	// What may be sent in a minute, evenly; 0: no bound. Tokens are those of the prompt and of the reply: an estimate
	// and all of the output that is allowed while a request is out, what was counted afterwards.
	RequestsPerMinute, TokensPerMinute int

	Sleep func(ctx context.Context, d time.Duration) error // ends early with an error when ctx is done; nil: a timer
	Rand  func() float64                                   // from [0, 1), for jitter; nil: math/rand
	Now   func() time.Time                                 // for latencies and budgets; nil: time.Now
}

func (o RemoteOptions) withDefaults() RemoteOptions {
	if o.Concurrency < 1 {
		o.Concurrency = 32
	}
	if o.Budget <= 0 {
		o.Budget = 5 * time.Minute
	}
	if o.Grace <= 0 {
		o.Grace = 5 * time.Second
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Rand == nil {
		o.Rand = rand.Float64
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	return o
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Remote makes a model of single calls. The requests of a call of Answer are queued at once, those with a common
// beginning side by side, and sent as many at a time as a limiter allows that all sessions share and that follows what
// the server takes. Transient faults are met with further attempts, after growing waits or after the time that the
// server asks for; a request that waits holds no slot. After a fatal fault nothing more is sent, nor after one of kind
// Away: several requests in a row were given up, and nobody was answered meanwhile. The model is a Counter.
func Remote(c Caller, can percuss.Capabilities, o RemoteOptions) Model {
	return Endpoints([]Caller{c}, can, o)
}

// Endpoints is Remote for a model that answers at several addresses, at least one. A subject keeps to one of them, where
// the server has its beginning in mind. Each has a limit of its own; one that fails is drained, its requests go to the
// others, and it is tried again later. Budgets are of all together.
func Endpoints(callers []Caller, can percuss.Capabilities, o RemoteOptions) Model {
	o = o.withDefaults()
	r := &remote{ends: newEndpoints(callers, o), can: can, o: o}
	r.alive, r.die = context.WithCancelCause(context.Background())
	return r
}

type remote struct {
	ends []*endpoint
	can  percuss.Capabilities
	o    RemoteOptions

	alive context.Context // done after a fault that ends the run, which is its cause
	die   context.CancelCauseFunc
	gone  outage

	mu     sync.Mutex // also held while a session looks for its address
	counts Counts
}

func (r *remote) Capabilities() percuss.Capabilities { return r.can }

// Workers is the bound of the limiters and a quarter more: a subject's first round is often a single request, and while
// its answer is stored and the next one looked up, the server would have one less.
func (r *remote) Workers() int {
	const spare = 4
	all := r.o.Concurrency * len(r.ends)
	return all + (all+spare-1)/spare
}

func (r *remote) Open(ctx context.Context, subject string) (Session, error) {
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case r.alive.Err() != nil:
		return nil, context.Cause(r.alive)
	}
	return &remoteSession{r, subject, r.settle()}, nil
}

func (r *remote) Close() error { return nil }

// Counts implements Counter. What the server had cached is not known, so all prompt tokens count as computed.
func (r *remote) Counts() Counts {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.counts
}

func (r *remote) count(u percuss.Usage) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.counts.PromptAsked += int64(u.Prompt)
	r.counts.PromptComputed += int64(u.Prompt)
	r.counts.Output += int64(u.Output)
	r.counts.Decodes++
}

type remoteSession struct {
	r       *remote
	subject string
	home    *endpoint
}

func (s *remoteSession) Close() error {
	s.home.enter(-1)
	return nil
}

// event is what done is to be told.
type event struct {
	i      int
	answer percuss.Answer
	err    error
}

// Answer implements Session.
func (s *remoteSession) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	r := s.r
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	// going is done when nothing more is to be sent; what is in flight lives on under calls for the time of grace.
	going, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	defer context.AfterFunc(r.alive, func() { stop(context.Cause(r.alive)) })()
	calls, hangUp := context.WithCancelCause(context.WithoutCancel(ctx))
	var wg sync.WaitGroup
	defer wg.Wait()
	defer hangUp(nil)
	wg.Go(func() {
		select {
		case <-going.Done():
			if r.o.Sleep(calls, r.o.Grace) == nil {
				hangUp(context.Cause(going))
			}
		case <-calls.Done():
		}
	})

	events := make(chan event)
	wg.Go(func() { s.send(going, calls, requests, events); close(events) })
	ended := 0
	for e := range events {
		var f *Fault
		if !errors.As(e.err, &f) || !f.Again {
			ended++
		}
		done(e.i, e.answer, e.err)
	}
	switch {
	case r.alive.Err() != nil:
		return context.Cause(r.alive)
	case ended < len(requests):
		return context.Cause(going)
	}
	return nil
}
