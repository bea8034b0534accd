package dataset

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

var known = Known{Set: "medcase", Folders: []string{"medcase", "medcasereasoning"}, Files: []string{"b.jsonl", "a.jsonl"},
	Obtain: "Ask its authors."}

func put(t *testing.T, parts ...string) string {
	t.Helper()
	p := filepath.Join(parts...)
	if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(p, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	return p
}

func env(dir string) func(string) string {
	return func(name string) string {
		if name == DataVariable {
			return dir
		}
		return ""
	}
}

// Files are added from the last place of the search order to the first; each addition must win.
func TestFindSearchOrder(t *testing.T) {
	data, cache := t.TempDir(), t.TempDir()
	put(t, cache, "data", "medcasereasoning", "b.jsonl")
	put(t, cache, "data", "medcase", "a.jsonl")
	steps := [][]string{
		{data, "medcasereasoning", "a.jsonl"},
		{data, "medcasereasoning", "b.jsonl"},
		{data, "medcase", "a.jsonl"},
		{data, "medcase", "b.jsonl"},
	}
	want := filepath.Join(cache, "data", "medcase", "a.jsonl")
	for _, next := range append(steps, nil) {
		got, err := Find(known, "", env(data), cache)
		if err != nil || got != want {
			t.Errorf("got %s, %v; want %s", got, err, want)
		}
		if next != nil {
			want = put(t, next...)
		}
	}
	named := put(t, t.TempDir(), "mine.txt")
	if got, err := Find(known, named, env(data), cache); err != nil || got != named {
		t.Errorf("got %s, %v; want the named file %s", got, err, named)
	}
}

func TestFindNamedFolder(t *testing.T) {
	dir := t.TempDir()
	want := put(t, dir, "medcase", "a.jsonl")
	if got, err := Find(known, dir, env(""), ""); err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
	want = put(t, dir, "a.jsonl")
	if got, err := Find(known, dir, env(""), ""); err != nil || got != want {
		t.Errorf("got %s, %v; want %s", got, err, want)
	}
}

func TestFindSaysWhereToGetIt(t *testing.T) {
	data, cache := t.TempDir(), t.TempDir()
	if err := os.MkdirAll(filepath.Join(data, "medcase", "a.jsonl"), 0o755); err != nil { // a folder is no file
		t.Fatal(err)
	}
	_, err := Find(known, "", env(data), cache)
	var missing *NotFoundError
	if !errors.As(err, &missing) || !errors.Is(err, fs.ErrNotExist) || len(missing.Looked) != 4 {
		t.Fatalf("got %v", err)
	}
	for _, want := range []string{data, cache, "b.jsonl or a.jsonl", "Ask its authors.", "PERCUSS_DATA", "medcase:PATH"} {
		if !strings.Contains(err.Error(), want) {
			t.Errorf("%q does not mention %q", err, want)
		}
	}
	if _, err := Find(known, "", env(""), ""); err == nil || !strings.Contains(err.Error(), "PERCUSS_DATA is not set") {
		t.Errorf("without any folder: %v", err)
	}
	// A path that the user named is never replaced by another file.
	put(t, data, "medcase", "b.jsonl")
	if got, err := Find(known, filepath.Join(data, "none.jsonl"), env(data), cache); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("named but missing: got %q, %v", got, err)
	}
	if got, err := Find(known, t.TempDir(), env(data), cache); !errors.As(err, &missing) {
		t.Errorf("named empty folder: got %q, %v", got, err)
	}
}
