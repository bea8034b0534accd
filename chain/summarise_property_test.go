package chain

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"pgregory.net/rapid"
)

// drawRecords makes a cell at random, of few items so that empty denominators are common.
func drawRecords(t *rapid.T, set string) []Record {
	b := paperBattery()
	answers := rapid.SampledFrom([]string{"A", "A", "B", "C", unparsed})
	var out []Record
	for i := range rapid.IntRange(1, 6).Draw(t, "items") {
		var edits []edit
		for _, op := range b.Operators {
			if rapid.IntRange(0, 2).Draw(t, "fires") == 0 {
				continue
			}
			edits = append(edits, edit{id: op.ID, answer: answers.Draw(t, "answer"), token: rapid.Bool().Draw(t, "token"),
				inflected: rapid.Bool().Draw(t, "inflected"), letters: rapid.IntRange(0, 9).Draw(t, "letters") == 0})
		}
		r := record(set, fmt.Sprint("i", i), "A", answers.Draw(t, "base"), answers.Draw(t, "direct"), b, edits...)
		r.Base.Margin = percuss.Num(rapid.Float64Range(-9, 9).Draw(t, "margin"))
		for j := range r.Operators {
			r.Operators[j].Reading.Margin = percuss.Num(rapid.Float64Range(-9, 9).Draw(t, "margin"))
		}
		out = append(out, r)
	}
	return out
}

// groupsOf are all groups of the findings.
func groupsOf(f Findings) []Group {
	out := slices.Concat(f.Cells, f.Models, f.Tiers)
	if f.Panel != nil {
		out = append(out, *f.Panel)
	}
	return out
}

// TestRanges: every value lies in its range and in no flat interval; the joint table sums to one; every fired trial is
// compared or counted as dropped.
func TestRanges(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := slices.Concat(as("m", "neutral", drawRecords(t, "s")), as("m", "neutral", drawRecords(t, "u")), as("n", "neutral", drawRecords(t, "s")))
		f := New(Options{Battery: paperBattery(), Bootstrap: 25, Direct: true}).Summarise(sequence(records...)).(Findings)
		for _, g := range groupsOf(f) {
			for _, m := range g.Metrics {
				checkRange(t, g.Name+" "+m.ID+" "+m.Scope, m)
			}
			for _, j := range g.Joint {
				if j.Parsed > 0 && math.Abs(j.A.Value.Or(0)+j.B.Value.Or(0)+j.C.Value.Or(0)+j.D.Value.Or(0)-1) > 1e-9 {
					t.Fatalf("%s: joint row %s %s sums to %v %v %v %v", g.Name, j.Rule, j.Family, j.A.Value, j.B.Value, j.C.Value, j.D.Value)
				}
				// Of a pooled row: no dropped trial decoupled, up to all of them.
				least, most := quotient(j.C.Num.Or(0), float64(j.Fired)), quotient(j.C.Num.Or(0)+float64(j.Dropped), float64(j.Fired))
				if j.Fired != j.Parsed+j.Dropped || g.Model != "" && (math.Abs(j.Lowest.Or(0)-least.Or(0)) > 1e-9 ||
					j.Lowest.Or(0) > j.Highest.Or(1)+1e-9 || j.Highest.Or(0) > most.Or(0)+1e-9) {
					t.Fatalf("%s: joint row %+v", g.Name, j)
				}
			}
			var fired, parsed, dropped int
			for _, r := range g.Operators {
				fired, parsed = fired+r.Fired, parsed+r.Parsed
			}
			for _, d := range g.Dropped {
				dropped += d.N
			}
			if fired != parsed+dropped {
				t.Fatalf("%s: %d fired, %d compared, %d dropped", g.Name, fired, parsed, dropped)
			}
		}
	})
}

// checkRange checks one metric.
func checkRange(t *rapid.T, name string, m Metric) {
	lo, hi := 0.0, 1.0
	switch m.ID {
	case "cot_gap", "fdelta", "fdelta_paper":
		lo, hi = -100, 100
	}
	v, ok := m.Value.Get()
	if !ok {
		if m.Why == "" || m.Lo.OK() || m.Hi.OK() {
			t.Fatalf("%s is missing without a reason: %+v", name, m.Estimate)
		}
		return
	}
	const slack = 1e-9
	if v < lo-slack || v > hi+slack || m.Lo.Or(v) < lo-slack || m.Hi.Or(v) > hi+slack || m.N < 1 {
		t.Fatalf("%s out of range: %+v", name, m.Estimate)
	}
	if m.Lo.OK() && m.Hi.Or(0)-m.Lo.Or(0) <= 0 {
		t.Fatalf("%s has a flat interval: %+v", name, m.Estimate)
	}
}

// TestOrder: within a cell the order of the records changes nothing.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t, "s")
		shuffled := rapid.Permutation(records).Draw(t, "order")
		o := Options{Battery: paperBattery(), Bootstrap: 25}
		a, errA := json.Marshal(New(o).Summarise(sequence(records...)))
		b, errB := json.Marshal(New(o).Summarise(sequence(shuffled...)))
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if string(a) != string(b) {
			t.Fatalf("the order of the records matters:\n%s\n%s", a, b)
		}
	})
}

// TestTwice: every item twice, under another id, leaves every value as it is and doubles the items.
func TestTwice(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		records := drawRecords(t, "s")
		doubled := slices.Clone(records)
		for _, r := range records {
			r.Subject.Item += "'"
			doubled = append(doubled, r)
		}
		o := Options{Battery: paperBattery(), Bootstrap: 5}
		once := New(o).Summarise(sequence(records...)).(Findings).Cells[0]
		twice := New(o).Summarise(sequence(doubled...)).(Findings).Cells[0]
		for i, m := range once.Metrics {
			same(t, m.ID+" "+m.Scope, m.Value, twice.Metrics[i].Value)
			if twice.Metrics[i].N != 2*m.N {
				t.Fatalf("%s: n = %d, then %d", m.ID, m.N, twice.Metrics[i].N)
			}
		}
		for i, r := range once.Operators {
			same(t, r.ID, r.AFR.Value, twice.Operators[i].AFR.Value)
		}
	})
}

// TestSameCells: a model whose two data sets are alike has the values of either; so has a panel of two such models.
func TestSameCells(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		one := drawRecords(t, "s")
		var all []Record
		for _, model := range []string{"m", "n"} {
			for _, set := range []string{"s", "u"} {
				for _, r := range as(model, "neutral", one) {
					r.Subject.Set = set
					all = append(all, r)
				}
			}
		}
		f := New(Options{Battery: paperBattery(), Bootstrap: 5}).Summarise(sequence(all...)).(Findings)
		for i, m := range f.Cells[0].Metrics {
			for _, g := range []Group{f.Models[1], *f.Panel} {
				same(t, g.Name+" "+m.ID+" "+m.Scope, m.Value, g.Metrics[i].Value)
			}
		}
	})
}

// same compares two numbers.
func same(t *rapid.T, name string, a, b percuss.Number) {
	if a.OK() != b.OK() || math.Abs(a.Or(0)-b.Or(0)) > 1e-9 {
		t.Fatalf("%s: %s and %s", name, a.Format(6), b.Format(6))
	}
}
