package run

import (
	"context"
	"iter"

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

// Views yields every subject, reduced. frozen: take the trials from the ledger, because battery, prompts or splitter
// of this version are not those that the run was made with.
func Views(ctx context.Context, audit percuss.Audit, from store.Reader, subjects []percuss.Subject, frozen bool) iter.Seq2[View, error] {
	return func(yield func(View, error) bool) {
		for _, s := range subjects {
			answers := newStored(ctx, from)
			v := View{Subject: s, Answers: answers, Frozen: frozen}
			var err error
			if frozen {
				v.Trials, err = ledgerTrials(ctx, from, s.SubjectID)
			} else {
				v.Trials = audit.Trials(s, answers)
			}
			if err == nil {
				v.Record = audit.Reduce(s, v.Trials, answers)
				err = answers.err
			}
			if !yield(v, err) || err != nil {
				return
			}
		}
	}
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
			trials[i].Request = &r
		} else {
			trials[i].Why = "never answered"
		}
	}
	return trials, nil
}
