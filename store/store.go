// Package store is the port to the place where answers are kept: append-only, one answer a key. An adapter is a
// sub-package named after its technology; package storetest holds the suite that each of them passes.
package store

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"time"

	"github.com/percuss/percuss"
)

// Entry is one answered request.
type Entry struct {
	Key     percuss.Key
	Request percuss.Request
	Answer  percuss.Answer
}

// Attempt is one failed try, kept for counting; it never becomes an answer.
type Attempt struct {
	Key    percuss.Key
	At     time.Time
	Kind   string
	Detail string
}

// Row is one line of the ledger: which trial of which subject led to which key, under which version of the edit.
type Row struct {
	Trial   string
	Fired   bool
	Why     string
	Key     percuss.Key // empty: not fired, or waiting for an earlier answer
	Version string
	Labels  json.RawMessage
}

// Equal reports whether two rows say the same.
func (r Row) Equal(o Row) bool {
	return r.Trial == o.Trial && r.Fired == o.Fired && r.Why == o.Why && r.Key == o.Key && r.Version == o.Version &&
		bytes.Equal(r.Labels, o.Labels)
}

// Reader reads while others write. Its methods may be called from several goroutines.
type Reader interface {
	// Get returns the answer of a key; false when there is none.
	Get(ctx context.Context, k percuss.Key) (percuss.Answer, bool, error)
	// Request returns the request of a key; false when the key was never asked.
	Request(ctx context.Context, k percuss.Key) (percuss.Request, bool, error)
	// Entries yields every answered request in the order of its key.
	Entries(ctx context.Context) iter.Seq2[Entry, error]
	// Ledger returns the rows of a subject in the order in which they were given; none when it was not begun.
	Ledger(ctx context.Context, subject percuss.SubjectID) ([]Row, error)
	// Attempts counts the failed tries by kind.
	Attempts(ctx context.Context) (map[string]int, error)
	// Count returns the number of answers.
	Count(ctx context.Context) (int, error)
	Close() error
}

// Store also writes. Writes are durable when the call returns: what was acknowledged survives kill -9 and, as far as
// the disk keeps its word, a power cut. Concurrent writers are gathered into one commit.
type Store interface {
	Reader
	// Put keeps an answer. The key must be the request's. A key that has an answer keeps its first one; putting the
	// same again is no error.
	Put(ctx context.Context, e Entry) error
	// Fail notes a failed attempt.
	Fail(ctx context.Context, a Attempt) error
	// SetLedger replaces the rows of a subject, which only ever gain keys: rows that lose or change one are refused
	// with ErrLedger, and the old ones stay. Rows that stand there already are not written again, so a caller need not
	// look first.
	SetLedger(ctx context.Context, subject percuss.SubjectID, rows []Row) error
	// Verify reads everything and returns what is wrong: an error a finding, nil when all is well.
	Verify(ctx context.Context) ([]error, error)
}

// Errors that adapters wrap, so that a command can say what to do.
var (
	ErrNewer    = errors.New("written by a newer version of Percuss")
	ErrCorrupt  = errors.New("not a readable answer store")
	ErrReadOnly = errors.New("cannot be written")
	ErrFull     = errors.New("no space left on the disk")
	ErrLedger   = errors.New("the ledger would lose a key")
)

// CheckLedger returns an error that wraps ErrLedger when a key of the old rows is missing from the new ones, or
// stands there under another trial. Adapters call it before they replace rows.
func CheckLedger(old, rows []Row) error {
	keys := make(map[string]percuss.Key, len(rows))
	for _, r := range rows {
		keys[r.Trial] = r.Key
	}
	for _, r := range old {
		if now := keys[r.Trial]; r.Key != "" && now != r.Key {
			return fmt.Errorf("%w: trial %s was asked under %s, now %q", ErrLedger, r.Trial, r.Key, now)
		}
	}
	return nil
}
