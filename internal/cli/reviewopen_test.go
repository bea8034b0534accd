package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// While raters have answers left an open review tells who has done how much and no answer; all of it once nothing is left,
// once it is closed, or where that is asked for.
func TestReviewResultsWhileOpen(t *testing.T) {
	dir := evidenceRun(t, "sim:shortcut")
	must(t, "review", "create", dir, "--task", "interactions", "--design", "queue", "-n", "4", "--name", "q")
	folder := filepath.Join(dir, "review", "q")
	p, _ := itemsOf(t, folder)
	sheet := func(name string, items int) string {
		var b strings.Builder
		b.WriteString("item,judgement,confidence\n")
		for _, item := range p.Items[:items] {
			b.WriteString(item.ID + ",questionable,low\n")
		}
		path := filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(path, []byte(b.String()), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	must(t, "review", "import", folder, sheet("ann", 4), "--rater", "Ann")
	must(t, "review", "import", folder, sheet("bob", 2), "--rater", "Bob")
	out := done(t, "review", "results", folder)
	if !strings.Contains(out, "The review is open") || !strings.Contains(out, "Bob") || strings.Contains(out, "questionable") {
		t.Error(out)
	}
	if r := results(t, folder); !r.Withheld || len(r.Tables) != 1 || r.Open != 2 {
		t.Errorf("withheld %v, %d tables, %d answers left", r.Withheld, len(r.Tables), r.Open)
	}
	if status, _, errs := command(t, "review", "results", folder, "--csv"); status != exitUsage || !strings.Contains(errs, "2 answers left") || !strings.Contains(errs, "--while-open") {
		t.Errorf("status %d, %s", status, errs)
	}
	if csv := done(t, "review", "results", folder, "--csv=progress"); !strings.Contains(csv, "\nBob,2,") {
		t.Error(csv)
	}
	if r := results(t, folder, "--while-open"); r.Withheld || len(r.Tables) < 5 {
		t.Errorf("withheld %v, %d tables", r.Withheld, len(r.Tables))
	}
	must(t, "review", "import", folder, sheet("rest", 4), "--rater", "Bob")
	if r := results(t, folder); r.Withheld || r.Open != 0 {
		t.Errorf("withheld %v, %d answers left", r.Withheld, r.Open)
	}
}
