package cli

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/run"
)

// demoRun makes a small run of a simulated reasoner.
func demoRun(t *testing.T) (dir string, args []string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "run")
	args = plainly("sim:shortcut", "demo", "2", dir)
	if status, _, errs := command(t, args...); status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	return dir, args
}

func TestSalienceThatIsNone(t *testing.T) {
	dir, _ := demoRun(t)
	for _, v := range []string{"NaN", "0", "-1", "+Inf", "-Inf"} {
		for _, args := range [][]string{{"report", dir, "--salience=" + v}, {"report", dir, "--json", "--salience=" + v},
			{"review", "create", dir, "--task", "interactions", "--design", "queue", "--salience=" + v}} {
			if status, _, errs := command(t, args...); status != exitUsage || !strings.Contains(errs, "above 0") {
				t.Errorf("%q: status %d, %s", args, status, errs)
			}
		}
	}
	for _, flag := range []string{"--low-specificity", "--target-specific", "--price-prompt", "--price-output"} {
		args := append(plainly("sim:shortcut", "demo", "2", filepath.Join(t.TempDir(), "no")), flag+"=NaN")
		if status, _, errs := command(t, args...); status != exitUsage {
			t.Errorf("%s: status %d, %s", flag, status, errs)
		}
	}
}

// relabelled is the built-in table with other words for two labels.
func relabelled() []byte {
	b := bytes.ReplaceAll(evidence.BuiltInLabels(), []byte("evidence misuse"), []byte("evidence abuse"))
	return bytes.ReplaceAll(b, []byte("label: weak/redundant or ambiguous"), []byte("label: faint"))
}

// notesOf reads the notes of a run's report.
func notesOf(t *testing.T, dir string) string {
	t.Helper()
	var r struct{ Notes []string }
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil {
		t.Fatal(err)
	}
	return strings.Join(r.Notes, "\n")
}

// A run keeps the rules that it was begun with, also the built-in ones: with those of a later version it is read and
// resumed as before.
func TestARunKeepsItsRules(t *testing.T) {
	dir, args := demoRun(t)
	at := filepath.Join(dir, labelCopy)
	if raw, err := os.ReadFile(at); err != nil || !bytes.Equal(raw, evidence.BuiltInLabels()) {
		t.Fatalf("%v, %d bytes", err, len(raw))
	}
	if !bytes.Contains(reportOf(t, dir), []byte("evidence misuse")) || notesOf(t, dir) != "" {
		t.Fatal("the reasoner misuses no evidence, or there are notes", notesOf(t, dir))
	}
	// As if the version that began the run had had other rules built in.
	l, err := evidence.LoadLabels(bytes.NewReader(relabelled()), "labels.yaml")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at, relabelled(), 0o644); err != nil {
		t.Fatal(err)
	}
	m, err := run.ReadManifest(dir)
	if err != nil {
		t.Fatal(err)
	}
	m.Fingerprints["labels"] = l.Fingerprint
	if err := run.WriteManifest(dir, m); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"report", dir}, args, append(args, "-n", "3"), append([]string{"plan"}, args...)} {
		status, _, errs := command(t, args...)
		r := reportOf(t, dir)
		if status != exitDone || bytes.Contains(r, []byte("evidence misuse")) || !bytes.Contains(r, []byte("evidence abuse")) || notesOf(t, dir) != "" {
			t.Errorf("%q: status %d, %s\n%s", args, status, errs, notesOf(t, dir))
		}
	}
	if raw, err := os.ReadFile(at); err != nil || !bytes.Equal(raw, relabelled()) {
		t.Errorf("the copy was replaced: %v", err)
	}
}

// Other rules can be tried on a run's answers; the report says so, and the run stays as it was.
func TestRulesThatAreTried(t *testing.T) {
	dir, args := demoRun(t)
	before := reportOf(t, dir)
	file := datasettest.Write(t, "mine.yaml", string(relabelled()))
	if status, _, errs := command(t, "report", dir, "--labels", file); status != exitDone {
		t.Fatal(errs)
	}
	if notes := notesOf(t, dir); !strings.Contains(notes, "mine.yaml") || !strings.Contains(notes, "--labels") || strings.Contains(notes, filepath.Dir(file)) || strings.Contains(notes, "this version") {
		t.Errorf("notes %q", notes)
	}
	if r := reportOf(t, dir); bytes.Contains(r, []byte("evidence misuse")) || !bytes.Contains(r, []byte("evidence abuse")) {
		t.Error("the labels are not those of the file")
	}
	for _, args := range [][]string{args, {"report", dir}} {
		if status, _, errs := command(t, args...); status != exitDone || !bytes.Equal(before, reportOf(t, dir)) {
			t.Errorf("%q: status %d, or another report; %s", args, status, errs)
		}
	}
	if status, _, errs := command(t, "report", dir, "--labels", filepath.Join(dir, "gone.yaml")); status != exitUsage || !strings.Contains(errs, "gone.yaml") {
		t.Errorf("a file that is not there: status %d, %s", status, errs)
	}
}

// What the loader left out and remarked stands with the data: in the manifest, the report, the table and the page.
func TestWhatWasLeftOutIsCounted(t *testing.T) {
	data := datasettest.Write(t, "n.jsonl", `{"id":"a","units":["The toe hurts.","The toe is red.","It was gout."],"facts":["Known: gout"],"candidates":["Gout","Sepsis","Fracture"],"gold":"Gout"}
{"id":"b","units":["The knee hurts.","The knee is hot.","Again gout.","A gout attack."],"candidates":["Gout","Sepsis","Fracture"],"gold":"Gout"}`)
	dir := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, plainly("sim:additive", "custom:"+data, "2", dir)...); status != exitDone {
		t.Fatal(errs)
	}
	m, err := run.ReadManifest(dir)
	if err != nil || m.Data[0].LeftOut["names the gold"] != 3 || m.Data[0].Remarks["gold-told"] != 1 {
		t.Errorf("%+v, %v", m.Data, err)
	}
	var r struct{ Data []report.Data }
	if err := json.Unmarshal(reportOf(t, dir), &r); err != nil || r.Data[0].LeftOut["names the gold"] != 3 || r.Data[0].Remarks["gold-told"] != 1 {
		t.Errorf("%+v, %v", r, err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "report", "report.html"))
	if err != nil || !bytes.Contains(page, []byte("left out: 3 (names the gold)")) {
		t.Errorf("the page does not say it: %v", err)
	}
	raw, err := os.ReadFile(filepath.Join(dir, "report", "data.csv"))
	if err != nil {
		t.Fatal(err)
	}
	rows, err := csv.NewReader(bytes.NewReader(raw)).ReadAll()
	if err != nil || len(rows) != 6 || rows[4][4] != "left_out" || rows[4][5] != "names the gold" || rows[4][6] != "3" || rows[5][5] != "gold-told" {
		t.Errorf("%q, %v", rows, err)
	}
}
