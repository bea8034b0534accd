// Package datasettest finds the published data sets for tests, and reads them.
package datasettest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

// Dir returns the folder with one folder a set: PERCUSS_DATA, or shared/data beside the repository. It skips the test
// where neither is there.
func Dir(t testing.TB) string {
	t.Helper()
	if dir := os.Getenv(dataset.DataVariable); dir != "" {
		return dir
	}
	dir := filepath.Join(filepath.Dir(root(t)), "shared", "data")
	if _, err := os.Stat(dir); err != nil {
		t.Skipf("needs the published data sets in %s: %v", dataset.DataVariable, err)
	}
	return dir
}

// File returns the path of a file below Dir. It skips the test where there is none.
func File(t testing.TB, parts ...string) string {
	t.Helper()
	path := filepath.Join(append([]string{Dir(t)}, parts...)...)
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs the published data: ", err)
	}
	return path
}

// Questions reads a set to its end; a set that cannot be read fails the test, a bad row does not.
func Questions(t testing.TB, l dataset.Loader, err error) ([]percuss.Question, []*dataset.BadRow) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	questions, bad, err := dataset.Collect(l)
	if err != nil {
		t.Fatal(err)
	}
	return questions, bad
}

// Write puts a file with the given content into a folder of the test's own and returns its path.
func Write(t testing.TB, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// root returns the folder that holds go.mod.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
}
