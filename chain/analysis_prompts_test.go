package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// promptRecords: under neutral, set s with items i1 to i4 and set t; under grounded, s with i1 to i3 and u. F1-50 flips i1
// and i4 under neutral, i1 and i2 under grounded; F4-a flips nothing under neutral and i3 under grounded.
func promptRecords() []Record {
	b := paperBattery()
	one := func(set, item, f1, f4 string) Record {
		return record(set, item, "A", "A", "", b, edit{id: "F1-50", answer: f1}, edit{id: "F4-a", answer: f4})
	}
	return slices.Concat(
		as("m", "neutral", []Record{one("s", "i1", "B", "A"), one("s", "i2", "A", "A"), one("s", "i3", "A", "A"), one("s", "i4", "B", "A"), one("t", "j1", "B", "B")}),
		as("m", "grounded", []Record{one("s", "i1", "B", "A"), one("s", "i2", "B", "A"), one("s", "i3", "A", "B"), one("u", "k1", "A", "A")}))
}

func TestPromptTables(t *testing.T) {
	f := summarised(t, Options{}, promptRecords()...)
	table := tableOf(t, f, "prompts")
	// Each row is of all the sets of its prompt: neutral is the mean of s (1/2) and t (1).
	near(t, "neutral", cellAt(t, table, "afr_d_F", "m", "neutral").Estimate.Value, (0.5+1)/2)
	near(t, "grounded", cellAt(t, table, "afr_d_F", "m", "grounded").Estimate.Value, (2.0/3+0)/2)
	change := tableOf(t, f, "prompts_change")
	if len(change.Rows) != 1 || change.Rows[0].Cells[2].Text != "neutral" {
		t.Fatalf("%+v", change.Rows)
	}
	// The change is of i1, i2, i3 of s alone: destructive 2/3 less 1/3, preserving 1/3 less 0, ECR 1/3 less 2/3.
	for column, want := range map[string]float64{"items": 3, "afr_d_F": 1.0 / 3, "afr_d_all": 1.0 / 3, "afr_p_F": 1.0 / 3, "fcs_F": 0, "ecr": -1.0 / 3, "acc": 0} {
		near(t, column, cellAt(t, change, column, "m", "grounded").Estimate.Value, want)
	}
	if e := cellAt(t, change, "afr_d_F", "m", "grounded").Estimate; !strings.Contains(e.Method, "paired difference") || !e.Lo.OK() || e.Lo.Or(1) > 0 {
		t.Errorf("%+v", e)
	}
	if e := cellAt(t, change, "acc", "m", "grounded").Estimate; e.Hi.Or(0) <= 0 || e.Lo.Or(0) >= 0 {
		t.Errorf("no item changed, and the interval has no width: %+v", e)
	}
}

// TestPromptsPaired: the same items under both prompts. Every resample of two equal arms differs by nothing, though each
// arm by itself is uncertain; and the fast way equals drawing again.
func TestPromptsPaired(t *testing.T) {
	b := paperBattery()
	var records []Record
	for i := range 20 {
		flips := "A"
		if i%2 == 0 {
			flips = "B"
		}
		r := []Record{record("s", itoa(i), "A", "A", "", b, edit{id: "F1-50", answer: flips}, edit{id: "F4-a", answer: "A"})}
		records = append(records, as("m", "neutral", r)...)
		records = append(records, as("m", "grounded", r)...)
	}
	f := summarised(t, Options{}, records...)
	e := cellAt(t, tableOf(t, f, "prompts_change"), "fcs_F", "m", "grounded").Estimate
	own := cellAt(t, tableOf(t, f, "prompts"), "fcs_F", "m", "grounded").Estimate
	if v, ok := e.Value.Get(); !ok || v != 0 || e.Method != "Wilson bound on the share of items that may differ, for no resample did" || own.Hi == own.Lo {
		t.Errorf("change %+v of %+v", e, own)
	}
}

