package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	"github.com/percuss/percuss/store"
)

// applicationID marks an answer file in its header: "PERC" in ASCII.
const applicationID = 0x50455243

// schemaVersion is the file's user_version. A change of the tables raises it and brings a migration on a copy.
const schemaVersion = 1

// schema makes the tables. Rows with long bodies are kept apart from the index of their random keys, so that a new
// answer is appended rather than squeezed between others.
const schema = `
CREATE TABLE requests (key TEXT NOT NULL PRIMARY KEY, body TEXT NOT NULL) STRICT;
CREATE TABLE answers (key TEXT NOT NULL PRIMARY KEY REFERENCES requests(key), outcome TEXT NOT NULL, body TEXT NOT NULL) STRICT;
CREATE TABLE attempts (key TEXT NOT NULL, at TEXT NOT NULL, kind TEXT NOT NULL, detail TEXT NOT NULL) STRICT;
CREATE TABLE ledger (
	variant TEXT NOT NULL, model TEXT NOT NULL, "set" TEXT NOT NULL, item TEXT NOT NULL,
	position INTEGER NOT NULL, trial TEXT NOT NULL, fired INTEGER NOT NULL, why TEXT NOT NULL,
	key TEXT NOT NULL, version TEXT NOT NULL, labels TEXT,
	PRIMARY KEY (variant, model, "set", item, position)
) STRICT, WITHOUT ROWID;
`

// prepare makes a new file or checks an old one, and leaves it in write-ahead mode, in which readers never wait.
func prepare(ctx context.Context, f file) (err error) {
	db, err := sql.Open("sqlite", f.address("rwc", waitForLock, durable))
	if err != nil {
		return f.explain("open", err)
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(1)
	conn, err := db.Conn(ctx)
	if err != nil {
		return f.explain("open", err)
	}
	defer conn.Close()
	head, err := readHeader(ctx, conn)
	if err != nil {
		return f.explain("open", err)
	}
	if head != (header{}) {
		if err := f.check(head); err != nil {
			return err
		}
	} else if err := create(ctx, conn); err != nil {
		return f.explain("create", err)
	}
	if head, err = readHeader(ctx, conn); err != nil {
		return f.explain("open", err)
	}
	if err := f.check(head); err != nil {
		return err
	}
	return f.explain("open", claim(ctx, conn))
}

// create makes the tables in one transaction, unless another process was faster.
func create(ctx context.Context, conn *sql.Conn) error {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	head, err := readHeader(ctx, conn)
	if err == nil && head == (header{}) {
		_, err = conn.ExecContext(ctx, fmt.Sprintf("%s PRAGMA application_id=%d; PRAGMA user_version=%d;",
			schema, applicationID, schemaVersion))
	}
	if err == nil {
		_, err = conn.ExecContext(ctx, "COMMIT")
	}
	if err != nil {
		// The first error says what is wrong; SQLite may have rolled back by itself.
		_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
	}
	return err
}

// claim switches to write-ahead mode and proves that the file can be written.
func claim(ctx context.Context, conn *sql.Conn) error {
	var mode string
	if err := conn.QueryRowContext(ctx, "PRAGMA journal_mode=WAL").Scan(&mode); err != nil {
		return err
	}
	if mode != "wal" {
		return fmt.Errorf("the file system of the folder supports no write-ahead log (journal mode %s): put the run on a local disk", mode)
	}
	_, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE; ROLLBACK")
	return err
}

// header is what tells an answer file from others. The zero value is an empty database.
type header struct{ application, version, tables int }

func readHeader(ctx context.Context, conn *sql.Conn) (h header, err error) {
	for _, q := range []struct {
		query string
		into  *int
	}{
		{"PRAGMA application_id", &h.application},
		{"PRAGMA user_version", &h.version},
		{"SELECT count(*) FROM sqlite_schema", &h.tables},
	} {
		if err := conn.QueryRowContext(ctx, q.query).Scan(q.into); err != nil {
			return header{}, err
		}
	}
	return h, nil
}

// check refuses what this version cannot read.
func (f file) check(h header) error {
	switch {
	case h == header{}:
		return fmt.Errorf("answer store %s is empty: %w; run the command that writes it first", f.path, store.ErrCorrupt)
	case h.application != applicationID:
		return fmt.Errorf("answer store %s is a database of another program (application id %#x, %d tables): %w; choose another folder",
			f.path, h.application, h.tables, store.ErrCorrupt)
	case h.version > schemaVersion:
		return fmt.Errorf("answer store %s has format %d, this version reads %d: %w; update Percuss",
			f.path, h.version, schemaVersion, store.ErrNewer)
	case h.version < schemaVersion:
		return fmt.Errorf("answer store %s has format %d, which no version wrote: %w; %s", f.path, h.version, store.ErrCorrupt, remedy)
	}
	return nil
}
