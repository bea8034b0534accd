package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// Edits of the question are not made on questions of another domain: four hundred of those do not make an edit silent
// that twenty medical questions had no place for. Nor does an edit that fired on them alone enter a mean.
func TestAllFiredIsOfTheMeans(t *testing.T) {
	medical := reasoner{n: 20, change: unfired("M6-a")}.records()
	other := func(n int, id string) []Record {
		return reasoner{set: "sums", n: n, change: func(r *Record, i int) {
			r.Domain = "arithmetic"
			if id != "" {
				unfired(id)(r, i)
			}
		}}.records()
	}
	for name, records := range map[string][]Record{"it fires nowhere": slices.Concat(medical, other(400, "M6-a")), "elsewhere alone": slices.Concat(medical, other(40, ""))} {
		got := claimsOf(summarised(t, Options{Battery: familiesBattery()}, records...), "all-fired")[""]
		if got.Verdict != percuss.CannotTell || !strings.Contains(got.Shown, "fired on none of 20 items: M6-a") {
			t.Errorf("%s: %s, %s", name, got.Verdict, got.Shown)
		}
	}
}

// An interval without a width is found wherever it stands.
func TestWidths(t *testing.T) {
	certain := percuss.Estimate{Value: percuss.Num(.5), Lo: percuss.Num(.5), Hi: percuss.Num(.5), N: 9}
	wide := percuss.Estimate{Value: percuss.Num(.5), Lo: percuss.Num(.4), Hi: percuss.Num(.6), N: 9}
	for name, c := range map[string]struct {
		s    summary
		want percuss.Holds
		says string
	}{
		"metric of a cell": {summary{cells: []Group{{Name: "m on s", Metrics: []Metric{{ID: "acc", Estimate: wide}, {ID: "fcs", Scope: "F", Estimate: certain}}}}}, percuss.ClaimFails, "1 of 2 intervals without a width: fcs F of m on s"},
		"flip rate":        {summary{whole: &Group{Name: "panel", Operators: []Firing{{ID: "F2-a", AFR: certain}}}}, percuss.ClaimFails, "F2-a AFR of panel"},
		"joint table":      {summary{models: []*model{{group: Group{Name: "m", Joint: []Joint{{Rule: "token", A: wide, B: wide, C: certain, D: wide}}}}}}, percuss.ClaimFails, "share c of the joint table (token) of m"},
		"all wide":         {summary{tiers: []Group{{Name: "tier", Metrics: []Metric{{ID: "acc", Estimate: wide}}}}}, percuss.ClaimHolds, "1 interval, all"},
		"none":             {summary{}, percuss.CannotTell, "no intervals"},
	} {
		if got := widths(&c.s); got.Verdict != c.want || !strings.Contains(got.Shown, c.says) {
			t.Errorf("%s: %s, %q", name, got.Verdict, got.Shown)
		}
	}
}
