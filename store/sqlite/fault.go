package sqlite

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/percuss/percuss/store"
	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// remedy is what to do about a damaged file.
const remedy = "restore a copy of it, or move it and its -wal and -shm files aside and run again: the answers are then asked anew"

// explain puts file, deed and remedy around an error of SQLite's, and the sentinel that a command looks for.
func (f file) explain(deed string, err error) error {
	if err == nil || explained(err) {
		return err
	}
	why := f.cause(err)
	switch {
	case errors.Is(why, store.ErrCorrupt):
		return fmt.Errorf("answer store %s: %s: %w (%w); %s", f.path, deed, why, err, remedy)
	case errors.Is(why, store.ErrFull):
		return fmt.Errorf("answer store %s: %s: %w (%w); free some and run the same command again, what was acknowledged is kept", f.path, deed, why, err)
	case errors.Is(why, store.ErrReadOnly):
		return fmt.Errorf("answer store %s: %s: %w (%w); check the permissions of the file and its folder, or choose another folder", f.path, deed, why, err)
	}
	return fmt.Errorf("answer store %s: %s: %w", f.path, deed, err)
}

// explained reports whether err has its sentinel already.
func explained(err error) bool {
	return errors.Is(err, store.ErrNewer) || errors.Is(err, store.ErrCorrupt) ||
		errors.Is(err, store.ErrReadOnly) || errors.Is(err, store.ErrFull)
}

// concernsOne reports whether err is the fault of one row, so that the others of its group shall not suffer for it.
func concernsOne(err error) bool {
	var e *driver.Error
	if !errors.As(err, &e) {
		return false
	}
	switch e.Code() & 0xff {
	case codes.SQLITE_TOOBIG, codes.SQLITE_CONSTRAINT, codes.SQLITE_MISMATCH:
		return true
	}
	return false
}

// cause finds the sentinel behind an error, nil when there is none.
func (f file) cause(err error) error {
	var e *driver.Error
	if !errors.As(err, &e) {
		return systemCause(err)
	}
	switch e.Code() { // extended codes first
	case codes.SQLITE_IOERR_SHMSIZE:
		return store.ErrFull
	case codes.SQLITE_IOERR_SHORT_READ, codes.SQLITE_IOERR_CORRUPTFS:
		return store.ErrCorrupt
	}
	switch e.Code() & 0xff {
	case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
		return store.ErrCorrupt
	case codes.SQLITE_FULL:
		return store.ErrFull
	case codes.SQLITE_READONLY, codes.SQLITE_PERM:
		return store.ErrReadOnly
	case codes.SQLITE_IOERR, codes.SQLITE_CANTOPEN:
		// SQLite keeps the system's error number to itself: try what it tried.
		return systemCause(f.tryWriting())
	}
	return nil
}

// systemCause finds the sentinel behind an error of the operating system.
func systemCause(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return store.ErrFull
	case errors.Is(err, fs.ErrPermission), errors.Is(err, syscall.EROFS):
		return store.ErrReadOnly
	}
	return nil
}

// tryWriting writes and removes a small file in the folder.
func (f file) tryWriting() error {
	t, err := os.CreateTemp(filepath.Dir(f.path), ".percuss-try-*")
	if err != nil {
		return err
	}
	defer os.Remove(t.Name())
	_, err = t.Write(make([]byte, 64<<10))
	return errors.Join(err, t.Close())
}
