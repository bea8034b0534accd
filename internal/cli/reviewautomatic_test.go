package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
)

// Once the labels are in the run's report, the results tell how the list of keywords, the token rule and the judges stand against
// the raters, as the report does; before that they say how to get it, and with the key shut nothing of it.
func TestReviewResultsHoldRulesAgainstRaters(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "run")
	must(t, "chain", "-m", "sim:faithful", "-m", "sim:random", "-d", "demo", "-n", "8", "--battery", "M2+M3+M4+M5", "-o", dir)
	for task, table := range map[string]string{"perturbation": "clinicians_chs", "chain-update": "rules_human"} {
		must(t, "review", "create", dir, "--task", task, "-n", "20")
		folder := filepath.Join(dir, "review", task)
		p, _ := itemsOf(t, folder)
		answer(t, folder, []string{"Ann", "Bob"}, func(_ string, n int, item blind.Item) map[string]string {
			labels := map[string]string{}
			for range p.Questions { // an answer may bring a question
				for _, q := range p.Asked(item, labels) {
					labels[q.ID] = q.Labels[n%len(q.Labels)].ID
				}
			}
			return labels
		})
		done(t, "report", dir)
		if slices.Contains(tableNames(t, folder), table) {
			t.Errorf("%s: the key is shut, and there is %s", task, table)
		}
		must(t, "review", "unseal", folder, "--force")
		hour := time.Now().Add(time.Hour)
		if err := os.Chtimes(filepath.Join(folder, review.UnsealedFile), hour, hour); err != nil {
			t.Fatal(err)
		}
		if out := done(t, "review", "results", folder); !strings.Contains(strings.Join(strings.Fields(out), " "), "once `percuss report") || slices.Contains(tableNames(t, folder), table) {
			t.Errorf("%s: a report that is older than the labels is told:\n%s", task, out[:400])
		}
		done(t, "report", dir)
		made := hour.Add(time.Hour)
		if err := os.Chtimes(filepath.Join(dir, "report", "report.json"), made, made); err != nil {
			t.Fatal(err)
		}
		got := tableOf(t, results(t, folder), table)
		rows := 0
		for _, row := range got.Rows {
			for _, cell := range row.Cells {
				if cell.Estimate.Value.OK() && cell.Estimate.Value.Or(0) > 0 {
					rows++
					break
				}
			}
		}
		if rows == 0 || len(got.Notes) == 0 || !strings.Contains(got.Notes[len(got.Notes)-1], "report of the run") {
			t.Errorf("%s: %d rows with numbers, notes %q", task, rows, got.Notes)
		}
	}
}

// tableNames are the tables of a review's results.
func tableNames(t *testing.T, folder string) (names []string) {
	t.Helper()
	for _, one := range results(t, folder).Tables {
		names = append(names, one.ID)
	}
	return names
}
