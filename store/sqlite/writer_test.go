package sqlite

import (
	"context"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store/storetest"
)

// TestOneCommitForAll: what queued while a commit went on shares the next one.
func TestOneCommitForAll(t *testing.T) {
	ctx := context.Background()
	s := openFile(t, filepath.Join(t.TempDir(), "answers.db"))
	before := commits(t, s)
	started, release := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = s.w.do(ctx, "hold", func(context.Context, *connection) error { close(started); <-release; return nil })
	})
	<-started
	const n = 40
	for i := range n {
		wg.Go(func() { storetest.Put(t, s, storetest.Entry(i)) })
	}
	for len(s.w.queue) < n {
		runtime.Gosched()
	}
	close(release)
	wg.Wait()
	wantEntries(t, s.Reader, upTo(n)...)
	if got := commits(t, s) - before; got != 1 {
		t.Errorf("%d puts that waited together took %d commits that wrote", n, got)
	}
}

// commits reads the counter that SQLite raises with every writing commit of another connection.
func commits(t testing.TB, s *Store) int {
	t.Helper()
	s.db.SetMaxOpenConns(1) // the counter is relative to a connection
	var v int
	if err := s.db.QueryRow("PRAGMA data_version").Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// TestOneBadRow: a row that breaks a constraint fails alone.
func TestOneBadRow(t *testing.T) {
	ctx := context.Background()
	s := openFile(t, filepath.Join(t.TempDir(), "answers.db"))
	started, release := make(chan bool), make(chan bool)
	var wg sync.WaitGroup
	wg.Go(func() {
		_ = s.w.do(ctx, "hold", func(context.Context, *connection) error { close(started); <-release; return nil })
	})
	<-started
	var bad error
	wg.Go(func() {
		bad = s.w.do(ctx, "break", func(ctx context.Context, c *connection) error {
			_, err := c.ExecContext(ctx, "INSERT INTO requests (key, body) VALUES ('x', NULL)")
			return err
		})
	})
	for i := range 5 {
		wg.Go(func() { storetest.Put(t, s, storetest.Entry(i)) })
	}
	for len(s.w.queue) < 6 {
		runtime.Gosched()
	}
	close(release)
	wg.Wait()
	if bad == nil || !strings.Contains(bad.Error(), "break") {
		t.Errorf("the bad row's error: %v", bad)
	}
	wantEntries(t, s.Reader, upTo(5)...)
}

// TestKeptExactly: a request that JSON would change is refused, for its key would no longer be its own.
func TestKeptExactly(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), "answers.db"))
	for name, spoil := range map[string]func(*percuss.Request){
		"broken UTF-8":     func(r *percuss.Request) { r.Begin = "caf\xe9" },
		"spaced extras":    func(r *percuss.Request) { r.Extra = []byte(`{"a": 1}`) },
		"extras not JSON":  func(r *percuss.Request) { r.Extra = []byte(`{`) },
		"broken UTF-8 key": func(r *percuss.Request) { r.Model = "\xff" },
	} {
		e := storetest.Entry(0)
		spoil(&e.Request)
		e.Key = e.Request.Key()
		if err := s.Put(context.Background(), e); err == nil {
			t.Errorf("%s: kept", name)
		}
	}
	e := storetest.Entry(0)
	e.Answer.Text = "cut in a rune \xe2\x99"
	storetest.Put(t, s, e)
	if a, ok, err := s.Get(context.Background(), e.Key); !ok || err != nil || !strings.HasPrefix(a.Text, "cut in a rune \ufffd") {
		t.Errorf("answer with a cut rune: %q, %v, %v", a.Text, ok, err)
	}
}

// TestTwoWritersTakeTurns: the lock of the run folder keeps a second writer out; if it comes nevertheless, nothing
// is lost.
func TestTwoWritersTakeTurns(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	stores := []*Store{openFile(t, path), openFile(t, path)}
	var wg sync.WaitGroup
	for i, s := range stores {
		for j := range 4 {
			wg.Go(func() {
				for k := range 10 {
					storetest.Put(t, s, storetest.Entry(100*i+10*j+k))
				}
			})
		}
	}
	wg.Wait()
	if n, err := stores[0].Count(context.Background()); n != 80 || err != nil {
		t.Errorf("Count = %d, %v", n, err)
	}
}
