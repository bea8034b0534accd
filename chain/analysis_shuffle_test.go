package chain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// inNewOrder adds a shuffle to a record: the answer by its own label, and where the gold option stood.
func inNewOrder(r Record, answer, goldShown string) Record {
	t := ControlTrial{ID: Shuffle, Fired: true, Reading: answered(answer, r.Gold), Gold: goldShown}
	t.Flip = compare(r.Base, t.Reading)
	r.Controls = append(r.Controls, t)
	return r
}

// inOldOrder adds one that did not fire.
func inOldOrder(r Record, why string) Record {
	r.Controls = append(r.Controls, ControlTrial{ID: Shuffle, Why: why, Reading: Reading{State: NotFired, Why: why}})
	return r
}

// shuffleRecords: on s, five items. Original right on i1, i2, i3, shuffled right on i1 and i5; the same content on i1 and
// i4; i6 has no shuffled answer. Set t is the same with one item, answered alike and right. Set labels is excluded.
func shuffleRecords() []Record {
	b := paperBattery()
	return []Record{
		inNewOrder(record("s", "i1", "A", "A", "", b), "A", "B"),
		inNewOrder(record("s", "i2", "A", "A", "", b), "C", "B"),
		inNewOrder(record("s", "i3", "B", "B", "", b), "C", "A"),
		inNewOrder(record("s", "i4", "C", "D", "", b), "D", "A"),
		inNewOrder(record("s", "i5", "C", "D", "", b), "C", "D"),
		inNewOrder(record("s", "i6", "C", "C", "", b), unparsed, "D"),
		inNewOrder(record("t", "j1", "A", "A", "", b), "A", "C"),
		inOldOrder(record("labels", "k1", "A", "A", "", b), "the options are labels: yes, no, maybe"),
	}
}

func TestShuffleTable(t *testing.T) {
	f := summarised(t, Options{}, shuffleRecords()...)
	table := tableOf(t, f, "shuffle")
	for _, c := range []struct {
		set, column string
		want        float64
	}{
		{"s", "n", 5}, {"s", "dropped", 1}, {"s", "acc", 3.0 / 5}, {"s", "acc_shuffled", 2.0 / 5}, {"s", "delta", -20}, {"s", "same", 2.0 / 5},
		{"s", "chance", 0.25}, {"t", "n", 1}, {"t", "acc_shuffled", 1}, {"t", "same", 1}, {"t", "delta", 0},
		{"mean", "n", 6}, {"mean", "acc", 0.8}, {"mean", "acc_shuffled", 0.7}, {"mean", "delta", -10}, {"mean", "same", 0.7}, {"mean", "chance", 0.25},
	} {
		near(t, c.set+" "+c.column, cellAt(t, table, c.column, "m", "neutral", c.set).Estimate.Value, c.want)
	}
	delta := cellAt(t, table, "delta", "m", "neutral", "s").Estimate
	if !delta.Lo.OK() || delta.Lo.Or(0) >= -20 || delta.Hi.Or(0) <= -20 || delta.Num.Or(0) != -1 || delta.Den.Or(0) != 5 || delta.N != 5 {
		t.Errorf("Δ on s: %+v", delta)
	}
	if len(table.Rows) != 3 || !table.Rows[2].Head || !slices.Contains(table.Notes, "labels: not shuffled, the options are labels: yes, no, maybe.") {
		t.Errorf("%d rows, notes %q", len(table.Rows), table.Notes)
	}
}

// TestShufflePositions: before, the gold option stood under A (i1, i2, j1: all right), B (i3, right) and C (i4, i5,
// wrong); after, under A (i3, i4, wrong), B (i1 right, i2 wrong), C (j1, right) and D (i5, right).
func TestShufflePositions(t *testing.T) {
	table := tableOf(t, summarised(t, Options{}, shuffleRecords()...), "shuffle_positions")
	if len(table.Rows) != 4 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	for label, want := range map[string][4]float64{"A": {3, 1, 2, 0}, "B": {1, 1, 2, 0.5}, "C": {2, 0, 1, 1}, "D": {0, -1, 1, 1}} {
		for i, column := range []string{"n", "acc", "n_shuffled", "acc_shuffled"} {
			got := cellAt(t, table, column, "m", "neutral", label).Estimate
			if want[i] < 0 {
				if got.Value.OK() {
					t.Errorf("%s %s: %+v", label, column, got)
				}
				continue
			}
			near(t, label+" "+column, got.Value, want[i])
		}
	}
}

// TestShuffleAbsent: without the control, and where it fired nowhere.
func TestShuffleAbsent(t *testing.T) {
	find := func(f Findings) percuss.Analysis {
		return f.Analyses[slices.IndexFunc(f.Analyses, func(a percuss.Analysis) bool { return a.ID == "shuffle" })]
	}
	b := paperBattery()
	if a := find(summarised(t, Options{}, record("s", "i", "A", "A", "", b))); a.Absent == "" || a.Tables == nil || len(a.Tables) != 0 || a.Number != 5 {
		t.Errorf("%+v", a)
	}
	a := find(summarised(t, Options{}, inOldOrder(record("s", "i", "A", "A", "", b), "one option")))
	if a.Absent != "" || a.Tables[0].Absent == "" || !strings.Contains(strings.Join(a.Tables[0].Notes, " "), "one option") {
		t.Errorf("%+v", a)
	}
	// Read in another way than the baseline, a shuffle says nothing of the content.
	r := inNewOrder(record("s", "i", "A", "A", "", b), "A", "B")
	r.Controls[0].Reading.Via = ViaLetters
	r.Controls[0].Flip = compare(r.Base, r.Controls[0].Reading)
	if a := find(summarised(t, Options{}, r)); a.Tables[0].Absent == "" {
		t.Errorf("%+v", a.Tables[0].Rows)
	}
}

// TestShuffleOfLuck: answers by luck keep the content of one in four.
func TestShuffleOfLuck(t *testing.T) {
	b := paperBattery()
	var records []Record
	want := 0
	rng := percuss.Rand(3, "", "", "luck")
	for i := range 200 {
		before, after := percuss.Label(rng.IntN(4)), percuss.Label(rng.IntN(4))
		want += int(bit(before == after))
		records = append(records, inNewOrder(record("s", fmt.Sprint(i), "A", before, "", b), after, "B"))
	}
	got := cellAt(t, tableOf(t, summarised(t, Options{}, records...), "shuffle"), "same", "m", "neutral", "s").Estimate
	near(t, "same content", got.Value, float64(want)/200)
	if got.Lo.Or(1) > 0.25 || got.Hi.Or(0) < 0.25 {
		t.Errorf("0.25 is outside %s to %s", got.Lo.Format(3), got.Hi.Format(3))
	}
}
