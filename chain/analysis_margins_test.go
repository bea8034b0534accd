package chain

import (
	"slices"
	"testing"

	"github.com/percuss/percuss"
)

// withMargins gives a record's baseline a margin, and its trials the margins after the edit, by operator.
func withMargins(r Record, base float64, after map[string]float64) Record {
	r.Base.Margin = percuss.Num(base)
	for i := range r.Operators {
		if v, ok := after[r.Operators[i].ID]; ok {
			r.Operators[i].Reading.Margin = percuss.Num(v)
		}
	}
	return r
}

// TestMarginTables: flips with margins 2 → −1 and 1 → 2 (a fall and a rise); keeps 2 → 1, 2 → 3, 1 → 0.5 and 1 → −0.5. One flip
// has no margin, one item no margin before.
func TestMarginTables(t *testing.T) {
	b := paperBattery()
	records := []Record{
		withMargins(record("s", "i1", "A", "A", "", b, edit{id: "F1-50", answer: "B"}, edit{id: "F4-a", answer: "A"}, edit{id: "F4-b", answer: "A"}, edit{id: "F2-a", answer: "B"}),
			2, map[string]float64{"F1-50": -1, "F4-a": 1, "F4-b": 3}),
		withMargins(record("s", "i2", "A", "A", "", b, edit{id: "F1-50", answer: "C"}, edit{id: "F4-a", answer: "A"}, edit{id: "F4-b", answer: "A"}),
			1, map[string]float64{"F1-50": 2, "F4-a": 0.5, "F4-b": -0.5}),
		record("s", "i3", "A", "A", "", b, edit{id: "F1-50", answer: "B"}),
	}
	f := summarised(t, Options{}, records...)
	changes := tableOf(t, f, "margins")
	for op, want := range map[string][2]float64{"F1-50": {2, (-3.0 + 1) / 2}, "F4-a": {2, (-1.0 - 0.5) / 2}, "F4-b": {2, (1.0 - 1.5) / 2}} {
		near(t, op+" n", cellAt(t, changes, "n", "m", "neutral", op).Estimate.Value, want[0])
		near(t, op, cellAt(t, changes, "change", "m", "neutral", op).Estimate.Value, want[1])
	}
	if len(changes.Rows) != 3 {
		t.Errorf("%d rows", len(changes.Rows))
	}
	agree := tableOf(t, f, "margins_agreement")
	// Falls of the flips: 3 and −1; of the keeps: 1, −1, 0.5, 1.5. Of the 8 pairs the flip fell further in 4, and one is a
	// tie: 4.5 of 8.
	for column, want := range map[string]float64{"flips": 2, "keeps": 4, "flips_fall": 0.5, "keeps_fall": 0.75, "flips_below": 0.5, "keeps_above": 0.75, "auc": 4.5 / 8} {
		near(t, column, cellAt(t, agree, column, "m", "neutral").Estimate.Value, want)
	}
	if e := cellAt(t, agree, "keeps_fall", "m", "neutral").Estimate; e.N != 2 || e.Den.Or(0) != 4 {
		t.Errorf("items are the units: %+v", e)
	}
	reversed := slices.Clone(records)
	slices.Reverse(reversed)
	again := cellAt(t, tableOf(t, summarised(t, Options{}, reversed...), "margins_agreement"), "auc", "m", "neutral").Estimate
	if first := cellAt(t, agree, "auc", "m", "neutral").Estimate; again.Lo != first.Lo || again.Hi != first.Hi {
		t.Errorf("the order of the records changes the interval: %+v, %+v", first, again)
	}
}

func TestMarginsAbsent(t *testing.T) {
	f := summarised(t, Options{}, worked("s", paperBattery())...)
	a := f.Analyses[slices.IndexFunc(f.Analyses, func(a percuss.Analysis) bool { return a.ID == "margins" })]
	if a.Absent == "" || len(a.Tables) != 0 || a.Number != 0 {
		t.Errorf("%+v", a)
	}
	// Keeps alone: the changes are known, an area under the curve is not.
	b := paperBattery()
	f = summarised(t, Options{}, withMargins(record("s", "i1", "A", "A", "", b, edit{id: "F4-a", answer: "A"}), 1, map[string]float64{"F4-a": 0}))
	agree := tableOf(t, f, "margins_agreement")
	for _, column := range []string{"flips_fall", "flips_below", "auc"} {
		if e := cellAt(t, agree, column, "m", "neutral").Estimate; e.Value.OK() || e.Why == "" {
			t.Errorf("%s: %+v", column, e)
		}
	}
}
