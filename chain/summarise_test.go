package chain

import (
	"iter"
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// paperBattery is the paper's battery by its tags alone: no edit is made in these tests.
func paperBattery() battery.Battery {
	var b battery.Battery
	add := func(family string, intent battery.Intent, variants ...string) {
		for _, v := range variants {
			b.Operators = append(b.Operators, battery.Operator{ID: family + "-" + v, Family: family, Variant: v,
				Title: family, Block: battery.Block(family[:1]), Intent: intent})
		}
	}
	add("F1", "D", "25", "50", "75")
	add("F2", "D", "a", "b", "c")
	add("F3", "D", "a", "b", "c")
	add("F4", "P", "a", "b")
	add("F5", "D", "a", "b")
	add("F6", "P", "a", "b")
	add("F7", "P", "a", "b")
	add("M1", "D", "a", "b")
	add("M2", "D", "age-a", "age-b", "sex")
	add("M3", "P", "a", "b")
	add("M4", "D", "a", "b")
	add("M5", "D", "a", "b")
	add("M6", "P", "a", "b")
	return b
}

// familiesBattery has one variant a family.
func familiesBattery() battery.Battery {
	all := paperBattery()
	keep := []string{"F1-50", "F2-a", "F3-a", "F4-a", "F5-a", "F6-a", "F7-a", "M1-a", "M2-age-a", "M3-a", "M4-a", "M5-a", "M6-a"}
	all.Operators = slices.DeleteFunc(all.Operators, func(o battery.Operator) bool { return !slices.Contains(keep, o.ID) })
	return all
}

// unparsed stands for a reply without an answer.
const unparsed = "?"

// answered is a reading of an answer; option A is the only high-acuity one.
func answered(answer, gold string) Reading {
	if answer == unparsed {
		return Reading{State: Unparseable, Outcome: percuss.Truncated}
	}
	return Reading{State: Read, Answer: answer, Via: ViaText, Outcome: percuss.OK, Correct: answer == gold, Acute: answer == "A"}
}

// edit is one fired trial: operator, answer, and whether the chain registers the edit.
type edit struct {
	id, answer       string
	token, inflected bool
	letters          bool
}

// record builds a record from its fired trials; every other operator of the battery did not fire.
func record(set, item, gold, base, direct string, b battery.Battery, edits ...edit) Record {
	r := Record{Subject: percuss.SubjectID{Variant: "neutral", Model: "m", Set: set, Item: item}, Gold: gold, Options: 4,
		Base: answered(base, gold), Direct: Reading{State: NotFired}}
	if direct != "" {
		r.Direct = answered(direct, gold)
	}
	for _, op := range b.Operators {
		t := OperatorTrial{ID: op.ID, Reading: Reading{State: NotFired}}
		for _, e := range edits {
			if e.id == op.ID {
				t = fired(op, e, r.Base, gold)
			}
		}
		r.Operators = append(r.Operators, t)
	}
	return r
}

// fired is the trial of an edit.
func fired(op battery.Operator, e edit, base Reading, gold string) OperatorTrial {
	t := OperatorTrial{ID: op.ID, Edit: battery.Edit{Fired: true}, Reading: answered(e.answer, gold), Token: e.token,
		Inflected: e.inflected || e.token, Rule: registering(op)}
	if e.letters {
		t.Reading.Via = ViaLetters
	}
	if base.State != Read || t.Reading.State != Read {
		return t
	}
	kept, flipped := Kept, Flipped
	if t.Reading.Via != base.Via {
		kept, flipped = MixedKept, MixedFlip
	}
	t.Flip = flipped
	if t.Reading.Answer == base.Answer {
		t.Flip = kept
	}
	return t
}

// sequence yields records.
func sequence(records ...Record) iter.Seq[percuss.Record] {
	return func(yield func(percuss.Record) bool) {
		for _, r := range records {
			if !yield(r) {
				return
			}
		}
	}
}

// summarised runs an audit with few resamples.
func summarised(t *testing.T, o Options, records ...Record) Findings {
	t.Helper()
	if o.Battery.Operators == nil {
		o.Battery = paperBattery()
	}
	if o.Bootstrap == 0 {
		o.Bootstrap = 200
	}
	f, ok := New(o).Summarise(sequence(records...)).(Findings)
	if !ok {
		t.Fatal("Summarise returns another type than Findings")
	}
	return f
}

// near compares an estimate's value.
func near(t *testing.T, what string, got percuss.Number, want float64) {
	t.Helper()
	v, ok := got.Get()
	if !ok || math.Abs(v-want) > 1e-9 {
		t.Errorf("%s = %s, want %.6f", what, got.Format(6), want)
	}
}

// value returns a metric that must be there.
func value(t *testing.T, g Group, id, scope string) Metric {
	t.Helper()
	m, ok := g.Metric(id, scope)
	if !ok {
		t.Fatalf("%s: no metric %s %s", g.Name, id, scope)
	}
	return m
}

// worked is the hand-worked cell of four items. A is the one high-acuity option.
//
//	item  gold base direct
//	i1    A    A    A
//	i2    B    B    C
//	i3    C    D    D
//	i4    A    –    A
func worked(set string, b battery.Battery) []Record {
	return []Record{
		record(set, "i1", "A", "A", "A", b,
			edit{id: "F1-25", answer: "A"}, edit{id: "F1-50", answer: "B"}, edit{id: "F1-75", answer: "A"},
			edit{id: "F2-a", answer: "A"}, edit{id: "F3-a", answer: "A"}, edit{id: "F4-a", answer: "A"},
			edit{id: "F4-b", answer: "B"}, edit{id: "F5-a", answer: "A"},
			edit{id: "M1-a", answer: "B"}, edit{id: "M1-b", answer: "B", letters: true},
			edit{id: "M2-age-a", answer: "A", token: true}, edit{id: "M2-age-b", answer: "B", token: true},
			edit{id: "M3-a", answer: "B"}, edit{id: "M4-b", answer: "A", inflected: true},
			edit{id: "M5-a", answer: "A"}, edit{id: "M5-b", answer: "A", token: true}),
		record(set, "i2", "B", "B", "C", b,
			edit{id: "F1-25", answer: "C"}, edit{id: "F1-50", answer: "C"}, edit{id: "F1-75", answer: unparsed},
			edit{id: "F2-a", answer: "B"}, edit{id: "F3-a", answer: "C"}, edit{id: "F4-a", answer: "B"},
			edit{id: "F6-a", answer: "B"},
			edit{id: "M1-a", answer: "B"}, edit{id: "M2-age-a", answer: "C"}, edit{id: "M2-age-b", answer: "B"},
			edit{id: "M2-sex", answer: "B"}, edit{id: "M3-a", answer: "A"},
			edit{id: "M4-a", answer: "C", inflected: true}, edit{id: "M6-a", answer: unparsed}),
		record(set, "i3", "C", "D", "D", b,
			edit{id: "F2-a", answer: "D"}, edit{id: "F4-a", answer: "D"},
			edit{id: "M3-a", answer: "D"}, edit{id: "M5-a", answer: "A"}),
		record(set, "i4", "A", unparsed, "A", b, edit{id: "M2-age-a", answer: "A"}),
	}
}
