package modeltest

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/batch"
)

// Batches checks a model.Batcher: what a batch brings is what single calls bring, to the last word. single and batched
// are openings of their own, whose service ends its batches as soon as they are asked for.
func Batches(t *testing.T, single, batched model.Model, requests []percuss.Request) {
	t.Helper()
	if b := batched.(model.Batcher); b.Fit(requests) != len(requests) || b.Fit(requests[:1]) != 1 {
		t.Errorf("a batch holds %d of %d requests", b.Fit(requests), len(requests))
	}
	want, _ := AskAgain(t, single, requests)
	got, failed := AskAgain(t, InBatches(t, batched), requests)
	same := cmp.Comparer(func(a, b percuss.Number) bool { return a == b })
	if d := cmp.Diff(want, got, same); d != "" || len(got) != len(requests) {
		t.Errorf("%d of %d answers: %s\n%v", len(got), len(requests), d, failed)
	}
}

// InBatches asks a model.Batcher by batches, with a journal in memory and hardly a wait. It is closed when the test ends,
// and with it the model.
func InBatches(t *testing.T, m model.Model) model.Model {
	t.Helper()
	n := 0
	b := batch.New(m, m.(model.Batcher), batch.Options{Quiet: time.Millisecond, Every: time.Millisecond,
		Note: func(batch.Entry) error { return nil }, Token: func() string { n++; return fmt.Sprint(t.Name(), n) }})
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Error(err)
		}
	})
	return b
}

// AskAgain asks requests, and those that failed again, as a run does. It returns the answers, and the last error of each
// request that had one.
func AskAgain(t *testing.T, m model.Model, requests []percuss.Request) (percuss.AnswerMap, map[percuss.Key]error) {
	t.Helper()
	s, end := begin(t, m)
	defer end()
	const attempts = 4
	got, failed := percuss.AnswerMap{}, map[percuss.Key]error{}
	for range attempts {
		var missing []percuss.Request
		for _, r := range requests {
			if _, ok := got[r.Key()]; !ok {
				missing = append(missing, r)
			}
		}
		if len(missing) == 0 {
			break
		}
		if err := s.Answer(t.Context(), missing, func(i int, a percuss.Answer, err error) {
			if key := missing[i].Key(); err == nil {
				got[key] = a
			} else {
				failed[key] = err
			}
		}); err != nil {
			t.Fatalf("Answer: %v", err)
		}
	}
	return got, failed
}
