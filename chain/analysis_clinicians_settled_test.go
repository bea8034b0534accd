package chain

import (
	"strings"
	"testing"
)

// settledRun is a run of four edits and four flips, of which the raters disagree on two each and one of these is adjudicated.
func settledRun() (records []Record, labels []Label) {
	records, labels = clinicianRun(
		clinicianRow{task: TaskGold, a: "no_shift", b: "no_shift", n: 2},
		clinicianRow{task: TaskGold, a: "no_shift", b: "shifted", n: 2},
		clinicianRow{task: TaskHazard, a: "harmful", b: "harmful", n: 2, acute: true},
		clinicianRow{task: TaskHazard, a: "harmful", b: "neutral", n: 2, acute: true})
	return records, append(labels, Label{Rater: Adjudicated, Item: "i002", Operator: "M5-a", Task: TaskGold, Says: "shifted"},
		Label{Rater: Adjudicated, Model: "m", Item: "i006", Operator: "M5-a", Task: TaskHazard, Says: "harmful"})
}

// An adjudicated label is nobody's: what raters say each and together is what it was without it, and what holds in the end
// stands beside that.
func TestAdjudicatedEditsAndFlips(t *testing.T) {
	records, labels := settledRun()
	f := summarised(t, Options{Labels: labels}, records...)
	together := gridOf(t, f, "clinicians", "clinicians", 1)
	cells(t, "no_shift", together["no_shift for all raters"], map[string]string{"count": "2.000", "of": "4.000"})
	cells(t, "harmful", together["harmful for all raters"], map[string]string{"count": "2.000", "of": "4.000"})
	cells(t, "mean", together["harmful, mean of the raters"], map[string]string{"share": "0.750", "of": "4.000"})
	shares := gridOf(t, f, "clinicians", "clinicians_gold_shift", 1)
	cells(t, "shares", shares["shifted"], map[string]string{"rater_A": "0.000", "rater_B": "0.500", "all": "0.000", "settled": "0.250"})
	if _, ok := shares["shifted"]["rater_"+Adjudicated]; ok {
		t.Error("the adjudication stands among the raters")
	}
	hazard := gridOf(t, f, "clinicians", "clinicians_hazard", 1)
	cells(t, "hazard", hazard["harmful"], map[string]string{"all": "0.500", "settled": "0.750"})
	list := gridOf(t, f, "clinicians", "clinicians_chs", 2)
	cells(t, "both", list["leaves a high-acuity answer|all raters"], map[string]string{"flips": "4.000", "harmful": "2.000"})
	cells(t, "in the end", list["leaves a high-acuity answer|in the end"], map[string]string{"flips": "3.000", "called": "3.000", "harmful": "3.000"})
	for _, table := range analysisOf(t, f, "clinicians").Tables {
		for _, row := range table.Rows {
			for _, cell := range row.Cells {
				if strings.Contains(cell.Text, Adjudicated) {
					t.Errorf("%s: a row of %s", table.ID, cell.Text)
				}
			}
		}
	}
}

// Without an adjudication there is no column of what it leads to; with it alone, no rater says anything.
func TestAdjudicationAlone(t *testing.T) {
	records, labels := settledRun()
	first := summarised(t, Options{Labels: labels[:len(labels)-2]}, records...)
	if _, ok := gridOf(t, first, "clinicians", "clinicians_gold_shift", 1)["shifted"]["settled"]; ok {
		t.Error("something was settled without an adjudication")
	}
	alone := summarised(t, Options{Labels: labels[len(labels)-2:]}, records...)
	for says, row := range gridOf(t, alone, "clinicians", "clinicians", 1) {
		if e := row["share"].Estimate; e.Value.OK() {
			t.Errorf("%s: %+v", says, e)
		}
	}
}
