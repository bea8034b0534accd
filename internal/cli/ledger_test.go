package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A run whose battery or wordings have changed since is reported from its ledger, and says so; its figures stay.
func TestReportAfterTheEditsChanged(t *testing.T) {
	for name, c := range map[string]struct{ source, flag, old, new string }{
		"battery": {"../../chain/battery/paper.yaml", "--operators", "shifts: [-3, -1, 1, 2, 7]", "shifts: [11, 13, 17, 19, 23]"},
		"cut":     {"../../chain/battery/paper.yaml", "--operators", "keep: 50}", "keep: 90}"},
		"prompts": {"../../prompt/default.yaml", "--prompts", "You reason carefully", "You reason with great care"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			file, folder := filepath.Join(dir, "edited.yaml"), filepath.Join(dir, "run")
			raw, err := os.ReadFile(c.source)
			if err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(file, raw, 0o644); err != nil {
				t.Fatal(err)
			}
			args := []string{"chain", "-m", "sim:faithful", "-d", "demo", "-n", "4", "--battery", "families",
				"--answer", "text+letters", c.flag, file, "-o", folder}
			if status, _, errs := command(t, args...); status != exitDone {
				t.Fatalf("status %d, %q", status, errs)
			}
			before := cells(t, folder)
			changed := bytes.Replace(raw, []byte(c.old), []byte(c.new), 1)
			if bytes.Equal(raw, changed) {
				t.Fatalf("%q is no longer in %s", c.old, c.source)
			}
			if err := os.WriteFile(file, changed, 0o644); err != nil {
				t.Fatal(err)
			}
			if status, _, errs := command(t, args...); status != exitUsage || !strings.Contains(errs, "still reads it") {
				t.Errorf("going on: status %d, %q", status, errs)
			}
			// The run has a copy of its own: the changed file does not concern it.
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			whole := reportOf(t, folder)
			if status, _, errs := command(t, "report", folder); status != exitDone || !bytes.Equal(whole, reportOf(t, folder)) {
				t.Fatalf("without the file the report is another one: status %d, %q", status, errs)
			}
			// Going on needs no file either, whether it is named or not.
			for _, again := range [][]string{args, slices.Delete(slices.Clone(args), len(args)-4, len(args)-2)} {
				if status, _, errs := command(t, again...); status != exitDone || !bytes.Equal(whole, reportOf(t, folder)) {
					t.Errorf("going on without the file: status %d, %q", status, errs)
				}
			}
			// Another version of Percuss would make other edits from the same file: here the copy is changed instead.
			kept := filepath.Join(folder, map[string]string{"--operators": "operators.yaml", "--prompts": "prompts.yaml"}[c.flag])
			if err := os.WriteFile(kept, changed, 0o644); err != nil {
				t.Fatal(err)
			}
			if status, _, errs := command(t, "report", folder); status != exitDone {
				t.Fatalf("status %d, %q", status, errs)
			}
			if !bytes.Contains(reportOf(t, folder), []byte("those of the run's ledger")) {
				t.Error("the report does not say where its trials come from")
			}
			if after := cells(t, folder); !bytes.Equal(before, after) {
				t.Error("the figures changed")
			}
			page, err := os.ReadFile(filepath.Join(folder, "report", "report.html"))
			if err != nil || !bytes.Contains(page, []byte("The model goes on:")) {
				t.Errorf("the page lost its trials (%v)", err)
			}
		})
	}
}

// cells are the figures of a report.
func cells(t *testing.T, dir string) []byte {
	t.Helper()
	var r struct {
		Findings struct{ Cells, Models json.RawMessage }
	}
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil {
		t.Fatal(err)
	}
	return append(r.Findings.Cells, r.Findings.Models...)
}
