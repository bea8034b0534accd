package chain

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// whyNot keeps an operator from firing for a reason, on some items.
func whyNot(id string, state State, why string, when func(i int) bool) func(*Record, int) {
	return func(r *Record, i int) {
		for j := range r.Operators {
			if r.Operators[j].ID == id && when(i) {
				r.Operators[j] = OperatorTrial{ID: id, Reading: Reading{State: state, Why: why}}
			}
		}
	}
}

// An operator that had nothing to edit on any item did not fail to fire: a foreign log has no other item's chain, a missing
// baseline no chain, and a question of another domain is not edited. One that was tried and never fired did.
func TestOperatorsThatHadNothingToEdit(t *testing.T) {
	always := func(int) bool { return true }
	for name, c := range map[string]struct {
		state State
		why   string
		when  func(i int) bool
		want  percuss.Holds
		says  string
	}{
		"a log without donors":       {Unavailable, GivenOnly, always, percuss.CannotTell, "12 of the operators fired; on no item was there what these edit: F3-a"},
		"no baseline":                {Waiting, waits, always, percuss.CannotTell, "12 of the operators fired"},
		"another domain":             {NotFired, otherDomain, always, percuss.CannotTell, "12 of the operators fired"},
		"tried everywhere":           {NotFired, "no literal", always, percuss.ClaimFails, "fired on none of 300 items: F3-a"},
		"fired on one":               {Unavailable, GivenOnly, func(i int) bool { return i > 0 }, percuss.ClaimHolds, "all 13 operators fired"},
		"tried, and nothing to edit": {NotFired, "no literal", func(i int) bool { return i > 0 }, percuss.ClaimHolds, "all 13"},
	} {
		x := reasoner{n: 300, change: whyNot("F3-a", c.state, c.why, c.when)}
		got := claimsOf(summarised(t, Options{Battery: familiesBattery()}, x.records()...), "all-fired")[""]
		if got.Verdict != c.want || !strings.Contains(got.Shown, c.says) {
			t.Errorf("%s: %+v, want %s, %q", name, got, c.want, c.says)
		}
	}
	// On a log whose baselines cannot be edited at all nothing can be said.
	x := reasoner{n: 3, change: func(r *Record, _ int) {
		for j := range r.Operators {
			r.Operators[j] = OperatorTrial{ID: r.Operators[j].ID, Reading: Reading{State: Unavailable, Why: GivenOnly}}
		}
	}}
	if got := claimsOf(summarised(t, Options{Battery: familiesBattery()}, x.records()...), "all-fired")[""]; got.Verdict != percuss.CannotTell || got.Shown != "no item could be edited" {
		t.Errorf("%+v", got)
	}
}
