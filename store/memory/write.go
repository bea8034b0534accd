package memory

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// Put implements store.Store.
func (s *Store) Put(ctx context.Context, e store.Entry) error {
	if own := e.Request.Key(); own != e.Key {
		return fmt.Errorf("memory store: key %s is not the request's, which is %s", e.Key, own)
	}
	if e.Answer.Outcome == "" || e.Answer.Outcome == percuss.Failed {
		return fmt.Errorf("memory store: the outcome %q of %s is not final", e.Answer.Outcome, e.Key)
	}
	if err := s.writing(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if _, ok := s.entries[e.Key]; !ok {
		s.entries[e.Key] = clone(e)
	}
	return nil
}

// Fail implements store.Store.
func (s *Store) Fail(ctx context.Context, a store.Attempt) error {
	if !a.Key.Valid() || a.Kind == "" {
		return fmt.Errorf("memory store: an attempt needs a key and a kind, not %q and %q", a.Key, a.Kind)
	}
	if err := s.writing(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	s.attempts[a.Kind]++
	return nil
}

// SetLedger implements store.Store.
func (s *Store) SetLedger(ctx context.Context, subject percuss.SubjectID, rows []store.Row) error {
	for _, r := range rows {
		switch {
		case r.Key != "" && !r.Key.Valid():
			return fmt.Errorf("memory store: ledger of %s, trial %s: %q is no key", subject, r.Trial, r.Key)
		case len(r.Labels) > 0 && !json.Valid(r.Labels):
			return fmt.Errorf("memory store: ledger of %s, trial %s: labels are no JSON", subject, r.Trial)
		}
	}
	if err := s.writing(ctx); err != nil {
		return err
	}
	defer s.mu.Unlock()
	if err := store.CheckLedger(s.ledger[subject], rows); err != nil {
		return fmt.Errorf("memory store: ledger of %s: %w", subject, err)
	}
	s.ledger[subject] = cloneRows(rows)
	return nil
}

// Verify implements store.Store. What was kept was checked when it came, and memory does not rot.
func (s *Store) Verify(ctx context.Context) ([]error, error) {
	if err := s.reading(ctx); err != nil {
		return nil, err
	}
	s.mu.RUnlock()
	return nil, nil
}

// clone copies an entry, so that what a caller does with its slices does not reach the store.
func clone(e store.Entry) store.Entry {
	e.Request.Messages = slices.Clone(e.Request.Messages)
	e.Request.Sampling.Stop = slices.Clone(e.Request.Sampling.Stop)
	e.Request.Want.Letters = slices.Clone(e.Request.Want.Letters)
	e.Request.Extra = slices.Clone(e.Request.Extra)
	e.Answer.Letters = slices.Clone(e.Answer.Letters)
	return e
}

func cloneRows(rows []store.Row) []store.Row {
	rows = slices.Clone(rows)
	for i := range rows {
		rows[i].Labels = slices.Clone(rows[i].Labels)
	}
	return rows
}
