package index

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

func says(of ...step.Says) []step.Verdict {
	var out []step.Verdict
	for i, s := range of {
		out = append(out, step.Verdict{Judge: string(rune('x' + i)), Says: s})
	}
	return out
}

// stepRecord has two answers with a vote each, three judged steps of one chain, one that nothing was left of, and flags.
func stepRecord() step.Record {
	read := func(answer string, right bool, views ...step.Viewed) step.Chain {
		return step.Chain{State: step.Read, Outcome: percuss.OK, Answer: answer, Correct: right, Views: views}
	}
	return step.Record{Gold: "A", Chains: []step.Chain{
		read("A", true, step.Viewed{View: "markers", Steps: []step.Step{
			{Says: says(step.Correct, step.Factual), Hedged: true},
			{Blank: true},
			{Says: says(step.Abstain, step.Missing), Checks: step.Checks{WrongSums: 1}},
			{Hedged: true},
		}}, step.Viewed{View: "sentence", Steps: []step.Step{{Says: says(step.Arithmetic, step.Correct)}}}),
		read("B", false, step.Viewed{View: "markers", Steps: []step.Step{{Checks: step.Checks{NewNumbers: 2}}, {}}}),
		{State: step.Unparseable, Outcome: percuss.Truncated},
	}}
}

func TestRowsOfAStepRecord(t *testing.T) {
	var got []map[string]string
	for _, r := range RowsOf(3, stepRecord()) {
		got = append(got, said(r))
		if r.Subject != 3 {
			t.Errorf("%v is of subject %d", said(r), r.Subject)
		}
	}
	tied := joined([]string{VoteTied, VoteSplit})
	byY := joined([]string{AnyJudge, "y"})
	want := []map[string]string{
		{"op": "item", "vote": tied, "error": byY, "found": joined([]string{"hedge", "number", "sum"})},
		{"op": "chain", "vote": tied, "state": "read", "outcome": "ok", "right": "yes", "error": byY, "found": joined([]string{"hedge", "sum"})},
		{"op": "step markers", "vote": tied, "says": joined([]string{"correct", "factual"}), "error": byY, "found": "hedge"},
		{"op": "step markers", "vote": tied, "says": "abstain"},
		{"op": "step markers", "vote": tied, "says": joined([]string{"abstain", "missing"}), "found": "sum"},
		{"op": "step sentence", "vote": tied, "says": joined([]string{"arithmetic", "correct"}), "error": joined([]string{AnyJudge, "x"})},
		{"op": "chain", "vote": tied, "state": "read", "outcome": "ok", "right": "no", "found": "number"},
		{"op": "step markers", "vote": tied, "found": "number"},
		{"op": "chain", "vote": tied, "state": "unparseable", "outcome": "truncated"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// A row leads to the place that it was made of.
func TestPlacesOfStepRows(t *testing.T) {
	type place struct {
		Chain, Step int
		View        string
	}
	var got []place
	for _, r := range RowsOf(0, stepRecord()) {
		chain, at, view, ok := r.Place()
		if !ok {
			t.Errorf("%v has no place", said(r))
		}
		got = append(got, place{chain, at, view})
	}
	want := []place{{}, {Chain: 1}, {1, 1, "markers"}, {1, 2, "markers"}, {1, 3, "markers"}, {1, 1, "sentence"}, {Chain: 2}, {2, 1, "markers"}, {Chain: 3}}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	var other Row
	other.Of[Operator], other.Bits = "order 2", 3
	if _, _, _, ok := other.Place(); ok {
		t.Error("a combination of findings has a place in a chain")
	}
}

func TestVotesOfAnItem(t *testing.T) {
	for name, c := range map[string]struct {
		gold    string
		answers []string
		want    string
	}{
		"all right":    {"A", []string{"A", "A"}, VoteRight},
		"most right":   {"A", []string{"A", "B", "A"}, joined([]string{VoteRight, VoteSplit})},
		"most wrong":   {"A", []string{"B", "B", "A"}, joined([]string{VoteWrong, VoteSplit})},
		"tied":         {"A", []string{"B", "A"}, joined([]string{VoteTied, VoteSplit})},
		"nothing read": {"A", []string{""}, VoteNone},
		"no gold":      {"", []string{"A", "A"}, ""},
	} {
		r := step.Record{Gold: c.gold}
		for _, a := range c.answers {
			chain := step.Chain{State: step.Read, Answer: a}
			if a == "" {
				chain.State = step.Unparseable
			}
			r.Chains = append(r.Chains, chain)
		}
		if got := RowsOf(0, r)[0].Of[Vote]; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestTalliesOfSteps(t *testing.T) {
	var got Tally
	for _, r := range RowsOf(0, stepRecord()) {
		got.add(r.Of, 1)
	}
	want := StepTally{Voted: 1, Tied: 1, Read: 2, ReadRight: 1, Judged: 1, Faulty: 1, Asked: 4, Claims: 2, Wrong: 2, NoVerdict: 1, Found: 2}
	if diff := cmp.Diff(want, got.Steps); diff != "" {
		t.Error(diff)
	}
}

// A filter for one of several values lets a row through that has it beside others.
func TestFilterOfSeveralValues(t *testing.T) {
	for name, want := range map[string]int{"says=missing": 1, "says=correct": 2, "error=x": 1, "error=y": 3, "vote=split": 9, "vote=right": 0, "found=hedge": 3, "found=number": 3} {
		at, value, _ := strings.Cut(name, "=")
		f := Filter{}.With(at, value)
		n := 0
		for _, r := range RowsOf(0, stepRecord()) {
			ok := true
			for field := range fields {
				if list := f.of(field); len(list) > 0 {
					ok = ok && fits(field, r.Of[field], list)
				}
			}
			if ok {
				n++
			}
		}
		if n != want {
			t.Errorf("%s: %d rows, want %d", name, n, want)
		}
	}
}
