package chain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// No table and no claim has an interval of zero width, also where nothing changes, everything does, or an edit leaves a
// trace on every item: none of few items, and all of them, is not certain.
func TestNoIntervalIsCertain(t *testing.T) {
	never, always := reasoner{n: 40}, reasoner{n: 40, moves: func(battery.Operator, int) bool { return true }, control: func(Control, int) bool { return true }}
	wrong := reasoner{n: 40, right: func(int) bool { return false }}
	right := reasoner{n: 40, right: func(int) bool { return true }}
	traced := func(x reasoner) []Record {
		out := x.records()
		for i := range out {
			out[i].Surface = make(Surface, surfaceFeatures)
			out[i].Direct = answered(out[i].Base.Answer, out[i].Gold)
			for j := range out[i].Operators {
				o := &out[i].Operators[j]
				o.Surface = make(Surface, surfaceFeatures)
				o.Surface[doubleSpace] = 1
				o.Judged = []Verdict{{Judge: "j", Says: SaysUpdated}, {Judge: "k", Says: SaysUpdated}}
				o.Reading.Margin, out[i].Base.Margin = percuss.Num(1), percuss.Num(1)
			}
		}
		return out
	}
	for name, x := range map[string]reasoner{"never": never, "always": always, "wrong": wrong, "right": right} {
		other := x
		other.set = "t"
		one := slices.Concat(traced(x), traced(other))
		f := summarised(t, Options{Battery: familiesBattery()}, slices.Concat(one, as("m2", "neutral", one), as("m", "strict", one))...)
		found := 0
		look := func(where string, e percuss.Estimate) {
			lo, hasLo := e.Lo.Get()
			hi, hasHi := e.Hi.Get()
			found += int(bit(hasLo && hasHi))
			if hasLo && hasHi && hi-lo <= flat {
				t.Errorf("%s: %s: %+v", name, where, e)
			}
		}
		for _, a := range f.Analyses {
			for _, table := range a.Tables {
				for i, r := range table.Rows {
					for j, c := range r.Cells {
						look(fmt.Sprintf("%s, row %d, %s", table.ID, i, table.Columns[j].ID), c.Estimate)
					}
				}
			}
		}
		for _, c := range f.Claims {
			look(c.ID+" "+c.Subject, c.Measure)
		}
		if found < 500 {
			t.Errorf("%s: %d intervals", name, found)
		}
	}
}
