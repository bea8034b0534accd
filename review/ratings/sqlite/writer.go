package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
)

// writer makes changes one after the other; those that wait together share one commit.
type writer struct {
	db   *sql.DB
	path string
	jobs chan job
	done chan struct{}

	closing sync.RWMutex
	closed  bool
}

type job struct {
	ctx    context.Context
	change func(context.Context, *sql.Conn) error
	reply  chan error
}

// most is how many changes share one commit at most, so that none waits long.
const most = 128

func newWriter(db *sql.DB, path string) *writer {
	w := &writer{db: db, path: path, jobs: make(chan job, most), done: make(chan struct{})}
	go w.run()
	return w
}

var errEnded = errors.New("the book was closed")

// do hands in a change and waits until it is on the disk. A change that is waiting is not taken back when its caller gives up.
func (w *writer) do(ctx context.Context, change func(context.Context, *sql.Conn) error) error {
	w.closing.RLock()
	if w.closed {
		w.closing.RUnlock()
		return errEnded
	}
	j := job{context.WithoutCancel(ctx), change, make(chan error, 1)}
	select {
	case w.jobs <- j:
		w.closing.RUnlock()
	case <-ctx.Done():
		w.closing.RUnlock()
		return ctx.Err()
	}
	return <-j.reply
}

func (w *writer) close() error {
	w.closing.Lock()
	if !w.closed {
		w.closed = true
		close(w.jobs)
	}
	w.closing.Unlock()
	<-w.done
	return w.db.Close()
}

func (w *writer) run() {
	defer close(w.done)
	for j := range w.jobs {
		batch := []job{j}
		for len(batch) < most {
			select {
			case more, ok := <-w.jobs:
				if !ok {
					w.commit(batch)
					return
				}
				batch = append(batch, more)
				continue
			default:
			}
			break
		}
		w.commit(batch)
	}
}

// commit makes the changes of a batch in one transaction, each in a savepoint of its own: one that fails takes none with it.
func (w *writer) commit(batch []job) {
	ctx := context.Background()
	failures := make([]error, len(batch))
	c, err := w.db.Conn(ctx)
	if err == nil {
		err = within(ctx, c, func() error {
			for i, j := range batch {
				if failures[i], err = w.try(j, c); err != nil {
					return err
				}
			}
			return nil
		})
		err = errors.Join(err, c.Close())
	}
	for i, j := range batch {
		if failures[i] == nil {
			failures[i] = err
		}
		j.reply <- failures[i]
	}
}

// try makes one change. failure is its own; err means that the whole transaction is lost.
func (w *writer) try(j job, c *sql.Conn) (failure, err error) {
	if _, err := c.ExecContext(j.ctx, "SAVEPOINT one"); err != nil {
		return nil, err
	}
	end := "RELEASE one"
	if failure = j.change(j.ctx, c); failure != nil {
		end = "ROLLBACK TO one; RELEASE one"
	}
	_, err = c.ExecContext(j.ctx, end)
	return failure, err
}
