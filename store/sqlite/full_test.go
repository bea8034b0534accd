package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/storetest"
)

// TestFullDisk fills a small file system, frees space, and goes on: in the same process, and after opening again.
func TestFullDisk(t *testing.T) {
	dir := storetest.Mounted(t, "tmpfs", "size=1m")
	path := filepath.Join(dir, "answers.db")
	s := openFile(t, path)
	storetest.Put(t, s, storetest.Entry(0))
	ballast := filepath.Join(dir, "ballast")
	storetest.Fill(t, ballast, 128<<10)
	kept := putUntilFull(t, s, 1, 4)
	if len(kept) == 0 {
		t.Error("the disk was to fill in the middle of the work")
	}
	wantEntries(t, s.Reader, kept...)

	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	storetest.Put(t, s, storetest.Entry(5000))
	wantEntries(t, s.Reader, append(kept, 5000)...)

	// Now the next process meets the full disk.
	storetest.Fill(t, ballast, 0)
	kept = append(kept, putUntilFull(t, s, 6000, 4)...)
	if err := s.Close(); err != nil {
		t.Logf("close on a full disk: %v", err)
	}
	if s, err := Open(context.Background(), path); err == nil {
		wantEntries(t, s.Reader, kept...)
		s.Close()
	} else if !errors.Is(err, store.ErrFull) {
		t.Errorf("opening on a full disk: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	s = openFile(t, path)
	storetest.Put(t, s, storetest.Entry(7000))
	wantEntries(t, s.Reader, append(kept, 0, 5000, 7000)...)
	if found, err := s.Verify(context.Background()); len(found) > 0 || err != nil {
		t.Errorf("Verify = %v, %v", found, err)
	}
}

// TestFullAtCreation: a new file on a disk without space, and the same call after some was freed.
func TestFullAtCreation(t *testing.T) {
	dir := storetest.Mounted(t, "tmpfs", "size=1m")
	ballast := filepath.Join(dir, "ballast")
	storetest.Fill(t, ballast, 0)
	path := filepath.Join(dir, "answers.db")
	if _, err := Open(context.Background(), path); !errors.Is(err, store.ErrFull) {
		t.Errorf("creating on a full disk: %v", err)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	storetest.Put(t, openFile(t, path), storetest.Entry(0))
}

// TestPageLimit provokes SQLite's own "full" where no file system can be mounted. The limit holds for one connection;
// the one that follows the failure is without it, as if space had been freed.
func TestPageLimit(t *testing.T) {
	s := openFile(t, filepath.Join(t.TempDir(), "answers.db"))
	err := s.w.do(context.Background(), "limit", func(ctx context.Context, c *connection) error {
		_, err := c.ExecContext(ctx, "PRAGMA max_page_count=20")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	kept := putUntilFull(t, s, 0, 1)
	if len(kept) == 0 {
		t.Error("twenty pages should have held something")
	}
	storetest.Put(t, s, storetest.Entry(5000))
	wantEntries(t, s.Reader, append(kept, 5000)...)
}

// putUntilFull puts from several goroutines, entries from the given number on, until each was told that the disk is full, and returns what was kept.
func putUntilFull(t *testing.T, s *Store, from, writers int) (kept []int) {
	t.Helper()
	var mu sync.Mutex
	var wg sync.WaitGroup
	for w := range writers {
		wg.Go(func() {
			for i := from + w; i < from+4000; i += writers {
				err := s.Put(context.Background(), storetest.Entry(i))
				if err == nil {
					mu.Lock()
					kept = append(kept, i)
					mu.Unlock()
					continue
				}
				if !errors.Is(err, store.ErrFull) || !strings.Contains(err.Error(), s.file.path) {
					t.Errorf("put on a full disk: %v", err)
				}
				return
			}
			t.Error("the disk never filled")
		})
	}
	wg.Wait()
	return kept
}
