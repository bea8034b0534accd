package batch

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Waiting after a service that could not be reached doubles from firstWait; after mostWait in all the run ends.
const (
	firstWait   = time.Second
	longestWait = 30 * time.Second
	mostWait    = 15 * time.Minute
	heldBack    = 5 * time.Minute // after a batch that the service had no room for
)

// oftenCut is how often results that are not whole are read again. What is still missing then is handed in again.
const oftenCut = 3

// dispatch hands in, polls and collects until it is stopped, or nothing further can succeed.
func (d *Model) dispatch(ctx context.Context) {
	var held time.Time // nothing is handed in before
	wait, waited := firstWait, time.Duration(0)
	for {
		next, err := d.step(ctx, &held)
		var f *model.Fault
		switch {
		case ctx.Err() != nil:
			return
		case err == nil:
			wait, waited = firstWait, 0
		case model.IsFatal(err):
			d.end(err)
			return
		case errors.As(err, &f) && f.RetryAfter > mostWait:
			d.end(&model.Fault{Kind: model.Away, RetryAfter: f.RetryAfter, Err: fmt.Errorf("the service of the batches asks to wait %s; they go on there, so give the same command again then: %w", f.RetryAfter.Round(time.Second), err)})
			return
		case waited > mostWait:
			d.end(&model.Fault{Kind: model.Away, Err: fmt.Errorf("the service of the batches cannot be reached; they go on there, so give the same command again later: %w", err)})
			return
		default:
			if f != nil {
				wait = max(wait, f.RetryAfter)
			}
			d.o.Tell(fmt.Sprintf("batches: %v; trying again in %s", err, wait))
			next = wait
			waited += wait
			wait = min(2*wait, longestWait)
		}
		kick := d.kick
		if err != nil {
			kick = nil // what is asked meanwhile mends nothing
		}
		timer := time.NewTimer(next)
		select {
		case <-timer.C:
		case <-kick:
		case <-ctx.Done():
		}
		timer.Stop()
	}
}

// shown is how long a service is given until a batch whose handing in broke off must be among its batches, if it has it: one
// that is still being made must not be handed in again.
func (d *Model) shown() time.Duration { return min(2*d.o.Every, time.Minute) }

// end lets everybody who waits go.
func (d *Model) end(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.err = err
	close(d.over)
}

// step does what is due, and says how long there is nothing more to do.
func (d *Model) step(ctx context.Context, held *time.Time) (time.Duration, error) {
	for _, b := range d.wanted() {
		if b.id != "" || d.o.Now().Before(b.due) {
			continue
		}
		if err := d.identify(ctx, b); err != nil {
			return 0, err
		}
	}
	if d.settled() && !d.o.Now().Before(*held) {
		if err := d.submit(ctx); err != nil {
			return 0, err
		}
	}
	next := time.Hour
	for _, b := range d.wanted() {
		if now := d.o.Now(); b.id == "" || now.Before(b.due) {
			next = min(next, max(b.due.Sub(now), time.Millisecond))
			continue
		}
		failed, err := d.poll(ctx, b)
		if err != nil {
			return 0, err
		}
		if failed {
			*held = d.o.Now().Add(heldBack)
		}
		next = min(next, d.o.Every)
	}
	if n := d.queued(); n > 0 {
		next = min(next, max(d.o.Quiet, held.Sub(d.o.Now())))
	}
	return next, nil
}

// wanted are the batches that somebody waits for.
func (d *Model) wanted() []*batch {
	d.mu.Lock()
	defer d.mu.Unlock()
	var out []*batch
	for _, b := range d.batches {
		if slices.ContainsFunc(b.keys, func(k percuss.Key) bool { return d.asked[k] != nil && d.out[k] == b }) {
			out = append(out, b)
		}
	}
	return out
}

// queued is how many requests are in no batch.
func (d *Model) queued() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queue)
}

// settled reports whether a round is whole: every open session waits, and nothing was asked for a while.
func (d *Model) settled() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return len(d.queue) > 0 && d.waiting == d.open && d.o.Now().Sub(d.arrived) >= d.o.Quiet
}

// identify finds out what became of a batch of which it is not known whether the service has it.
func (d *Model) identify(ctx context.Context, b *batch) error {
	ids, err := d.batcher.Find(ctx, b.token, len(b.keys), b.since)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if !d.taken[id] {
			return d.named(b, id)
		}
	}
	return d.lose(b)
}

