package chain

import (
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat"
)

// Holm's family is the models: two of them, one of which was asked under two prompts, are two tests. The further prompt
// has its own p-value and none that is adjusted.
func TestHolmIsOverModels(t *testing.T) {
	b := familiesBattery()
	asked := func(model, prompt string, n int) []Record {
		x := reasoner{n: n, battery: b, moves: by(60, 4), change: func(r *Record, i int) { r.Direct = answered([]string{"A", r.Gold}[i%2], r.Gold) }}
		return as(model, prompt, x.records())
	}
	f := summarised(t, Options{Battery: b}, slices.Concat(asked("m", "neutral", 12), asked("m", "strict", 40), asked("n", "neutral", 20))...)
	for _, c := range []struct{ table, mean string }{{"f_block", ""}, {"cot_gap", "mean"}} {
		table := tableOf(t, f, c.table)
		of := func(column, model, prompt string) percuss.Estimate {
			key := []string{model, prompt}
			if c.mean != "" {
				key = append(key, c.mean)
			}
			return cellAt(t, table, column, key...).Estimate
		}
		family := []percuss.Number{of("p", "m", "neutral").Value, of("p", "n", "neutral").Value}
		want := stat.Holm(family)
		for i, model := range []string{"m", "n"} {
			if got := of("p_holm", model, "neutral").Value; !got.OK() || got != want[i] {
				t.Errorf("%s, %s: %v, want %v of %v", c.table, model, got, want[i], family)
			}
		}
		if !of("p", "m", "strict").Value.OK() {
			t.Errorf("%s: a further prompt has no p-value", c.table)
		}
		if e := of("p_holm", "m", "strict"); e.Value.OK() || e.Why != furtherPrompt {
			t.Errorf("%s: a further prompt is in the family: %+v", c.table, e)
		}
		if !slices.ContainsFunc(table.Notes, func(s string) bool {
			return len(s) >= len(adjustedNote) && s[len(s)-len(adjustedNote):] == adjustedNote
		}) {
			t.Errorf("%s does not say what the adjustment is over: %q", c.table, table.Notes)
		}
	}
}
