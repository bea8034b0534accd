package sqlite

import (
	"context"
	"fmt"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// Get implements store.Reader. The first key that is not there costs a reading of all that are.
func (s *Store) Get(ctx context.Context, k percuss.Key) (percuss.Answer, bool, error) {
	if s.w.keys.sure(k) {
		return percuss.Answer{}, false, ctx.Err()
	}
	a, ok, err := s.Reader.Get(ctx, k)
	if !ok && err == nil {
		s.w.keys.once.Do(func() {
			// What fails here fails whoever writes next, too.
			_ = s.w.do(context.WithoutCancel(ctx), "read the keys", func(ctx context.Context, c *connection) error {
				s.w.keys.learn(ctx, c)
				return nil
			})
		})
	}
	return a, ok, err
}

// Put implements store.Store. Text in an answer that is not UTF-8 is kept with U+FFFD in its place.
func (s *Store) Put(ctx context.Context, e store.Entry) error {
	request, err := encodeRequest(e.Key, e.Request)
	if err != nil {
		return fmt.Errorf("answer store: %w", err)
	}
	if e.Answer.Outcome == "" || e.Answer.Outcome == percuss.Failed {
		return fmt.Errorf("answer store: the outcome %q of %s is not final", e.Answer.Outcome, e.Key)
	}
	answer, err := encode(e.Answer)
	if err != nil {
		return fmt.Errorf("answer store: answer %s: %w", e.Key, err)
	}
	s.w.keys.add(string(e.Key))
	return s.w.do(ctx, "put", func(ctx context.Context, c *connection) error {
		if _, err := c.request.ExecContext(ctx, string(e.Key), request); err != nil {
			return err
		}
		_, err := c.answer.ExecContext(ctx, string(e.Key), string(e.Answer.Outcome), answer)
		return err
	})
}

// Fail implements store.Store.
func (s *Store) Fail(ctx context.Context, a store.Attempt) error {
	if !a.Key.Valid() || a.Kind == "" {
		return fmt.Errorf("answer store: an attempt needs a key and a kind, not %q and %q", a.Key, a.Kind)
	}
	at := a.At.UTC().Format(time.RFC3339Nano)
	return s.w.do(ctx, "note an attempt", func(ctx context.Context, c *connection) error {
		_, err := c.attempt.ExecContext(ctx, string(a.Key), at, a.Kind, a.Detail)
		return err
	})
}
