package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/stat"
)

// effectsWorked: of 40 items F2-a moves 0 to 11 and its sham, the chain given back, 8 to 13: 4 items both, 8 the edit
// alone, 2 the sham alone. M3-a moves 0 and 1, asking again none. Format marks move 0 to 3. F4-a and F6-a, the preserving
// edits of the chain, move 0 to 7 and none.
func effectsWorked() []Record {
	return reasoner{n: 40, moves: func(op battery.Operator, i int) bool {
		switch op.ID {
		case "F2-a":
			return i < 12
		case "M3-a":
			return i < 2
		case "F4-a":
			return i < 8
		}
		return false
	}, control: func(c Control, i int) bool {
		switch c {
		case ShamChain:
			return i >= 8 && i < 14
		case FormatMarkers:
			return i < 4
		}
		return false
	}, change: func(r *Record, i int) {
		if i >= 30 { // of ten items nothing is known of F7-a
			unfired("F7-a")(r, i)
		}
	}}.records()
}

func TestEffectsAgainstTheNoiseFloor(t *testing.T) {
	f := summarised(t, Options{Battery: familiesBattery()}, effectsWorked()...)
	noise := tableOf(t, f, "noise")
	for id, want := range map[string]float64{"sham": 0, "sham_chain": 6.0 / 40, "format_markers": 4.0 / 40, "format_space": 0} {
		e := cellAt(t, noise, id, "m", "s").Estimate
		near(t, id, e.Value, want)
		if e.N != 40 || e.Hi.Or(0) <= e.Value.Or(0) {
			t.Errorf("%s: %+v", id, e)
		}
	}
	effects := tableOf(t, f, "effects")
	for _, c := range []struct {
		edit, column string
		want         float64
	}{
		{"F2-a", "flips", .3}, {"F2-a", "floor", .15}, {"F2-a", "difference", .15}, {"F2-a", "alone", 8}, {"F2-a", "other", 2},
		{"M3-a", "flips", .05}, {"M3-a", "floor", 0}, {"M3-a", "difference", .05}, {"M3-a", "alone", 2}, {"M3-a", "other", 0},
		{"F4-a", "difference", .05}, {"F1-50", "difference", -.15},
		// F4-a, F6-a and F7-a are the preserving edits of the chain; F4-a moves 8 items, of which F7-a fired on all.
		{"F2-a", "over_p", .3 - 8.0/40/3}, {"F1-50", "over_p", -8.0 / 40 / 3},
		// Destructive edits of the chain: F1-50, F2-a, F3-a, F5-a; of the question nothing moves.
		{"destructive edits, F-block", "difference", (.15 - 3*.15) / 4}, {"destructive edits, M-block", "difference", 0},
		// F7-a is known on 30 items, with all six that the sham moves among them.
		{"preserving edits, F-block", "difference", (.05 - .15 - 6.0/30) / 3},
	} {
		near(t, c.edit+" "+c.column, cellAt(t, effects, c.column, "m", c.edit).Estimate.Value, c.want)
	}
	for edit, want := range map[string]string{"F2-a": "own chain given back", "M3-a": "asked again", "all destructive edits": "each its own"} {
		if got := cellAt(t, effects, "against", "m", edit).Text; got != want {
			t.Errorf("%s is held against %q, want %q", edit, got, want)
		}
	}
	if got := cellAt(t, effects, "over_p", "m", "F4-a").Estimate; got.Value.OK() || got.Why != "it is one of them" {
		t.Errorf("a preserving edit against the others: %+v", got)
	}
}

