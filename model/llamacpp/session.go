package llamacpp

import (
	"cmp"
	"context"
	"errors"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// session is one subject's turn at the engine.
type session struct {
	m      *Model
	texts  *texts // what the subject's greedy texts say; nil: no drafts
	closed bool
}

// Answer implements model.Session.
func (s *session) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	if s.closed {
		return &model.Fault{Kind: "engine", Fatal: true, Err: errors.New("the session is closed")}
	}
	var jobs []*job
	for i := range requests {
		if err := ctx.Err(); err != nil {
			return err
		}
		j, a, err := s.m.newJob(i, &requests[i])
		switch {
		case err != nil:
			done(i, percuss.Answer{}, err)
			return err
		case a != nil:
			done(i, *a, nil)
		default:
			jobs = append(jobs, j)
		}
	}
	s.m.count(&model.Counts{PromptDistinct: distinct(jobs)})
	if s.m.unit > 0 && atOnce(jobs) {
		if s.m.cache != nil {
			s.m.cache.parked = nil // the trees have the memory in which they lay
		}
		return s.m.trees(ctx, jobs, done)
	}
	s.m.apart.closeContext()
	if s.m.cache == nil { // given up for trees of prompts, or an earlier call failed to get it back
		if err := s.m.resize(s.m.budget); err != nil {
			return fatal("engine", err)
		}
	}
	if atOnce(jobs) {
		return s.m.trees(ctx, jobs, done)
	}
	r := newRound(s.m, jobs, done)
	r.texts = s.texts
	return r.run(ctx)
}

// Close implements model.Session: it forgets what was computed and lets the next session in.
func (s *session) Close() error {
	if s.closed {
		return nil
	}
	s.closed = true
	var err error
	if s.m.cache != nil {
		err = s.m.cache.clear()
	}
	s.m.turn <- struct{}{}
	return err
}

// distinct is how many tokens the prompts have when every common beginning is counted once: no tree computes fewer.
// Repetitions are counted apart, for they are computed apart.
func distinct(jobs []*job) (n int64) {
	sorted := slices.Clone(jobs)
	slices.SortFunc(sorted, func(a, b *job) int {
		return cmp.Or(cmp.Compare(a.class(), b.class()), slices.Compare(a.tokens, b.tokens))
	})
	for i, j := range sorted {
		n += int64(len(j.tokens))
		if i > 0 && sorted[i-1].class() == j.class() {
			n -= int64(common(sorted[i-1].tokens, j.tokens))
		}
	}
	return n
}
