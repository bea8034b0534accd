// Package storetest holds the suite that every store passes. An adapter joins it with one call of Run.
package storetest

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
)

// Open makes a new empty store. The suite closes it.
type Open func(t testing.TB) store.Store

// Reopen closes a store and opens the same data again.
type Reopen func(t testing.TB, s store.Store) store.Store

// Run tests what the contract of store.Store promises. reopen is nil for a store that does not outlive its process.
func Run(t *testing.T, open Open, reopen Reopen) {
	for _, c := range []struct {
		name string
		test func(*testing.T, store.Store)
	}{
		{"empty", empty},
		{"put then get", putThenGet},
		{"any answer reads back", anyAnswer},
		{"first answer stays", firstStays},
		{"wrong key refused", wrongKey},
		{"only final outcomes", onlyFinal},
		{"callers keep their slices", aliasing},
		{"entries in key order", keyOrder},
		{"entries while writing", entriesWhileWriting},
		{"ledger", ledger},
		{"ledger refuses", ledgerRefuses}, {"ledger keeps keys", ledgerKeepsKeys}, {"any ledger reads back", anyLedger},
		{"attempts", attempts},
		{"concurrent writers", concurrent},
		{"walks while writing", walks},
		{"cancelled", cancelled},
		{"closed", closed},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() { _ = s.Close() })
			c.test(t, s)
		})
	}
	if reopen != nil {
		t.Run("reopened", func(t *testing.T) { reopened(t, open(t), reopen) })
	}
}

// Entry returns the i-th of a series of different entries, which together use every field.
func Entry(i int) store.Entry {
	r := percuss.Request{
		Model: "test:model",
		Messages: []percuss.Message{
			{Role: percuss.System, Content: "Reason. <b>&amp;</b>"},
			{Role: percuss.User, Content: fmt.Sprintf("Question %d: a 54-year-old ♀ \"presents\"\u2028 with\tpain\x00", i)},
		},
		Sampling: percuss.Sampling{Temperature: 0.1, TopP: 0.95, MaxTokens: 128, Seed: 1<<63 + uint64(i), Stop: []string{"\n\n"}},
	}
	a := percuss.Answer{Outcome: percuss.OK, Text: fmt.Sprintf("Step 1: %d < 2 & 3.\n\nAnswer: B", i),
		Usage: percuss.Usage{Prompt: 100 + i, Output: 12}, Reported: "engine 1"}
	if i%3 == 1 {
		r.Begin = "Step 1: so far"
		a.Continued, a.Outcome, a.Reasoning = percuss.Quotes, percuss.Truncated, "hm"
	}
	if i%3 == 2 {
		r.Want.Letters = []string{"A", "B"}
		r.Extra = json.RawMessage(`{"a":"<1>","b":[1,2]}`)
		r.Replicate = i
		a = percuss.Answer{Outcome: percuss.OK, Letters: []percuss.LetterScore{
			{Letter: "A", LogProb: percuss.Num(-0.1 - 1e-17*float64(i))}, {Letter: "B", Censored: true}}}
	}
	return store.Entry{Key: r.Key(), Request: r, Answer: a}
}

// Put puts an entry or ends the test.
func Put(t testing.TB, s store.Store, e store.Entry) {
	t.Helper()
	if err := s.Put(context.Background(), e); err != nil {
		t.Fatalf("put: %v", err)
	}
}