// The p-values are McNemar's, adjusted by Holm over the thirteen operators; the reading follows them.
func TestEffectsAreAdjusted(t *testing.T) {
	x := reasoner{n: 60, moves: func(op battery.Operator, i int) bool {
		return op.ID == "M2-age-a" && i < 30 || op.ID == "M5-a" && i < 5
	}}
	effects := tableOf(t, summarised(t, Options{Battery: familiesBattery()}, x.records()...), "effects")
	p := make([]percuss.Number, 13)
	for i := range p {
		p[i] = percuss.Num(1)
	}
	p[0], p[1] = stat.McNemar(30, 0), stat.McNemar(5, 0)
	p = stat.Holm(p)
	for i, edit := range []string{"M2-age-a", "M5-a", "M3-a"} {
		near(t, "p of "+edit, cellAt(t, effects, "p", "m", edit).Estimate.Value, p[i].Or(9))
	}
	for edit, want := range map[string]string{"M2-age-a": "above the noise floor", "M5-a": "within the noise floor", "M3-a": "within the noise floor",
		"destructive edits, M-block": "above the noise floor", "preserving edits, M-block": "within the noise floor"} {
		if got := cellAt(t, effects, "reading", "m", edit).Text; !strings.HasPrefix(got, want) {
			t.Errorf("%s: %q, want %q", edit, got, want)
		}
	}
	// The other way round: asking again moves the answer, edits do not.
	x = reasoner{n: 60, control: func(_ Control, i int) bool { return i < 30 }}
	effects = tableOf(t, summarised(t, Options{Battery: familiesBattery()}, x.records()...), "effects")
	if got := cellAt(t, effects, "reading", "m", "F2-a").Text; !strings.HasPrefix(got, "below the noise floor") {
		t.Errorf("a sham that moves more: %q", got)
	}
}

func TestEquivalenceTable(t *testing.T) {
	x := reasoner{n: 300, moves: func(op battery.Operator, i int) bool { return op.ID == "F6-a" && i < 90 || op.ID == "M3-a" && i < 14 },
		control: func(c Control, i int) bool { return c == FormatSpace && i < 60 }}
	table := tableOf(t, summarised(t, Options{Battery: familiesBattery()}, x.records()...), "equivalence")
	for edit, want := range map[string]stat.Same{"F4-a": stat.AreEquivalent, "F6-a": stat.AreDifferent, "M3-a": stat.SameUnknown,
		FormatMarkers.name(): stat.AreEquivalent, FormatSpace.name(): stat.AreDifferent} {
		if got := cellAt(t, table, "verdict", "m", edit).Text; got != string(want) {
			t.Errorf("%s: %s, want %s", edit, got, want)
		}
	}
	want := stat.EquivalentPaired(14, 0, 300, DefaultMargin, .05)
	near(t, "p of M3-a", cellAt(t, table, "p", "m", "M3-a").Estimate.Value, want.P.Or(9))
	near(t, "upper bound of M3-a", cellAt(t, table, "difference", "m", "M3-a").Estimate.Hi, want.Difference.Hi.Or(9))
	if len(table.Rows) != 7 { // F4, F6, F7, M3, M6 and two formats
		t.Errorf("%d rows", len(table.Rows))
	}
	// A wider margin makes a small difference none.
	table = tableOf(t, summarised(t, Options{Battery: familiesBattery(), Margin: .2}, x.records()...), "equivalence")
	if got := cellAt(t, table, "verdict", "m", "M3-a").Text; got != string(stat.AreEquivalent) {
		t.Errorf("with a margin of 0.2: %s", got)
	}
}

// Without a chain to give back, edits of the chain are held against the question asked again; without any control the
// section says how to ask for one and still shows the contrast of the intents.
func TestControlsThatWereNotAsked(t *testing.T) {
	only := func(keep ...Control) []Record {
		return reasoner{n: 40, moves: by(60, 10), change: func(r *Record, _ int) {
			var kept []ControlTrial
			for _, c := range r.Controls {
				for _, k := range keep {
					if c.ID == k {
						kept = append(kept, c)
					}
				}
			}
			r.Controls = kept
		}}.records()
	}
	effects := tableOf(t, summarised(t, Options{Battery: familiesBattery()}, only(Sham)...), "effects")
	if got := cellAt(t, effects, "against", "m", "F2-a").Text; got != Sham.name() {
		t.Errorf("F2-a is held against %q", got)
	}
	f := summarised(t, Options{Battery: familiesBattery()}, only()...)
	if got := tableOf(t, f, "noise"); got.Absent == "" || !strings.Contains(got.Absent, "--controls") {
		t.Errorf("absent: %q", got.Absent)
	}
	effects = tableOf(t, f, "effects")
	if e := cellAt(t, effects, "difference", "m", "F2-a").Estimate; e.Value.OK() || e.Why == "" {
		t.Errorf("a difference to nothing: %+v", e)
	}
	if e := cellAt(t, effects, "over_p", "m", "F2-a").Estimate; !e.Value.OK() {
		t.Errorf("the contrast needs no control: %+v", e)
	}
	if got := cellAt(t, effects, "reading", "m", "F2-a").Text; !strings.HasPrefix(got, "no noise floor") {
		t.Errorf("reading %q", got)
	}
}

