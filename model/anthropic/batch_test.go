package anthropic

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/anthropic/anthropictest"
	"github.com/percuss/percuss/model/modeltest"
)

// various are requests of every form.
func various() []percuss.Request {
	var out []percuss.Request
	for i := range 5 {
		text, begun := ask(fmt.Sprint("question ", i)), ask(fmt.Sprint("question ", i))
		begun.Begin = "The rain and \n"
		again := text
		again.Replicate, again.Extra = 1, json.RawMessage(`{"top_k":5,"metadata":{"user_id":"x"}}`)
		out = append(out, text, begun, again)
	}
	return out
}

// notClosed opens a model that somebody else closes.
func notClosed(t *testing.T, s *anthropictest.Server) model.Model {
	t.Helper()
	m, err := Open(t.Context(), quick(s))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What a batch brings is stored exactly as single calls are.
func TestBatchesAnswerAsSingleCallsDo(t *testing.T) {
	for _, kind := range []string{anthropictest.Older, anthropictest.Newer} {
		s := anthropictest.Start(t, kind)
		s.Batches = &anthropictest.Batches{Polls: 3}
		modeltest.Batches(t, openWith(t, quick(s)), notClosed(t, s), various())
		for key, n := range s.Submitted() {
			if n != 1 {
				t.Errorf("%s: %s was handed in %d times", kind, key, n)
			}
		}
	}
}

// What expired, was cancelled, or failed at the service, is handed in again; a batch whose reply was lost is found.
func TestBatchesAskAgain(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	requests, spoilt := various(), map[string]int{}
	kinds := map[string]string{string(requests[0].Key()): "expired", string(requests[4].Key()): "errored", string(requests[8].Key()): "canceled"}
	s.Batches = &anthropictest.Batches{Spoil: func(key string, _ map[string]any) string {
		if spoilt[key]++; spoilt[key] > 1 {
			return ""
		}
		return kinds[key]
	}}
	s.LoseReply()
	got, failed := modeltest.AskAgain(t, modeltest.InBatches(t, notClosed(t, s)), requests)
	if len(got) != len(requests) || s.Batched() != 2 || len(failed) != len(kinds) {
		t.Errorf("%d answers of %d after %d batches, failed %v", len(got), len(requests), s.Batched(), failed)
	}
	for key, kind := range kinds {
		if err := failed[percuss.Key(key)]; err == nil || model.IsFatal(err) {
			t.Errorf("%s: %v", kind, err)
		}
	}
}

// Results that come cut, in a line or between two, are read again, not handed in again.
func TestBatchesThatAreCut(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	s.Batches = &anthropictest.Batches{Cut: []int{2, 5}}
	requests := various()
	got, failed := modeltest.AskAgain(t, modeltest.InBatches(t, notClosed(t, s)), requests)
	if len(got) != len(requests) || len(failed) > 0 || s.Batched() != 1 {
		t.Errorf("%d answers of %d after %d batches, failed %v", len(got), len(requests), s.Batched(), failed)
	}
}

// What the service refuses of one request is its answer; what it refuses altogether ends the run.
func TestBatchesRefused(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	s.Batches = &anthropictest.Batches{}
	bad := ask("x")
	bad.Extra = json.RawMessage(`[]`)
	got, _ := modeltest.AskAgain(t, modeltest.InBatches(t, notClosed(t, s)), append(various(), bad))
	if a := got[bad.Key()]; a.Outcome != percuss.Refused || !strings.Contains(a.Detail, "not sent") {
		t.Errorf("%+v", a)
	}
	s.Batches = nil
	scored := ask("x")
	scored.Want.Letters = []string{"A"}
	for want, r := range map[string]percuss.Request{"without --batch": ask("y"), "log-probabilities": scored} {
		session, err := modeltest.InBatches(t, notClosed(t, s)).Open(t.Context(), "subject")
		if err != nil {
			t.Fatal(err)
		}
		err = session.Answer(t.Context(), []percuss.Request{r}, func(int, percuss.Answer, error) {})
		if !model.IsFatal(err) || !strings.Contains(err.Error(), want) {
			t.Errorf("%q is not said: %v", want, err)
		}
	}
}
