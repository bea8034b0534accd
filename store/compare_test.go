package store_test

import (
	"context"
	"math"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
)

// put keeps an answer to the request that begins with the given text.
func put(t *testing.T, s store.Store, begin string, letters []string, a percuss.Answer) {
	t.Helper()
	r := percuss.Request{Model: "m", Begin: begin, Want: percuss.Want{Letters: letters}}
	a.Outcome = percuss.OK
	if err := s.Put(context.Background(), store.Entry{Key: r.Key(), Request: r, Answer: a}); err != nil {
		t.Fatal(err)
	}
}

func scores(a, b float64) percuss.Answer {
	return percuss.Answer{Letters: []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(a)}, {Letter: "B", LogProb: percuss.Num(b)}, {Letter: "C"}}}
}

func TestCompare(t *testing.T) {
	first, second := memory.New(), memory.New()
	letters := []string{"A", "B", "C"}
	put(t, first, "same", nil, percuss.Answer{Text: "x"})
	put(t, second, "same", nil, percuss.Answer{Text: "x"})
	put(t, first, "other", nil, percuss.Answer{Text: "x"})
	put(t, second, "other", nil, percuss.Answer{Text: "y"})
	put(t, first, "scored", letters, scores(-1, -2))
	put(t, second, "scored", letters, scores(-1.5, -1.25))
	put(t, first, "gone", nil, percuss.Answer{Text: "x"})
	put(t, second, "new", nil, percuss.Answer{Text: "x"})
	put(t, second, "newer", nil, percuss.Answer{Text: "x"})
	d, err := store.Compare(context.Background(), first, second)
	want := store.Drift{Both: 3, OnlyFirst: 1, OnlySecond: 2, Texts: 2, Changed: 1, Scored: 1, OtherBest: 1, Letters: 2,
		Mean: percuss.Num(0.625), Max: percuss.Num(0.75)}
	if err != nil || d != want {
		t.Errorf("%+v, %v", d, err)
	}
	if v, ok := d.Mean.Get(); !ok || math.Abs(v-0.625) > 1e-12 {
		t.Errorf("mean %v", v)
	}
	if d, err := store.Compare(context.Background(), memory.New(), memory.New()); err != nil || d.Mean.OK() || d.Both != 0 {
		t.Errorf("nothing compared: %+v, %v", d, err)
	}
}
