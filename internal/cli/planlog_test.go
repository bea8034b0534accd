package cli

import (
	"encoding/json"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/dataset/datasettest"
)

// plannedFor is what a plan says of one model's requests.
func plannedFor(t *testing.T, args ...string) planned {
	t.Helper()
	status, out, errs := command(t, append([]string{"plan", "chain", "--json"}, args...)...)
	var p struct{ Models []planned }
	if err := json.Unmarshal([]byte(out), &p); status != exitDone || err != nil || len(p.Models) != 1 {
		t.Fatalf("status %d, %v\n%s\n%s", status, err, out, errs)
	}
	return p.Models[0]
}

// TestPlanOfALog: a foreign log is asked for its baselines and nothing else; an export of our own for all that a model is.
func TestPlanOfALog(t *testing.T) {
	var lines strings.Builder
	for i := range 3 {
		fmt.Fprintf(&lines, `{"question":"A %d-year-old man coughs. Why?","options":{"A":"Flu","B":"Gout"},"answer_idx":"A","completion":"Step 1: He coughs.\nStep 2: It is flu.\nAnswer: A"}`+"\n", 50+i)
	}
	file := datasettest.Write(t, "mine.jsonl", lines.String())
	log := plannedFor(t, "-m", "recorded:"+file, "-d", "log:"+file)
	if log.Subjects != 3 || log.Sure != 3 || log.Later != 0 {
		t.Errorf("a log: %+v", log)
	}
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "recorded:"+file, "-d", "log:"+file, "-o", dir)
	if begun := plannedFor(t, "-m", "recorded:"+file, "-d", "log:"+file, "-o", dir); begun.Known != 3 || begun.Sure+begun.Later != 0 {
		t.Errorf("a log that was audited: %+v", begun)
	}
	of := audit(t, "sim:faithful")
	export := filepath.Join(t.TempDir(), "faithful")
	must(t, "store", "export", of, "-o", export)
	same := []string{"-d", "demo", "-n", "8", "--battery", "families", "--answer", "text+letters"}
	a, b := plannedFor(t, append(same, "-m", "recorded:"+export)...), plannedFor(t, append(same, "-m", "sim:faithful")...)
	if a.Sure != b.Sure || a.Later != b.Later || a.Later == 0 {
		t.Errorf("an export %+v, the model itself %+v", a, b)
	}
	if status, _, errs := command(t, "plan", "chain", "-m", "recorded:"+file+".gone", "-d", "demo"); status != exitUsage || !strings.Contains(errs, "gone") {
		t.Errorf("a file that is not there: status %d, %s", status, errs)
	}
}
