package chain

import (
	"slices"
	"strings"
	"testing"
)

// fcsOf are two items of a set whose F1-50 moves the answer of so many: FCS in scope F is 0.5, 0.75 or 1.
func fcsOf(set, domain string, moved int) []Record {
	var out []Record
	for i := range 2 {
		answer := "A"
		if i < moved {
			answer = "B"
		}
		r := record(set, itoa(i), "A", "A", "", paperBattery(), edit{id: "F1-50", answer: answer}, edit{id: "F4-a", answer: "A"})
		r.Domain = domain
		out = append(out, r)
	}
	return out
}

// The mean of a task is over strict and neutral, and the medical side is that of the same prompts: m has both sides under
// both, and the task under an addendum besides; n has the medical sets under strict first, and the task under neutral
// alone; o has none in common; p only a task with an addendum.
func TestTransferByPrompt(t *testing.T) {
	const addendum = "neutral+self-grounding"
	task := func(model, prompt string, moved int) []Record {
		return as(model, prompt, fcsOf("sums", "arithmetic", moved))
	}
	medical := func(model, prompt string, moved int) []Record { return as(model, prompt, fcsOf("s", "", moved)) }
	f := summarised(t, Options{}, slices.Concat(
		medical("m", "strict", 0), medical("m", "neutral", 1), task("m", "strict", 2), task("m", "neutral", 1), task("m", addendum, 0),
		medical("n", "strict", 2), medical("n", "neutral", 0), task("n", "neutral", 1),
		medical("o", addendum, 1), task("o", "neutral", 2),
		medical("p", "neutral", 1), task("p", addendum, 2))...)
	table := tableOf(t, f, "transfer")
	for _, c := range []struct {
		model, column string
		want          float64
	}{
		{"m", "fcs_mean", (1 + .75) / 2}, {"m", "fcs_medical", (.5 + .75) / 2}, {"m", "delta", .25}, {"m", "prompt_effect", .25}, {"m", "fcs_" + addendum, .5},
		{"n", "fcs_mean", .75}, {"n", "fcs_medical", .5}, {"n", "delta", .25},
		{"o", "fcs_mean", 1}, {"o", "fcs_medical", .75}, {"o", "delta", .25},
		{"p", "fcs_" + addendum, 1}, {"p", "fcs_medical", .75},
	} {
		near(t, c.model+", "+c.column, cellAt(t, table, c.column, c.model, "sums").Estimate.Value, c.want)
	}
	for _, column := range []string{"fcs_mean", "delta"} {
		if e := cellAt(t, table, column, "p", "sums").Estimate; e.Value.OK() || e.Why != "asked under neither strict nor neutral" {
			t.Errorf("p, %s: %+v", column, e)
		}
	}
	if e := cellAt(t, table, "fcs_medical", "m", "sums").Estimate; !e.Lo.OK() || e.N != 2 {
		t.Errorf("the mean of two prompts: %+v", e)
	}
	notes := strings.Join(table.Notes, " ")
	if says := "o was asked the medical data sets under other prompts than sums: its medical figure is that of " + addendum; !strings.Contains(notes, says) {
		t.Errorf("no note %q in %q", says, notes)
	}
	if strings.Contains(notes, "n was asked") || strings.Contains(notes, "m was asked") {
		t.Errorf("matched prompts need no note: %q", notes)
	}
}
