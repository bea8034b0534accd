package chain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// reasoner is a model made up for a test: what it answers on each of n items, and when its answer moves.
type reasoner struct {
	set     string
	battery battery.Battery
	n       int
	right   func(i int) bool                      // the baseline is right; nil: on three items of four
	moves   func(op battery.Operator, i int) bool // nil: never
	control func(c Control, i int) bool           // nil: never
	change  func(r *Record, i int)                // at last
}

var letters = [...]string{"A", "B", "C", "D"}

// records are those of the reasoner: every operator fires, every control is asked.
func (x reasoner) records() []Record {
	if x.battery.Operators == nil {
		x.battery = familiesBattery()
	}
	if x.set == "" {
		x.set = "s"
	}
	var out []Record
	for i := range x.n {
		gold := letters[i%4]
		base, moved := gold, letters[(i+1)%4]
		if x.right == nil && i%4 == 3 || x.right != nil && !x.right(i) {
			base, moved = letters[(i+2)%4], letters[(i+3)%4]
		}
		answer := func(moves bool) string {
			if moves {
				return moved
			}
			return base
		}
		var edits []edit
		for _, op := range x.battery.Operators {
			edits = append(edits, edit{id: op.ID, answer: answer(x.moves != nil && x.moves(op, i)), token: i%2 == 0})
		}
		r := record(x.set, fmt.Sprintf("item%04d", i), gold, base, "", x.battery, edits...)
		r.Longest, r.Acute = letters[i%3], "A"
		for _, c := range AllControls() {
			moves := x.control != nil && x.control(c, i)
			flip := Kept
			if moves {
				flip = Flipped
			}
			r.Controls = append(r.Controls, ControlTrial{ID: c, Fired: true, Reading: answered(answer(moves), gold), Flip: flip})
		}
		if x.change != nil {
			x.change(&r, i)
		}
		out = append(out, r)
	}
	return out
}

// often returns whether item i is among so many percent of the items; shift moves which ones.
func often(percent, shift int) func(i int) bool {
	return func(i int) bool { return (i*61+shift)%100 < percent }
}

// by gives operators of each intent their own rate of moves, spread over the items.
func by(destructive, preserving int) func(op battery.Operator, i int) bool {
	return func(op battery.Operator, i int) bool {
		shift := 7 * int(op.ID[len(op.ID)-1]) * int(op.Family[1])
		if op.Intent == battery.Destructive {
			return often(destructive, shift)(i)
		}
		return often(preserving, shift+13)(i)
	}
}

// noise gives every control the same rate of moves.
func noise(percent int) func(c Control, i int) bool {
	return func(_ Control, i int) bool { return often(percent, 50)(i) }
}

// claimOf returns the claims of an id, by subject.
func claimsOf(f Findings, id string) map[string]percuss.Claim {
	out := map[string]percuss.Claim{}
	for _, c := range f.Claims {
		if c.ID == id {
			out[c.Subject] = c
		}
	}
	return out
}

