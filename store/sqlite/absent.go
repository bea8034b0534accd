package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strconv"
	"sync"
	"sync/atomic"

	"github.com/percuss/percuss"
)

// absent tells of most keys that have no answer that they have none, without a search in the file: who runs an audit asks so
// of every request, more than once. Each key that there is has set its marks; a key of which one is not set has no answer,
// and of any other the file must be asked. That is in vain for one absent key of 200 where there are a million answers.
//
// It is the writing store's alone, which need only learn of the rows that are written through it: the lock of a run's folder
// keeps other writers out. Should one come nevertheless, the next commit notices, and the file is asked from then on.
type absent struct {
	once  sync.Once   // for learning what is in the file
	whole atomic.Bool // no key's marks are missing
	marks []atomic.Uint64
}

// markBits is the logarithm of how many marks there are: two megabytes of them.
const markBits = 24

func newAbsent() *absent { return &absent{marks: make([]atomic.Uint64, 1<<markBits/64)} }

// marksOf are the marks of a key, which is a hash in hex digits; false where k has not the form of one.
func marksOf(k string) (at [3]uint64, ok bool) {
	if len(k) != keySize {
		return at, false
	}
	h, err := strconv.ParseUint(k[:16], 16, 64)
	for i := range at {
		at[i] = h & (1<<markBits - 1)
		h >>= (64 - markBits) / 2
	}
	return at, err == nil
}

// add notes a key that is there, or is about to be.
func (a *absent) add(k string) {
	if at, ok := marksOf(k); ok {
		for _, m := range at {
			a.marks[m/64].Or(1 << (m % 64))
		}
	}
}

// sure reports whether it is certain that a key has no answer.
func (a *absent) sure(k percuss.Key) bool {
	at, ok := marksOf(string(k))
	if !ok || !a.whole.Load() {
		return false
	}
	for _, m := range at {
		if a.marks[m/64].Load()&(1<<(m%64)) == 0 {
			return true
		}
	}
	return false
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
	a.whole.Store(errors.Join(err, rows.Err(), rows.Close()) == nil)
}
