package chain

import (
	"testing"

	"github.com/percuss/percuss"
)

// row finds a firing row.
func row(t *testing.T, rows []Firing, id string) Firing {
	t.Helper()
	for _, r := range rows {
		if r.ID == id {
			return r
		}
	}
	t.Fatalf("no row %s", id)
	return Firing{}
}

// TestWorkedFiring holds some firing rows of the hand-worked cell (see worked).
func TestWorkedFiring(t *testing.T) {
	g := summarised(t, Options{}, worked("s", paperBattery())...).Cells[0]
	if len(g.Operators) != 30 || len(g.Families) != 13 {
		t.Fatalf("%d operators, %d families", len(g.Operators), len(g.Families))
	}
	for _, c := range []struct {
		rows                 []Firing
		id                   string
		items, fired, parsed int
		rate, afr, acc, loss float64
	}{
		// F1-75: i1 keeps, i2 has no answer.
		{g.Operators, "F1-75", 4, 2, 1, 0.5, 0, 1, 0},
		// M2-age-a: i1 keeps, i2 flips and loses, i4 has no baseline but is right.
		{g.Operators, "M2-age-a", 4, 3, 2, 0.75, 0.5, 2.0 / 3, 50},
		// F1: F1-25, F1-50 on i1 and i2, F1-75 on i1. Kept: F1-25 and F1-75 on i1. All five baselines are right.
		{g.Families, "F1", 12, 6, 5, 0.5, 3.0 / 5, 2.0 / 5, 60},
		// M3: i1 right to wrong, i2 right to wrong, i3 wrong to wrong.
		{g.Families, "M3", 8, 3, 3, 3.0 / 8, 2.0 / 3, 0, 200.0 / 3},
	} {
		r := row(t, c.rows, c.id)
		if r.Items != c.items || r.Fired != c.fired || r.Parsed != c.parsed {
			t.Errorf("%s: items %d fired %d parsed %d, want %+v", c.id, r.Items, r.Fired, r.Parsed, c)
		}
		near(t, c.id+" rate", r.Rate.Value, c.rate)
		near(t, c.id+" AFR", r.AFR.Value, c.afr)
		near(t, c.id+" accuracy", r.Acc.Value, c.acc)
		near(t, c.id+" Δ", r.Delta.Value, c.loss)
		near(t, c.id+" Δ denominator", r.Delta.Den, float64(c.parsed))
	}
	// M1-b was read from the letters: in no rate, in its own columns.
	r := row(t, g.Operators, "M1-b")
	if r.Parsed != 0 || r.Mixed != 1 || r.MixedFlips != 1 || r.AFR.Value.OK() || r.AFR.Why == "" {
		t.Errorf("M1-b: %+v", r)
	}
	if r := row(t, g.Operators, "F7-a"); r.Items != 4 || r.Fired != 0 || r.AFR.Value.OK() {
		t.Errorf("F7-a: %+v", r)
	}
}

// TestMargins: the answer's margin falls from 2 to 0.5 on one item and rises from 1 to 1.25 on another: mean −0.625.
// A third item has no margin before the edit.
func TestMargins(t *testing.T) {
	b := paperBattery()
	var records []Record
	for _, m := range []struct {
		item          string
		before, after percuss.Number
	}{{"i1", percuss.Num(2), percuss.Num(0.5)}, {"i2", percuss.Num(1), percuss.Num(1.25)}, {"i3", percuss.Number{}, percuss.Num(4)}} {
		r := record("s", m.item, "A", "A", "", b, edit{id: "M5-a", answer: "A"})
		r.Base.Margin = m.before
		for i := range r.Operators {
			if r.Operators[i].ID == "M5-a" {
				r.Operators[i].Reading.Margin = m.after
			}
		}
		records = append(records, r)
	}
	g := summarised(t, Options{}, records...).Cells[0]
	for _, r := range []Firing{row(t, g.Operators, "M5-a"), row(t, g.Families, "M5")} {
		near(t, r.ID+" margin", r.Margin.Value, -0.625)
		near(t, r.ID+" margin denominator", r.Margin.Den, 2)
		if r.Margin.N != 2 {
			t.Errorf("%s: n = %d", r.ID, r.Margin.N)
		}
	}
	if r := row(t, g.Operators, "M5-b"); r.Margin.Value.OK() || r.Margin.Why == "" {
		t.Errorf("M5-b has a margin: %+v", r.Margin)
	}
}

// TestWaiting: a trial that waits for its baseline was not tried.
func TestWaiting(t *testing.T) {
	b := paperBattery()
	r := record("s", "i1", "A", unparsed, "", b)
	r.Base = Reading{State: NoCall}
	for i, op := range b.Operators {
		if op.Block == "F" {
			r.Operators[i].Reading.State = Waiting
		}
	}
	g := summarised(t, Options{}, r).Cells[0]
	if f := row(t, g.Operators, "F2-a"); f.Items != 0 || f.Rate.Value.OK() {
		t.Errorf("F2-a: %+v", f)
	}
	if f := row(t, g.Operators, "M3-a"); f.Items != 1 {
		t.Errorf("M3-a: %+v", f)
	}
}