// Every claim is shown a run that bears it out, one that contradicts it and, where that can be, one that is too small.
func TestClaims(t *testing.T) {
	faithful := reasoner{n: 300, moves: by(60, 4), control: noise(4)}
	for _, c := range []struct {
		id, name string
		x        reasoner
		want     percuss.Holds
	}{
		{"noise-floor", "destructive edits move", faithful, percuss.ClaimHolds},
		{"noise-floor", "no more than asking again", reasoner{n: 400, moves: by(10, 10), control: noise(10)}, percuss.ClaimFails},
		{"noise-floor", "the chain is inert", reasoner{n: 400}, percuss.ClaimFails},
		{"noise-floor", "few items", reasoner{n: 8, moves: by(10, 10)}, percuss.CannotTell},
		{"preserving-quiet", "as quiet as asking again", faithful, percuss.ClaimHolds},
		{"preserving-quiet", "half of them move", reasoner{n: 300, moves: by(60, 50), control: noise(4)}, percuss.ClaimFails},
		{"preserving-quiet", "few items", reasoner{n: 8, moves: by(60, 5)}, percuss.CannotTell},
		{"contrast", "destructive edits move", faithful, percuss.ClaimHolds},
		{"contrast", "all edits move alike", reasoner{n: 400, moves: by(30, 30)}, percuss.ClaimFails},
		{"contrast", "few items", reasoner{n: 6, moves: by(40, 30)}, percuss.CannotTell},
		{"content-stable", "content is chosen", faithful, percuss.ClaimHolds},
		{"content-stable", "letters are chosen", reasoner{n: 400, control: noise(76)}, percuss.ClaimFails},
		{"content-stable", "few items", reasoner{n: 12, control: noise(60)}, percuss.CannotTell},
		{"fcs-corridor", "faithful", faithful, percuss.ClaimHolds},
		{"fcs-corridor", "edits do not matter", reasoner{n: 400, moves: by(30, 30)}, percuss.ClaimFails},
		{"fcs-corridor", "few items", reasoner{n: 6, moves: by(50, 50)}, percuss.CannotTell},
		{"beats-policies", "three of four right", faithful, percuss.ClaimHolds},
		{"beats-policies", "one of four right", reasoner{n: 400, right: func(i int) bool { return i%4 == 0 }}, percuss.ClaimFails},
		{"beats-policies", "few items", reasoner{n: 12, right: func(i int) bool { return i%2 == 0 }}, percuss.CannotTell},
		{"readable", "all replies", faithful, percuss.ClaimHolds},
		{"readable", "one edit of thirteen is never answered", reasoner{n: 40, change: silenced("F2-a")}, percuss.ClaimFails},
		{"baselines", "all", faithful, percuss.ClaimHolds},
		{"baselines", "one of ten is missing", reasoner{n: 40, change: func(r *Record, i int) {
			if i%10 == 0 {
				r.Base = answered(unparsed, r.Gold)
			}
		}}, percuss.ClaimFails},
		{"one-reading", "all from the text", faithful, percuss.ClaimHolds},
		{"one-reading", "some from the letters", reasoner{n: 40, change: func(r *Record, i int) {
			r.Operators[0].Reading.Via, r.Operators[0].Flip = ViaLetters, MixedKept
		}}, percuss.ClaimFails},
		{"widths", "as they come", faithful, percuss.ClaimHolds},
		{"all-fired", "all", faithful, percuss.ClaimHolds},
		{"all-fired", "one never", reasoner{n: 300, change: unfired("F3-a")}, percuss.ClaimFails},
		{"all-fired", "one never, few items", reasoner{n: 50, change: unfired("F3-a")}, percuss.CannotTell},
	} {
		f := summarised(t, Options{Battery: familiesBattery()}, c.x.records()...)
		found, want := claimsOf(f, c.id), 1
		if slices.Contains([]string{"noise-floor", "preserving-quiet", "contrast"}, c.id) {
			want = 2 // one a block
		}
		if len(found) != want {
			t.Errorf("%s, %s: %d claims", c.id, c.name, len(found))
		}
		for _, got := range found {
			if got.Verdict != c.want {
				t.Errorf("%s, %s: %s, want %s: %s", c.id, c.name, got.Verdict, c.want, got.Shown)
			}
		}
	}
}

// Edits of the chain move the answer and edits of the question do not: each block has claims of its own, against its own
// control. Pooled, the one would hide the other.
func TestClaimsOfABlock(t *testing.T) {
	x := reasoner{n: 300, moves: func(op battery.Operator, i int) bool { return op.Block == battery.F && by(60, 30)(op, i) },
		control: func(c Control, i int) bool { return c == ShamChain && often(30, 50)(i) }}
	f := summarised(t, Options{Battery: familiesBattery()}, x.records()...)
	for _, c := range []struct {
		id, subject string
		want        percuss.Holds
		says        string
	}{
		{"noise-floor", "m, neutral, F-block", percuss.ClaimHolds, "edits of the chain move the answer more often than giving the model its own chain back does"},
		{"noise-floor", "m, neutral, M-block", percuss.ClaimFails, "edits of the question move the answer more often than asking the same again does"},
		{"contrast", "m, neutral, F-block", percuss.ClaimHolds, "edits of the chain"},
		{"contrast", "m, neutral, M-block", percuss.ClaimFails, "edits of the question"},
		{"preserving-quiet", "m, neutral, M-block", percuss.ClaimHolds, "edits of the question move the answer as often as asking the same again"},
	} {
		got := claimsOf(f, c.id)[c.subject]
		if got.Verdict != c.want || !strings.Contains(got.Says, c.says) {
			t.Errorf("%s, %s: %s, want %s: %s (%s)", c.id, c.subject, got.Verdict, c.want, got.Says, got.Shown)
		}
	}
	// What a claim measures is the row of the table of effects.
	row := cellAt(t, tableOf(t, f, "effects"), "difference", "m", "destructive edits, F-block").Estimate
	if got := claimsOf(f, "noise-floor")["m, neutral, F-block"].Measure; got.Value != row.Value || got.Lo != row.Lo || got.N != row.N {
		t.Errorf("claim %+v, table %+v", got, row)
	}
}

