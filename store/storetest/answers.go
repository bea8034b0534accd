package storetest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
	"pgregory.net/rapid"
)

var same = cmp.Options{cmp.Comparer(func(a, b percuss.Number) bool { return a == b }), cmpopts.EquateEmpty()}

// get reads an answer or ends the test.
func get(t testing.TB, s store.Reader, k percuss.Key) percuss.Answer {
	t.Helper()
	a, ok, err := s.Get(context.Background(), k)
	if err != nil || !ok {
		t.Fatalf("get %s: found %v, error %v", k, ok, err)
	}
	return a
}

func count(t testing.TB, s store.Reader) int {
	t.Helper()
	n, err := s.Count(context.Background())
	if err != nil {
		t.Fatalf("count: %v", err)
	}
	return n
}

func empty(t *testing.T, s store.Store) {
	ctx := context.Background()
	k := Entry(0).Key
	if a, ok, err := s.Get(ctx, k); ok || err != nil {
		t.Errorf("Get = %v, %v, %v", a, ok, err)
	}
	if r, ok, err := s.Request(ctx, k); ok || err != nil {
		t.Errorf("Request = %v, %v, %v", r, ok, err)
	}
	for e, err := range s.Entries(ctx) {
		t.Errorf("Entries yields %v, %v", e, err)
	}
	if rows, err := s.Ledger(ctx, percuss.SubjectID{Item: "x"}); len(rows) > 0 || err != nil {
		t.Errorf("Ledger = %v, %v", rows, err)
	}
	if m, err := s.Attempts(ctx); len(m) > 0 || err != nil {
		t.Errorf("Attempts = %v, %v", m, err)
	}
	if n := count(t, s); n != 0 {
		t.Errorf("Count = %d", n)
	}
	verified(t, s)
}

func verified(t testing.TB, s store.Store) {
	t.Helper()
	found, err := s.Verify(context.Background())
	if err != nil || len(found) > 0 {
		t.Errorf("Verify = %v, %v", found, err)
	}
}

func putThenGet(t *testing.T, s store.Store) {
	for i := range 6 {
		e := Entry(i)
		Put(t, s, e)
		if d := cmp.Diff(e.Answer, get(t, s, e.Key), same); d != "" {
			t.Errorf("answer %d: %s", i, d)
		}
		r, ok, err := s.Request(context.Background(), e.Key)
		if err != nil || !ok || r.Key() != e.Key {
			t.Errorf("request %d: found %v, error %v, key %s", i, ok, err, r.Key())
		}
		if d := cmp.Diff(e.Request, r, same); d != "" {
			t.Errorf("request %d: %s", i, d)
		}
	}
	verified(t, s)
}

func anyAnswer(t *testing.T, s store.Store) {
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		e := Entry(n)
		e.Answer = percuss.Answer{
			Outcome:   rapid.SampledFrom(percuss.Outcomes()[:8]).Draw(t, "outcome"),
			Text:      rapid.String().Draw(t, "text"),
			Reasoning: rapid.String().Draw(t, "reasoning"),
			Letters: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) percuss.LetterScore {
				return percuss.LetterScore{Letter: "A", LogProb: percuss.Num(rapid.Float64().Draw(t, "logprob"))}
			}), 0, 4).Draw(t, "letters"),
		}
		if err := s.Put(context.Background(), e); err != nil {
			t.Fatal(err)
		}
		a, _, err := s.Get(context.Background(), e.Key)
		if d := cmp.Diff(e.Answer, a, same); d != "" || err != nil {
			t.Fatalf("error %v, difference %s", err, d)
		}
	})
}

func firstStays(t *testing.T, s store.Store) {
	e := Entry(0)
	Put(t, s, e)
	other := e
	other.Answer = percuss.Answer{Outcome: percuss.Empty}
	Put(t, s, other)
	Put(t, s, e)
	if d := cmp.Diff(e.Answer, get(t, s, e.Key), same); d != "" {
		t.Errorf("the first answer was changed: %s", d)
	}
	if n := count(t, s); n != 1 {
		t.Errorf("Count = %d, want 1", n)
	}
}

func wrongKey(t *testing.T, s store.Store) {
	for _, k := range []percuss.Key{Entry(1).Key, "", "xyz"} {
		e := Entry(0)
		e.Key = k
		if err := s.Put(context.Background(), e); err == nil {
			t.Errorf("put under the key %q succeeded", k)
		}
	}
	if n := count(t, s); n != 0 {
		t.Errorf("Count = %d after refused puts", n)
	}
}

func onlyFinal(t *testing.T, s store.Store) {
	for _, o := range []percuss.Outcome{"", percuss.Failed} {
		e := Entry(0)
		e.Answer = percuss.Answer{Outcome: o}
		if err := s.Put(context.Background(), e); err == nil {
			t.Errorf("an answer with the outcome %q was kept: it would never be asked again", o)
		}
	}
}

func aliasing(t *testing.T, s store.Store) {
	e, want := Entry(2), Entry(2)
	Put(t, s, e)
	e.Request.Messages[1].Content, e.Answer.Letters[0].Letter = "changed", "Z"
	got := get(t, s, e.Key)
	got.Letters[0].Letter = "Z"
	if d := cmp.Diff(want.Answer, get(t, s, e.Key), same); d != "" {
		t.Errorf("the answer changed with the caller's slice: %s", d)
	}
	for got, err := range s.Entries(context.Background()) {
		if err != nil || got.Request.Key() != e.Key {
			t.Errorf("the request changed with the caller's slice (error %v)", err)
		}
	}
}

func keyOrder(t *testing.T, s store.Store) {
	var want []percuss.Key
	for i := range 50 {
		Put(t, s, Entry(i))
		want = append(want, Entry(i).Key)
	}
	slices.Sort(want)
	var got []percuss.Key
	for e, err := range s.Entries(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		if e.Request.Key() != e.Key {
			t.Errorf("entry %s has another's request", e.Key)
		}
		got = append(got, e.Key)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("keys: %s", d)
	}
}

// entriesWhileWriting stops half way, and writes from inside the loop: neither may block.
func entriesWhileWriting(t *testing.T, s store.Store) {
	for i := range 20 {
		Put(t, s, Entry(i))
	}
	n := 0
	for e, err := range s.Entries(context.Background()) {
		if err != nil {
			t.Fatal(err)
		}
		get(t, s, e.Key)
		Put(t, s, Entry(100+n))
		if n++; n == 10 {
			break
		}
	}
	if got := count(t, s); got != 30 {
		t.Errorf("Count = %d, want 30", got)
	}
}

// concurrent writes the same few keys and many others at once.
func concurrent(t *testing.T, s store.Store) {
	const writers, each = 16, 25
	var wg sync.WaitGroup
	errs := make(chan error, writers)
	for w := range writers {
		wg.Go(func() {
			for i := range each {
				shared, own := Entry(i), Entry(1000+w*each+i)
				shared.Answer.Detail = fmt.Sprint("writer ", w)
				if err := errors.Join(s.Put(context.Background(), shared), s.Put(context.Background(), own)); err != nil {
					errs <- err
					return
				}
				// What was acknowledged is there for every reader.
				if _, ok, err := s.Get(context.Background(), own.Key); !ok || err != nil {
					errs <- fmt.Errorf("acknowledged %s: found %v, error %v", own.Key, ok, err)
					return
				}
			}
		})
	}
	wg.Wait()
	close(errs)
	for err := range errs {
		t.Error(err)
	}
	if n := count(t, s); n != each+writers*each {
		t.Errorf("Count = %d, want %d", n, each+writers*each)
	}
	verified(t, s)
}
