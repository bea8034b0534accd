// Package batch asks a model through the batches of its service: it hands in what all subjects of a run ask together, waits,
// and answers them when the service does. A journal keeps what was handed in, so that a stopped run goes on waiting.
package batch

import (
	"context"
	"sync"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// New makes a model that hands in the requests of all its open sessions together as batches, one round after the
// other, and answers them when the service does. Close closes m as well.
func New(m model.Model, b model.Batcher, o Options) *Model {
	o = o.withDefaults()
	d := &Model{Model: m, batcher: b, o: o, asked: map[percuss.Key]*wish{}, out: map[percuss.Key]*batch{},
		kick: make(chan struct{}, 1), over: make(chan struct{}), taken: map[string]bool{}}
	d.recall(m.Capabilities().Identity)
	ctx, stop := context.WithCancel(context.Background())
	d.stop = stop
	d.work.Go(func() { d.dispatch(ctx) })
	return d
}

// Model is a model.Model and model.Counter that is asked by batches. One goroutine talks to the service; the others wait for it.
type Model struct {
	model.Model
	batcher model.Batcher
	o       Options
	stop    context.CancelFunc
	work    sync.WaitGroup
	kick    chan struct{}   // something was asked, or a session ended
	over    chan struct{}   // closed when err is set
	taken   map[string]bool // names of batches that are known, also of other models of the run

	mu            sync.Mutex
	err           error // why nothing is asked any more
	open, waiting int   // sessions, and those of them that wait for answers
	arrived       time.Time
	asked         map[percuss.Key]*wish
	queue         []percuss.Key // asked, in no batch yet; what is no longer asked is skipped
	out           map[percuss.Key]*batch
	batches       []*batch
	counts        model.Counts
}

// wish is a request and who waits for it: two subjects may share one.
type wish struct {
	request percuss.Request
	by      []waiter
}

type waiter struct {
	to chan<- outcome
	i  int
}

// outcome is what came of a request; stored is called when it is kept.
type outcome struct {
	i      int
	answer percuss.Answer
	err    error
	stored func()
}

// batch is one that was handed in, or of which that is not known.
type batch struct {
	token, id string
	since     time.Time
	keys      []percuss.Key
	due       time.Time // of the next poll; while it has no id: of the search for it
	told      string
	left      int // keys whose answer is not known to be stored
	cut       int // how often its results were not whole
}

// recall takes up the batches of an earlier process.
func (d *Model) recall(identity string) {
	known := map[string]*batch{}
	for _, e := range d.o.Past {
		if e.Event == Submitted {
			d.taken[e.ID] = true
		}
		switch b := known[e.Token]; {
		case e.Model != identity:
		case e.Event == Submitting:
			known[e.Token] = &batch{token: e.Token, since: e.At, keys: e.Keys, due: e.At.Add(d.shown())}
			d.batches = append(d.batches, known[e.Token])
		case b != nil && e.Event == Submitted:
			b.id, b.due = e.ID, d.o.Now().Add(d.o.Quiet) // until all have asked: its results are read once
		case b != nil:
			b.keys = nil
		}
	}
	for _, b := range d.batches {
		for _, k := range b.keys {
			if !d.o.Stored(k) {
				d.out[k] = b // the later one holds: it asked again what the earlier one failed with
			}
		}
	}
	for _, b := range d.out {
		b.left++
	}
}

// Workers implements Model.
func (d *Model) Workers() int { return d.o.Subjects }

// Close ends the waiting; what was handed in goes on at the service.
func (d *Model) Close() error {
	d.stop()
	d.work.Wait()
	return d.Model.Close()
}

// Counts implements Counter.
func (d *Model) Counts() model.Counts {
	d.mu.Lock()
	defer d.mu.Unlock()
	if c, ok := d.Model.(model.Counter); ok {
		return d.counts.Plus(c.Counts())
	}
	return d.counts
}

// Outstanding is how many requests are at the service.
func (d *Model) Outstanding() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.out)
}

// Open implements Model.
func (d *Model) Open(ctx context.Context, _ string) (model.Session, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case d.err != nil:
		return nil, d.err
	}
	d.open++
	return &batchSession{d: d}, nil
}

// rouse wakes the dispatcher.
func (d *Model) rouse() {
	select {
	case d.kick <- struct{}{}:
	default:
	}
}

type batchSession struct{ d *Model }

// Close implements Session.
func (s *batchSession) Close() error {
	s.d.mu.Lock()
	defer s.d.mu.Unlock()
	s.d.open--
	s.d.rouse()
	return nil
}

// Answer implements Session.
func (s *batchSession) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	d := s.d
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	came := make(chan outcome, len(requests))
	d.wait(requests, came)
	defer d.leave(requests, came)
	left := len(requests)
	told := func(o outcome) {
		done(o.i, o.answer, o.err)
		o.stored()
		left--
	}
	var why error
	for left > 0 && why == nil {
		select {
		case o := <-came:
			told(o)
		case <-ctx.Done():
			why = context.Cause(ctx)
		case <-d.over:
			why = d.err
		}
	}
	for len(came) > 0 { // what is here already is kept
		told(<-came)
	}
	if left == 0 {
		return nil
	}
	return why
}

// wait adds requests to what is asked.
func (d *Model) wait(requests []percuss.Request, to chan<- outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting++
	d.arrived = d.o.Now()
	for i, r := range requests {
		key := r.Key()
		w := d.asked[key]
		if w == nil {
			w = &wish{request: r}
			d.asked[key] = w
			if d.out[key] == nil {
				d.queue = append(d.queue, key)
			}
		}
		w.by = append(w.by, waiter{to, i})
	}
	d.rouse()
}

// leave takes back what a session still waits for.
func (d *Model) leave(requests []percuss.Request, to chan<- outcome) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.waiting--
	for _, r := range requests {
		key := r.Key()
		w := d.asked[key]
		if w == nil {
			continue
		}
		var others []waiter
		for _, one := range w.by {
			if one.to != to {
				others = append(others, one)
			}
		}
		if w.by = others; len(others) == 0 {
			delete(d.asked, key)
		}
	}
	d.rouse()
}