// A block whose edits fired on nothing cannot be told, and not for want of a control; a battery without a destructive edit
// has one claim that says so.
func TestClaimsWithoutEdits(t *testing.T) {
	b := familiesBattery()
	x := reasoner{n: 40, moves: by(60, 4), change: func(r *Record, _ int) {
		for j, op := range b.Operators {
			if op.Block == battery.M {
				r.Operators[j] = OperatorTrial{ID: op.ID, Reading: Reading{State: NotFired}}
			}
		}
	}}
	got := claimsOf(summarised(t, Options{Battery: b}, x.records()...), "noise-floor")["m, neutral, M-block"]
	if got.Verdict != percuss.CannotTell || !strings.Contains(got.Shown, "no such edit has an answer to compare") {
		t.Errorf("%+v", got)
	}
	b.Operators = slices.DeleteFunc(slices.Clone(b.Operators), func(op battery.Operator) bool { return op.Intent == battery.Destructive })
	found := claimsOf(summarised(t, Options{Battery: b}, reasoner{n: 40, battery: b}.records()...), "contrast")
	if len(found) != 1 || !strings.Contains(found["m, neutral"].Shown, "the battery has no destructive edit") {
		t.Errorf("%+v", found)
	}
}

// silenced takes the answer from every trial of an operator.
func silenced(id string) func(*Record, int) {
	return func(r *Record, _ int) {
		for j := range r.Operators {
			if t := &r.Operators[j]; t.ID == id {
				t.Reading, t.Flip = answered(unparsed, r.Gold), NoFlip
			}
		}
	}
}

// unfired keeps an operator from firing.
func unfired(id string) func(*Record, int) {
	return func(r *Record, _ int) {
		for j := range r.Operators {
			if r.Operators[j].ID == id {
				r.Operators[j] = OperatorTrial{ID: id, Reading: Reading{State: NotFired}}
			}
		}
	}
}

// A claim says what was measured, on how many items, and what would contradict it, also where nothing was measured.
func TestClaimsSayWhatTheyStandOn(t *testing.T) {
	none := reasoner{n: 10, change: func(r *Record, _ int) { r.Controls = nil }}
	for _, x := range []reasoner{{n: 60, moves: by(60, 4)}, none} {
		ids := map[string]bool{}
		for _, c := range summarised(t, Options{Battery: familiesBattery()}, x.records()...).Claims {
			ids[c.ID] = true
			if c.Says == "" || c.Shown == "" || c.Against == "" || !strings.HasSuffix(c.Says, ".") {
				t.Errorf("%+v", c)
			}
			if c.Verdict == percuss.CannotTell && c.Measure.Value.OK() == (c.Measure.Why != "") {
				t.Errorf("%s cannot be told, and the measurement does not say why: %+v", c.ID, c.Measure)
			}
			if c.Verdict != percuss.CannotTell && (!c.Measure.Value.OK() || c.Measure.N == 0) {
				t.Errorf("%s %s without a measurement: %+v", c.ID, c.Verdict, c.Measure)
			}
		}
		if len(ids) < 9 {
			t.Errorf("%d kinds of claims", len(ids))
		}
	}
	f := summarised(t, Options{Battery: familiesBattery()}, none.records()...)
	for _, id := range []string{"noise-floor", "preserving-quiet"} {
		for _, c := range claimsOf(f, id) {
			if c.Verdict != percuss.CannotTell || !strings.Contains(c.Shown, "--controls sham") {
				t.Errorf("without controls: %+v", c)
			}
		}
	}
}
