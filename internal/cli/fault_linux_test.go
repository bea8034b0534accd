package cli

import (
	"bytes"
	"database/sql"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/percuss/percuss/model/modeltest/tinygguf"
	"github.com/percuss/percuss/store/storetest"
)

// A run whose disk fills says so; with space again the same command goes on, to the report of a run that never met
// the limit.
func TestRunOnAFullDisk(t *testing.T) {
	small := storetest.Mounted(t, "tmpfs", "size=700k")
	args := func(dir string) []string {
		return []string{"chain", "-m", "sim:faithful", "-d", "demo", "-n", "32", "--battery", "paper", "-o", dir}
	}
	dir := filepath.Join(small, "run")
	status, _, errs := command(t, args(dir)...)
	if status != exitFailure && status != exitUsage || !strings.Contains(errs, "no space left") {
		t.Fatalf("status %d, %q", status, errs)
	}
	kept := answers(t, dir)
	if kept == 0 {
		t.Error("the disk was to fill in the middle of the run")
	}
	if err := syscall.Mount("tmpfs", small, "tmpfs", syscall.MS_REMOUNT, "size=64m"); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, args(dir)...); status != exitDone {
		t.Fatalf("with space again: status %d, %q", status, errs)
	}
	if now, asked := answers(t, dir), answered(t, dir); asked != now-kept {
		t.Errorf("%d answers survived, %d are there now, %d were asked for", kept, now, asked)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	if status, _, errs := command(t, args(whole)...); status != exitDone {
		t.Fatalf("status %d, %q", status, errs)
	}
	if !bytes.Equal(reportOf(t, dir), reportOf(t, whole)) {
		t.Error("the reports differ")
	}
}

// A folder that cannot be written: nothing can be asked, everything can be read.
func TestRunInAReadOnlyFolder(t *testing.T) {
	parent := t.TempDir()
	args := []string{"chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "families", "-o"}
	if status, _, errs := command(t, append(args, filepath.Join(parent, "run"))...); status != exitDone {
		t.Fatalf("status %d, %q", status, errs)
	}
	at := storetest.ReadOnly(t, parent)
	for _, dir := range []string{"run", "new"} {
		status, _, errs := command(t, append(args, filepath.Join(at, dir))...)
		if status != exitUsage || !strings.Contains(errs, "read-only") {
			t.Errorf("%s: status %d, %q", dir, status, errs)
		}
	}
	for _, read := range [][]string{{"show"}, {"store", "verify"}, {"report", "--json"}} {
		if status, out, errs := command(t, append(read, filepath.Join(at, "run"))...); status != exitDone || out == "" {
			t.Errorf("%v: status %d, %q", read, status, errs)
		}
	}
	if status, _, errs := command(t, "report", filepath.Join(at, "run")); status != exitUsage || !strings.Contains(errs, "--json") {
		t.Errorf("writing a report: status %d, %q", status, errs)
	}
}

// A store and a manifest of a newer version are refused and left alone.
func TestRunOfANewerVersion(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	args := []string{"chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "families", "-o", dir}
	if status, _, errs := command(t, args...); status != exitDone {
		t.Fatalf("status %d, %q", status, errs)
	}
	path := filepath.Join(dir, "answers.db")
	db, err := sql.Open("sqlite", path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("PRAGMA user_version = 99"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range [][]string{args, {"report", dir}, {"show", dir}, {"store", "verify", dir}} {
		status, _, errs := command(t, line...)
		if status != exitUsage || !strings.Contains(errs, "newer version") || !strings.Contains(errs, "answers.db") {
			t.Errorf("%s: status %d, %q", line[0], status, errs)
		}
	}
	if after, err := os.ReadFile(path); err != nil || !bytes.Equal(before, after) {
		t.Errorf("the store was changed (%v)", err)
	}
	manifest := filepath.Join(dir, "run.json")
	raw, err := os.ReadFile(manifest)
	if err != nil {
		t.Fatal(err)
	}
	raw = bytes.Replace(raw, []byte("percuss.run/1"), []byte("percuss.run/9"), 1)
	if err := os.WriteFile(manifest, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if status, _, errs := command(t, args...); status != exitUsage || !strings.Contains(errs, "percuss.run/9") {
		t.Errorf("newer manifest: status %d, %q", status, errs)
	}
}

// A library that is no engine, and one of another make, are refused with the remedy.
func TestLibraryThatDoesNotFit(t *testing.T) {
	dir := t.TempDir()
	other, err := filepath.Glob("/lib*/*/libm.so.6")
	if err != nil || len(other) == 0 {
		t.Fatal("no libm.so.6 to stand in for a library of another make")
	}
	gguf := filepath.Join(dir, "m.gguf")
	if err := tinygguf.Write(gguf, 1); err != nil {
		t.Fatal(err)
	}
	for name, make := range map[string]func(path string) error{
		"text":  func(path string) error { return os.WriteFile(path, []byte("no library"), 0o644) },
		"other": func(path string) error { return os.Symlink(other[0], path) },
	} {
		lib := filepath.Join(dir, name)
		if err := os.Mkdir(lib, 0o755); err != nil {
			t.Fatal(err)
		}
		for _, file := range []string{"libllama.so", "libggml.so", "libggml-base.so"} {
			if err := make(filepath.Join(lib, file)); err != nil {
				t.Fatal(err)
			}
		}
		status, _, errs := process(t, "chain", "-m", "llama:"+gguf, "--lib", lib, "-d", "demo", "-o", filepath.Join(dir, "run-"+name))
		if status != exitUsage || !strings.Contains(errs, "percuss engine install") || !strings.Contains(errs, lib) {
			t.Errorf("%s: status %d, %q", name, status, errs)
		}
	}
}
