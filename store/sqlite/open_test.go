package sqlite

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/storetest"
)

// execute runs SQL on a file, past the store.
func execute(t testing.TB, path, query string, args ...any) {
	t.Helper()
	db, err := sql.Open("sqlite", file{path}.address("rwc"))
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(query, args...); err != nil {
		t.Fatal(err)
	}
}

// TestRefusals: what is no answer file of this version is refused by Open and OpenReader, and left as it was.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name, say string
		want      error
		make      func(t *testing.T, path string)
	}{
		{"newer", "update Percuss", store.ErrNewer, func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version=2") }},
		{"no version", "which no version wrote", store.ErrCorrupt, func(t *testing.T, path string) { execute(t, path, "PRAGMA user_version=0") }},
		{"another program", "another program", store.ErrCorrupt, func(t *testing.T, path string) {
			execute(t, path, "PRAGMA application_id=7")
		}},
		{"tables of another program", "another program", store.ErrCorrupt, func(t *testing.T, path string) {
			os.Remove(path)
			execute(t, path, "CREATE TABLE poems (line TEXT)")
		}},
		{"text", "move it", store.ErrCorrupt, func(t *testing.T, path string) {
			os.WriteFile(path, bytes.Repeat([]byte("no database\n"), 200), 0o644)
		}},
		{"header overwritten", "restore a copy", store.ErrCorrupt, func(t *testing.T, path string) { overwrite(t, path, 0, 100) }},
		{"cut", "restore a copy", store.ErrCorrupt, func(t *testing.T, path string) { os.Truncate(path, 5000) }},
		{"cut in the header", "restore a copy", store.ErrCorrupt, func(t *testing.T, path string) { os.Truncate(path, 50) }},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filled(t, 3)
			c.make(t, path)
			before, _ := os.ReadFile(path)
			_, err := Open(context.Background(), path)
			_, readErr := OpenReader(context.Background(), path)
			for _, err := range []error{err, readErr} {
				if !errors.Is(err, c.want) {
					t.Fatalf("error %v, want %v", err, c.want)
				}
				if s := err.Error(); !strings.Contains(s, path) || !strings.Contains(s, c.say) || strings.Count(s, path) != 1 {
					t.Errorf("the message %q should name the file once and say %q", s, c.say)
				}
			}
			if after, _ := os.ReadFile(path); !bytes.Equal(before, after) {
				t.Error("the refused file was changed")
			}
		})
	}
}

func overwrite(t testing.TB, path string, at int64, n int) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteAt(bytes.Repeat([]byte{0x5a}, n), at); err != nil {
		t.Fatal(err)
	}
}

func TestNoFile(t *testing.T) {
	ctx, dir := context.Background(), t.TempDir()
	if _, err := OpenReader(ctx, filepath.Join(dir, "answers.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("reader without a file: %v", err)
	}
	if _, err := Open(ctx, filepath.Join(dir, "missing", "answers.db")); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("writer without a folder: %v", err)
	}
	if _, err := Open(ctx, dir); err == nil || !strings.Contains(err.Error(), "is no file") {
		t.Errorf("a folder as file: %v", err)
	}
	if entries, _ := os.ReadDir(dir); len(entries) > 0 {
		t.Errorf("failing left %v behind", entries)
	}
	empty := filepath.Join(dir, "empty.db")
	os.WriteFile(empty, nil, 0o644)
	if _, err := OpenReader(ctx, empty); err == nil || !strings.Contains(err.Error(), "is empty") {
		t.Errorf("reader of an empty file: %v", err)
	}
	storetest.Put(t, openFile(t, empty), storetest.Entry(0))
}

func TestOddPaths(t *testing.T) {
	for _, name := range []string{"a b", "50%20?x=1#y", "naïve ♥", "q&mode=ro", "file:x"} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		s := openFile(t, filepath.Join(dir, name+".db"))
		storetest.Put(t, s, storetest.Entry(0))
		if _, err := os.Stat(filepath.Join(dir, name+".db")); err != nil {
			t.Errorf("%q: the file is elsewhere: %v", name, err)
		}
	}
}

// TestPragmasOnEveryConnection asks several connections at once, so that the pool must open new ones.
func TestPragmasOnEveryConnection(t *testing.T) {
	ctx := context.Background()
	s := openFile(t, filepath.Join(t.TempDir(), "answers.db"))
	storetest.Put(t, s, storetest.Entry(0))
	asked := func(c *sql.Conn, pragma string) (v string) {
		if err := c.QueryRowContext(ctx, "PRAGMA "+pragma).Scan(&v); err != nil {
			t.Fatal(err)
		}
		return v
	}
	for range 3 {
		c, err := s.db.Conn(ctx)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if busy, only := asked(c, "busy_timeout"), asked(c, "query_only"); busy != "10000" || only != "1" {
			t.Errorf("reading connection: busy_timeout %s, query_only %s", busy, only)
		}
	}
	for range 2 { // the second is opened after the first was dropped
		err := s.w.do(ctx, "look", func(_ context.Context, c *connection) error {
			if mode, sync, busy := asked(c.Conn, "journal_mode"), asked(c.Conn, "synchronous"), asked(c.Conn, "busy_timeout"); mode != "wal" || sync != "2" || busy != "10000" {
				t.Errorf("writing connection: %s, synchronous %s, busy_timeout %s", mode, sync, busy)
			}
			return errors.New("drop it")
		})
		if err == nil || !strings.Contains(err.Error(), "drop it") {
			t.Errorf("error %v", err)
		}
	}
	storetest.Put(t, s, storetest.Entry(1))
}
