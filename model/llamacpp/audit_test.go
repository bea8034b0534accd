package llamacpp

import (
	"maps"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/prompt"
)

// audit is a chain audit that is asked of a model as a run asks it: subject by subject, round by round.
type audit struct {
	operators string
	questions int
	tokens    int
	answer    chain.AnswerMode
	controls  []chain.Control
	// each is told of every round: what was asked, and what the model counted.
	each func(requests []percuss.Request, n model.Counts)
}

// ask returns what the model answers, by key.
func (a audit) ask(t testing.TB, m *Model) percuss.AnswerMap {
	t.Helper()
	b, err := battery.Parse(a.operators)
	if err != nil {
		t.Fatal(err)
	}
	questions, _, err := dataset.Collect(demo.New())
	if err != nil {
		t.Fatal(err)
	}
	asked := chain.New(chain.Options{Seed: 1, Battery: b, Prompts: prompt.Default(), Answer: a.answer, MaxTokens: a.tokens, Direct: true,
		Controls: a.controls, Can: map[string]percuss.Capabilities{"m": m.Capabilities()}})
	known := percuss.AnswerMap{}
	for _, q := range questions[:a.questions] {
		s := percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: demo.Name, Item: q.ID},
			Identity: m.Capabilities().Identity, Question: q}
		a.subject(t, m, asked, s, known)
	}
	return known
}

func (a audit) subject(t testing.TB, m *Model, asked *chain.Audit, s percuss.Subject, known percuss.AnswerMap) {
	t.Helper()
	session, err := m.Open(t.Context(), s.String())
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := session.Close(); err != nil {
			t.Error(err)
		}
	}()
	for {
		missing := percuss.Missing(asked.Trials(s, known), known)
		if len(missing) == 0 {
			return
		}
		before := m.Counts()
		for i, got := range modeltest.AskIn(t, session, missing...) {
			known[missing[i].Key()] = got
		}
		if a.each != nil {
			a.each(missing, since(before, m.Counts()))
		}
	}
}

// since is what was counted between two times.
func since(before, after model.Counts) model.Counts {
	return model.Counts{PromptAsked: after.PromptAsked - before.PromptAsked, PromptComputed: after.PromptComputed - before.PromptComputed,
		Output: after.Output - before.Output, Decodes: after.Decodes - before.Decodes, Drafted: after.Drafted - before.Drafted,
		Accepted: after.Accepted - before.Accepted, PrefillSeconds: after.PrefillSeconds - before.PrefillSeconds,
		DecodeSeconds: after.DecodeSeconds - before.DecodeSeconds}
}

// compared is how far the answers to the same requests differ.
type compared struct {
	requests, texts int     // asked by both; texts among them that differ
	most            float64 // largest difference of a log-probability, in nats
	mean            float64
}

func compare(t testing.TB, a, b percuss.AnswerMap) (c compared) {
	t.Helper()
	n := 0
	for _, key := range slices.Sorted(maps.Keys(a)) {
		x, y := a[key], b[key]
		if _, ok := b[key]; !ok {
			continue
		}
		c.requests++
		if x.Text != y.Text || x.Outcome != y.Outcome {
			c.texts++
		}
		for i := range x.Letters {
			p, _ := x.Letters[i].LogProb.Get()
			q, _ := y.Letters[i].LogProb.Get()
			c.most = max(c.most, p-q, q-p)
			c.mean += max(p-q, q-p)
			n++
		}
	}
	c.mean /= max(1, float64(n))
	return c
}

// All requests of an audit, with everything that saves work and with all of it off, key by key: on float weights the
// texts are the same, and so are the letters but for the order of sums.
func TestAuditEqualsPlain(t *testing.T) {
	a := audit{operators: "families+F1+M2", questions: 1, tokens: 48, answer: chain.TextLetters, controls: chain.AllControls()}
	m := eager(tiny(t, Options{}))
	got, want := a.ask(t, m), a.ask(t, tiny(t, Options{Plain: true}))
	c, n := compare(t, got, want), m.Counts()
	t.Logf("%+v; %d of %d prompt tokens, %d tokens in %d decodes, %d of %d drafted right", c, n.PromptComputed, n.PromptAsked, n.Output, n.Decodes, n.Accepted, n.Drafted)
	if len(got) != len(want) || c.requests != len(got) || c.texts > 0 || c.most > 1e-4 {
		t.Errorf("%d answers and %d plain ones: %+v", len(got), len(want), c)
	}
	if c.requests < 25 || n.Accepted == 0 || n.PromptComputed*2 > n.PromptAsked {
		t.Errorf("little was saved: %d requests, %+v", c.requests, n)
	}
}
