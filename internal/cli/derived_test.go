package cli

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/run"
)

// must runs a command that has to end well.
func must(t *testing.T, args ...string) {
	t.Helper()
	if status, out, errs := command(t, args...); status != 0 {
		t.Fatalf("%v: exit status %d\n%s%s", args, status, out, errs)
	}
}

func read(t *testing.T, path string) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// TestKeptRecordsGiveTheSameReport: a report from kept records has the bytes of the first one, of either audit; damaged
// records are computed anew, and records of another state of the run are not taken.
func TestKeptRecordsGiveTheSameReport(t *testing.T) {
	for audit, args := range map[string][]string{
		"chain":    {"chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "families"},
		"evidence": {"evidence", "-m", "sim:additive", "-d", "demo", "-n", "2", "--order", "2"},
	} {
		t.Run(audit, func(t *testing.T) {
			dir := t.TempDir() + "/run"
			must(t, append(args, "-o", dir)...)
			first := read(t, filepath.Join(dir, run.ReportFolder, "report.json"))
			records := filepath.Join(dir, run.DerivedFolder, "records")
			kept := read(t, records)
			again := func(what string) {
				t.Helper()
				must(t, "report", dir, "--format", "json")
				if got := read(t, filepath.Join(dir, run.ReportFolder, "report.json")); !bytes.Equal(got, first) {
					t.Errorf("%s: another report", what)
				}
			}
			again("from kept records")
			if err := os.WriteFile(records, kept[:len(kept)/2], 0o644); err != nil {
				t.Fatal(err)
			}
			again("from damaged records")
			if got := read(t, records); len(got) != len(kept) { // maps stand in any order
				t.Error("damaged records were not made anew")
			}
			must(t, append(args, "-o", dir, "-n", "3")...)
			if got := read(t, records); len(got) <= len(kept) {
				t.Error("the records are not those of the longer run")
			}
		})
	}
}

// TestBootstrap: the replicates of a report are told to it, stand in its findings, and change no record.
func TestBootstrap(t *testing.T) {
	for audit, args := range map[string][]string{
		"chain":    {"chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "families"},
		"evidence": {"evidence", "-m", "sim:additive", "-d", "demo", "-n", "2", "--order", "2"},
	} {
		dir := t.TempDir() + "/run"
		must(t, append(args, "-o", dir)...)
		about := filepath.Join(dir, run.DerivedFolder, "records.json")
		before := read(t, about)
		must(t, "report", dir, "--format", "json", "--bootstrap", "300")
		var r struct {
			Findings struct{ Bootstrap int }
		}
		if err := json.Unmarshal(read(t, filepath.Join(dir, run.ReportFolder, "report.json")), &r); err != nil || r.Findings.Bootstrap != 300 {
			t.Errorf("%s: %d replicates, want 300 (%v)", audit, r.Findings.Bootstrap, err)
		}
		if !bytes.Equal(read(t, about), before) {
			t.Errorf("%s: the records were made again", audit)
		}
		for _, n := range []string{"99", "-1", "1000001", "many"} {
			if status, _, errs := command(t, "report", dir, "--bootstrap="+n); status != 2 || !strings.Contains(errs, "bootstrap") {
				t.Errorf("%s: --bootstrap %s: exit status %d\n%s", audit, n, status, errs)
			}
		}
	}
}