// named notes that the service has a batch.
func (d *Model) named(b *batch, id string) error {
	b.id, b.due, d.taken[id] = id, d.o.Now().Add(d.o.Every), true
	return d.note(Entry{Event: Submitted, Token: b.token, ID: id})
}

// note adds to the journal. What cannot be written ends the run: it could hand in twice.
func (d *Model) note(e Entry) error {
	e.Model, e.At = d.Model.Capabilities().Identity, d.o.Now().UTC()
	if err := d.o.Note(e); err != nil {
		return &model.Fault{Kind: "journal", Fatal: true, Err: fmt.Errorf("writing down what was handed in: %w", err)}
	}
	return nil
}

// lose gives a batch up; what is asked of it is queued again.
func (d *Model) lose(b *batch) error {
	d.mu.Lock()
	for _, k := range b.keys {
		if d.out[k] == b {
			delete(d.out, k)
			if d.asked[k] != nil {
				d.queue = append(d.queue, k)
			}
		}
	}
	d.batches = slices.DeleteFunc(d.batches, func(o *batch) bool { return o == b })
	d.mu.Unlock()
	return d.note(Entry{Event: Lost, Token: b.token})
}

// submit hands in everything that is asked and in no batch.
func (d *Model) submit(ctx context.Context) error {
	for {
		requests := d.gather()
		if len(requests) == 0 {
			return nil
		}
		requests = requests[:max(1, min(len(requests), d.batcher.Fit(requests)))]
		b := &batch{token: d.o.Token(), since: d.o.Now(), left: len(requests)}
		for _, r := range requests {
			b.keys = append(b.keys, r.Key())
		}
		// First the journal: of a batch whose name never came, the token or the number tells whether it is there.
		if err := d.note(Entry{Event: Submitting, Token: b.token, Keys: b.keys}); err != nil {
			return err
		}
		d.mu.Lock()
		for _, k := range b.keys {
			d.out[k] = b
		}
		d.queue = slices.DeleteFunc(d.queue, func(k percuss.Key) bool { return d.out[k] != nil })
		d.batches = append(d.batches, b)
		d.mu.Unlock()
		id, err := d.batcher.Submit(ctx, b.token, requests)
		if err != nil {
			return d.refused(b, err)
		}
		if err := d.named(b, id); err != nil {
			return err
		}
		d.o.Tell(fmt.Sprintf("batch %s: %d requests handed in", id, len(requests)))
	}
}

// refused draws the conclusion from a batch that could not be handed in: one that the service refuses it does not have. Of
// any other, identify looks whether it got there all the same, when it must be there.
func (d *Model) refused(b *batch, err error) error {
	var f *model.Fault
	switch {
	case model.IsFatal(err):
		return errors.Join(err, d.lose(b))
	case errors.As(err, &f) && (f.Kind == model.Dropped || f.Kind == model.Stalled):
		later := *f
		later.RetryAfter = max(f.RetryAfter, d.shown())
		return &later
	}
	return err
}

// gather are the requests in no batch, in the order in which they were asked.
func (d *Model) gather() []percuss.Request {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.queue = slices.DeleteFunc(d.queue, func(k percuss.Key) bool { return d.asked[k] == nil || d.out[k] != nil })
	requests := make([]percuss.Request, len(d.queue))
	for i, k := range d.queue {
		requests[i] = d.asked[k].request
	}
	return requests
}

// poll looks how far a batch is, and collects it when it has ended. full: the service did not take it.
func (d *Model) poll(ctx context.Context, b *batch) (full bool, err error) {
	state, err := d.batcher.Poll(ctx, b.id)
	switch {
	case err != nil:
		return false, fmt.Errorf("batch %s: %w", b.id, err)
	case state.Failed != nil && state.Failed.Fatal: // once that is mended, its requests are handed in again
		return false, errors.Join(state.Failed, d.lose(b))
	case state.Failed != nil:
		d.o.Tell(fmt.Sprintf("batch %s was not taken: %v; its requests are handed in again later", b.id, state.Failed))
		return true, d.lose(b)
	case !state.Ended:
		b.due = d.o.Now().Add(d.o.Every)
		if told := fmt.Sprintf("batch %s: %d of %d requests done (%s)", b.id, state.Done, state.Total, state.Status); told != b.told {
			b.told = told
			d.o.Tell(told)
		}
		return false, nil
	}
	b.due = d.o.Now().Add(d.o.Quiet) // who asks meanwhile has it of one more reading
	return false, d.collect(ctx, b)
}
