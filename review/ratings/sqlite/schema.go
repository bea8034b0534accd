package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"time"

	"github.com/percuss/percuss/review/ratings"
	driver "modernc.org/sqlite"
	codes "modernc.org/sqlite/lib"
)

// applicationID marks a book in its header: "PERR" in ASCII.
const applicationID = 0x50455252

// schemaVersion is the file's user_version.
const schemaVersion = 1

// schema makes the tables. What was answered stays: entries are only added. An entry's own columns repeat what its body says, for
// whoever reads the file with a client of SQLite's.
const schema = `
CREATE TABLE review (package TEXT NOT NULL, made INTEGER NOT NULL, shut INTEGER NOT NULL DEFAULT 0) STRICT;
CREATE TABLE raters (number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL UNIQUE, added INTEGER NOT NULL, pin BLOB) STRICT;
CREATE TABLE passes (hash BLOB NOT NULL PRIMARY KEY, rater TEXT NOT NULL, session INTEGER NOT NULL, expires INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
	number INTEGER PRIMARY KEY AUTOINCREMENT, rater TEXT NOT NULL REFERENCES raters(id), id TEXT NOT NULL, item TEXT NOT NULL,
	at INTEGER NOT NULL, body TEXT NOT NULL, UNIQUE (rater, id)
) STRICT;
CREATE TRIGGER entries_stay BEFORE UPDATE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER entries_are_kept BEFORE DELETE ON entries BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
CREATE TRIGGER raters_are_kept BEFORE DELETE ON raters BEGIN SELECT RAISE(ABORT, 'raters are never deleted'); END;
`

// prepare makes a new file's tables or checks an old one, and leaves it in write-ahead mode, in which readers never wait.
func prepare(ctx context.Context, db *sql.DB, path, packageID string, now time.Time) error {
	c, err := db.Conn(ctx)
	if err != nil {
		return err
	}
	defer c.Close()
	var mode string
	if err := c.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the file system of the folder supports no write-ahead log (journal mode %s): put the review on a local disk", mode)
	}
	err = within(ctx, c, func() error {
		var tables int
		if err := c.QueryRowContext(ctx, "SELECT count(*) FROM sqlite_schema").Scan(&tables); err != nil || tables > 0 {
			return err
		}
		if _, err := c.ExecContext(ctx, fmt.Sprintf("%s PRAGMA application_id=%d; PRAGMA user_version=%d;", schema, applicationID, schemaVersion)); err != nil {
			return err
		}
		_, err := c.ExecContext(ctx, "INSERT INTO review (package, made) VALUES (?, ?)", packageID, now.UnixMilli())
		return err
	})
	if err != nil {
		return err
	}
	return check(ctx, c, path, packageID)
}

// within runs a change in a transaction of its own.
func within(ctx context.Context, c *sql.Conn, change func() error) error {
	if _, err := c.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	err := change()
	if err == nil {
		_, err = c.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// The first error says what is wrong; SQLite may have rolled back by itself.
		_, _ = c.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}

// check refuses what this version cannot read, and the book of another package.
func check(ctx context.Context, db asker, path, packageID string) error {
	var application, version int
	if err := db.QueryRowContext(ctx, "SELECT a.application_id, u.user_version FROM pragma_application_id a, pragma_user_version u").Scan(&application, &version); err != nil {
		return err
	}
	switch {
	case application != applicationID:
		return fmt.Errorf("it is a database of another program (application id %#x): move it away, or give another folder", application)
	case version > schemaVersion:
		return fmt.Errorf("it has format %d, this version reads %d: update Percuss", version, schemaVersion)
	case version < schemaVersion:
		return fmt.Errorf("it has format %d, which no version wrote: restore a copy", version)
	}
	var is string
	if err := db.QueryRowContext(ctx, "SELECT package FROM review").Scan(&is); err != nil {
		return err
	}
	if packageID != "" && is != packageID {
		return fmt.Errorf("%w: it holds answers to package %s, this one is %s; put the package beside its own answers", ratings.ErrOther, is, packageID)
	}
	return nil
}

// explain puts file, deed and remedy around an error of SQLite's. The faults of the port and words of our own stay as they are.
func explain(path, deed string, err error) error {
	if err == nil || errors.Is(err, ratings.ErrClosed) || errors.Is(err, ratings.ErrUnknown) {
		return err
	}
	remedy := ""
	var e *driver.Error
	if errors.As(err, &e) {
		switch e.Code() & 0xff {
		case codes.SQLITE_FULL:
			remedy = "; free some space and try again: what was acknowledged is kept"
		case codes.SQLITE_CORRUPT, codes.SQLITE_NOTADB:
			remedy = "; the file is damaged: restore a backup of it"
		case codes.SQLITE_READONLY, codes.SQLITE_CANTOPEN, codes.SQLITE_PERM:
			remedy = "; check the permissions of the file and its folder"
		case codes.SQLITE_IOERR:
			remedy = "; the disk may be full or gone: look after it and try again, what was acknowledged is kept"
		}
	}
	return fmt.Errorf("answers %s: %s: %w%s", path, deed, err, remedy)
}

// Backup implements ratings.Book.
func (b *Book) Backup(ctx context.Context, path string) error {
	if err := reserveNew(path); err != nil {
		return err
	}
	db, err := sql.Open("sqlite", address(b.path, "ro")) // those of the pool may only query, which a copy is not
	if err != nil {
		return explain(b.path, "back up", err)
	}
	defer db.Close()
	// SQLite writes into an empty file that is there, which nobody else may read.
	if _, err := db.ExecContext(ctx, "VACUUM INTO ?", path); err != nil {
		return errors.Join(explain(path, "back up", err), os.Remove(path))
	}
	return nil
}

func reserveNew(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		return fmt.Errorf("%s is there already: name a new file", path)
	}
	if err != nil {
		return err
	}
	return f.Close()
}
