package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
	"sync"

	"github.com/percuss/percuss"
)

// chunkRows is how many rows that were stored one after the other are read at once.
const chunkRows = 128

// aheadLimit bounds what is kept in memory of one table, in bytes: a window over what many subjects that are asked at once
// have stored between each other.
const aheadLimit = 32 << 20

// rowCost is about what a row takes in memory beside its body, in bytes: its key and its place in the map.
const rowCost = 192

// wasteLimit bounds what is read in vain: for each byte that was asked for and found in memory no more than this many are
// read ahead, beyond the first aheadLimit.
const wasteLimit = 4

// bodies reads the bodies of one table by key. A row that is asked for alone costs what one look-up costs. Whoever reads
// subject by subject, as a report does, asks for rows that were stored about the same time, though not in their order:
// at the second row of a chunk the whole of it is read, and its other rows are found in memory. A row never changes, so
// what is in memory stays true while others write; what is not there is looked up in the file.
type bodies struct {
	row   *sql.Stmt // rowid and body of a key
	chunk *sql.Stmt // keys and bodies of a range of rowids
	limit int       // aheadLimit

	mu         sync.Mutex // guards the following
	held       map[percuss.Key]body
	chunks     map[int64]*chunk
	recent     [16]int64 // chunks that one row was read of lately, by number plus 1; 0: none
	next       int       // place in recent of the next one
	clock      int64     // counts the uses of chunks
	size       int       // bytes that the chunks take
	room       int       // bytes of the bodies of the chunk that was read last
	read, used int64     // bytes that were read ahead, and of these, that were asked for
}

// chunk is a range of rows in memory, of those that there were when it was read.
type chunk struct {
	keys string        // one behind the other, keySize each; empty: it is being read, or could not be
	size int           // bytes that it takes
	last int64         // b.clock at its last use
	done chan struct{} // closed when it was read, or could not be
}

// keySize is the length of a key, in bytes.
const keySize = 64

// body is the content of one row.
type body struct {
	text []byte // read only
	in   *chunk
}

// prepareBodies makes a reader of the bodies of a table.
func prepareBodies(ctx context.Context, db *sql.DB, table string) (_ *bodies, err error) {
	b := &bodies{limit: aheadLimit, held: map[percuss.Key]body{}, chunks: map[int64]*chunk{}}
	if b.row, err = db.PrepareContext(ctx, "SELECT rowid, body FROM "+table+" WHERE key = ?"); err != nil {
		return nil, err
	}
	if b.chunk, err = db.PrepareContext(ctx, "SELECT key, body FROM "+table+" WHERE rowid BETWEEN ? AND ?"); err != nil {
		return nil, errors.Join(err, b.row.Close())
	}
	return b, nil
}

// close makes every later call fail.
func (b *bodies) close() error {
	b.mu.Lock()
	b.held = nil
	b.mu.Unlock()
	return errors.Join(b.row.Close(), b.chunk.Close())
}

// of returns the body of a key, read only; false where there is none.
func (b *bodies) of(ctx context.Context, k percuss.Key) ([]byte, bool, error) {
	if text, ok := b.kept(k); ok {
		return text, true, ctx.Err()
	}
	var rowid int64
	var text []byte
	switch err := b.row.QueryRowContext(ctx, string(k)).Scan(&rowid, &text); {
	case errors.Is(err, sql.ErrNoRows):
		return nil, false, nil
	case err != nil:
		return nil, false, err
	}
	number := (rowid - 1) / chunkRows
	switch c, mine := b.worth(number); {
	case mine:
		b.ahead(context.WithoutCancel(ctx), number, c) // others count on it
	case c != nil:
		<-c.done // whoever goes on meanwhile would read row after row that is about to be there
	}
	return text, true, nil
}

// kept returns a body that is in memory.
func (b *bodies) kept(k percuss.Key) ([]byte, bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	found, ok := b.held[k]
	if ok {
		b.clock++
		found.in.last = b.clock
		b.used += int64(len(found.text))
	}
	return found.text, ok
}

// worth returns the chunk that a row was just read of, where there is reason to read it whole; mine: the caller is to read
// it. Of others it is being read, or was and has grown since.
func (b *bodies) worth(number int64) (c *chunk, mine bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c, ok := b.chunks[number]; ok {
		return c, false
	}
	for i, n := range b.recent {
		if n == number+1 && b.read <= int64(b.limit)+wasteLimit*b.used {
			b.recent[i] = 0
			c = &chunk{done: make(chan struct{})}
			b.chunks[number] = c
			return c, true
		}
	}
	b.recent[b.next] = number + 1
	b.next = (b.next + 1) % len(b.recent)
	return nil, false
}

// ahead reads a chunk into memory. One that cannot be read is left to be read row by row: the fault is for whoever asks for
// the damaged row.
func (b *bodies) ahead(ctx context.Context, number int64, c *chunk) {
	b.mu.Lock()
	room := b.room + b.room/4 // chunks are of about the same size
	b.mu.Unlock()
	var keys strings.Builder
	keys.Grow(chunkRows * keySize)
	texts, ends := make([]byte, 0, room), make([]int, 0, chunkRows)
	err := b.each(ctx, number, func(key, text []byte) {
		if len(key) == keySize { // any other is damage, which Verify finds
			keys.Write(key)
			texts = append(texts, text...)
			ends = append(ends, len(texts))
		}
	})
	b.mu.Lock()
	defer b.mu.Unlock()
	defer close(c.done)
	if err != nil || b.held == nil { // nil: closed meanwhile
		return
	}
	b.clock++
	c.keys, c.size, c.last = keys.String(), cap(texts)+rowCost*len(ends), b.clock
	from := 0
	for i, to := range ends {
		b.held[c.key(i)] = body{texts[from:to:to], c}
		from = to
	}
	b.size += c.size
	b.read += int64(len(texts))
	b.room = len(texts)
	b.drop()
}

// each calls add for every row of a chunk; what it is given is valid during the call.
func (b *bodies) each(ctx context.Context, number int64, add func(key, text []byte)) (err error) {
	rows, err := b.chunk.QueryContext(ctx, number*chunkRows+1, (number+1)*chunkRows)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, rows.Close()) }()
	var key, text sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&key, &text); err != nil {
			return err
		}
		add(key, text)
	}
	return rows.Err()
}

// key is that of the i-th row, from 0.
func (c *chunk) key(i int) percuss.Key { return percuss.Key(c.keys[i*keySize : (i+1)*keySize]) }

// drop drops the chunks that were not used for longest until the rest is within the limit.
func (b *bodies) drop() {
	for b.size > b.limit {
		oldest := int64(-1)
		for n, c := range b.chunks {
			if c.keys != "" && (oldest < 0 || c.last < b.chunks[oldest].last) {
				oldest = n
			}
		}
		c := b.chunks[oldest]
		for i := range len(c.keys) / keySize {
			delete(b.held, c.key(i))
		}
		b.size -= c.size
		delete(b.chunks, oldest)
	}
}
