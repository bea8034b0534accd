// Package sqlite keeps answers in one SQLite file, without cgo. The file is meant to be read with any SQLite client:
// bodies are JSON. Every write is durable when its call returns; concurrent writes share one commit. Readers see the
// last commit and never wait for a writer.
package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/percuss/percuss/store"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Reader reads an answer file, also while another process writes it.
type Reader struct {
	file file
	db   *sql.DB

	answers, requests *bodies
	ledger            *sql.Stmt
}

// Store reads and writes an answer file.
type Store struct {
	*Reader
	w *writer
}

var (
	_ store.Store  = (*Store)(nil)
	_ store.Reader = (*Reader)(nil)
)

// Open opens an answer file for writing, and creates it when there is none; the folder must exist. Errors wrap
// store.ErrNewer, ErrCorrupt, ErrReadOnly or ErrFull where they apply; a file of another program is never changed.
func Open(ctx context.Context, path string) (*Store, error) { return open(ctx, path) }

// open is Open with further pragmas for the writing connection, for tests.
func open(ctx context.Context, path string, pragmas ...string) (*Store, error) {
	f, err := newFile(path)
	if err != nil {
		return nil, err
	}
	if err := f.writable(); err != nil {
		return nil, err
	}
	if err := prepare(ctx, f); err != nil {
		return nil, err
	}
	r, err := openReader(ctx, f)
	if err != nil {
		return nil, err
	}
	w, err := newWriter(f, pragmas)
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return &Store{Reader: r, w: w}, nil
}

// OpenReader opens an answer file for reading alone; nothing in its folder need be writable. The error wraps
// fs.ErrNotExist when there is no file.
func OpenReader(ctx context.Context, path string) (*Reader, error) {
	f, err := newFile(path)
	if err != nil {
		return nil, err
	}
	info, err := os.Stat(f.path)
	switch {
	case err != nil:
		return nil, fmt.Errorf("answer store: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("answer store %s is no file: %w", f.path, store.ErrCorrupt)
	}
	return openReader(ctx, f)
}

// Close waits for the writes that were begun, then frees the file. Later calls fail.
func (s *Store) Close() error {
	// The writing connection goes last: it folds the log back into the file, which a reader cannot.
	stopped := s.w.stop()
	s.w.keys.whole.Store(false) // whoever asks now hears that it is closed
	err := s.Reader.Close()
	return errors.Join(stopped, err, s.w.close())
}

// Close frees the file.
func (r *Reader) Close() error {
	var errs []error
	for _, b := range []*bodies{r.answers, r.requests} {
		if b != nil {
			errs = append(errs, b.close())
		}
	}
	if r.ledger != nil {
		errs = append(errs, r.ledger.Close())
	}
	return errors.Join(append(errs, r.db.Close())...)
}

// file names an answer file.
type file struct{ path string }

func newFile(path string) (file, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return file{}, fmt.Errorf("answer store %s: %w", path, err)
	}
	return file{abs}, nil
}

// writable checks what SQLite reports with one vague code: the folder is there, and the path is a file or free.
func (f file) writable() error {
	info, err := os.Stat(f.path)
	switch {
	case err == nil && !info.Mode().IsRegular():
		return fmt.Errorf("answer store %s is no file: %w", f.path, store.ErrCorrupt)
	case err == nil:
		return nil
	case !errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("answer store: %w", err)
	}
	if _, err := os.Stat(filepath.Dir(f.path)); err != nil {
		return fmt.Errorf("answer store: %w", err)
	}
	return nil
}
