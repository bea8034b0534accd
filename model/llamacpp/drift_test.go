package llamacpp

import (
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/dequant"
)

// On float weights of a real model, too, an audit with everything on says what plain says.
func TestFloatAuditEqualsPlain(t *testing.T) {
	if testing.Short() {
		t.Skip("loads a model of 540 MB twice")
	}
	a := audit{operators: "F1+M2+M5", questions: 1, tokens: 32, answer: chain.TextLetters, controls: []chain.Control{chain.Sham, chain.ShamChain}}
	o := Options{Lib: modeltest.EngineLib(t), Path: dequant.SmolLM2(t), Threads: 1}
	m := eager(opened(t, o))
	got := a.ask(t, m)
	n := m.Counts()
	o.Plain = true
	want := a.ask(t, opened(t, o))
	c := compare(t, got, want)
	t.Logf("%+v; %d of %d prompt tokens, %d tokens in %d decodes, %d of %d drafted right", c, n.PromptComputed, n.PromptAsked, n.Output, n.Decodes, n.Accepted, n.Drafted)
	if len(got) != len(want) || c.requests != len(want) || c.texts > 0 || c.most > 1e-4 {
		t.Errorf("%d answers and %d plain ones: %+v", len(got), len(want), c)
	}
	if c.requests < 10 || n.Accepted == 0 {
		t.Errorf("the test shows little: %d requests, %d accepted", c.requests, n.Accepted)
	}
}

// smolDrafts holds what drafts, and attention that passes over cells, change on quantised weights against what the
// company of a request changes anyway: the floor of every run. The same requests are asked four times, round by round.
func smolDrafts(t *testing.T, m *Model) {
	e, was := m.engine, *m.engine
	defer func() { e.overhead, e.narrow, e.parallel = was.overhead, was.narrow, was.parallel }()
	e.narrow, e.overhead = false, 0
	var rounds [][]percuss.Request
	a := audit{operators: "families+M2", questions: 1, tokens: 48, answer: chain.Letters, each: func(requests []percuss.Request, n model.Counts) {
		rounds = append(rounds, requests)
		// Where only letters are asked for, all chains are there: "\n\nAnswer:" and the token before it.
		letters := !slices.ContainsFunc(requests, func(r percuss.Request) bool { return len(r.Want.Letters) == 0 })
		if letters && n.PromptComputed > int64(6*len(requests)) {
			t.Errorf("%d tokens were computed for %d letters", n.PromptComputed, len(requests))
		}
	}}
	without := a.ask(t, m)
	again := func() percuss.AnswerMap { return askRounds(t, m, rounds) }
	e.overhead = chipRows
	before := m.Counts()
	drafts := compare(t, again(), without)
	n := since(before, m.Counts())
	e.overhead = 0
	usual := compare(t, usualAttention(t, m, again), without)
	e.parallel = 1
	floor := compare(t, again(), without)
	t.Logf("drafts, %d of %d right, %d tokens in %d decodes; one at a time: %+v", n.Accepted, n.Drafted, n.Output, n.Decodes, floor)
	if n.Accepted == 0 || drafts.requests < 10 || floor.requests != drafts.requests {
		t.Errorf("little was compared: %d and %d requests, %d drafts right", drafts.requests, floor.requests, n.Accepted)
	}
	for name, c := range map[string]compared{"drafts": drafts, "usual attention": usual} {
		t.Logf("%s: %+v", name, c)
		if c.texts > floor.texts+c.requests/4 || c.mean > 2*floor.mean+0.05 {
			t.Errorf("%s: more is changed than company changes: %+v, %+v", name, c, floor)
		}
	}
}

// askRounds returns what is answered in one session, round by round.
func askRounds(t *testing.T, m *Model, rounds [][]percuss.Request) percuss.AnswerMap {
	t.Helper()
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	got := percuss.AnswerMap{}
	for _, requests := range rounds {
		for i, answer := range modeltest.AskIn(t, s, requests...) {
			got[requests[i].Key()] = answer
		}
	}
	return got
}

// usualAttention returns what is answered where attention computes every cell and masks those of other texts.
func usualAttention(t *testing.T, m *Model, ask func() percuss.AnswerMap) percuss.AnswerMap {
	t.Helper()
	was := m.engine.passes
	set := func(passes bool) {
		m.engine.passes = passes
		if err := m.resize(m.budget); err != nil {
			t.Fatal(err)
		}
	}
	set(false)
	defer set(was)
	return ask()
}

// BenchmarkAudit reports what an audit of one question takes of the real model: decodes that a text takes part in for
// each of its tokens, how many proposed tokens are right, and the share of prompt tokens that are computed.
func BenchmarkAudit(b *testing.B) {
	for _, mode := range []string{"usual", "eager", "plain"} {
		b.Run(mode, func(b *testing.B) {
			m := opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b), Plain: mode == "plain"})
			if mode == "eager" {
				eager(m)
			}
			a := audit{operators: "families+F1+M2", questions: 1, tokens: 128, answer: chain.Letters}
			before := m.Counts()
			for b.Loop() {
				a.ask(b, m)
			}
			n := since(before, m.Counts())
			b.ReportMetric(float64(n.Output-n.Accepted)/float64(n.Output), "decodes/token")
			b.ReportMetric(float64(n.Accepted)/max(1, float64(n.Drafted)), "right/proposed")
			b.ReportMetric(float64(n.PromptComputed)/float64(n.PromptAsked), "computed/asked")
		})
	}
}
