package coverage_test

import (
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// cellOf is a figure of a table's row, by the ids of table and column.
func cellOf(t testing.TB, f step.Findings, table string, row int, column string) percuss.Cell {
	t.Helper()
	for _, a := range f.Analyses {
		for _, tab := range a.Tables {
			for i, c := range tab.Columns {
				if tab.ID == table && c.ID == column && row < len(tab.Rows) {
					return tab.Rows[row].Cells[i]
				}
			}
		}
	}
	t.Fatalf("there is no column %s in row %d of table %s", column, row, table)
	return percuss.Cell{}
}

// The leak test tells models of two styles apart by what they wrote, and not by what judges see.
func TestLeakTest(t *testing.T) {
	t.Parallel()
	for _, style := range []string{"markdown", "chatty"} {
		a := auditOf(t, 30, 2, []step.View{byMarkers}, "stepwise?seed=1", "stepwise?seed=2&hedge=0.3&style="+style).judged(t, "step-judge")
		f := a.findings(t)
		within(t, style+": AUC as judges see the steps", cellOf(t, f, "leak", 0, "auc").Estimate, 0.5)
		if written := cellOf(t, f, "leak", 0, "auc_raw").Estimate; !(value(written.Lo) > 0.9) {
			t.Errorf("%s: AUC as written is %v from %v on", style, written.Value, written.Lo)
		}
	}
}

// A judge's agreement with itself is the one that was planted, and so is that of two judges.
func TestAgreementOfJudges(t *testing.T) {
	t.Parallel()
	a := auditOf(t, 60, 3, []step.View{byMarkers}, "stepwise?error=0.5&no_claim=0").judged(t, "step-judge?sensitivity=0.7&specificity=0.7&repeat=0.5").judged(t, "step-judge?sensitivity=0.8&specificity=0.8&seed=1")
	a.o.Repeats = 0.5
	f := a.findings(t)
	within(t, "judge one with itself", cellOf(t, f, "judge_repeats", 0, "agreement").Estimate, 1-0.5*2*0.7*0.3)
	within(t, "judge two with itself", cellOf(t, f, "judge_repeats", 1, "agreement").Estimate, 1)
	// Both err for themselves: they agree by 0.7·0.8 + 0.3·0.2, and half of it would be chance.
	within(t, "judges with each other", cellOf(t, f, "judge_agreement", 0, "agreement").Estimate, 0.62)
	within(t, "their kappa", cellOf(t, f, "judge_agreement", 0, "kappa").Estimate, 0.24)
}
