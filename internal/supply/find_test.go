package supply

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFindModelByPath(t *testing.T) {
	f := newFixture(t)
	dir := t.TempDir()
	good, bad, empty := filepath.Join(dir, "a.gguf"), filepath.Join(dir, "b.gguf"), filepath.Join(dir, "c.gguf")
	f.write(good, []byte("GGUF\x03\x00\x00\x00"), 0o644)
	f.write(bad, []byte("PK\x03\x04 a zip"), 0o644)
	f.write(empty, nil, 0o644)
	if got, err := f.FindModel(t.Context(), good); err != nil || got != good {
		t.Errorf("a file: %q, %v", got, err)
	}
	for path, says := range map[string]string{
		bad:   "not a GGUF file: it begins with \"PK",
		empty: "not a GGUF file",
		dir:   "is not a file",
	} {
		if _, err := f.FindModel(t.Context(), path); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%s: %v, want %q", path, err, says)
		}
	}
	_, err := f.FindModel(t.Context(), "nosuch")
	if !errors.Is(err, ErrUnknown) {
		t.Errorf("unknown: %v", err)
	}
	for _, want := range []string{"smollm2-135m", "percuss model pull", "GGUF file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("unknown: %v lacks %q", err, want)
		}
	}
	if _, err := f.PullModel(t.Context(), "nosuch", false); !errors.Is(err, ErrUnknown) {
		t.Errorf("pulling an unknown model: %v", err)
	}
}

func TestFileHashIsRemembered(t *testing.T) {
	f := newFixture(t)
	path := filepath.Join(t.TempDir(), "a.gguf")
	f.write(path, []byte("abc"), 0o644)
	// SHA-256 of "abc": FIPS 180-2, appendix B.1.
	const abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got, err := f.FileHash(t.Context(), path); err != nil || got != abc {
		t.Fatalf("hash %s, %v", got, err)
	}
	alter(t, path, "xyz", true)
	if got, _ := f.FileHash(t.Context(), path); got != abc {
		t.Errorf("not remembered: %s", got)
	}
	alter(t, path, "xyz", false)
	if got, _ := f.FileHash(t.Context(), path); got == abc {
		t.Error("a changed file was not read again")
	}
	f.write(f.memory(path), []byte("{broken"), 0o644)
	if got, err := f.FileHash(t.Context(), path); err != nil || len(got) != 64 || got == abc {
		t.Errorf("with a broken memory: %s, %v", got, err)
	}
	if _, err := f.FileHash(t.Context(), path+".none"); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("no file: %v", err)
	}
}

func TestList(t *testing.T) {
	f := newFixture(t)
	f.models = nil
	for _, name := range []string{"one", "two", "three"} {
		f.addModel(name, "", "GGUF-"+name)
	}
	for _, name := range []string{"two", "three"} {
		if _, err := f.PullModel(t.Context(), name, false); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Truncate(filepath.Join(f.Root(), "models", "three", "three.gguf"), 1); err != nil {
		t.Fatal(err)
	}
	listed, err := f.List(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]State{}
	for _, l := range listed {
		got[l.Model.Name] = l.State
	}
	if diff := cmp.Diff(map[string]State{"one": Absent, "two": Present, "three": Damaged}, got); diff != "" {
		t.Errorf("states (-want +got):\n%s", diff)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := f.List(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
}

func TestOpenPlaces(t *testing.T) {
	c, err := Open(func(string) string { return "" }, nil)
	if err != nil {
		t.Skipf("this system names no cache directory: %v", err)
	}
	base, _ := os.UserCacheDir()
	if want := filepath.Join(base, "percuss"); c.Root() != want {
		t.Errorf("root %s, want %s", c.Root(), want)
	}
	c.say("silence must not fail")
}
