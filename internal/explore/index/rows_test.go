package index

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/evidence"
)

// said are the fields of a row that hold something, by their names.
func said(r Row) map[string]string {
	out := map[string]string{}
	for at, value := range r.Of {
		if value != "" {
			out[fieldNames[at]] = value
		}
	}
	return out
}

func TestRowsOfAChainRecord(t *testing.T) {
	read := func(answer string, right bool, margin float64) chain.Reading {
		return chain.Reading{State: chain.Read, Outcome: percuss.OK, Answer: answer, Correct: right, Margin: percuss.Num(margin)}
	}
	fired := battery.Edit{Fired: true}
	rows := RowsOf(7, chain.Record{Base: read("A", true, 3), Direct: read("B", false, 1), Operators: []chain.OperatorTrial{
		{ID: "M2-sex", Edit: fired, Reading: read("A", true, 2.4), Flip: chain.Kept, Rule: true, Token: true},
		{ID: "M2-age-a", Edit: fired, Reading: read("B", false, -2), Flip: chain.Flipped, Rule: true, Token: true},
		{ID: "M4-a", Edit: fired, Reading: read("A", true, 3), Flip: chain.Kept, Rule: true},
		{ID: "M5-a", Edit: fired, Reading: read("B", false, 2), Flip: chain.Flipped, Rule: true},
		{ID: "F1-50", Edit: fired, Reading: read("B", false, 2), Flip: chain.Flipped},
		{ID: "F2", Edit: fired, Reading: chain.Reading{State: chain.Unparseable, Outcome: percuss.Truncated}, Rule: true},
		{ID: "F3-a", Edit: fired, Reading: read("A", true, 3), Flip: chain.MixedKept, Rule: true},
		{ID: "F7-a", Reading: chain.Reading{State: chain.NotFired}},
	}, Controls: []chain.ControlTrial{{ID: chain.Sham, Fired: true, Reading: read("A", true, 3), Flip: chain.Kept}}})
	want := []map[string]string{
		{"op": "base", "state": "read", "outcome": "ok", "right": "yes"},
		{"op": "direct", "state": "read", "outcome": "ok", "right": "no"},
		{"op": "M2-sex", "family": "M2", "state": "read", "outcome": "ok", "right": "yes", "flip": "keep", "joint": "a", "size": "0.5"},
		{"op": "M2-age-a", "family": "M2", "state": "read", "outcome": "ok", "right": "no", "flip": "flip", "joint": "b", "size": "4"},
		{"op": "M4-a", "family": "M4", "state": "read", "outcome": "ok", "right": "yes", "flip": "keep", "joint": "c", "size": "0"},
		{"op": "M5-a", "family": "M5", "state": "read", "outcome": "ok", "right": "no", "flip": "flip", "joint": "d", "size": "1"},
		{"op": "F1-50", "family": "F1", "state": "read", "outcome": "ok", "right": "no", "flip": "flip", "size": "1"},
		{"op": "F2", "family": "F2", "state": "unparseable", "outcome": "truncated", "joint": "dropped"},
		{"op": "F3-a", "family": "F3", "state": "read", "outcome": "ok", "right": "yes", "flip": "mixed_keep", "joint": "dropped", "size": "0"},
		{"op": "F7-a", "family": "F7", "state": "not_fired"},
		{"op": "sham", "family": "controls", "state": "read", "outcome": "ok", "right": "yes", "flip": "keep", "size": "0"},
	}
	var got []map[string]string
	for _, r := range rows {
		got = append(got, said(r))
		if r.Subject != 7 {
			t.Errorf("%s is of subject %d", r.Of[Operator], r.Subject)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if rows[0].Answer != "A" || rows[7].Change.OK() {
		t.Errorf("answer %q, change of what has no margin %v", rows[0].Answer, rows[7].Change)
	}
}

func TestRowsOfACase(t *testing.T) {
	r := evidence.Record{
		Units: []evidence.UnitRecord{{Role: evidence.RoleSupporting}, {Role: evidence.RoleAbsent}, {Role: evidence.RoleSupporting}},
		Base: evidence.Measured{State: evidence.Scored, Prediction: "Sepsis", Answered: true, Interactions: []evidence.Interaction{
			{Set: 0b111, Value: -2.5, Label: "conflict", Suspicious: true}, {Set: 0b101, Value: 0.25, Label: "faithful"}, {Set: 0b1, Value: 0.24, Label: "faithful"}}},
		Cascade:  []evidence.Survival{{Set: 0b111, Prompt: evidence.Holds, Order: evidence.Fails, Neutralize: evidence.NotAsked}, {Set: 0b101, Prompt: evidence.Holds, Order: evidence.NotAsked, Neutralize: evidence.Holds}},
		Families: []evidence.Family{{ID: "fever", Strata: []evidence.Stratum{evidence.High, evidence.Plausible}}},
		Changes: []evidence.Change{{Family: "fever", Edit: evidence.Remove, State: evidence.Scored, Margin: percuss.Num(-1.2), RankBefore: 1, RankAfter: 2},
			{Family: "cough", Edit: evidence.Flip, State: evidence.Scored, RankBefore: 3, RankAfter: 2}, {Family: "cough", Edit: evidence.Unspecify, State: evidence.Waiting}},
	}
	rows := RowsOf(0, r)
	want := []map[string]string{
		{"op": "base", "state": "scored", "right": "no"},
		{"op": "order 3", "role": "absent\x1fsupporting", "label": "conflict", "suspicious": "yes", "verdict": "fails", "size": "2"},
		{"op": "order 2", "role": "supporting", "label": "faithful", "suspicious": "no", "verdict": "holds", "size": "0"},
		{"op": "remove", "family": "fever", "state": "scored", "stratum": "high\x1fplausible", "right": "no", "flip": "flip", "size": "1"},
		{"op": "flip", "family": "cough", "state": "scored", "right": "no", "flip": "keep"},
		{"op": "unspecified", "family": "cough", "state": "waiting"},
	}
	var got []map[string]string
	for _, r := range rows {
		got = append(got, said(r))
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if rows[1].Bits != 0b111 || rows[0].Answer != "Sepsis" {
		t.Errorf("bits %b, answer %q", rows[1].Bits, rows[0].Answer)
	}
	if refused := RowsOf(0, evidence.Record{Why: "too few findings"}); len(refused) != 1 || refused[0].Of[State] != "refused" {
		t.Errorf("a refused case: %v", refused)
	}
	if none := RowsOf(0, nil); len(none) != 0 {
		t.Errorf("no record: %v", none)
	}
}

func TestTallies(t *testing.T) {
	w := world{subjects: []percuss.Subject{{SubjectID: percuss.SubjectID{Model: "m"}}, {SubjectID: percuss.SubjectID{Model: "n"}}}}
	add := func(subject int, values map[field]string) {
		r := Row{Subject: subject}
		for at, v := range values {
			r.Of[at] = v
		}
		w.rows = append(w.rows, r)
	}
	add(0, map[field]string{Operator: Base, Right: "yes"})
	add(0, map[field]string{Operator: "M2", Flip: "flip", Joint: "b"})
	add(0, map[field]string{Operator: "M2", Joint: Dropped})
	add(1, map[field]string{Operator: Base})
	add(1, map[field]string{Operator: "order 2", Role: "absent", Label: "x", Size: "1", Suspicious: "yes"})
	add(1, map[field]string{Operator: "order 2", Role: "absent", Label: "x", Size: "0", Suspicious: "yes"})
	add(1, map[field]string{Operator: "M2", State: "not_fired"})
	x := w.built(t)
	got := x.Tallies(Model)
	for i := range got {
		got[i].Of = [fields]string{}
	}
	want := []Tally{{Rows: 3, Base: 1, BaseRight: 1, BaseAnswered: 1, Flipped: 1, Dropped: 1}, {Rows: 4, Base: 1, Unfired: 1, Salient: 1, Suspicious: 1}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if n := len(x.Tallies(Operator)); n != 3 {
		t.Errorf("%d kinds of rows, want 3", n)
	}
}