// Two data sets are pooled in the row of the model and stand apart in the table of floors.
func TestNoiseOfSeveralSets(t *testing.T) {
	one, two := reasoner{n: 30, control: func(_ Control, i int) bool { return i < 3 }}, reasoner{n: 10, set: "t", control: func(Control, int) bool { return true }}
	noise := tableOf(t, summarised(t, Options{Battery: familiesBattery()}, append(one.records(), two.records()...)...), "noise")
	for set, want := range map[string]float64{"s": .1, "t": 1, "all, pooled": 13.0 / 40} {
		near(t, set, cellAt(t, noise, "sham", "m", set).Estimate.Value, want)
	}
}

// A foreign log answers the questions as they stand: there is no floor, no effect, and the reason is told.
func TestControlsOfAForeignLog(t *testing.T) {
	log := reasoner{n: 20, change: func(r *Record, _ int) {
		r.Given = true
		for i := range r.Operators {
			r.Operators[i].Reading, r.Operators[i].Flip = Reading{State: Unavailable, Why: GivenOnly}, NoFlip
		}
		for i := range r.Controls {
			r.Controls[i] = ControlTrial{ID: r.Controls[i].ID, Why: GivenOnly, Reading: Reading{State: Unavailable, Why: GivenOnly}}
		}
	}}
	f := summarised(t, Options{Battery: familiesBattery()}, log.records()...)
	if got := tableOf(t, f, "noise"); !strings.Contains(got.Absent, GivenOnly) {
		t.Errorf("absent: %q", got.Absent)
	}
	for _, column := range []string{"flips", "floor", "difference", "over_p"} {
		if e := cellAt(t, tableOf(t, f, "effects"), column, "m", "F2-a").Estimate; e.Value.OK() || e.Why == "" {
			t.Errorf("%s: %+v", column, e)
		}
	}
	for _, id := range []string{"noise-floor", "preserving-quiet", "contrast", "fcs-corridor", "one-reading"} {
		for _, c := range claimsOf(f, id) {
			if c.Verdict != percuss.CannotTell {
				t.Errorf("%+v", c)
			}
		}
	}
	if c := claimsOf(f, "all-fired")[""]; c.Verdict != percuss.ClaimHolds || c.Measure.N != 20 {
		t.Errorf("the edits of a log are made, if not asked: %+v", c)
	}
	for _, c := range claimsOf(f, "beats-policies") {
		if c.Verdict != percuss.ClaimHolds && c.Verdict != percuss.CannotTell || !c.Measure.Value.OK() {
			t.Errorf("the accuracy of a log can be held against the policies: %+v", c)
		}
	}
}

// A reason counts the items it was of; that two models make it twice as many times is said apart.
func TestReasonsCountItems(t *testing.T) {
	refused := reasoner{n: 7, change: func(r *Record, i int) {
		if i < 3 {
			for j := range r.Controls {
				if c := &r.Controls[j]; c.ID == Shuffle {
					*c = ControlTrial{ID: Shuffle, Why: "an option points at others", Reading: Reading{State: NotFired}}
				}
			}
		}
	}}.records()
	for want, records := range map[string][]Record{
		"an option points at others (3 items).":                                  refused,
		"an option points at others (3 items, 6 times over models and prompts).": slices.Concat(refused, as("n", "strict", refused)),
	} {
		table := tableOf(t, summarised(t, Options{Battery: familiesBattery()}, records...), "noise")
		if len(table.Notes) != 1 || !strings.HasSuffix(table.Notes[0], want) {
			t.Errorf("notes %q, want %q", table.Notes, want)
		}
	}
}
