package llamacpp

import (
	"path/filepath"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

// tiny opens the random model of a seed.
func tiny(t testing.TB, o Options, options ...tinygguf.Option) *Model {
	t.Helper()
	o.Lib = modeltest.EngineLib(t)
	if o.Threads == 0 {
		o.Threads = 1 // so small a model is no faster with more, and much slower where the machine is busy
	}
	if o.Parallel == 0 {
		o.Parallel = defaultParallel // of itself it would generate one text after the other
	}
	o.Path = filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(o.Path, 3, options...); err != nil {
		t.Fatal(err)
	}
	return opened(t, o)
}

func opened(t testing.TB, o Options) *Model {
	t.Helper()
	m, err := Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// chatOf is a system and a user turn.
func chatOf(user string) []percuss.Message {
	return []percuss.Message{{Role: percuss.System, Content: "You are a clinician."}, {Role: percuss.User, Content: user}}
}

func text(user, begin string, maxTokens int) percuss.Request {
	return percuss.Request{Messages: chatOf(user), Begin: begin, Sampling: percuss.Greedy(maxTokens)}
}

func letters(user, begin string, labels ...string) percuss.Request {
	r := text(user, begin, 0)
	r.Want.Letters = labels
	return r
}

// alone asks every request in a session of its own.
func alone(t testing.TB, m model.Model, requests []percuss.Request) []percuss.Answer {
	t.Helper()
	answers := make([]percuss.Answer, len(requests))
	for i, r := range requests {
		answers[i] = modeltest.Ask(t, m, r)[0]
	}
	return answers
}

// furthest returns the largest difference between letter log-probabilities, and how many texts differ.
func furthest(t testing.TB, a, b []percuss.Answer) (most float64, texts int) {
	t.Helper()
	for i := range a {
		if a[i].Outcome != b[i].Outcome || a[i].Text != b[i].Text {
			texts++
		}
		if len(a[i].Letters) != len(b[i].Letters) {
			t.Fatalf("request %d: %d and %d letters", i, len(a[i].Letters), len(b[i].Letters))
		}
		for k := range a[i].Letters {
			x, _ := a[i].Letters[k].LogProb.Get()
			y, _ := b[i].Letters[k].LogProb.Get()
			most = max(most, x-y, y-x)
		}
	}
	return most, texts
}
