package llamacpp

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

// tinyWith opens the random model that lies at the path.
func tinyWith(t *testing.T, path string, o Options) *Model {
	t.Helper()
	o.Lib, o.Path = modeltest.EngineLib(t), path
	if o.Threads == 0 {
		o.Threads = 1
	}
	return opened(t, o)
}

// hashOf is the hash of the model's file, as its identity has it.
func hashOf(t *testing.T, path string) string {
	t.Helper()
	sum, err := fileHash(path)
	if err != nil {
		t.Fatal(err)
	}
	return sum
}

// notes are the files of a folder, which may not be there.
func notes(t *testing.T, dir string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// What a test found is believed by openings under the same conditions and by no others: the note is rewritten to say
// that no unit holds, which only an opening that believes it repeats.
func TestOutcomeIsRemembered(t *testing.T) {
	path, _ := tinyFile(t)
	dir := filepath.Join(t.TempDir(), "tests")
	o := Options{Tests: dir}
	if got := tinyWith(t, path, o).Capabilities().Layout; got != Exact {
		t.Skipf("the layout of float weights is %q on this machine", got)
	}
	files := notes(t, dir)
	if len(files) != 1 {
		t.Fatalf("kept: %v", files)
	}
	said, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	m := tinyWith(t, path, o)
	before := tested(dir, hashOf(t, path), m.engine)
	if unit, known := before.unit(); !known || unit != m.unit {
		t.Fatalf("unit %d, known %v; the model has %d", unit, known, m.unit)
	}
	before.keep(0)
	if got := tinyWith(t, path, o).Capabilities().Layout; got != Shared {
		t.Errorf("layout %q, the note says that exact does not hold", got)
	}
	other := filepath.Join(t.TempDir(), "other.gguf")
	if err := tinygguf.Write(other, 5); err != nil {
		t.Fatal(err)
	}
	for name, got := range map[string]*Model{
		"other weights":       tinyWith(t, other, o),
		"other threads":       tinyWith(t, path, Options{Tests: dir, Threads: 2}),
		"nothing remembered":  tinyWith(t, path, Options{}),
		"another folder":      tinyWith(t, path, Options{Tests: t.TempDir()}),
		"a layout that holds": tinyWith(t, path, Options{Tests: t.TempDir(), Layout: Exact}),
	} {
		if got := got.Capabilities().Layout; got != Exact {
			t.Errorf("%s: layout %q, from a test of something else", name, got)
		}
	}
	for name, damage := range map[string][]byte{"cut": said[:len(said)/2], "empty": nil, "no unit that there is": []byte(`{"of":{},"unit":3}`)} {
		if err := os.WriteFile(files[0], damage, 0o600); err != nil {
			t.Fatal(err)
		}
		if got := tinyWith(t, path, o).Capabilities().Layout; got != Exact {
			t.Errorf("a note that is %s: layout %q", name, got)
		}
		if again, err := os.ReadFile(files[0]); err != nil || string(again) != string(said) {
			t.Errorf("a note that was %s is now %q, %v", name, again, err)
		}
	}
}

// Variables of the library choose kernels.
func TestOutcomeDependsOnTheLibrarysVariables(t *testing.T) {
	path, _ := tinyFile(t)
	dir := t.TempDir()
	m := tinyWith(t, path, Options{Tests: dir})
	t.Setenv("GGML_OF_A_TEST", "1")
	if _, known := tested(dir, hashOf(t, path), m.engine).unit(); known {
		t.Error("found under other variables, and believed")
	}
}

// A folder that cannot be written, and a layout that was named, only mean that nothing is kept.
func TestOutcomeThatCannotBeKept(t *testing.T) {
	path, _ := tinyFile(t)
	if got, want := tinyWith(t, path, Options{Tests: path}).Capabilities().Layout, tinyWith(t, path, Options{}).Capabilities().Layout; got != want {
		t.Errorf("layout %q, with a folder %q", got, want)
	}
	dir := t.TempDir()
	tinyWith(t, path, Options{Tests: dir, Layout: Shared})
	if files := notes(t, dir); len(files) > 0 {
		t.Errorf("kept without a test: %v", files)
	}
}
