package report

import (
	"bytes"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
)

// callsOf are the calls to a model, of which some have failed.
func callsOf(requests, failed int) Calls {
	return Calls{Model: "m", Requests: requests, Outcomes: []chain.Count{{Name: string(percuss.Failed), N: failed}}}
}

// TestAlerts: what must be known before any figure, the gravest first, and nothing where all is well.
func TestAlerts(t *testing.T) {
	whole := callsOf(119, 0)
	open := callsOf(119, 40)
	waiting := callsOf(5, 0)
	waiting.Waiting = 12
	cut := whole
	cut.Chains, cut.Cut, cut.Limit = 35, 30, 64
	few := cut
	few.Chains, few.Cut = 100, 5
	all, some := whole, whole
	all.Begun, all.Quoted = 7, 7
	some.Begun, some.Quoted = 7, 2
	grave := cut
	grave.Outcomes, grave.Begun, grave.Quoted = open.Outcomes, 1, 1
	second := few
	second.Model = "n"
	other := second
	other.Chains, other.Cut = 10, 9
	longer := other
	longer.Limit = 256
	for name, c := range map[string]struct {
		calls []Calls
		want  []string // the beginnings
	}{
		"none": {nil, nil}, "whole": {[]Calls{whole}, nil}, "few cut": {[]Calls{few}, nil},
		"open":    {[]Calls{open}, []string{"Unfinished: 40 of 119 calls have no answer;"}},
		"waiting": {[]Calls{waiting}, []string{"Unfinished: 12 edits of chains wait for a chain;"}},
		"summed":  {[]Calls{open, waiting}, []string{"Unfinished: 40 of 124 calls have no answer, and 12 edits"}},
		"cut":     {[]Calls{cut}, []string{"30 of 35 replies were cut at the limit of 64 tokens: the figures are those of unfinished chains."}},
		"one cut": {[]Calls{cut, second}, []string{"m: 30 of 35"}},
		"two cut": {[]Calls{cut, other}, []string{"Replies were cut at the limit of 64 tokens (m 30 of 35, n 9 of 10): the figures of these models are"}},
		"limits":  {[]Calls{cut, longer}, []string{"Replies were cut at the token limit (m 30 of 35 at 64 tokens, n 9 of 10 at 256 tokens):"}},
		"quoted":  {[]Calls{all}, []string{"Edited chains were quoted in a user turn"}},
		"some":    {[]Calls{some}, []string{"2 of 7 edited chains were quoted"}},
		"grave":   {[]Calls{grave}, []string{"Unfinished", "30 of 35", "Edited chains"}},
	} {
		got := Report{Calls: c.calls}.alerts()
		if !slices.EqualFunc(got, c.want, strings.HasPrefix) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// TestSameWarningsAreOne: what is to be said of several models alike is said once and names them, in the page and in the
// summary.
func TestSameWarningsAreOne(t *testing.T) {
	r := small()
	one, two, three := callsOf(3, 0), callsOf(4, 0), callsOf(5, 0)
	two.Model, three.Model = "n", "o"
	one.Warnings, two.Warnings, three.Warnings = []string{"the clock ran backwards"}, []string{"renamed"}, []string{"the clock ran backwards"}
	r.Calls = []Calls{one, two, three}
	var text, page bytes.Buffer
	if err := errors.Join(WriteText(&text, r, false), WriteHTML(&page, r, HTML{})); err != nil {
		t.Fatal(err)
	}
	for _, out := range []string{text.String(), page.String()} {
		for _, want := range []string{"m, o: the clock ran backwards.", "n: renamed."} {
			if !strings.Contains(out, want) || strings.Count(out, "the clock ran backwards") != 1 {
				t.Errorf("no %q, or more than once, in %s", want, out)
			}
		}
	}
}

// TestUnreadableModelsAreOneAlert: models whose baseline answers could not be read are named in one alert, with the reasons of
// all of them together.
func TestUnreadableModelsAreOneAlert(t *testing.T) {
	r := small()
	var models []chain.Group
	for name, right := range map[string]int{"m": 3, "n": 2, "o": 38} {
		g := r.Findings.Models[0]
		e := est(0.5, 0.4, 0.6, right)
		e.Den = percuss.Num(float64(right))
		g.Model, g.Variant, g.Items, g.Metrics = name, "neutral", 40, []chain.Metric{{ID: "acc", Estimate: e}}
		g.Dropped = []chain.Count{{Name: "no letter", N: 2}, {Name: "no chain", N: 3}, {Name: "empty", N: 0}}
		models = append(models, g)
	}
	slices.SortFunc(models, func(a, b chain.Group) int { return strings.Compare(a.Model, b.Model) })
	r.Findings.Models, r.Findings.Cells = models, models
	got := r.alerts()
	if len(got) != 1 || !strings.Contains(got[0], "m, neutral: 3 of 40; n, neutral: 2 of 40.") || !strings.Contains(got[0], "for: no chain (6); no letter (4).") {
		t.Errorf("%q", got)
	}
}

// TestAlertsComeFirst: in the page and in the summary they stand before the first figure.
func TestAlertsComeFirst(t *testing.T) {
	r := small()
	r.Calls[0].Chains, r.Calls[0].Cut, r.Calls[0].Limit = 10, 1, 64
	r.Calls[0].Begun, r.Calls[0].Quoted = 3, 3
	var text, page bytes.Buffer
	if err := WriteText(&text, r, false); err != nil {
		t.Fatal(err)
	}
	if err := WriteHTML(&page, r, HTML{}); err != nil {
		t.Fatal(err)
	}
	for name, out := range map[string]string{"text": strings.Join(strings.Fields(text.String()), " "), "page": page.String()} {
		first := strings.Index(out, "How often is it right?")
		for _, want := range []string{"1 of 10 replies were cut at the limit of 64 tokens", "Edited chains were quoted"} {
			if i := strings.Index(out, want); i < 0 || i > first {
				t.Errorf("%s: %q at %d, the first figure at %d", name, want, i, first)
			}
		}
	}
	for said, c := range map[string][2]int{
		"is given back to the model as the beginning of its own turn, and it goes on from there. An edit of the question": {3, 0},
		"cannot continue a given turn (1 of 3 answers here) it is quoted":                                                 {3, 1},
		"is quoted to the model in a user turn, with the request to take it up, for":                                      {3, 3},
	} {
		r.Calls[0].Begun, r.Calls[0].Quoted = c[0], c[1]
		page.Reset()
		if err := WriteHTML(&page, r, HTML{}); err != nil || strings.Count(page.String(), said) != 1 {
			t.Errorf("%v: the method does not say %q once (%v)", c, said, err)
		}
	}
}

// TestChainsAreCounted: replies with a chain, the cut ones among them, and edits that wait.
func TestChainsAreCounted(t *testing.T) {
	ask := func(id string, n int, want ...string) percuss.Trial {
		return percuss.Trial{ID: id, Fired: true, Request: &percuss.Request{Model: "m", Replicate: n, Sampling: percuss.Greedy(10 + n), Want: percuss.Want{Letters: want}}}
	}
	it := Item{Trials: []percuss.Trial{ask(chain.BaseTrial, 1), ask(chain.DirectTrial, 2), ask("M1-a", 3), ask("M1-a/letters", 4, "A"), ask("F1-50", 5)},
		Record: chain.Record{Operators: []chain.OperatorTrial{{Reading: chain.Reading{State: chain.Waiting}}, {Reading: chain.Reading{State: chain.Read}}}}}
	answers := percuss.AnswerMap{}
	for i, trial := range it.Trials[:4] { // the last one has no answer
		answers[trial.Request.Key()] = percuss.Answer{Outcome: []percuss.Outcome{percuss.OK, percuss.Truncated, percuss.Truncated, percuss.OK}[i]}
	}
	it.Answers = answers
	tally := NewTally()
	tally.Add(it)
	if c := tally.Calls()[0]; c.Chains != 2 || c.Cut != 1 || c.Limit != 13 || c.Waiting != 1 {
		t.Errorf("%+v", c)
	}
}

// TestForeignLog: a report on a log says once what is known, and folds or leaves out what would need answered edits.
func TestForeignLog(t *testing.T) {
	r := small()
	g := &r.Findings.Cells[0]
	g.Metrics = []chain.Metric{{ID: "acc", Estimate: est(0.6, 0.45, 0.74, 40)}, {ID: "cdr", Estimate: percuss.Absent("nothing was answered")},
		{ID: "fcs", Scope: "F", Estimate: percuss.Absent("nothing was answered")}}
	g.Operators[0].Parsed, g.Joint[0].Parsed = 0, 0
	r.Findings.Models = []chain.Group{*g}
	r.Findings.Decisions = []percuss.Decision{{ID: foreignLog, Text: "A log."}}
	empty := percuss.Table{ID: "shuffle", Title: "Shuffle", Columns: []percuss.Column{{ID: "model", Head: "Model"}, {ID: "acc", Head: "Accuracy", Scale: percuss.Rate}},
		Rows: []percuss.Row{{Cells: []percuss.Cell{percuss.Said("m1"), percuss.Measured(percuss.Absent("nothing was answered"))}}}}
	r.Findings.Analyses = []percuss.Analysis{{ID: "shuffle", Number: 5, Title: "Shuffle", Tables: []percuss.Table{empty}}}
	var text bytes.Buffer
	if err := WriteText(&text, r, false); err != nil {
		t.Fatal(err)
	}
	page, _ := written(t, r, nil, 0)
	for _, out := range []string{text.String(), page} {
		if flat := strings.Join(strings.Fields(out), " "); !strings.Contains(flat, "A foreign log: it holds the answers to the questions as they stand") {
			t.Error("nothing says that the answers are from a log")
		}
	}
	for _, want := range []string{"<summary>2 metrics that need answered edits</summary>", "<summary>Tables without a number</summary>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
	if strings.Contains(text.String(), "nothing was answered") || !strings.Contains(text.String(), "2 figures that need answered edits are missing") {
		t.Errorf("the summary lists what is missing:\n%s", text.String())
	}
	// An edit that was answered makes it a report like any other.
	r.Findings.Cells[0].Operators[0].Parsed = 1
	if r.given() {
		t.Error("a run with an answered edit passes for a log")
	}
}
