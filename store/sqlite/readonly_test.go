package sqlite

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/storetest"
)

// TestReadOnlyFolder: a closed store in a folder that cannot be written is read, and refused for writing.
func TestReadOnlyFolder(t *testing.T) {
	path := filled(t, 5)
	at := filepath.Join(storetest.ReadOnly(t, filepath.Dir(path)), "answers.db")
	if _, err := Open(context.Background(), at); !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), at) {
		t.Errorf("opening for writing: %v", err)
	}
	r, err := OpenReader(context.Background(), at)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	wantEntries(t, r, upTo(5)...)
	if found, err := r.Verify(context.Background()); len(found) > 0 || err != nil {
		t.Errorf("Verify = %v, %v", found, err)
	}
	if _, err := Open(context.Background(), filepath.Join(filepath.Dir(at), "new.db")); !errors.Is(err, store.ErrReadOnly) {
		t.Errorf("creating: %v", err)
	}
}

// TestReadOnlyFolderWithWriter: somebody else, who may, writes on.
func TestReadOnlyFolderWithWriter(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	s := openFile(t, path)
	storetest.Put(t, s, storetest.Entry(0))
	r, err := OpenReader(context.Background(), filepath.Join(storetest.ReadOnly(t, filepath.Dir(path)), "answers.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	wantEntries(t, r, 0)
	storetest.Put(t, s, storetest.Entry(1))
	wantEntries(t, r, 0, 1)
}

// TestReadOnlyFolderWithLog: a log without its shared memory cannot be read in place; the message says so.
func TestReadOnlyFolderWithLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "answers.db")
	s := openFile(t, path)
	storetest.Put(t, s, storetest.Entry(0))
	copied := t.TempDir()
	for _, suffix := range []string{"", "-wal"} {
		raw, err := os.ReadFile(path + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(copied, "answers.db"+suffix), raw, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	at := filepath.Join(storetest.ReadOnly(t, copied), "answers.db")
	r, err := OpenReader(context.Background(), at)
	if err == nil {
		defer r.Close()
		wantEntries(t, r, 0)
		t.Fatal("SQLite learned to read it: drop the message")
	}
	if !errors.Is(err, store.ErrReadOnly) || !strings.Contains(err.Error(), "copy the folder") {
		t.Errorf("error %v", err)
	}
	// In a folder that can be written it is read.
	r, err = OpenReader(context.Background(), filepath.Join(copied, "answers.db"))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	wantEntries(t, r, 0)
}

// TestReaderNeverBlocks reads while a write transaction is open, and writes while a reader is in mid-iteration.
func TestReaderNeverBlocks(t *testing.T) {
	ctx := context.Background()
	path := filled(t, 3)
	s := openFile(t, path)
	r, err := OpenReader(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	err = s.w.do(ctx, "hold", func(ctx context.Context, c *connection) error {
		_, err := c.ExecContext(ctx, "DELETE FROM attempts")
		wantEntries(t, r, upTo(3)...)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, err := range r.Entries(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		storetest.Put(t, s, storetest.Entry(10))
	}
	wantEntries(t, r, 0, 1, 2, 10)
}

// TestOneFileRemains: after the writer has closed there is one file to copy.
func TestOneFileRemains(t *testing.T) {
	path := filled(t, 3)
	s := openFile(t, path) // and a session that only reads
	wantEntries(t, s.Reader, 0)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil || len(entries) != 1 {
		t.Errorf("files %v, error %v", entries, err)
	}
}
