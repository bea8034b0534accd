package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/run"
)

// What a run cannot do without is verified: its answers, what was settled when it was begun, and its items, each with the
// place of the fault.
func TestVerifyReadsWhatARunNeeds(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "3", "--battery", "M5", "--controls", "none", "--no-direct", "-o", dir); status != exitDone {
		t.Fatal(errs)
	}
	for name, c := range map[string]struct {
		file   string
		damage func([]byte) []byte
		says   string
	}{
		"whole":              {run.SubjectsFile, func(b []byte) []byte { return b }, "3 items, as many as were drawn"},
		"an item cut":        {run.SubjectsFile, func(b []byte) []byte { return b[:len(b)-20] }, run.SubjectsFile + ", line 3 is damaged"},
		"an item gone":       {run.SubjectsFile, func(b []byte) []byte { return b[bytes.IndexByte(b, '\n')+1:] }, "holds 2 of the 3 items that were drawn"},
		"the manifest cut":   {run.ManifestFile, func(b []byte) []byte { return b[:len(b)/2] }, run.ManifestFile + " is damaged"},
		"the manifest empty": {run.ManifestFile, func([]byte) []byte { return nil }, run.ManifestFile + " is damaged"},
	} {
		path := filepath.Join(dir, c.file)
		good, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, c.damage(bytes.Clone(good)), 0o644); err != nil {
			t.Fatal(err)
		}
		want := exitGate
		if name == "whole" {
			want = exitDone
		}
		if status, out, errs := command(t, "store", "verify", dir); status != want || !strings.Contains(out, c.says) {
			t.Errorf("%s: status %d, want %d, no %q in %q %q", name, status, want, c.says, out, errs)
		}
		if err := os.WriteFile(path, good, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
