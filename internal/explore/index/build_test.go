package index

import (
	"errors"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss"
)

func TestStaleIndex(t *testing.T) {
	w := world{subjects: []percuss.Subject{{}}, rows: []Row{{}}}
	path := filepath.Join(t.TempDir(), "index.db")
	if _, err := Open(path, "these"); !errors.Is(err, ErrStale) {
		t.Errorf("none there: %v", err)
	}
	if _, err := Build(t.Context(), path, "these", w.subjects, w.all()); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(path, "others"); !errors.Is(err, ErrStale) {
		t.Errorf("of other answers: %v", err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, raw := range map[string][]byte{"no database": []byte("no database"), "cut": whole[:len(whole)/2], "empty": nil} {
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		x, err := Open(path, "these")
		if err == nil {
			_, err = x.Facets(t.Context(), Ask{})
			x.Close()
		}
		if err == nil {
			t.Errorf("%s: it was read", name)
		}
	}
}

func TestBuildFailsWhole(t *testing.T) {
	dir := t.TempDir()
	bad := errors.New("unreadable answer")
	w := world{subjects: []percuss.Subject{{}, {}}}
	for name, rows := range map[string]iter.Seq2[Row, error]{
		"a fault":      func(yield func(Row, error) bool) { _ = yield(Row{}, nil) && yield(Row{}, bad) },
		"out of order": func(yield func(Row, error) bool) { _ = yield(Row{Subject: 1}, nil) && yield(Row{}, nil) },
		"no subject":   func(yield func(Row, error) bool) { yield(Row{Subject: 2}, nil) },
	} {
		if _, err := Build(t.Context(), filepath.Join(dir, "index.db"), "these", w.subjects, rows); err == nil {
			t.Errorf("%s: it was built", name)
		}
	}
	left, err := os.ReadDir(dir)
	if err != nil || len(left) > 0 {
		t.Errorf("left behind: %v %v", left, err)
	}
}

func TestSizeClasses(t *testing.T) {
	for v, want := range map[float64]string{0: "0", 0.49: "0", -0.5: "0.5", 1: "1", 3.9: "2", -400: "4"} {
		if got := sizeOf(percuss.Num(v)); got != want {
			t.Errorf("%g is in class %q, want %q", v, got, want)
		}
	}
	if got := sizeOf(percuss.Number{}); got != "" {
		t.Errorf("a missing change is in class %q", got)
	}
}
