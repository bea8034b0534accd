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
		// Subjects take unlike times, and their results are taken in order: with no more of them begun than there are
		// processors, some would wait for a slow one.
		ahead := make(chan chan result, 4*runtime.GOMAXPROCS(0))
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		at.Go(func() {
			defer close(ahead)
			for _, s := range subjects {
				next := make(chan result, 1)
				select {
				case ahead <- next:
				case <-ctx.Done():
					return
				}
				at.Go(func() {
					v, err := view(ctx, audit, from, s, frozen)
					next <- result{v, err}
				})
			}
		})
		for next := range ahead {
			r := <-next
			if !yield(r.view, r.err) || r.err != nil {
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
