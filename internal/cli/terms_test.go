package cli

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/percuss/percuss/report/pagetest"
)

// plainHeads are heads of columns of numbers that say what they hold without a definition: counts by their name, and columns
// named after a model, a set, a label or a letter of these runs.
var plainHeads = []string{"Value", "Interval", "Counts", "n items", "No.", "Missing", "Asked twice", "On trials", "Updated by the first alone", "By the second alone",
	"First says nothing", "Second says nothing", "Neither does", "Cells", "Flips", "Keeps", "Moved by the edit alone", "By the control alone", "Its value", "Its AUC",
	"Interval of CDR", "Tried", "Mixed (flips)", "Marker edits", "Answers", "Rows", "Bad", "Drawn", "Destructive edits", "Preserving edits", "Edits without an answer",
	"Mean", "Change", "Changes", "Cases", "Scored", "Count", "demo", "inert", "faithful", "Diamond", "A", "B", "C", "negated", "other suspicious", "conflict", "faithful/plausible", "background",
	"Bounds only", "Letters drawn", "n", "Case × diagnosis", "Prompts a case", "Judged invalid found", "Difference, points", "False discoveries allowed",
	"Tested", "Listed", "Listed and salient", "Salient, not listed", "Rank changes", "Right falls", "Right rises", "Rival rises", "Rival falls", "Stable", "Findings, at least",
	"Margin", "Suspicious", "Salient", "Suspicious strength", "Strongest suspicious", "Held", "Rank moved", "Alone", "Shapley", "Banzhaf", "Score", "Δ right", "Δ rival", "Δ margin"}

// TestHeadsAreExplained: of the tables of both audits' pages, each column of numbers has a definition at hand, or its head is
// on the short list of those that need none; and every definition that a name opens is in the page.
func TestHeadsAreExplained(t *testing.T) {
	evidence := filepath.Join(t.TempDir(), "run")
	if status, _, errs := command(t, "evidence", "-m", "sim:faithful", "-d", "demo", "-n", "3", "-o", evidence); status != exitDone {
		t.Fatalf("status %d: %s", status, errs)
	}
	for name, folder := range map[string]string{"chain": simulatedRun(t, "--controls", "sham,sham-chain"), "evidence": filepath.Join(evidence, "report")} {
		page, err := os.ReadFile(filepath.Join(folder, "report.html"))
		if err != nil {
			t.Fatal(err)
		}
		ids, opened := map[string]bool{}, 0
		all := pagetest.Parse(t, string(page))
		for _, e := range all {
			ids[e.Attrs["id"]] = true
		}
		for i, e := range all {
			to := e.Attrs["popovertarget"]
			if to != "" {
				opened++
				if !ids[to] {
					t.Errorf("%s: %q opens %s, which the page does not hold", name, e.Text, to)
				}
			}
			explained := i+1 < len(all) && all[i+1].Attrs["popovertarget"] != ""
			if e.Name == "th" && e.Attrs["class"] == "n" && !explained && !slices.Contains(plainHeads, e.Text) {
				t.Errorf("%s: a column %q without a definition, and no plain head", name, e.Text)
			}
		}
		if opened < 40 {
			t.Errorf("%s: %d names open a definition", name, opened)
		}
	}
}
