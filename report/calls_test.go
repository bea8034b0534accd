package report

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/report/pagetest"
)

// asked is an item of a model whose trials ask the given requests, by number.
func asked(model string, answers percuss.AnswerMap, numbers ...int) Item {
	it := Item{Subject: percuss.Subject{SubjectID: percuss.SubjectID{Model: model}}, Answers: answers}
	for i, n := range numbers {
		it.Trials = append(it.Trials, percuss.Trial{ID: fmt.Sprint(i), Fired: true, Request: numbered(n)})
	}
	return it
}

func numbered(n int) *percuss.Request { return &percuss.Request{Model: "m", Replicate: n} }

func TestCallsAreCounted(t *testing.T) {
	answers := percuss.AnswerMap{
		numbered(1).Key(): {Outcome: percuss.OK, Reported: "alpha"},
		numbered(2).Key(): {Outcome: percuss.Truncated, Reported: "alpha", Continued: percuss.Continues},
		numbered(3).Key(): {Outcome: percuss.OK, Reported: "beta", Continued: percuss.Quotes,
			Letters: []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(-1)}, {Letter: "B", LogProb: percuss.Num(-9), Censored: true}}},
		numbered(5).Key(): {Outcome: percuss.OK},
	}
	tally := NewTally()
	tally.Add(asked("one", answers, 1, 2, 2, 3))
	tally.Add(asked("two", answers, 1))
	second := asked("one", answers, 2, 4, 5)
	second.Trials[2].Labels = []byte(`{"quoted":true}`)
	second.Trials = append(second.Trials, percuss.Trial{ID: "skipped"}, percuss.Trial{ID: "of a ledger", Fired: true})
	tally.Add(second)
	got := tally.Calls()
	if len(got) != 2 || got[0].Model != "one" || got[1].Model != "two" || got[1].Requests != 1 || len(got[1].Warnings) != 0 {
		t.Fatalf("models %+v", got)
	}
	one := got[0]
	counts := map[string]int{}
	for _, o := range one.Outcomes {
		counts[o.Name] = o.N
	}
	want := map[string]int{"ok": 3, "truncated": 1, "failed": 2, "prompt_truncated": 0, "empty": 0, "reasoning_only": 0, "filtered": 0, "context_exceeded": 0, "refused_by_server": 0}
	if d := cmp.Diff(want, counts); d != "" {
		t.Error(d)
	}
	if one.Requests != 6 || one.Letters != 2 || one.Censored != 1 || one.Begun != 3 || one.Quoted != 2 {
		t.Errorf("counted %+v", one)
	}
	if d := cmp.Diff([]chain.Count{{Name: "alpha", N: 2}, {Name: "beta", N: 1}}, one.Reported); d != "" {
		t.Error(d)
	}
	if len(one.Warnings) != 1 || !strings.Contains(one.Warnings[0], "alpha (2), beta (1)") {
		t.Errorf("a model that changed its name: %q", one.Warnings)
	}
}

// Whatever the trials share, each key is one call and has one outcome.
func TestEachKeyIsOneCall(t *testing.T) {
	outcomes := append(percuss.Outcomes(), "of_a_newer_version")
	rapid.Check(t, func(t *rapid.T) {
		answers := percuss.AnswerMap{}
		for n := range rapid.IntRange(0, 8).Draw(t, "answered") {
			answers[numbered(n).Key()] = percuss.Answer{Outcome: rapid.SampledFrom(outcomes).Draw(t, "outcome")}
		}
		tally, keys := NewTally(), map[int]bool{}
		for range rapid.IntRange(1, 4).Draw(t, "subjects") {
			numbers := rapid.SliceOfN(rapid.IntRange(0, 9), 0, 12).Draw(t, "requests")
			for _, n := range numbers {
				keys[n] = true
			}
			tally.Add(asked("m", answers, numbers...))
		}
		c, sum := tally.Calls()[0], 0
		for _, o := range c.Outcomes {
			sum += o.N
		}
		if c.Requests != len(keys) || sum != len(keys) {
			t.Fatalf("%d keys, %d requests, %d outcomes", len(keys), c.Requests, sum)
		}
	})
}

func TestCallsOnThePage(t *testing.T) {
	r := small()
	r.Calls = []Calls{{Model: "m1", Requests: 3, Outcomes: []chain.Count{{Name: "ok", N: 3}}, Warnings: []string{"renamed"}},
		{Model: "m2", Requests: 2, Outcomes: []chain.Count{{Name: "odd", N: 2}}, Reported: []chain.Count{{Name: "x9", N: 2}}}}
	page, _ := written(t, r, nil, 0)
	var rows []string
	for _, e := range pagetest.Parse(t, page) {
		if e.Name == "tr" {
			rows = append(rows, strings.Join(strings.Fields(e.Text), " "))
		}
	}
	for _, want := range []string{"ok30", "odd02", "all calls32", "m2x92", "m1nothing–"} {
		if !slices.Contains(rows, want) {
			t.Errorf("no row %q", want)
		}
	}
	if !strings.Contains(page, "</strong> m1: renamed.") {
		t.Error("no warning at the head")
	}
}
