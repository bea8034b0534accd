// Package memory keeps answers in memory, for simulations of many audits and for tests. Nothing survives the process.
package memory

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// Store is a store.Store in memory. The zero value is not usable; see New.
type Store struct {
	mu       sync.RWMutex
	closed   bool
	entries  map[percuss.Key]store.Entry
	attempts map[string]int
	ledger   map[percuss.SubjectID][]store.Row
}

var _ store.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store {
	return &Store{
		entries:  map[percuss.Key]store.Entry{},
		attempts: map[string]int{},
		ledger:   map[percuss.SubjectID][]store.Row{},
	}
}

// reading locks for reading; the caller unlocks when there is no error.
func (s *Store) reading(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.RLock()
	if s.closed {
		s.mu.RUnlock()
		return fmt.Errorf("memory store: %w", os.ErrClosed)
	}
	return nil
}

// writing locks for writing; the caller unlocks when there is no error.
func (s *Store) writing(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return fmt.Errorf("memory store: %w", os.ErrClosed)
	}
	return nil
}

// Get implements store.Reader.
func (s *Store) Get(ctx context.Context, k percuss.Key) (percuss.Answer, bool, error) {
	if err := s.reading(ctx); err != nil {
		return percuss.Answer{}, false, err
	}
	defer s.mu.RUnlock()
	e, ok := s.entries[k]
	return clone(e).Answer, ok, nil
}

// Request implements store.Reader.
func (s *Store) Request(ctx context.Context, k percuss.Key) (percuss.Request, bool, error) {
	if err := s.reading(ctx); err != nil {
		return percuss.Request{}, false, err
	}
	defer s.mu.RUnlock()
	e, ok := s.entries[k]
	return clone(e).Request, ok, nil
}

// Entries implements store.Reader. It yields what was there when it began.
func (s *Store) Entries(ctx context.Context) iter.Seq2[store.Entry, error] {
	return func(yield func(store.Entry, error) bool) {
		if err := s.reading(ctx); err != nil {
			yield(store.Entry{}, err)
			return
		}
		// An entry never changes, so that the copy need not be deep, and yield may call the store.
		entries := maps.Clone(s.entries)
		s.mu.RUnlock()
		for _, k := range slices.Sorted(maps.Keys(entries)) {
			if err := ctx.Err(); err != nil {
				yield(store.Entry{}, err)
				return
			}
			if !yield(clone(entries[k]), nil) {
				return
			}
		}
	}
}

// Ledger implements store.Reader.
func (s *Store) Ledger(ctx context.Context, subject percuss.SubjectID) ([]store.Row, error) {
	if err := s.reading(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()
	return cloneRows(s.ledger[subject]), nil
}

// Attempts implements store.Reader.
func (s *Store) Attempts(ctx context.Context) (map[string]int, error) {
	if err := s.reading(ctx); err != nil {
		return nil, err
	}
	defer s.mu.RUnlock()
	return maps.Clone(s.attempts), nil
}

// Count implements store.Reader.
func (s *Store) Count(ctx context.Context) (int, error) {
	if err := s.reading(ctx); err != nil {
		return 0, err
	}
	defer s.mu.RUnlock()
	return len(s.entries), nil
}

// Close implements store.Reader; what was kept is gone.
func (s *Store) Close() error {
	if err := s.writing(context.Background()); err != nil {
		return err
	}
	defer s.mu.Unlock()
	s.closed, s.entries, s.attempts, s.ledger = true, nil, nil, nil
	return nil
}
