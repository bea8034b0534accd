package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/store"
	"pgregory.net/rapid"
)

var subject = percuss.SubjectID{Variant: "neutral", Model: "m", Set: "demo", Item: "demo/1"}

// rows are a ledger of two rounds.
func rows() []store.Row {
	return []store.Row{
		{Trial: "base", Fired: true, Key: Entry(0).Key},
		{Trial: "M5-a", Why: "no qualifier", Version: "1"},
		{Trial: "F1-50", Fired: true, Key: Entry(1).Key, Version: "2", Labels: json.RawMessage(`{"old":"<b>","new":"2"}`)},
	}
}

func setLedger(t testing.TB, s store.Store, id percuss.SubjectID, rows []store.Row) {
	t.Helper()
	if err := s.SetLedger(context.Background(), id, rows); err != nil {
		t.Fatalf("set ledger: %v", err)
	}
}

func wantLedger(t testing.TB, s store.Reader, id percuss.SubjectID, want []store.Row) {
	t.Helper()
	got, err := s.Ledger(context.Background(), id)
	if err != nil {
		t.Fatalf("ledger: %v", err)
	}
	if d := cmp.Diff(want, got, same); d != "" {
		t.Errorf("ledger of %v: %s", id, d)
	}
}

func ledger(t *testing.T, s store.Store) {
	first := rows()[:2]
	setLedger(t, s, subject, first)
	wantLedger(t, s, subject, first)
	setLedger(t, s, subject, rows())
	wantLedger(t, s, subject, rows())
	// Every part of the id tells subjects apart.
	for _, other := range []percuss.SubjectID{
		{Variant: "strict", Model: "m", Set: "demo", Item: "demo/1"},
		{Variant: "neutral", Model: "n", Set: "demo", Item: "demo/1"},
		{Variant: "neutral", Model: "m", Set: "medqa", Item: "demo/1"},
		{Variant: "neutral", Model: "m", Set: "demo", Item: "demo/2"},
	} {
		wantLedger(t, s, other, nil)
		setLedger(t, s, other, rows()[:1])
	}
	wantLedger(t, s, subject, rows())
	verified(t, s)
}

func ledgerRefuses(t *testing.T, s store.Store) {
	for _, bad := range []store.Row{
		{Trial: "base", Fired: true, Key: "short"},
		{Trial: "base", Labels: json.RawMessage(`{`)},
	} {
		if err := s.SetLedger(context.Background(), subject, []store.Row{rows()[0], bad}); err == nil {
			t.Errorf("ledger row %+v was kept", bad)
		}
	}
	wantLedger(t, s, subject, nil)
}

// ledgerKeepsKeys: a key that was written down is never lost, whatever comes later.
func ledgerKeepsKeys(t *testing.T, s store.Store) {
	setLedger(t, s, subject, rows())
	for name, spoil := range map[string]func([]store.Row) []store.Row{
		"a row is gone":     func(r []store.Row) []store.Row { return r[:2] },
		"a key is gone":     func(r []store.Row) []store.Row { r[0].Key = ""; return r },
		"a key has changed": func(r []store.Row) []store.Row { r[2].Key = Entry(5).Key; return r },
		"none are left":     func([]store.Row) []store.Row { return nil },
	} {
		if err := s.SetLedger(context.Background(), subject, spoil(rows())); !errors.Is(err, store.ErrLedger) {
			t.Errorf("%s: %v", name, err)
		}
		wantLedger(t, s, subject, rows())
	}
	more := append(rows(), store.Row{Trial: "F1-75", Fired: true, Key: Entry(2).Key})
	more[1].Key, more[1].Fired = Entry(3).Key, true
	setLedger(t, s, subject, more)
	wantLedger(t, s, subject, more)
	verified(t, s)
}

