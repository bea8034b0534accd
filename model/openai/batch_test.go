package openai

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/openai/openaitest"
)

// various are requests of every form.
func various() []percuss.Request {
	var out []percuss.Request
	for i := range 5 {
		text, score, begun := ask(fmt.Sprint("question ", i)), letters("A", "B", "D"), ask(fmt.Sprint("question ", i))
		score.Messages[0].Content += fmt.Sprint(i)
		begun.Begin = "The rain and"
		again := text
		again.Replicate = 1
		out = append(out, text, score, begun, again)
	}
	return out
}

// notClosed opens a model that somebody else closes.
func notClosed(t *testing.T, s *openaitest.Server) model.Model {
	t.Helper()
	m, err := Open(t.Context(), quick(s.URL))
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// What a batch brings is stored exactly as single calls are.
func TestBatchesAnswerAsSingleCallsDo(t *testing.T) {
	for _, kind := range openaitest.Kinds() {
		s := openaitest.Start(t, kind)
		s.Fingerprint, s.Batches = true, &openaitest.Batches{Polls: 3}
		requests := various()
		single := openWith(t, quick(s.URL))
		if !single.Capabilities().Letters {
			requests = nil
			for _, r := range various() {
				if len(r.Want.Letters) == 0 {
					requests = append(requests, r)
				}
			}
		}
		calls := len(s.Requests())
		modeltest.Batches(t, single, notClosed(t, s), requests)
		if n := len(s.Requests()) - calls - len(requests); n > 8 {
			t.Errorf("%s: %d single calls beside the batch, want one for each form and those that a refused parameter takes", kind, n)
		}
		for key, n := range s.Submitted() {
			if n != 1 {
				t.Errorf("%s: %s was handed in %d times", kind, key, n)
			}
		}
	}
}

// What expired, or failed at the service, is handed in again.
func TestBatchesAskAgain(t *testing.T) {
	s := openaitest.Start(t, "openai")
	spoilt := map[string]int{}
	requests := various()
	expire, fail := string(requests[0].Key()), string(requests[3].Key())
	s.Batches = &openaitest.Batches{Spoil: func(key string, _ map[string]any) string {
		spoilt[key]++
		return map[bool]string{true: map[string]string{expire: "expired", fail: "failed"}[key]}[spoilt[key] == 1]
	}}
	got, failed := modeltest.AskAgain(t, modeltest.InBatches(t, notClosed(t, s)), requests)
	if len(got) != len(requests) || s.Batched() != 2 {
		t.Errorf("%d answers of %d after %d batches", len(got), len(requests), s.Batched())
	}
	if err := failed[percuss.Key(expire)]; err == nil || !strings.Contains(err.Error(), "batch_expired") || model.IsFatal(err) {
		t.Errorf("what expired: %v", err)
	}
	if err := failed[percuss.Key(fail)]; kindOf(err) != model.Server {
		t.Errorf("what failed: %v", err)
	}
}

// Results that come cut are read again, not handed in again.
func TestBatchesThatAreCut(t *testing.T) {
	s := openaitest.Start(t, "openai")
	s.Batches = &openaitest.Batches{Cut: 1}
	requests := various()
	got, failed := modeltest.AskAgain(t, modeltest.InBatches(t, notClosed(t, s)), requests)
	if len(got) != len(requests) || len(failed) > 0 || s.Batched() != 1 {
		t.Errorf("%d answers of %d after %d batches, failed %v", len(got), len(requests), s.Batched(), failed)
	}
}

// A refusal that is stored concerns one request: a single call with a harmless text makes sure.
func TestBatchesKeepRefusalsThatAreSure(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	bad := ask("x")
	bad.Extra = json.RawMessage(`[]`)
	requests := append(various(), bad)
	s.Batches = &openaitest.Batches{Spoil: func(key string, _ map[string]any) string {
		return map[bool]string{true: "refused"}[key == string(requests[2].Key())]
	}}
	got, _ := modeltest.AskAgain(t, modeltest.InBatches(t, notClosed(t, s)), requests)
	if a := got[requests[2].Key()]; a.Outcome != percuss.Refused || !strings.Contains(a.Detail, "not allowed") {
		t.Errorf("refused: %+v", a)
	}
	if sent := s.Requests(); sent[len(sent)-1]["messages"].([]any)[0].(map[string]any)["content"] != "Hello." {
		t.Errorf("no control was asked after the refusal: %v", sent[len(sent)-1])
	}
	if a := got[bad.Key()]; a.Outcome != percuss.Refused || !strings.Contains(a.Detail, "not sent") || len(got) != len(requests) {
		t.Errorf("%+v, %d answers", a, len(got))
	}
}

func TestBatchesRefused(t *testing.T) {
	for name, c := range map[string]struct {
		batches *openaitest.Batches
		want    string
	}{
		"no such thing": {nil, "without --batch"},
		"a fault":       {&openaitest.Batches{Fault: "invalid_json_line something is wrong"}, "something is wrong"},
		"no credit":     {&openaitest.Batches{Fault: "billing_hard_limit_reached Billing hard limit has been reached"}, "see to the account"},
	} {
		s := openaitest.Start(t, "generic")
		s.Batches = c.batches
		m := modeltest.InBatches(t, notClosed(t, s))
		session, err := m.Open(t.Context(), "subject")
		if err != nil {
			t.Fatal(err)
		}
		err = session.Answer(t.Context(), various()[:1], func(int, percuss.Answer, error) {})
		if !model.IsFatal(err) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// A batch that there is no room for is no error: it waits.
func TestBatchesWaitForRoom(t *testing.T) {
	s := openaitest.Start(t, "openai")
	s.Batches = &openaitest.Batches{Fault: "token_limit_exceeded Enqueued token limit reached for toy-1"}
	c, err := newClient(quick(s.URL).withDefaults(), s.URL)
	if err != nil {
		t.Fatal(err)
	}
	if err := c.survey(t.Context(), quick(s.URL).withDefaults()); err != nil {
		t.Fatal(err)
	}
	defer c.wire.http.CloseIdleConnections()
	id, err := c.Submit(t.Context(), "word", various()[:2])
	if err != nil {
		t.Fatal(err)
	}
	state, err := c.Poll(t.Context(), id)
	if err != nil || state.Ended || state.Failed == nil || state.Failed.Fatal {
		t.Errorf("%+v, %v", state, err)
	}
	if ids, err := c.Find(t.Context(), "word", 2, time.Now()); err != nil || len(ids) != 1 || ids[0] != id {
		t.Errorf("the batch is not found by its token: %v, %v", ids, err)
	}
	if ids, err := c.Find(t.Context(), "another", 2, time.Now()); err != nil || len(ids) > 0 {
		t.Errorf("another batch is found: %v, %v", ids, err)
	}
}

// A batch whose reply was lost is found, not made twice.
func TestBatchesSurviveALostReply(t *testing.T) {
	s := openaitest.Start(t, "openai")
	s.Batches = &openaitest.Batches{}
	s.LoseReply()
	m := modeltest.InBatches(t, notClosed(t, s))
	var wg sync.WaitGroup
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for i := range 3 {
		wg.Go(func() {
			session, err := m.Open(ctx, fmt.Sprint(i))
			if err != nil {
				t.Error(err)
				return
			}
			if err := session.Answer(ctx, various()[4*i:4*i+4], func(int, percuss.Answer, error) {}); err != nil {
				t.Error(err)
			}
			_ = session.Close()
		})
	}
	wg.Wait()
	for key, n := range s.Submitted() {
		if n != 1 {
			t.Errorf("%s was handed in %d times", key, n)
		}
	}
}
