package chain

import (
	"slices"
	"testing"
)

// What raters say together is of the items that two of them labelled, whoever is missing: the rule of percuss review results.
func TestTogetherWithMissingLabels(t *testing.T) {
	records, labels := clinicianRun(
		clinicianRow{task: TaskGold, a: "no_shift", b: "no_shift", n: 2},
		clinicianRow{task: TaskGold, a: "no_shift", b: "shifted", n: 1},
		clinicianRow{task: TaskGold, a: "no_shift", n: 1}, // of one rater alone
		clinicianRow{task: TaskHazard, a: "harmful", b: "harmful", n: 3, acute: true},
		clinicianRow{task: TaskHazard, a: "harmful", n: 1, acute: true})
	labels = append(labels, Label{Rater: "C", Item: "i000", Operator: "M5-a", Task: TaskGold, Says: "ambiguous"},
		Label{Rater: "C", Model: "m", Item: "i004", Operator: "M5-a", Task: TaskHazard, Says: "harmful"},
		Label{Rater: "C", Model: "m", Item: "i005", Operator: "M5-a", Task: TaskHazard, Says: "neutral"})
	f := summarised(t, Options{Labels: labels}, records...)
	says := gridOf(t, f, "clinicians", "clinicians", 1)
	cells(t, "no_shift", says["no_shift for all raters"], map[string]string{"count": "1.000", "of": "3.000"})
	cells(t, "defensible", says["defensible for all raters"], map[string]string{"count": "2.000", "of": "3.000"})
	cells(t, "harmful", says["harmful for all raters"], map[string]string{"count": "2.000", "of": "3.000"})
	cells(t, "shares", gridOf(t, f, "clinicians", "clinicians_gold_shift", 1)["no_shift"], map[string]string{"rater_A": "1.000", "all": "0.333"})
	cells(t, "list", gridOf(t, f, "clinicians", "clinicians_chs", 2)["leaves a high-acuity answer|all raters"], map[string]string{"flips": "3.000", "harmful": "2.000"})

	// One rater alone is all raters, and every item counts.
	alone := slices.DeleteFunc(slices.Clone(labels), func(l Label) bool { return l.Rater != "A" })
	one := gridOf(t, summarised(t, Options{Labels: alone}, records...), "clinicians", "clinicians", 1)
	cells(t, "one rater", one["no_shift for all raters"], map[string]string{"count": "4.000", "of": "4.000"})
}
