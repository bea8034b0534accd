package run

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/percuss/percuss"
)

// kept is a record as an audit might have it.
type kept struct {
	ID     string
	Margin percuss.Number
	Parts  []percuss.Estimate
}

func keep(t *testing.T, dir, of string, whole bool, records ...kept) {
	t.Helper()
	k := KeepRecords[kept](dir, of)
	for _, r := range records {
		k.Add(r)
	}
	k.Close(whole, map[string]int{"calls": len(records)})
}

func readAll(t *testing.T, r Records[kept]) (out []kept, failure error) {
	t.Helper()
	for v, err := range r.All() {
		if err != nil {
			return out, err
		}
		out = append(out, v)
	}
	return out, nil
}

func TestKeptRecords(t *testing.T) {
	dir := t.TempDir()
	if _, ok := KeptRecords[kept](dir, "a"); ok {
		t.Fatal("records in an empty folder")
	}
	want := []kept{{ID: "1", Margin: percuss.Num(-0.25)}, {ID: "2", Parts: []percuss.Estimate{{Value: percuss.Num(1e-300), N: 3}, percuss.Absent("none")}}}
	keep(t, dir, "a", true, want...)
	got, ok := KeptRecords[kept](dir, "a")
	if !ok || string(got.Beside) != `{"calls":2}` {
		t.Fatalf("kept: %v, beside %s", ok, got.Beside)
	}
	all, err := readAll(t, got)
	same := func(a, b kept) bool { return a.ID == b.ID && a.Margin == b.Margin && len(a.Parts) == len(b.Parts) }
	if err != nil || !slices.EqualFunc(all, want, same) || all[1].Parts[0].Value != percuss.Num(1e-300) || all[1].Parts[1].Value.OK() || all[0].Margin != percuss.Num(-0.25) || all[1].Margin.OK() {
		t.Errorf("read %v, %v", all, err)
	}
	if _, ok := KeptRecords[kept](dir, "b"); ok {
		t.Error("records of another state of the run were taken")
	}
	keep(t, dir, "b", false, want[0])
	if _, ok := KeptRecords[kept](dir, "b"); ok {
		t.Error("records that are not all there were kept")
	}
	if _, ok := KeptRecords[kept](dir, "a"); !ok {
		t.Error("what could not be kept took away what was")
	}
	entries, _ := os.ReadDir(dir + "/" + DerivedFolder)
	if len(entries) != 2 {
		t.Errorf("%d files are left", len(entries))
	}
}

// TestDamagedRecords: records that were cut, or are none, are an error that says to compute them anew.
func TestDamagedRecords(t *testing.T) {
	dir := t.TempDir()
	keep(t, dir, "a", true, kept{ID: "1"}, kept{ID: "2"})
	path, about := derivedPaths(dir)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string][]byte{"cut": raw[:len(raw)-1], "empty": nil, "another file": []byte("PK\x03\x04 and so on")} {
		if err := os.WriteFile(path, content, 0o644); err != nil {
			t.Fatal(err)
		}
		r, ok := KeptRecords[kept](dir, "a")
		if !ok {
			t.Fatalf("%s: not found", name)
		}
		if _, err := readAll(t, r); !errors.Is(err, ErrDerived) {
			t.Errorf("%s: %v", name, err)
		}
	}
	os.Remove(path)
	if r, ok := KeptRecords[kept](dir, "a"); ok {
		if _, err := readAll(t, r); !errors.Is(err, ErrDerived) {
			t.Errorf("gone: %v", err)
		}
	}
	if err := os.WriteFile(about, []byte("{"), 0o644); err != nil {
		t.Fatal(err)
	}
	if _, ok := KeptRecords[kept](dir, "a"); ok {
		t.Error("records beside a broken description were taken")
	}
}

// TestRecordsWhereNothingCanBeWritten: the report of a folder that is readable alone keeps nothing and says nothing.
func TestRecordsWhereNothingCanBeWritten(t *testing.T) {
	dir := t.TempDir() + "/file"
	if err := os.WriteFile(dir, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	keep(t, dir, "a", true, kept{ID: "1"})
	if _, ok := KeptRecords[kept](dir, "a"); ok {
		t.Error("kept in a file")
	}
}

// A derived folder may be missing, a folder, or a link within the run; nothing is kept through one that leads out of it.
func TestDerivedFolderElsewhere(t *testing.T) {
	outside := t.TempDir()
	for name, c := range map[string]struct {
		to   string // of the link; empty: none
		want bool
	}{
		"missing":                    {"", false},
		"a link within":              {"inner", false},
		"a link out of the run":      {outside, true},
		"a link to what is not here": {filepath.Join(outside, "none"), true},
		"a link above":               {"..", true},
	} {
		dir := t.TempDir()
		if err := os.Mkdir(filepath.Join(dir, "inner"), 0o755); err != nil {
			t.Fatal(err)
		}
		if c.to != "" {
			if err := os.Symlink(c.to, filepath.Join(dir, DerivedFolder)); err != nil {
				t.Skip(err)
			}
		}
		if got := DerivedElsewhere(dir); got != c.want {
			t.Errorf("%s: elsewhere %v, want %v", name, got, c.want)
		}
		k := KeepRecords[int](dir, "x")
		k.Add(1)
		k.Close(true, nil)
		if _, kept := KeptRecords[int](dir, "x"); kept == c.want {
			t.Errorf("%s: kept %v, want %v", name, kept, !c.want)
		}
	}
	if left, err := os.ReadDir(outside); err != nil || len(left) > 0 {
		t.Errorf("written outside: %v %v", left, err)
	}
}
