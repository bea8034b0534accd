// Package sqlite keeps the answers of one review in one SQLite file, without cgo. The file is meant to be read with any
// SQLite client. Every write is on the disk when its call returns; writes that come together share one commit. Entries are never
// changed or deleted: the schema forbids it.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/percuss/percuss/review/ratings"
	_ "modernc.org/sqlite" // the driver "sqlite"
)

// Book is a book of ratings in a file.
type Book struct {
	path string
	db   *sql.DB // reads
	w    *writer
	now  func() time.Time
}

var _ ratings.Book = (*Book)(nil)

// Open opens the book of a package, and makes it where there is none; the folder must exist. Only the user may read the file, for
// it holds the raters' names. A book of another package is ratings.ErrOther. now is the clock that passes expire by.
func Open(ctx context.Context, path, packageID string, now func() time.Time) (*Book, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if err := reserve(path); err != nil {
		return nil, fmt.Errorf("answers %s: %w", path, err)
	}
	db, err := sql.Open("sqlite", address(path, "rw"))
	if err != nil {
		return nil, explain(path, "open", err)
	}
	db.SetMaxOpenConns(1)
	if err := prepare(ctx, db, path, packageID, now()); err != nil {
		return nil, errors.Join(explain(path, "open", err), db.Close())
	}
	read, err := sql.Open("sqlite", address(path, "rw", "query_only(1)"))
	if err != nil {
		return nil, errors.Join(explain(path, "open", err), db.Close())
	}
	return &Book{path: path, db: read, w: newWriter(db, path), now: now}, nil
}

// OpenReader opens a book that is there for reading, also while a server writes it. Its writing methods fail.
func OpenReader(ctx context.Context, path, packageID string) (*Book, error) {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(path); err != nil {
		return nil, err
	}
	db, err := sql.Open("sqlite", address(path, "rw", "query_only(1)"))
	if err != nil {
		return nil, explain(path, "open", err)
	}
	if err := check(ctx, db, path, packageID); err != nil {
		return nil, errors.Join(explain(path, "open", err), db.Close())
	}
	return &Book{path: path, db: db, now: time.Now}, nil
}

// reserve makes an empty file that only the user may read, where there is none.
func reserve(path string) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if errors.Is(err, os.ErrExist) {
		if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
			return errors.New("it is no file: give another folder")
		}
		return nil
	}
	if err != nil {
		return err
	}
	return f.Close()
}

// address is the driver's name for the file, with the pragmas that every connection of a pool needs: a commit is on the disk when it returns, and one
// process waits ten seconds for another's.
func address(path, mode string, pragmas ...string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path // a drive letter
	}
	q := url.Values{"mode": {mode}, "_pragma": append([]string{"busy_timeout(10000)", "synchronous(FULL)", "foreign_keys(1)"}, pragmas...)}
	return (&url.URL{Scheme: "file", Path: path, RawQuery: q.Encode()}).String()
}

// Close waits for the writes that were begun, then frees the file.
func (b *Book) Close() error {
	err := b.db.Close() // readers first: the last connection folds the log back into the file
	if b.w != nil {
		err = errors.Join(err, b.w.close())
	}
	return explain(b.path, "close", err)
}

// write runs a change in a transaction that others may share.
func (b *Book) write(ctx context.Context, deed string, change func(context.Context, *sql.Conn) error) error {
	if b.w == nil {
		return fmt.Errorf("answers %s: %s: opened for reading", b.path, deed)
	}
	return explain(b.path, deed, b.w.do(ctx, change))
}

// Add implements ratings.Book.
func (b *Book) Add(ctx context.Context, entries []ratings.Entry) (fresh int, err error) {
	rows := make([][]byte, len(entries))
	for i, e := range entries {
		if err := e.Check(b.now()); err != nil {
			return 0, err
		}
		e.At = e.At.UTC().Truncate(time.Millisecond)
		if rows[i], err = json.Marshal(e); err != nil {
			return 0, err
		}
	}
	err = b.write(ctx, "add", func(ctx context.Context, c *sql.Conn) error {
		fresh = 0
		if shut, err := isShut(ctx, c); err != nil || shut {
			return errors.Join(err, errIf(shut, ratings.ErrClosed))
		}
		for i, e := range entries {
			var known int
			if err := c.QueryRowContext(ctx, "SELECT count(*) FROM raters WHERE id = ?", e.Rater).Scan(&known); err != nil || known == 0 {
				return errors.Join(err, errIf(known == 0, fmt.Errorf("%w: %q", ratings.ErrUnknown, e.Rater)))
			}
			r, err := c.ExecContext(ctx, "INSERT INTO entries (rater, id, item, at, body) VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
				e.Rater, e.ID, e.Item, e.At.UnixMilli(), string(rows[i]))
			if err != nil {
				return err
			}
			n, err := r.RowsAffected()
			if err != nil {
				return err
			}
			fresh += int(n)
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return fresh, nil
}

// errIf is an error under a condition.
func errIf(is bool, err error) error {
	if is {
		return err
	}
	return nil
}

// Entries implements ratings.Book.
func (b *Book) Entries(ctx context.Context) iter.Seq2[ratings.Entry, error] {
	return b.entries(ctx, "SELECT body FROM entries ORDER BY number")
}

// Latest implements ratings.Book.
func (b *Book) Latest(ctx context.Context, rater string) (map[string]ratings.Entry, error) {
	all := ratings.Latest{}
	for e, err := range b.entries(ctx, "SELECT body FROM entries WHERE rater = ? ORDER BY number", rater) {
		if err != nil {
			return nil, err
		}
		all.Add(e)
	}
	return all[rater], nil
}

func (b *Book) entries(ctx context.Context, query string, args ...any) iter.Seq2[ratings.Entry, error] {
	return func(yield func(ratings.Entry, error) bool) {
		rows, err := b.db.QueryContext(ctx, query, args...)
		if err != nil {
			yield(ratings.Entry{}, explain(b.path, "read", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			var e ratings.Entry
			var body []byte
			err := rows.Scan(&body)
			if err == nil {
				err = json.Unmarshal(body, &e)
			}
			if err != nil {
				yield(e, explain(b.path, "read", err))
				return
			}
			if !yield(e, nil) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(ratings.Entry{}, explain(b.path, "read", err))
		}
	}
}
