package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"iter"
	"os"
	"runtime"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// openReader opens the reading side. A file whose folder cannot be written and that nobody writes has no shared
// memory beside it; it is then read as it stands.
func openReader(ctx context.Context, f file) (*Reader, error) {
	r, err := openMode(ctx, f, "ro")
	if err == nil || f.cause(err) != store.ErrReadOnly {
		return r, f.explain("open", err)
	}
	if info, err := os.Stat(f.path + "-wal"); err == nil && info.Size() > 0 {
		return nil, fmt.Errorf("answer store %s has a log that was never folded back, and its folder cannot be written: "+
			"%w; copy the folder to a place where it can be", f.path, store.ErrReadOnly)
	}
	r, err = openMode(ctx, f, "immutable")
	return r, f.explain("open", err)
}

func openMode(ctx context.Context, f file, mode string) (_ *Reader, err error) {
	db, err := sql.Open("sqlite", f.address(mode, waitForLock, onlyQueries))
	if err != nil {
		return nil, err
	}
	// A report reads on every processor, and a connection that is opened anew costs as much as many answers.
	db.SetMaxIdleConns(max(4, runtime.GOMAXPROCS(0)))
	r := &Reader{file: f, db: db}
	defer func() {
		if err != nil {
			err = errors.Join(err, r.Close())
		}
	}()
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	head, err := readHeader(ctx, conn)
	if err = errors.Join(err, conn.Close()); err != nil {
		return nil, err
	}
	if err := f.check(head); err != nil {
		return nil, err
	}
	if r.answers, err = prepareBodies(ctx, db, "answers"); err != nil {
		return nil, err
	}
	if r.requests, err = prepareBodies(ctx, db, "requests"); err != nil {
		return nil, err
	}
	r.ledger, err = db.PrepareContext(ctx, selectLedger)
	return r, err
}

// Get implements store.Reader.
func (r *Reader) Get(ctx context.Context, k percuss.Key) (percuss.Answer, bool, error) {
	body, ok, err := r.answers.of(ctx, k)
	if err != nil || !ok {
		return percuss.Answer{}, false, r.file.explain("read", err)
	}
	a, err := decodeAnswer(k, body)
	return a, err == nil, r.damaged(err)
}

// Request implements store.Reader.
func (r *Reader) Request(ctx context.Context, k percuss.Key) (percuss.Request, bool, error) {
	body, ok, err := r.requests.of(ctx, k)
	if err != nil || !ok {
		return percuss.Request{}, false, r.file.explain("read", err)
	}
	q, err := decodeRequest(k, body)
	return q, err == nil, r.damaged(err)
}

// damaged marks the content of a row as unreadable.
func (r *Reader) damaged(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("answer store %s: %w (%w); %s", r.file.path, store.ErrCorrupt, err, remedy)
}

// Entries implements store.Reader. It reads one state of the file, that of its beginning.
func (r *Reader) Entries(ctx context.Context) iter.Seq2[store.Entry, error] {
	const query = `SELECT a.key, q.body, a.body FROM answers a JOIN requests q ON q.key = a.key ORDER BY a.key`
	return func(yield func(store.Entry, error) bool) {
		rows, err := r.db.QueryContext(ctx, query)
		if err != nil {
			yield(store.Entry{}, r.file.explain("read", err))
			return
		}
		defer rows.Close()
		for rows.Next() {
			e, err := r.entry(rows)
			if !yield(e, err) {
				return
			}
		}
		if err := rows.Err(); err != nil {
			yield(store.Entry{}, r.file.explain("read", err))
		}
	}
}

func (r *Reader) entry(rows *sql.Rows) (e store.Entry, err error) {
	var key string
	var request, answer sql.RawBytes
	if err := rows.Scan(&key, &request, &answer); err != nil {
		return store.Entry{}, r.file.explain("read", err)
	}
	e.Key = percuss.Key(key)
	if e.Request, err = decodeRequest(e.Key, request); err != nil {
		return e, r.damaged(err)
	}
	e.Answer, err = decodeAnswer(e.Key, answer)
	return e, r.damaged(err)
}

// Attempts implements store.Reader.
func (r *Reader) Attempts(ctx context.Context) (map[string]int, error) {
	rows, err := r.db.QueryContext(ctx, "SELECT kind, count(*) FROM attempts GROUP BY kind")
	if err != nil {
		return nil, r.file.explain("count attempts", err)
	}
	defer rows.Close()
	out := map[string]int{}
	for rows.Next() {
		var kind string
		var n int
		if err := rows.Scan(&kind, &n); err != nil {
			return nil, r.file.explain("count attempts", err)
		}
		out[kind] = n
	}
	return out, r.file.explain("count attempts", rows.Err())
}

// Count implements store.Reader.
func (r *Reader) Count(ctx context.Context) (n int, err error) {
	err = r.db.QueryRowContext(ctx, "SELECT count(*) FROM answers").Scan(&n)
	return n, r.file.explain("count", err)
}
