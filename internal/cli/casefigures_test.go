package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// --items writes the charts of the cases named and of no others, in the formats asked for.
func TestChartsOfNamedCases(t *testing.T) {
	dir, _ := demoRun(t)
	status, _, errs := command(t, "report", dir, "--format", "svg,pdf", "--items", "2")
	if status != exitDone {
		t.Fatalf("status %d\n%s", status, errs)
	}
	found, err := filepath.Glob(filepath.Join(dir, "report", "figures", "case-*"))
	if err != nil || len(found) != 6 {
		t.Fatalf("files %q, error %v", found, err)
	}
	for _, f := range found {
		if info, err := os.Stat(f); err != nil || info.Size() == 0 || !strings.HasPrefix(filepath.Base(f), "case-0002-") {
			t.Errorf("%s: %v", f, err)
		}
	}
	for _, c := range []struct{ args, says string }{{"--format svg --items 3", "the run has 2 cases"}, {"--format svg --items 0", "numbers of cases such as"},
		{"--format svg --items 2-1", "numbers of cases such as"}, {"--format csv --items 1", "add --format svg"}, {"--json --items 1", "add --format svg"}} {
		if status, _, errs := command(t, append([]string{"report", dir}, strings.Fields(c.args)...)...); status != exitUsage || !strings.Contains(errs, c.says) {
			t.Errorf("%s: status %d, %s", c.args, status, errs)
		}
	}
	chained := filepath.Dir(simulatedRun(t))
	if status, _, errs := command(t, "report", chained, "--format", "svg", "--items", "1"); status != exitUsage || !strings.Contains(errs, "only an evidence audit") {
		t.Errorf("of a chain audit: status %d, %s", status, errs)
	}
}

// A list of cases names each once, in order, and none that there is not; "all" ends at a limit and says so.
func TestDrawnItems(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		of := rapid.IntRange(1, 3*mostDrawn).Draw(t, "cases")
		places, capped, err := drawnItems("all", of)
		if err != nil || len(places) != min(of, mostDrawn) || capped != (of > mostDrawn) {
			t.Fatalf("all of %d: %d, capped %v, %v", of, len(places), capped, err)
		}
	})
	places, _, err := drawnItems("5-6, 1,5", 6)
	if err != nil || len(places) != 3 || places[0] != 0 || places[1] != 4 || places[2] != 5 {
		t.Errorf("%v, %v", places, err)
	}
}