// anyLedger: whatever becomes of rows that have no key, the ledger is the one that was written last.
func anyLedger(t *testing.T, s store.Store) {
	n := 0
	rapid.Check(t, func(t *rapid.T) {
		n++
		id := subject
		id.Item = fmt.Sprint("demo/", n)
		for range rapid.IntRange(1, 4).Draw(t, "writes") {
			rows := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) store.Row {
				return store.Row{Trial: rapid.SampledFrom([]string{"base", "M1", "M2", "F1"}).Draw(t, "trial"), Fired: rapid.Bool().Draw(t, "fired"),
					Why: rapid.SampledFrom([]string{"", "no age"}).Draw(t, "why"), Version: rapid.SampledFrom([]string{"", "1"}).Draw(t, "version"),
					Labels: json.RawMessage(rapid.SampledFrom([]string{"", `{"old":1}`, `{"old":2}`}).Draw(t, "labels"))}
			}), 0, 5).Draw(t, "rows")
			if err := s.SetLedger(context.Background(), id, rows); err != nil {
				t.Fatal(err)
			}
			got, err := s.Ledger(context.Background(), id)
			if d := cmp.Diff(rows, got, same); d != "" || err != nil {
				t.Fatalf("error %v, difference %s", err, d)
			}
		}
	})
}

func attempts(t *testing.T, s store.Store) {
	ctx := context.Background()
	e := Entry(0)
	for _, kind := range []string{"server", "rate_limit", "server"} {
		if err := s.Fail(ctx, store.Attempt{Key: e.Key, At: time.Unix(1, 5), Kind: kind, Detail: "503"}); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok, err := s.Get(ctx, e.Key); ok || err != nil {
		t.Errorf("a failed attempt became an answer (error %v)", err)
	}
	Put(t, s, e)
	got, err := s.Attempts(ctx)
	if d := cmp.Diff(map[string]int{"server": 2, "rate_limit": 1}, got); d != "" || err != nil {
		t.Errorf("attempts, error %v: %s", err, d)
	}
	if err := s.Fail(ctx, store.Attempt{Key: "x", Kind: "server"}); err == nil {
		t.Error("an attempt on no key was kept")
	}
	verified(t, s)
}

// cancelled: a write under a context that has ended fails, and what it would have written is not there.
func cancelled(t *testing.T, s store.Store) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if err := s.Put(ctx, Entry(0)); !errors.Is(err, context.Canceled) {
		t.Errorf("Put = %v", err)
	}
	if n := count(t, s); n != 0 {
		t.Errorf("Count = %d", n)
	}
	for _, err := range s.Entries(ctx) {
		if err == nil {
			t.Error("Entries went on under a context that has ended")
		}
	}
	Put(t, s, Entry(0))
}

// closed: every method fails, none hangs or panics.
func closed(t *testing.T, s store.Store) {
	ctx := context.Background()
	Put(t, s, Entry(0))
	if err := s.Close(); err != nil {
		t.Fatalf("close: %v", err)
	}
	_, _, got := s.Get(ctx, Entry(0).Key)
	_, _, absent := s.Get(ctx, Entry(1).Key)
	_, _, asked := s.Request(ctx, Entry(0).Key)
	_, read := s.Ledger(ctx, subject)
	_, counted := s.Count(ctx)
	_, tried := s.Attempts(ctx)
	_, checked := s.Verify(ctx)
	for name, err := range map[string]error{
		"Put":       s.Put(ctx, Entry(1)),
		"Fail":      s.Fail(ctx, store.Attempt{Key: Entry(1).Key, Kind: "server"}),
		"SetLedger": s.SetLedger(ctx, subject, rows()),
		"Get":       got, "Get of an absent key": absent, "Request": asked, "Ledger": read, "Count": counted, "Attempts": tried, "Verify": checked,
	} {
		if err == nil {
			t.Errorf("%s succeeds after Close", name)
		}
	}
}

func reopened(t *testing.T, s store.Store, reopen Reopen) {
	for i := range 6 {
		Put(t, s, Entry(i))
	}
	setLedger(t, s, subject, rows())
	if err := s.Fail(context.Background(), store.Attempt{Key: Entry(9).Key, At: time.Now(), Kind: "stalled"}); err != nil {
		t.Fatal(err)
	}
	s = reopen(t, s)
	defer func() {
		if err := s.Close(); err != nil {
			t.Errorf("close: %v", err)
		}
	}()
	for i := range 6 {
		if d := cmp.Diff(Entry(i).Answer, get(t, s, Entry(i).Key), same); d != "" {
			t.Errorf("answer %d after reopening: %s", i, d)
		}
	}
	Put(t, s, Entry(7))
	if n := count(t, s); n != 7 {
		t.Errorf("Count = %d, want 7", n)
	}
	wantLedger(t, s, subject, rows())
	if m, err := s.Attempts(context.Background()); m["stalled"] != 1 || err != nil {
		t.Errorf("Attempts = %v, %v", m, err)
	}
	verified(t, s)
}
