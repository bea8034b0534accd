package chain

import (
	"fmt"
	"slices"
	"testing"

	"github.com/percuss/percuss"
)

// changing are n questions of a set with a right answer before and a wrong one after on the first lost, the other way
// round on the next gained, and right ones else. Before and after are the two orders of the options, and the answer at
// once and that after a chain.
func changing(set string, n, lost, gained int) []Record {
	var out []Record
	for i := range n {
		before, after := "A", "A"
		if i < lost {
			after = "B"
		} else if i < lost+gained {
			before = "B"
		}
		r := inNewOrder(record(set, fmt.Sprint(i), "A", before, "", familiesBattery()), after, "C")
		r.Direct = answered(after, "A")
		out = append(out, r)
	}
	return out
}

// A difference of two accuracies on the same items is tested by McNemar's exact test, and that of a mean on the changes of
// its data sets together. References: statsmodels 0.15.0, stats.contingency_tables.mcnemar(exact=True).
func TestPairedAccuraciesAreTestedByMcNemar(t *testing.T) {
	f := summarised(t, Options{}, slices.Concat(changing("s", 30, 10, 1), changing("t", 20, 4, 0))...)
	want := map[string]float64{"s": 0.01171875, "t": 0.125, "mean": 0.0009765625}
	for _, id := range []string{"shuffle", "cot_gap"} {
		table := tableOf(t, f, id)
		for set, p := range want {
			near(t, id+" "+set, cellAt(t, table, "p", "m", "neutral", set).Estimate.Value, p)
		}
		if i := slices.IndexFunc(table.Columns, func(c percuss.Column) bool { return c.ID == "p" }); table.Columns[i].Head != "p (McNemar)" || !slices.Contains(table.Notes, testedByChanges) {
			t.Errorf("%s does not say how it tests: %q, %q", id, table.Columns[i].Head, table.Notes)
		}
	}
	near(t, "Holm over one model", cellAt(t, tableOf(t, f, "cot_gap"), "p_holm", "m", "neutral", "mean").Estimate.Value, want["mean"])
}

// Without a change p is 1; without an item there is none.
func TestChanges(t *testing.T) {
	c := changes{}
	if c.p().OK() {
		t.Errorf("p of nothing: %+v", c.p())
	}
	c = c.plus(true, true).plus(false, false)
	near(t, "no change", c.p(), 1)
	if c = c.plus(true, false).and(changes{2, 1, 0}); c != (changes{5, 1, 1}) {
		t.Errorf("%+v", c)
	}
}
