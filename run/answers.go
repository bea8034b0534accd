package run

import (
	"context"
	"iter"
	"runtime"
	"sync"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// stored is percuss.Answers over a store, with what one subject has seen kept in memory. It is used by one goroutine.
// The pure functions of an audit cannot return an error, so the first one is kept.
type stored struct {
	ctx  context.Context
	from store.Reader
	seen percuss.AnswerMap
	err  error
}

func newStored(ctx context.Context, from store.Reader) *stored {
	return &stored{ctx: context.WithoutCancel(ctx), from: from, seen: percuss.AnswerMap{}}
}

// Known returns the stored answers of one subject's requests; an answer that cannot be read counts as missing.
func Known(ctx context.Context, from store.Reader) percuss.Answers { return newStored(ctx, from) }

// Answer implements percuss.Answers.
func (s *stored) Answer(k percuss.Key) (percuss.Answer, bool) {
	if a, ok := s.seen[k]; ok {
		return a, true
	}
	a, ok, err := s.from.Get(s.ctx, k)
	if err != nil && s.err == nil {
		s.err = err
	}
	if ok {
		s.seen[k] = a
	}
	return a, ok && err == nil
}

func (s *stored) put(k percuss.Key, a percuss.Answer) { s.seen[k] = a }

// View is one subject as a report sees it.
type View struct {
	Subject percuss.Subject
	Trials  []percuss.Trial
	Record  percuss.Record
	Answers percuss.Answers
	Frozen  bool // the trials are the ledger's: the edits of this version would differ from what was asked
}

// Views yields every subject, reduced, in order; several are worked out at once. frozen: take the trials from the ledger,
// because battery, prompts or splitter of this version are not those that the run was made with.
func Views(ctx context.Context, audit percuss.Audit, from store.Reader, subjects []percuss.Subject, frozen bool) iter.Seq2[View, error] {
	return func(yield func(View, error) bool) {
		var at sync.WaitGroup
		defer at.Wait() // the store must not be closed under a worker
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		reduced := func(s percuss.Subject) (r result) {
			r.view, r.err = view(ctx, audit, from, s, frozen)
			return r
		}
		for p := range ahead(ctx, &at, subjects, reduced) {
			select {
			case r := <-p.done:
				if !yield(r.view, r.err) || r.err != nil {
					return
				}
			case <-ctx.Done(): // it may never be begun
				yield(View{}, ctx.Err())
				return
			}
		}
		if err := ctx.Err(); err != nil {
			yield(View{}, err)
		}
	}
}

// result is a view or why there is none.
type result struct {
	view View
	err  error
}

// pending is a subject that is worked on, or is next.
type pending struct {
	subject percuss.Subject
	done    chan result // gets one
}

// ahead works on the subjects, several at once, and hands them out in their order, no more than a few before they are taken.
// What it begins it enters in at; it ends with the context.
func ahead(ctx context.Context, at *sync.WaitGroup, subjects []percuss.Subject, work func(percuss.Subject) result) <-chan pending {
	// Subjects take unlike times: with no more of them begun than there are processors, some of these would wait for the
	// first in the order.
	workers := 2 * runtime.GOMAXPROCS(0)
	begun, out := make(chan pending), make(chan pending, 2*workers)
	at.Go(func() {
		defer close(out)
		defer close(begun)
		for _, s := range subjects {
			p := pending{s, make(chan result, 1)}
			for _, next := range [...]chan pending{out, begun} {
				select {
				case next <- p:
				case <-ctx.Done():
					return
				}
			}
		}
	})
	for range workers {
		at.Go(func() {
			for p := range begun {
				p.done <- work(p.subject)
			}
		})
	}
	return out
}

// view reduces one subject.
func view(ctx context.Context, audit percuss.Audit, from store.Reader, s percuss.Subject, frozen bool) (v View, err error) {
	answers := newStored(ctx, from)
	v = View{Subject: s, Answers: answers, Frozen: frozen}
	if frozen {
		v.Trials, err = ledgerTrials(ctx, from, s.SubjectID)
	} else {
		v.Trials = audit.Trials(s, answers)
	}
	if err == nil {
		v.Record = audit.Reduce(s, v.Trials, answers)
		err = answers.err
	}
	return v, err
}

// ledgerTrials rebuilds a subject's trials from what was written down when they were asked.
func ledgerTrials(ctx context.Context, from store.Reader, id percuss.SubjectID) ([]percuss.Trial, error) {
	rows, err := from.Ledger(ctx, id)
	if err != nil {
		return nil, err
	}
	trials := make([]percuss.Trial, len(rows))
	for i, row := range rows {
		trials[i] = percuss.Trial{ID: row.Trial, Fired: row.Fired, Why: row.Why, Version: row.Version, Labels: row.Labels}
		if row.Key == "" {
			continue
		}
		r, ok, err := from.Request(ctx, row.Key)
		if err != nil {
			return nil, err
		}
		if ok {
			trials[i].Ask(r)
		} else {
			trials[i].Why = "never answered"
		}
	}
	return trials, nil
}