func TestPromptsAbsent(t *testing.T) {
	b := paperBattery()
	for name, records := range map[string][]Record{
		"one prompt":                   worked("s", b),
		"a prompt with no medical set": slices.Concat(as("m", "strict", worked("s", b)), arithmetic("neutral", "m")),
	} {
		f := summarised(t, Options{}, records...)
		a := f.Analyses[slices.IndexFunc(f.Analyses, func(a percuss.Analysis) bool { return a.ID == "prompts" })]
		if a.Absent == "" || len(a.Tables) != 0 {
			t.Errorf("%s: %+v", name, a)
		}
	}
	apart := slices.Concat(as("m", "strict", worked("s", b)), as("m", "neutral", worked("t", b)))
	e := cellAt(t, tableOf(t, summarised(t, Options{}, apart...), "prompts_change"), "acc", "m", "neutral").Estimate
	if e.Value.OK() || e.Why != "the two have no item in common" {
		t.Errorf("%+v", e)
	}
}

// TestTransfer: model m has the medical set s under strict, and the set sums under strict and neutral; n only sums.
func TestTransfer(t *testing.T) {
	b := paperBattery()
	one := func(item, f1, f4 string) Record {
		r := record("sums", item, "A", "A", "", b, edit{id: "F1-50", answer: f1}, edit{id: "F4-a", answer: f4})
		r.Domain = "arithmetic"
		return r
	}
	// strict: destructive 1 of 2, preserving 0 of 2: FCS .75, ECR .5. neutral: destructive 2 of 2: FCS 1, ECR 0.
	strict := []Record{one("k1", "B", "A"), one("k2", "A", "A")}
	neutral := []Record{one("k1", "B", "A"), one("k2", "B", "A")}
	// medical: destructive 0 of 1, preserving 0 of 1: FCS .5.
	medical := []Record{record("s", "i1", "A", "A", "", b, edit{id: "F1-50", answer: "A"}, edit{id: "F4-a", answer: "A"})}
	f := summarised(t, Options{}, slices.Concat(as("m", "strict", medical), as("m", "strict", strict), as("m", "neutral", neutral), as("n", "neutral", neutral))...)
	table := tableOf(t, f, "transfer")
	if len(table.Rows) != 2 {
		t.Fatalf("%d rows", len(table.Rows))
	}
	for _, c := range []struct {
		column string
		want   float64
		mark   string
	}{
		{"fcs_strict", 0.75, ""}, {"ecr_strict", 0.5, ""}, {"acc_strict", 1, ""}, {"fcs_neutral", 1, "grey"}, {"ecr_neutral", 0, ""},
		{"fcs_mean", 0.875, "grey"}, {"fcs_medical", 0.5, ""}, {"delta", 0.375, "grey"}, {"prompt_effect", -0.25, "grey"},
	} {
		got := cellAt(t, table, c.column, "m", "sums", "arithmetic")
		near(t, c.column, got.Estimate.Value, c.want)
		if got.Mark != c.mark {
			t.Errorf("%s is marked %q, want %q", c.column, got.Mark, c.mark)
		}
	}
	for column, why := range map[string]string{"fcs_strict": "not asked under this prompt", "fcs_medical": "the model was asked no medical data set", "delta": "the model was asked no medical data set", "prompt_effect": "it takes the prompts strict and neutral"} {
		if e := cellAt(t, table, column, "n", "sums").Estimate; e.Value.OK() || e.Why != why {
			t.Errorf("n, %s: %+v", column, e)
		}
	}
	if e := cellAt(t, table, "prompt_effect", "m", "sums").Estimate; !strings.Contains(e.Method, "paired") || e.Lo.Or(0) > -0.5 || e.Hi.Or(-1) < 0 {
		// The resamples lie from -0.5 to 0, but on 2 items nothing is known of the sign.
		t.Errorf("%+v", e)
	}
	none := summarised(t, Options{}, medical...)
	a := none.Analyses[slices.IndexFunc(none.Analyses, func(a percuss.Analysis) bool { return a.ID == "transfer" })]
	if a.Absent == "" || a.Number != 9 || !jsonHas(t, none, `"tables":[],"absent":"no data set of another domain`) {
		t.Errorf("%+v", a)
	}
}
