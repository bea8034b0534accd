package sqlite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

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

// SetLedger implements store.Store.
func (s *Store) SetLedger(ctx context.Context, id percuss.SubjectID, rows []store.Row) error {
	for _, r := range rows {
		switch {
		case r.Key != "" && !r.Key.Valid():
			return fmt.Errorf("answer store: ledger of %s, trial %s: %q is no key", id, r.Trial, r.Key)
		case len(r.Labels) > 0 && !json.Valid(r.Labels):
			return fmt.Errorf("answer store: ledger of %s, trial %s: labels are no JSON", id, r.Trial)
		}
	}
	// A refusal is this caller's alone: it must not fail the commit that others share.
	var refused error
	err := s.w.do(ctx, "write the ledger", func(ctx context.Context, c *connection) error {
		old, err := c.ledgerKeys(ctx, id)
		if err != nil {
			return err
		}
		if refused = store.CheckLedger(old, rows); refused != nil {
			return nil
		}
		if _, err := c.clear.ExecContext(ctx, id.Variant, id.Model, id.Set, id.Item); err != nil {
			return err
		}
		for i, r := range rows {
			var labels any
			if len(r.Labels) > 0 {
				labels = string(r.Labels)
			}
			if _, err := c.row.ExecContext(ctx, id.Variant, id.Model, id.Set, id.Item,
				i, r.Trial, r.Fired, r.Why, string(r.Key), r.Version, labels); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil && refused != nil {
		err = fmt.Errorf("answer store: ledger of %s: %w", id, refused)
	}
	return err
}

// ledgerKeys reads the trials of a subject that have a key.
func (c *connection) ledgerKeys(ctx context.Context, id percuss.SubjectID) (rows []store.Row, err error) {
	found, err := c.keys.QueryContext(ctx, id.Variant, id.Model, id.Set, id.Item)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, found.Close()) }()
	for found.Next() {
		var r store.Row
		if err := found.Scan(&r.Trial, &r.Key); err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, found.Err()
}
