package llamacpp

import (
	"bytes"
	"encoding/binary"
	"errors"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

// mustFail expects a fatal fault whose text has all the parts: what is wrong and what to do.
func mustFail(t *testing.T, err error, parts ...string) {
	t.Helper()
	var f *model.Fault
	if !errors.As(err, &f) || !f.Fatal {
		t.Fatalf("want a fatal fault, got %v", err)
	}
	for _, p := range parts {
		if !strings.Contains(err.Error(), p) {
			t.Errorf("the error does not say %q: %v", p, err)
		}
	}
}

func tinyFile(t *testing.T) (path string, content []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "model.gguf")
	if err := tinygguf.Write(path, 1); err != nil {
		t.Fatal(err)
	}
	content, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return path, content
}

func TestFilesThatAreNoModel(t *testing.T) {
	path, content := tinyFile(t)
	old := bytes.Clone(content)
	binary.LittleEndian.PutUint32(old[4:], 1)
	huge := bytes.Clone(content)
	binary.LittleEndian.PutUint64(huge[24:], 1<<62) // the length of the first key
	many := bytes.Clone(content)
	binary.LittleEndian.PutUint64(many[8:], 1<<40)
	for name, c := range map[string]struct {
		content []byte
		want    string
	}{
		"empty":          {nil, "is not a GGUF file"},
		"text":           {[]byte("<html>404 not found</html>"), "is not a GGUF file"},
		"magic only":     {[]byte("GGUF"), "truncated"},
		"old version":    {old, "GGUF version 1"},
		"cut in header":  {content[:2000], "truncated"},
		"cut in data":    {content[:len(content)-1000], "truncated"},
		"absurd text":    {huge, "damaged"},
		"absurd tensors": {many, "damaged"},
	} {
		if err := os.WriteFile(path, c.content, 0o644); err != nil {
			t.Fatal(err)
		}
		_, err := Open(t.Context(), Options{Lib: "/nowhere", Path: path})
		t.Log(name, "-", err)
		mustFail(t, err, path, c.want, "download it again")
	}
	_, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "none.gguf")})
	mustFail(t, err, "percuss model pull")
	_, err = Open(t.Context(), Options{Path: t.TempDir()})
	mustFail(t, err, "is a folder")
}

// However a file is damaged, reading its header ends with an error or a header.
func TestDamagedHeaders(t *testing.T) {
	path, content := tinyFile(t)
	for i := 0; i < 6000; i += 7 {
		damaged := bytes.Clone(content[:8000])
		for k := range 8 {
			damaged[i+k] = 0xff
		}
		if err := os.WriteFile(path, damaged, 0o644); err != nil {
			t.Fatal(err)
		}
		if h, err := readHeader(path); err == nil {
			t.Fatalf("a cut file with damage at %d gave %+v", i, h)
		}
	}
}

func TestHeader(t *testing.T) {
	path, _ := tinyFile(t)
	h, err := readHeader(path)
	if err != nil {
		t.Fatal(err)
	}
	name, float := h.mainWeights()
	if h.Architecture != "llama" || h.Template != tinygguf.Template || name != "F32" || !float ||
		h.number("context_length") != tinygguf.ContextTokens {
		t.Errorf("%+v, %s, %v", h, name, float)
	}
	if got := h.cellBytes(4); got != 2*2*32*4 {
		t.Errorf("%d bytes a cell, want layers × KV heads × (key + value) × 4 = 512", got)
	}
}

func TestLibraryErrors(t *testing.T) {
	path, _ := tinyFile(t)
	_, err := Open(t.Context(), Options{Path: path})
	mustFail(t, err, "no engine library", "percuss engine install")
	dir := t.TempDir()
	if library.dir == "" { // once one is loaded, another directory is an error of its own
		_, err = Open(t.Context(), Options{Path: path, Lib: dir})
		mustFail(t, err, dir, LibraryVersion, "percuss engine install")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the rest is about .so files")
	}
	for _, name := range []string{"libggml.so", "libggml-base.so", "libllama.v9.so"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte("no library"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	_, err = libraryDir(dir)
	if err == nil || !strings.Contains(err.Error(), "ln -s libllama.v9.so libllama.so") {
		t.Errorf("missing link: %v", err)
	}
	if _, err := checkVersion(filepath.Join(dir, "libggml.so")); err == nil || !strings.Contains(err.Error(), "cannot be loaded") {
		t.Errorf("a file that is no library: %v", err)
	}
}

// A library of another make: it loads, but is not the engine. Then one of the right make in another directory.
func TestLibraryOfAnotherMake(t *testing.T) {
	lib := modeltest.EngineLib(t)
	base := filepath.Join(lib, "libggml-base.so")
	if _, err := os.Stat(base); err != nil {
		t.Skip("needs libggml-base.so")
	}
	if _, err := checkVersion(base); err == nil || !strings.Contains(err.Error(), "does not say its version") {
		t.Errorf("got %v", err)
	}
	tiny(t, Options{})
	other := t.TempDir()
	for _, name := range []string{"libggml.so", "libggml-base.so", "libllama.so"} {
		if err := os.Symlink(filepath.Join(lib, name), filepath.Join(other, name)); err != nil {
			t.Fatal(err)
		}
	}
	path, _ := tinyFile(t)
	_, err := Open(t.Context(), Options{Lib: other, Path: path})
	mustFail(t, err, "already loaded")
}

func TestVersionPattern(t *testing.T) {
	for version, fits := range map[string]bool{"0.5.0": true, "v0.5.0": true, "0.5.0-dev": true, "0.5.01": false, "0.6.0": false, "10.5.0": false, "b11146": false} {
		m := numericVersion.FindStringSubmatch(version)
		if got := m != nil && m[1] == LibraryVersion; got != fits {
			t.Errorf("%q fits: %v", version, got)
		}
	}
}

func TestOptionsAreChecked(t *testing.T) {
	path, _ := tinyFile(t)
	for _, o := range []Options{{Path: path, Parallel: 129}, {Path: path, Parallel: -1}, {Path: path, Context: -1}, {Path: path, Threads: -2}} {
		_, err := Open(t.Context(), o)
		mustFail(t, err)
	}
}

func TestFileHash(t *testing.T) {
	path := filepath.Join(t.TempDir(), "abc")
	if err := os.WriteFile(path, []byte("abc"), 0o644); err != nil {
		t.Fatal(err)
	}
	// FIPS 180-2, appendix B.1
	const want = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"
	if got, err := fileHash(path); err != nil || got != want {
		t.Errorf("%s, %v", got, err)
	}
}

func TestHashNoteIsWrittenWhole(t *testing.T) {
	note := filepath.Join(t.TempDir(), "hashes", "x")
	writeNote(note, "sum")
	if b, err := os.ReadFile(note); err != nil || string(b) != "sum" {
		t.Errorf("%q, %v", b, err)
	}
	left, _ := filepath.Glob(filepath.Join(filepath.Dir(note), "hash-*"))
	if len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}
