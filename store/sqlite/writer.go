package sqlite

import (
	"context"
	"database/sql"
	sqldriver "database/sql/driver"
	"errors"
	"fmt"
	"os"
	"runtime"
	"sync"
)

// groupLimit bounds one commit, so that a long queue is acknowledged in pieces.
const groupLimit = 1024

// writer owns the only writing connection. One goroutine takes what is queued when the last commit has ended and
// makes one commit of it: under load a disk flush is shared by all who wait, and a lone write waits for nobody.
type writer struct {
	file file
	db   *sql.DB
	conn *connection // nil until the first write, and after a failed one
	keys *absent

	mu      sync.RWMutex // guards stopped and the closing of queue
	stopped bool
	queue   chan *write
	gone    chan struct{}
}

// write is one queued change.
type write struct {
	apply func(context.Context, *connection) error
	done  chan error
}

func newWriter(f file, pragmas []string) (*writer, error) {
	db, err := sql.Open("sqlite", f.address("rw", append([]string{waitForLock, durable}, pragmas...)...))
	if err != nil {
		return nil, f.explain("open", err)
	}
	db.SetMaxOpenConns(1)
	w := &writer{file: f, db: db, queue: make(chan *write, groupLimit), gone: make(chan struct{}), keys: newAbsent()}
	go w.run()
	return w, nil
}

// do queues a change and waits until it is on the disk. Once queued it is carried out, whatever becomes of ctx: to
// give up waiting would leave the caller in doubt, and a commit takes milliseconds.
func (w *writer) do(ctx context.Context, deed string, apply func(context.Context, *connection) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	op := &write{apply: apply, done: make(chan error, 1)}
	w.mu.RLock()
	if w.stopped {
		w.mu.RUnlock()
		return fmt.Errorf("answer store %s: %s: %w", w.file.path, deed, os.ErrClosed)
	}
	w.queue <- op
	w.mu.RUnlock()
	return w.file.explain(deed, <-op.done)
}

// stop ends the goroutine after what is queued.
func (w *writer) stop() error {
	w.mu.Lock()
	if w.stopped {
		w.mu.Unlock()
		return fmt.Errorf("answer store %s: close: %w", w.file.path, os.ErrClosed)
	}
	w.stopped = true
	close(w.queue)
	w.mu.Unlock()
	<-w.gone
	return nil
}

// close frees the connection; the log is folded back into the file then.
func (w *writer) close() error {
	if w.conn == nil {
		// Without a connection that may write, the log of an earlier process would stay. It does no harm there.
		w.conn, _ = connect(context.Background(), w.db)
	}
	var err error
	if w.conn != nil {
		err, w.conn = w.conn.close(), nil
	}
	return errors.Join(err, w.db.Close())
}

func (w *writer) run() {
	defer close(w.gone)
	// Not the callers' contexts: one of them ending must not undo the others' writes.
	ctx := context.Background()
	for first := range w.queue {
		group := w.gather(first)
		err := w.commit(ctx, group)
		if len(group) > 1 && concernsOne(err) {
			for _, op := range group {
				op.done <- w.commit(ctx, []*write{op})
			}
			continue
		}
		for _, op := range group {
			op.done <- err
		}
	}
}

// gather takes what is queued, after giving those who were just acknowledged the chance to queue again.
func (w *writer) gather(first *write) []*write {
	group := []*write{first}
	runtime.Gosched()
	for len(group) < groupLimit {
		select {
		case op, ok := <-w.queue:
			if !ok {
				return group
			}
			group = append(group, op)
		default:
			return group
		}
	}
	return group
}

// commit carries out a group in one transaction. After a failure the connection is dropped: whatever state SQLite
// left it in, the next group starts from the file.
func (w *writer) commit(ctx context.Context, group []*write) (err error) {
	if w.conn == nil {
		if w.conn, err = connect(ctx, w.db); err != nil {
			return err
		}
	}
	defer func() {
		if err != nil {
			w.conn.drop()
			w.conn = nil
			w.keys.whole.Store(false) // without the connection, others' writes go unnoticed
		}
	}()
	if _, err := w.conn.begin.ExecContext(ctx); err != nil {
		return err
	}
	if w.keys.whole.Load() {
		others, err := w.conn.othersWrote(ctx)
		if err != nil {
			return err
		}
		w.keys.whole.Store(!others)
	}
	for _, op := range group {
		if err := op.apply(ctx, w.conn); err != nil {
			return err
		}
	}
	_, err = w.conn.end.ExecContext(ctx)
	return err
}

// connection is the writing connection with its statements.
type connection struct {
	*sql.Conn
	begin, end, request, answer, attempt, ledger, row, rest, version *sql.Stmt

	seen int64 // what othersWrote read last; 0: nothing yet
}

func connect(ctx context.Context, db *sql.DB) (*connection, error) {
	conn, err := db.Conn(ctx)
	if err != nil {
		return nil, err
	}
	c := &connection{Conn: conn}
	for _, p := range []struct {
		into  **sql.Stmt
		query string
	}{
		{&c.begin, "BEGIN IMMEDIATE"},
		{&c.end, "COMMIT"},
		{&c.request, "INSERT INTO requests (key, body) VALUES (?, ?) ON CONFLICT (key) DO NOTHING"},
		{&c.answer, "INSERT INTO answers (key, outcome, body) VALUES (?, ?, ?) ON CONFLICT (key) DO NOTHING"},
		{&c.attempt, "INSERT INTO attempts (key, at, kind, detail) VALUES (?, ?, ?, ?)"},
		{&c.ledger, selectLedger},
		{&c.row, `INSERT OR REPLACE INTO ledger (variant, model, "set", item, position, trial, fired, why, key, version, labels)
			VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`},
		{&c.rest, `DELETE FROM ledger WHERE variant = ? AND model = ? AND "set" = ? AND item = ? AND position >= ?`},
		{&c.version, "PRAGMA data_version"},
	} {
		if *p.into, err = conn.PrepareContext(ctx, p.query); err != nil {
			c.drop()
			return nil, err
		}
	}
	return c, nil
}

// othersWrote reports whether another connection has committed since the last time; false at the first time.
func (c *connection) othersWrote(ctx context.Context) (bool, error) {
	before := c.seen
	err := c.version.QueryRowContext(ctx).Scan(&c.seen)
	return before != 0 && before != c.seen, err
}

// statements closes the statements, which must be gone before their connection.
func (c *connection) statements() error {
	var errs []error
	for _, st := range []*sql.Stmt{c.begin, c.end, c.request, c.answer, c.attempt, c.ledger, c.row, c.rest, c.version} {
		if st != nil {
			errs = append(errs, st.Close())
		}
	}
	return errors.Join(errs...)
}

func (c *connection) close() error { return errors.Join(c.statements(), c.Conn.Close()) }

// drop closes the connection for good instead of giving it back to the pool; an open transaction is rolled back.
// Errors are of no interest: there was a first one.
func (c *connection) drop() {
	_ = c.statements()
	_ = c.Raw(func(any) error { return sqldriver.ErrBadConn })
}
