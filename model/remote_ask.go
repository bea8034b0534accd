package model

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"
	"sync"

	"github.com/percuss/percuss"
)

// send queues the requests together and asks each when its turn comes; it returns when all have ended.
func (s *remoteSession) send(going, calls context.Context, requests []percuss.Request, events chan<- event) {
	order := alike(requests)
	var asking sync.WaitGroup
	defer asking.Wait()
	at := s.r.pick(s.home)
	if e := s.r.tried(at); e != nil {
		i := order[0]
		order = order[1:]
		asking.Go(func() { s.try(going, calls, e, i, requests[i], events) })
	}
	costs := make([]cost, len(order))
	for n, i := range order {
		costs[n] = costOf(requests[i])
	}
	for n, t := range at.limit.join(costs...) {
		i := order[n]
		switch held, err := at.limit.wait(going, t); {
		case err == nil:
			asking.Go(func() { s.ask(going, calls, i, requests[i], seat{at, held}, events) })
		case errors.Is(err, errMoved):
			asking.Go(func() { s.moved(going, calls, i, requests[i], events) })
		} // else nothing more is sent, and the others give their tickets back as well
	}
}

// alike returns the indices of the requests in an order in which those that begin alike are neighbours, so that a
// server finds what it has computed of them.
func alike(requests []percuss.Request) []int {
	order := make([]int, len(requests))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(i, j int) int {
		a, b := requests[i], requests[j]
		for k := range min(len(a.Messages), len(b.Messages)) {
			if c := strings.Compare(a.Messages[k].Content, b.Messages[k].Content); c != 0 {
				return c
			}
		}
		return cmp.Or(cmp.Compare(len(a.Messages), len(b.Messages)), strings.Compare(a.Begin, b.Begin))
	})
	return order
}

// ask sends one request, at first with the slot that it holds, until it ended or nothing more is to be sent.
func (s *remoteSession) ask(going, calls context.Context, i int, req percuss.Request, held seat, events chan<- event) {
	r := s.r
	p := patience{budget: r.o.Budget}
	for {
		answer, f, ok := r.attempt(going, calls, req, held)
		switch {
		case !ok:
			return
		case f == nil:
			events <- event{i: i, answer: answer}
			return
		case f.Fatal:
			events <- event{i: i, err: f}
			return
		case going.Err() != nil:
			return // cut off, or would have been repeated
		}
		if p.failed == 0 {
			p.since = r.gone.soFar()
		}
		told := *f
		wait, err := p.next(f, r.o.Rand())
		if told.Again = err == nil; !told.Again {
			told.Spent, told.Err = true, err
			if away := r.gone.gaveUp(s.subject, f, &p); away != nil {
				r.die(away) // before it is told, so that nothing is sent in between
			}
		}
		events <- event{i: i, err: &told}
		if !told.Again || r.o.Sleep(going, wait) != nil {
			return
		}
		if held, err = s.seat(going, req); err != nil {
			return
		}
	}
}

// attempt sends a request once with a slot, which it returns; ok is false when nothing more is to be sent.
func (r *remote) attempt(going, calls context.Context, req percuss.Request, held seat) (a percuss.Answer, f *Fault, ok bool) {
	says, was := neutral, cost{}
	defer func() {
		held.at.limit.release(held.slot, says, work{output: a.Usage.Output, scored: len(req.Want.Letters) > 0}, was)
	}()
	if going.Err() != nil || r.alive.Err() != nil {
		held.at.untried()
		return a, nil, false
	}
	var err error
	if a, err = held.at.caller.Call(calls, req); err == nil {
		says, was = healthy, costWas(held.slot.cost, a.Usage)
		held.at.lives()
		r.gone.answered()
		r.count(a.Usage)
		return a, nil, true
	}
	f = r.examine(held.at, faultOf(err))
	says, was[inRequests] = verdictOf(f.Kind), 1
	if f.Fatal && f.Kind != Capability { // what one kind of request lacks, another may not need
		r.die(f) // before the slot is free, so that nobody sends in between
	}
	return a, f, true
}
