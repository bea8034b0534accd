package llamacpp

import (
	"context"
	"errors"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// session is one subject's turn at the engine.
type session struct {
	m      *Model
	closed bool
}

// Answer implements model.Session.
func (s *session) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	if s.closed {
		return &model.Fault{Kind: "engine", Fatal: true, Err: errors.New("the session is closed")}
	}
	r := &round{m: s.m, done: done}
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
			r.pending = append(r.pending, j)
		}
	}
	if s.m.cache == nil {
		if err := s.m.resize(s.m.budget); err != nil { // an earlier call failed to get its context back
			return fatal("engine", err)
		}
	}
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
