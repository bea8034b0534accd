package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// judgedBy are records whose token rule says "updated" on even items, and whose judge says so where updated does.
func judgedBy(n int, updated func(i int) bool) []Record {
	return reasoner{n: n, change: func(r *Record, i int) {
		for j := range r.Operators {
			says := SaysNotUpdated
			if updated(i) {
				says = SaysUpdated
			}
			r.Operators[j].Judged = []Verdict{{Judge: "j", Says: says}, {Judge: "broken", Says: SaysNothing}}
		}
	}}.records()
}

var twoJudges = []Judge{{ID: "j"}, {ID: "broken"}}

// A judge that says what the token rule says, one that says the opposite, and one that looks at something else. Of a judge
// that gave no verdict nothing can be told.
func TestRuleAndJudge(t *testing.T) {
	for name, c := range map[string]struct {
		updated func(i int) bool
		want    percuss.Holds
	}{
		"agrees":           {func(i int) bool { return i%2 == 0 }, percuss.ClaimHolds},
		"disagrees":        {func(i int) bool { return i%2 == 1 }, percuss.ClaimFails},
		"another question": {func(i int) bool { return i%4 < 2 }, percuss.ClaimFails},
		"one verdict only": {func(int) bool { return true }, percuss.ClaimFails},
	} {
		found := claimsOf(summarised(t, Options{Battery: familiesBattery(), Judges: twoJudges}, judgedBy(200, c.updated)...), "rule-and-judge")
		if len(found) != 2 || found["j"].Verdict != c.want {
			t.Errorf("%s: %+v, want %s of j", name, found, c.want)
		}
		if b := found["broken"]; b.Verdict != percuss.CannotTell || !strings.Contains(b.Shown, "no comparable trial of which both say something") {
			t.Errorf("%s: a judge without a verdict: %+v", name, b)
		}
	}
	if got := claimsOf(summarised(t, Options{Battery: familiesBattery()}, judgedBy(8, often(50, 0))...), "rule-and-judge"); len(got) != 0 {
		t.Errorf("no judge was asked: %+v", got)
	}
}

// The claim rests on the trials of the table of agreements: what cannot be compared with the baseline, and what a further
// prompt of the model gave, is in neither.
func TestRuleAndJudgeAreOfTheTablesTrials(t *testing.T) {
	records := judgedBy(60, func(i int) bool { return i%2 == 0 })
	for i := range records {
		for j := range records[i].Operators {
			if o := &records[i].Operators[j]; i%3 == 0 { // not comparable, and the judge contradicts the rule
				o.Reading, o.Flip, o.Judged[0].Says = answered(unparsed, records[i].Gold), NoFlip, SaysUpdated
			}
		}
	}
	further := as("m", "strict", judgedBy(60, func(i int) bool { return i%2 == 1 }))
	f := summarised(t, Options{Battery: familiesBattery(), Judges: twoJudges[:1]}, slices.Concat(records, further)...)
	row := gridOf(t, f, "rules", "rules_agreement", 2)["Token rule|Judge j"]
	got := claimsOf(f, "rule-and-judge")["j"]
	near(t, "kappa", got.Measure.Value, 1)
	near(t, "trials", row["trials"].Estimate.Value, 3*40) // M2-age-a, M4-a and M5-a of two items of three
	if want := row["kappa"].Estimate; got.Measure.Value != want.Value || got.Measure.Lo != want.Lo || got.Measure.N != want.N || got.Verdict != percuss.ClaimHolds {
		t.Errorf("claim of %+v, table %+v", got, want)
	}
	if !strings.Contains(got.Shown, "over 120 comparable trials of 40 items") {
		t.Errorf("shown: %s", got.Shown)
	}
}

// Where the rule and the judge say one and the same of every trial, kappa has no value.
func TestRuleAndJudgeWithoutKappa(t *testing.T) {
	records := judgedBy(40, func(int) bool { return true })
	for i := range records {
		for j := range records[i].Operators {
			records[i].Operators[j].Token = true
		}
	}
	got := claimsOf(summarised(t, Options{Battery: familiesBattery(), Judges: twoJudges[:1]}, records...), "rule-and-judge")["j"]
	if got.Verdict != percuss.CannotTell || got.Measure.Value.OK() || !strings.Contains(got.Shown, "kappa is not defined") {
		t.Errorf("%+v", got)
	}
}
