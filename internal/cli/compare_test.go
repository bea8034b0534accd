package cli

import (
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/report/versus"
)

// comparedRuns makes two small runs whose models differ.
func comparedRuns(t *testing.T) (before, after string) {
	t.Helper()
	return filepath.Dir(simulatedRun(t)), filepath.Dir(simulatedRun(t, "-m", "sim:faithful"))
}

// The comparison says in words what the tables say, as text, JSON and CSV.
func TestCompare(t *testing.T) {
	before, after := comparedRuns(t)
	// The second run has two models, one of them the first one's.
	status, out, errs := command(t, "compare", before, after)
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	flat := strings.Join(strings.Fields(out), " ")
	for _, want := range []string{"Compared: 3 items of demo, inert, neutral; only before 0, only after 3;", "All 3 answers that both runs have are the same", "Edits move", "Right answers", "rows on which no answer differs", "percuss show " + after + " ITEM"} {
		if !strings.Contains(flat, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	if n := strings.Count(out, "percuss show "); n != 2 {
		t.Errorf("%d lines to show an item of two runs:\n%s", n, out)
	}
	if status, out, errs := command(t, "compare", after, after, "--as", "inert=faithful"); status != exitDone || strings.Count(out, "percuss show ") != 1 {
		t.Errorf("one folder: status %d\n%s%s", status, out, errs)
	}
	status, out, errs = command(t, "compare", before, after, "--as", "inert=faithful", "--json")
	var c versus.Comparison
	if err := json.Unmarshal([]byte(out), &c); status != exitDone || err != nil {
		t.Fatalf("status %d, %v\n%s", status, err, errs)
	}
	if c.Schema != versus.Schema || c.Both != 3 || len(c.Items) != 3 || c.Groups[0].AfterModel != "faithful" || len(c.Items[0].Trials)+len(c.Items[1].Trials)+len(c.Items[2].Trials) == 0 {
		t.Errorf("%d compared, %+v", c.Both, c.Groups)
	}
	for args, columns := range map[string]int{"--csv": 10, "--csv=right": 3 + 3*7 + 7} {
		status, out, errs = command(t, "compare", before, after, "--as", "inert=faithful", args)
		rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
		if status != exitDone || err != nil || len(rows) < 2 || len(rows[0]) != columns {
			t.Errorf("%s: status %d, %v, %d rows of %d columns, want %d\n%s", args, status, err, len(rows), len(rows[0]), columns, errs)
		}
	}
}

// What cannot be compared is the user's mistake, and the message says what to do.
func TestCompareRefuses(t *testing.T) {
	before, after := comparedRuns(t)
	cases := filepath.Join(t.TempDir(), "cases")
	if status, _, errs := command(t, "evidence", "-m", "sim:additive", "-d", "demo", "-n", "1", "-o", cases); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{before, t.TempDir()}, "is no run"},
		{[]string{before}, "accepts 2 arg(s)"},
		{[]string{before, cases}, "compare runs of"},
		{[]string{before, after, "--as", "inert=nobody"}, `no model "nobody": it has`},
		{[]string{before, after, "--csv=nothing"}, "these runs have items, compared, right, joint, moves"},
		{[]string{before, after, "--csv", "--json"}, "choose one"},
	} {
		status, _, errs := command(t, append([]string{"compare"}, c.args...)...)
		if status != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%v: status %d, %q not in %s", c.args, status, c.want, errs)
		}
	}
}

// Two runs of an operator whose version has changed: the ledgers tell, also where the file of the first run is no longer the
// same.
func TestCompareOtherVersions(t *testing.T) {
	file := filepath.Join(t.TempDir(), "own.yaml")
	var dirs []string
	for _, version := range []string{"X/1", "X/2"} {
		own := "extends: [paper]\noperators:\n  - {family: X-note, title: a note, does: adds a note, block: M, intent: P, locus: Sur, source: ours, version: " + version +
			", edit: regexp, find: 'year-old', to: 'year old (" + version + ")', variants: [{id: X-note-a, variant: a}]}\n"
		if err := os.WriteFile(file, []byte(own), 0o644); err != nil {
			t.Fatal(err)
		}
		dir := filepath.Join(t.TempDir(), "run")
		must(t, "chain", "-m", "sim:faithful", "-d", "demo", "-n", "2", "--battery", "M5-a+X-note-a", "--operators", file, "--controls", "none", "--no-direct", "-o", dir)
		dirs = append(dirs, dir)
	}
	status, out, errs := command(t, "compare", dirs[0], dirs[1], "--full")
	if status != exitDone || !strings.Contains(unfolded(out), "in no figure: X-note-a (version X/1, then X/2).") || strings.Count(out, "X-note") != 1 || !strings.Contains(out, "M5-a") {
		t.Errorf("status %d\n%s%s", status, out, errs)
	}
}
