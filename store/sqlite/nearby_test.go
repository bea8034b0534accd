package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/storetest"
)

// many opens a store of n answers.
func many(t *testing.T, n int) *Store {
	s := openFile(t, filepath.Join(t.TempDir(), "answers.db"), "synchronous(OFF)")
	for i := range n {
		storetest.Put(t, s, storetest.Entry(i))
	}
	return s
}

// inMemory counts the answers of the given numbers that are in memory.
func inMemory(r *Reader, numbers []int) (n int) {
	for _, i := range numbers {
		if _, ok := r.answers.held[storetest.Entry(i).Key]; ok {
			n++
		}
	}
	return n
}

// TestAheadIsForNeighbours: the first answer of a chunk is read alone, the second brings all others.
func TestAheadIsForNeighbours(t *testing.T) {
	s := many(t, 2*chunkRows+10)
	all := upTo(2*chunkRows + 10)
	wantEntries(t, s.Reader, 3, chunkRows+5)
	if n := inMemory(s.Reader, all); n != 0 {
		t.Errorf("%d answers in memory after one of each chunk", n)
	}
	wantEntries(t, s.Reader, 40)
	if n := inMemory(s.Reader, all[:chunkRows]); n != chunkRows || inMemory(s.Reader, all) != n {
		t.Errorf("%d answers of the first chunk in memory, %d in all", n, inMemory(s.Reader, all))
	}
	if _, ok, err := s.Get(context.Background(), storetest.Entry(9999).Key); ok || err != nil {
		t.Errorf("an answer that nobody put: found %v, error %v", ok, err)
	}
	if _, ok, err := s.Request(context.Background(), storetest.Entry(41).Key); !ok || err != nil {
		t.Errorf("request: found %v, error %v", ok, err)
	}
}

// TestGrowingChunk: the last chunk may grow after it was read.
func TestGrowingChunk(t *testing.T) {
	s := many(t, 10)
	wantEntries(t, s.Reader, upTo(10)...)
	if n := inMemory(s.Reader, upTo(10)); n != 10 {
		t.Fatalf("%d of 10 in memory", n)
	}
	for i := 10; i < chunkRows+10; i++ {
		storetest.Put(t, s, storetest.Entry(i))
		wantEntries(t, s.Reader, i, i-1, 0)
	}
}

// TestAheadIsBounded: however an answer file is walked, memory keeps to the limit, and what is read in vain to its share.
func TestAheadIsBounded(t *testing.T) {
	const n = 12 * chunkRows
	s := many(t, n)
	for name, step := range map[string]int{"in order": 1, "two of each chunk": chunkRows / 2, "scattered": 5*chunkRows + 3} {
		t.Run(name, func(t *testing.T) {
			r, err := OpenReader(context.Background(), s.file.path)
			if err != nil {
				t.Fatal(err)
			}
			defer r.Close()
			b, most := r.answers, 0
			b.limit = 3 * chunkRows * 400
			for i := range 2 * n {
				wantEntries(t, r, i*step%n)
				if b.size > b.limit {
					t.Fatalf("%d bytes in memory", b.size)
				}
				for _, c := range b.chunks {
					most = max(most, c.size)
				}
			}
			if over := b.read - wasteLimit*b.used - int64(b.limit) - int64(most); over > 0 {
				t.Errorf("%d bytes read for %d that were used", b.read, b.used)
			}
			size := 0
			for _, c := range b.chunks {
				size += c.size
			}
			if size != b.size || b.read == 0 {
				t.Errorf("%d bytes are held, %d counted, %d were read", size, b.size, b.read)
			}
		})
	}
}

// TestDamagedNeighbour: a row that cannot be read fails by itself alone, whether it comes with its chunk or not.
func TestDamagedNeighbour(t *testing.T) {
	path := filled(t, 6)
	bad := storetest.Entry(2).Key
	execute(t, path, `UPDATE answers SET body = 'x' WHERE key = ?`, string(bad))
	execute(t, path, `INSERT INTO requests VALUES ('short', '{}')`)
	execute(t, path, `INSERT INTO answers VALUES ('short', 'ok', '{}')`)
	r, err := OpenReader(context.Background(), path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for range 2 {
		wantEntries(t, r, 0, 1, 3, 4, 5)
		if _, ok, err := r.Get(context.Background(), bad); ok || !errors.Is(err, store.ErrCorrupt) {
			t.Errorf("damaged: found %v, error %v", ok, err)
		}
	}
}
