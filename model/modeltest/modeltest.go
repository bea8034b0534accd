// Package modeltest is the suite that every adapter of the model port passes, and what its tests need to find.
//
// An adapter joins with a test that calls Run. The suite asks the model whatever Traits say, so it suits a back-end
// that only answers questions that it knows.
package modeltest

import (
	"context"
	"math"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Traits say what to ask the model. The zero value asks about the weather.
type Traits struct {
	Messages  []percuss.Message // a chat that ends with a user turn
	Begin     string            // a beginning of the answer to Messages
	Letters   []string          // labels that can be scored after Begin
	MaxTokens int               // a limit within which the model says something; 0: 24
	// Short is a limit below the length of the answer to Messages; 0: 1. Negative: the model has no such answer.
	Short int
}

func (o Traits) withDefaults() Traits {
	if len(o.Messages) == 0 {
		o.Messages = []percuss.Message{
			{Role: percuss.System, Content: "You answer in full sentences."},
			{Role: percuss.User, Content: "Describe the weather of a day in spring."},
		}
	}
	if o.Begin == "" {
		o.Begin = "The answer is"
	}
	if len(o.Letters) == 0 {
		o.Letters = []string{"A", "B", "C", "D"}
	}
	if o.MaxTokens == 0 {
		o.MaxTokens = 24
	}
	if o.Short == 0 {
		o.Short = 1
	}
	return o
}

func (o Traits) text(m model.Model, maxTokens int, begin string) percuss.Request {
	return percuss.Request{Model: m.Capabilities().Identity, Messages: o.Messages, Begin: begin, Sampling: percuss.Greedy(maxTokens)}
}

func (o Traits) letters(m model.Model) percuss.Request {
	r := o.text(m, 0, o.Begin)
	r.Want.Letters = o.Letters
	return r
}

// Run tests the contract of model.Model on models that open makes. It is called more than once; a model that is
// slow to open may be handed out again, as long as Close is then harmless.
func Run(t *testing.T, open func(t *testing.T) model.Model, o Traits) {
	o = o.withDefaults()
	for _, c := range []struct {
		name string
		run  func(*testing.T, model.Model, Traits)
	}{
		{"capabilities", testCapabilities}, {"once", testOnce}, {"letters", testLetters}, {"greedy", testGreedy},
		{"begin", testBegin}, {"limit", testLimit}, {"cancelled", testCancelled}, {"rounds", testRounds}, {"open", testOpen},
	} {
		t.Run(c.name, func(t *testing.T) { c.run(t, open(t), o) })
	}
}

func testCapabilities(t *testing.T, m model.Model, _ Traits) {
	c := m.Capabilities()
	if c.Identity == "" {
		t.Error("no identity")
	}
	if !c.Text && !c.Letters {
		t.Error("the model gives neither text nor letters")
	}
	if again := m.Capabilities(); again != c {
		t.Errorf("capabilities changed from %+v to %+v", c, again)
	}
	if m.Workers() < 1 {
		t.Errorf("%d workers", m.Workers())
	}
}

func testOnce(t *testing.T, m model.Model, o Traits) {
	var requests []percuss.Request
	c := m.Capabilities()
	if c.Text {
		requests = append(requests, o.text(m, o.MaxTokens, ""), o.text(m, o.MaxTokens, ""))
	}
	if c.Letters {
		requests = append(requests, o.letters(m), o.letters(m))
	}
	for i, a := range Ask(t, m, requests...) {
		if a.Outcome == "" || a.Outcome == percuss.Failed {
			t.Errorf("request %d: outcome %q is none to store", i, a.Outcome)
		}
		if letters := len(requests[i].Want.Letters) > 0; letters && a.Text != "" || !letters && a.Letters != nil {
			t.Errorf("request %d got what it did not ask for: %+v", i, a)
		}
	}
	if answers := Ask(t, m); len(answers) != 0 {
		t.Error("no requests, but answers")
	}
}

func testLetters(t *testing.T, m model.Model, o Traits) {
	if !m.Capabilities().Letters {
		t.Log("nothing to test: no letters")
		return
	}
	backwards := o.letters(m)
	backwards.Want.Letters = nil
	for i := range o.Letters {
		backwards.Want.Letters = append(backwards.Want.Letters, o.Letters[len(o.Letters)-1-i])
	}
	answers := Ask(t, m, o.letters(m), backwards)
	for i, want := range [][]string{o.Letters, backwards.Want.Letters} {
		if len(answers[i].Letters) != len(want) {
			t.Fatalf("%d scores for %d labels (outcome %s: %s)", len(answers[i].Letters), len(want), answers[i].Outcome, answers[i].Detail)
		}
		sum := 0.0
		for k, l := range answers[i].Letters {
			if l.Letter != want[k] {
				t.Errorf("score %d is of %q, want %q", k, l.Letter, want[k])
			}
			v, ok := l.LogProb.Get()
			if ok && v > 0 {
				t.Errorf("log-probability %g of %q is above 0", v, l.Letter)
			}
			if ok && !l.Censored {
				sum += math.Exp(v)
			}
		}
		if sum > 1+1e-6 {
			t.Errorf("probabilities sum to %g", sum)
		}
	}
}

func testGreedy(t *testing.T, m model.Model, o Traits) {
	if !m.Capabilities().Text {
		t.Log("nothing to test: no text")
		return
	}
	first := Ask(t, m, o.text(m, o.MaxTokens, ""))[0]
	second := Ask(t, m, o.text(m, o.MaxTokens, ""))[0]
	if first.Text != second.Text || first.Outcome != second.Outcome {
		t.Errorf("the same request gave %q (%s), then %q (%s)", first.Text, first.Outcome, second.Text, second.Outcome)
	}
	if first.Outcome.HasText() && first.Text == "" {
		t.Errorf("outcome %s without text", first.Outcome)
	}
}

func testBegin(t *testing.T, m model.Model, o Traits) {
	c := m.Capabilities()
	if !c.Text {
		t.Log("nothing to test: no text")
		return
	}
	a := Ask(t, m, o.text(m, o.MaxTokens, o.Begin))[0]
	want := percuss.Quotes
	if c.Continue {
		want = percuss.Continues
	}
	if a.Continued != want {
		t.Errorf("continued %q, but the capabilities promise %q", a.Continued, want)
	}
	if strings.HasPrefix(strings.TrimSpace(a.Text), o.Begin) {
		t.Errorf("the text repeats its beginning: %q", a.Text)
	}
	if a := Ask(t, m, o.text(m, o.MaxTokens, ""))[0]; a.Continued != "" {
		t.Errorf("continued %q without a beginning", a.Continued)
	}
}

func testLimit(t *testing.T, m model.Model, o Traits) {
	if !m.Capabilities().Text || o.Short < 0 {
		t.Log("nothing to test: no text to cut")
		return
	}
	a := Ask(t, m, o.text(m, o.Short, ""))[0]
	if a.Outcome != percuss.Truncated {
		t.Errorf("outcome %s with %d tokens at most, want %s (text %q)", a.Outcome, o.Short, percuss.Truncated, a.Text)
	}
	if a.Usage.Output > o.Short {
		t.Errorf("%d tokens with a limit of %d", a.Usage.Output, o.Short)
	}
}

func testCancelled(t *testing.T, m model.Model, o Traits) {
	s, err := m.Open(t.Context(), "subject")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err = s.Answer(ctx, []percuss.Request{o.text(m, o.MaxTokens, "")}, func(_ int, a percuss.Answer, err error) {
		if err == nil {
			t.Errorf("an answer after the context was done: %+v", a)
		}
	})
	if err == nil {
		t.Error("Answer returned no error although its context is done")
	}
	if model.IsFatal(err) {
		t.Errorf("a cancelled call is no fatal fault: %v", err)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	if s, err := m.Open(ctx, "subject"); err == nil {
		s.Close()
		t.Error("Open succeeded although its context is done")
	}
}

// testRounds asks the same in a session that already holds something and in a fresh one.
func testRounds(t *testing.T, m model.Model, o Traits) {
	c := m.Capabilities()
	if !c.Text {
		t.Log("nothing to test: no text")
		return
	}
	s, err := m.Open(t.Context(), "subject")
	if err != nil {
		t.Fatal(err)
	}
	first := AskIn(t, s, o.text(m, o.MaxTokens, ""))[0]
	next := o.text(m, o.MaxTokens, first.Text+"\n"+o.Begin)
	second := AskIn(t, s, next)[0]
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	fresh := Ask(t, m, next)[0]
	if c.Exact && fresh.Text != second.Text {
		t.Errorf("a second round gave %q, a fresh session %q", second.Text, fresh.Text)
	}
	if fresh.Usage.Prompt != second.Usage.Prompt {
		t.Errorf("a second round counts %d prompt tokens, a fresh session %d", second.Usage.Prompt, fresh.Usage.Prompt)
	}
}

func testOpen(t *testing.T, m model.Model, o Traits) {
	var wg sync.WaitGroup
	for range 2*m.Workers() + 1 {
		wg.Go(func() {
			ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
			defer cancel()
			s, err := m.Open(ctx, "subject")
			if err != nil {
				t.Errorf("Open: %v", err)
				return
			}
			if m.Capabilities().Text {
				AskIn(testing.TB(quiet{t}), s, o.text(m, max(o.Short, 1), ""))
			}
			if err := s.Close(); err != nil {
				t.Errorf("closing the session: %v", err)
			}
		})
	}
	wg.Wait()
	if err := m.Close(); err != nil {
		t.Errorf("Close: %v", err)
	}
}

// quiet turns the end of a test, which only its own goroutine may call for, into an error.
type quiet struct{ *testing.T }

func (q quiet) Fatalf(format string, args ...any) { q.Errorf(format, args...) }
