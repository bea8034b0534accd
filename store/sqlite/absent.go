package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync"

	"github.com/percuss/percuss"
)

// absent tells of most keys that have no answer that they have none, without a search in the file: who runs an audit asks so
// of every request, more than once. It holds the beginning of every key that there is, so a key whose beginning it does not
// hold has no answer; of any other the file must be asked. A million keys take about 10 MB.
//
// It is the writing store's alone, which need only learn of the rows that are written through it: the lock of a run's folder
// keeps other writers out. Should one come nevertheless, the next commit notices, and the file is asked from then on.
type absent struct {
	once sync.Once // for learning what is in the file

	mu    sync.RWMutex // guards the following
	whole bool         // no key is missing in begin
	begin map[uint32]struct{}
}

// beginning is that of a key, which is a hash; false where k has not the form of one.
func beginning(k string) (uint32, bool) {
	if len(k) != keySize {
		return 0, false
	}
	b, err := strconv.ParseUint(k[:8], 16, 32)
	return uint32(b), err == nil
}

// add notes a key that is there, or is about to be.
func (a *absent) add(k string) {
	if b, ok := beginning(k); ok {
		a.mu.Lock()
		defer a.mu.Unlock()
		a.begin[b] = struct{}{}
	}
}

// sure reports whether it is certain that a key has no answer.
func (a *absent) sure(k percuss.Key) bool {
	b, ok := beginning(string(k))
	if !ok {
		return false
	}
	a.mu.RLock()
	defer a.mu.RUnlock()
	_, there := a.begin[b]
	return a.whole && !there
}

// trust says whether no key is missing any more.
func (a *absent) trust(whole bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.whole = whole
}

func (a *absent) trusted() bool {
	a.mu.RLock()
	defer a.mu.RUnlock()
	return a.whole
}

// learn reads the keys of the file. It is one of the writer's transactions, so that no row is written meanwhile. Where it
// fails, nothing is sure, and whoever wants a damaged row hears of it.
func (a *absent) learn(ctx context.Context, c *connection) {
	if _, err := c.othersWrote(ctx); err != nil {
		return
	}
	rows, err := c.QueryContext(ctx, "SELECT key FROM answers")
	if err != nil {
		return
	}
	var key sql.RawBytes
	for rows.Next() && err == nil {
		err = rows.Scan(&key)
		a.add(string(key))
	}
	a.trust(errors.Join(err, rows.Err(), rows.Close()) == nil)
}
