package evidence

import (
	"slices"
	"strings"
	"testing"
)

// A reasoner of known mind, asked under every check, gives tables that say what it is: the wordings, orders and ways of
// hiding agree, its shortcut is suspicious and survives every step, and what it does not use moves nothing.
func TestPlantedTruthComesOutOfTheTables(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -4 + 2*shown(text, "g") + 2*shown(text, "a", "b") })
	a := audit(func(o *Options) {
		everyCheck(o)
		o.MaxOrder = 0
		o.Bootstrap = 50
	})
	f := summed(t, a.Options(), record(t, a, subject(patient()), mind))
	c := f.Cells[0]
	is(t, "accuracy", c.Accuracy, 1)
	is(t, "full", c.Full, 1)
	is(t, "empty", c.Empty, -3)
	is(t, "suspicious", c.Gold.Suspicious, 0.5)
	is(t, "shortcut", mechanism(t, c.Gold.Mechanisms, "irrelevant evidence misuse").Weight, 0.5)
	is(t, "together", mechanism(t, c.Gold.Mechanisms, "faithful target evidence").Weight, 0.5)
	is(t, "order 2", c.Orders[1].Weight, 0.5)
	is(t, "above order 3", c.Above, 0)
	if c.Residual.Or(1) > 1e-9 {
		t.Errorf("residual %v", c.Residual)
	}
	for _, name := range []string{"clinical-summary", "questionnaire", "candidate orders", "neutralize"} {
		row := stabilityRow(t, c, name)
		is(t, name+" accuracy", row.Accuracy, 1)
		is(t, name+" suspicious", row.Suspicious, 0.5)
		is(t, name+" per case", row.PerCase, 1)
		if row.Kind != "" {
			is(t, name+" agreement", row.Agreement, 1)
			is(t, name+" correlation", row.Correlation, 1)
			is(t, name+" overlap", row.Overlap, 1)
		}
	}
	if c.Cascade[1].Kept != c.Cascade[2].Asked {
		t.Errorf("%d could be checked, %d are", c.Cascade[1].Kept, c.Cascade[2].Asked)
	}
	for _, row := range c.Cascade {
		want := 1
		if row.Control { // the other salient interaction is of another order: it is no control
			want = 0
		}
		if row.Kept != want {
			t.Errorf("step %s: %+v", row.Step, row)
		}
	}
	// Repetitions of a reasoner without noise do not differ.
	for _, d := range c.Discovery {
		if d.Listed != 0 || !strings.Contains(d.Why, "do not differ") {
			t.Errorf("discovery %+v", d)
		}
	}
	if len(c.Discovery) != 2 {
		t.Errorf("%d lists, want one against repetitions and one against candidate orders", len(c.Discovery))
	}
	at := slices.IndexFunc(c.Strata, func(r StratumRow) bool { return r.Stratum == High && r.Edit == Remove })
	if at < 0 {
		t.Fatalf("strata %+v", c.Strata)
	}
	is(t, "the shortcut removed", c.Strata[at].TDown, 1)
	is(t, "by its effect", c.Strata[at].Target, -2)
	is(t, "what is not used", c.Strata[slices.IndexFunc(c.Strata, func(r StratumRow) bool { return r.Stratum == Low && r.Edit == Remove })].Stable, 1)
}
