package chain

import (
	"slices"
	"testing"
)

// rivalRecords are 12 items: m answers all rightly, o and n those from the seventh on. F1-50 flips m's answers and nobody
// else's. Asked again n's answers move on 9 items, the others' on none.
func rivalRecords() []Record {
	b := paperBattery()
	var out []Record
	for i := range 12 {
		answer := "A"
		if i < 6 {
			answer = "B"
		}
		own := func(base, edited string, moves bool) []Record {
			r := record("s", itoa(i), "A", base, "", b, edit{id: "F1-50", answer: edited}, edit{id: "F4-a", answer: base}, edit{id: "M5-a", answer: base})
			flip := Kept
			if moves {
				flip = Flipped
			}
			r.Controls = []ControlTrial{{ID: Sham, Fired: true, Flip: flip}}
			return []Record{r}
		}
		out = append(out, as("m", "neutral", own("A", "C", false))...)
		out = append(out, as("o", "neutral", own(answer, answer, false))...)
		out = append(out, as("n", "neutral", own(answer, answer, i < 9))...)
	}
	return out
}

func TestModelPairs(t *testing.T) {
	table := tableOf(t, summarised(t, Options{}, rivalRecords()...), "model_pairs")
	var pairs []string
	for _, r := range table.Rows {
		pairs = append(pairs, r.Cells[0].Text+r.Cells[1].Text)
	}
	if !slices.Equal(pairs, []string{"mo", "mn", "on"}) {
		t.Fatalf("pairs %v", pairs)
	}
	// m alone is right on 6 items and nobody else alone on any: p is 2 · (1/2)^6, thrice that after Holm's adjustment of three.
	for column, want := range map[string]float64{"items": 12, "acc": 0.5, "p": 0.03125, "p_holm": 0.09375, "fcs_F": 0.5, "ecr": -1, "cdr": 0, "again": 0} {
		near(t, "m against o, "+column, cellAt(t, table, column, "m", "o").Estimate.Value, want)
	}
	for pair, want := range map[[2]string]string{
		{"m", "o"}: "accuracy, FCS (F), ECR", {"m", "n"}: "accuracy (within the noise floor), FCS (F), ECR", {"o", "n"}: "nothing: no more than chance",
	} {
		if got := cellAt(t, table, "apart", pair[0], pair[1]).Text; got != want {
			t.Errorf("%v are told apart by %q, want %q", pair, got, want)
		}
	}
	near(t, "asked again", cellAt(t, table, "again", "m", "n").Estimate.Value, 0.75)
	near(t, "equal models", cellAt(t, table, "p", "o", "n").Estimate.Value, 1)
	if e := cellAt(t, table, "acc", "o", "n").Estimate; e.Lo.Or(0) >= 0 || e.Hi.Or(0) <= 0 {
		t.Errorf("two models that answer alike: %+v", e)
	}
	if e := cellAt(t, table, "fcs_M", "m", "o").Estimate; e.Value.OK() || e.Why == "" {
		t.Errorf("no preserving edit of the question fired, and FCS differs by %+v", e)
	}
}

// TestModelPairsShared: what one model alone was asked enters no difference, nor what was asked under a further prompt.
func TestModelPairsShared(t *testing.T) {
	var some []Record
	for _, r := range rivalRecords() {
		if r.Subject.Model == "m" || r.Subject.Model == "o" && r.Subject.Item >= itoa(4) {
			r.Controls = nil
			some = append(some, r)
		}
	}
	wrong := record("s", itoa(4), "A", "B", "", paperBattery())
	table := tableOf(t, summarised(t, Options{}, append(some, as("o", "strict", []Record{wrong})...)...), "model_pairs")
	if len(table.Rows) != 1 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	// Both have the items 4 to 11, of which o has two wrong.
	for column, want := range map[string]float64{"items": 8, "acc": 2.0 / 8, "p": 0.5, "fcs_F": 0.5} {
		near(t, column, cellAt(t, table, column, "m", "o").Estimate.Value, want)
	}
	for _, column := range []string{"cdr", "again"} {
		if e := cellAt(t, table, column, "m", "o").Estimate; e.Value.OK() || e.Why == "" {
			t.Errorf("%s: %+v", column, e)
		}
	}
	for _, a := range summarised(t, Options{}, worked("s", paperBattery())...).Analyses {
		for _, x := range a.Tables {
			if x.ID == "model_pairs" {
				t.Error("one model is held against nobody")
			}
		}
	}
}
