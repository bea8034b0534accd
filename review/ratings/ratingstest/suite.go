// Package ratingstest is the suite that every adapter of ratings.Book passes.
package ratingstest

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss/review/ratings"
)

// Now is when the suite plays.
var Now = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// Entry is the n-th entry of a rater.
func Entry(rater string, n int) ratings.Entry {
	return ratings.Entry{ID: fmt.Sprintf("e-%d", n), Rater: rater, Item: fmt.Sprintf("item-%d", n%50), Labels: map[string]string{"q": "yes"},
		Comment: "“so” <b>\x00?", Seconds: 1.5, At: Now.Add(time.Duration(n) * time.Second), By: "app"}
}

// Rater is a rater of a name.
func Rater(name string) ratings.Rater { return ratings.Rater{ID: "r-" + name, Name: name, Added: Now} }

// Run runs the suite. open makes or opens the book at a path; now is its clock.
func Run(t *testing.T, open func(t *testing.T, path string, now func() time.Time) ratings.Book) {
	for _, c := range []struct {
		name string
		test func(*testing.T, func(path string) ratings.Book, *clock)
	}{{"Entries", entries}, {"AllOrNone", allOrNone}, {"Refuses", refuses}, {"Raters", raters}, {"Passes", passes}, {"OneUse", oneUse}, {"Shut", shut},
		{"Backup", backup}, {"Together", together}} {
		t.Run(c.name, func(t *testing.T) {
			at := &clock{Now}
			c.test(t, func(path string) ratings.Book {
				if path == "" {
					path = filepath.Join(t.TempDir(), "answers.db")
				}
				b := open(t, path, at.now)
				t.Cleanup(func() { b.Close() })
				return b
			}, at)
		})
	}
}

// clock is a clock that stands still until it is set.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

var ctx = context.Background()

func ok(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// All collects a book's entries.
func All(t testing.TB, b ratings.Book) []ratings.Entry {
	t.Helper()
	var out []ratings.Entry
	for e, err := range b.Entries(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, e)
	}
	return out
}

// entries are kept in the order in which they come, once each, over a new opening; the latest time counts.
func entries(t *testing.T, open func(string) ratings.Book, _ *clock) {
	path := filepath.Join(t.TempDir(), "answers.db")
	b := open(path)
	ok(t, b.AddRater(ctx, Rater("a")))
	ok(t, b.AddRater(ctx, Rater("b")))
	first, second := Entry("r-a", 2), Entry("r-a", 52) // of one item, the second is later
	same := Entry("r-b", 2)                            // of another rater under the same id
	for _, batch := range [][]ratings.Entry{{second}, {first, second}, {same}, {first}} {
		_, err := b.Add(ctx, batch)
		ok(t, err)
	}
	ok(t, b.Close())
	b = open(path)
	if d := cmp.Diff([]ratings.Entry{second, first, same}, All(t, b)); d != "" {
		t.Error(d)
	}
	latest, err := b.Latest(ctx, "r-a")
	ok(t, err)
	if d := cmp.Diff(map[string]ratings.Entry{"item-2": second}, latest); d != "" {
		t.Error(d)
	}
	if n, err := b.Add(ctx, []ratings.Entry{first, Entry("r-a", 3)}); n != 1 || err != nil {
		t.Errorf("%d new, %v", n, err)
	}
}

// A batch with one entry that cannot be kept leaves nothing behind.
func allOrNone(t *testing.T, open func(string) ratings.Book, _ *clock) {
	b := open("")
	ok(t, b.AddRater(ctx, Rater("a")))
	if _, err := b.Add(ctx, []ratings.Entry{Entry("r-a", 1), Entry("r-nobody", 1)}); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("an unknown rater: %v", err)
	}
	if got := All(t, b); got != nil {
		t.Errorf("%v is kept", got)
	}
}

func refuses(t *testing.T, open func(string) ratings.Book, _ *clock) {
	b := open("")
	ok(t, b.AddRater(ctx, Rater("a")))
	for name, change := range map[string]func(*ratings.Entry){
		"no id":         func(e *ratings.Entry) { e.ID = "" },
		"a long id":     func(e *ratings.Entry) { e.ID = strings.Repeat("x", 65) },
		"an item":       func(e *ratings.Entry) { e.Item = "../x" },
		"a label":       func(e *ratings.Entry) { e.Labels = map[string]string{"q": "a b"} },
		"a question":    func(e *ratings.Entry) { e.Labels = map[string]string{"": "a"} },
		"a long text":   func(e *ratings.Entry) { e.Comment = strings.Repeat("x", ratings.MostComment+1) },
		"no UTF-8":      func(e *ratings.Entry) { e.Flag = "\xff" },
		"no time":       func(e *ratings.Entry) { e.At = time.Time{} },
		"the future":    func(e *ratings.Entry) { e.At = Now.Add(25 * time.Hour) },
		"negative time": func(e *ratings.Entry) { e.Seconds = -1 },
	} {
		e := Entry("r-a", 1)
		change(&e)
		if _, err := b.Add(ctx, []ratings.Entry{e}); err == nil {
			t.Errorf("%s is kept", name)
		}
	}
	if got := All(t, b); got != nil {
		t.Errorf("%v is kept", got)
	}
}

func raters(t *testing.T, open func(string) ratings.Book, _ *clock) {
	b := open("")
	for _, name := range []string{"zoe", "Ann <b>"} {
		r := Rater("x")
		r.ID, r.Name = fmt.Sprintf("r%d", len(name)), name
		ok(t, b.AddRater(ctx, r))
	}
	if err := b.AddRater(ctx, ratings.Rater{ID: "other", Name: "zoe", Added: Now}); err == nil || !strings.Contains(err.Error(), "zoe") {
		t.Errorf("a name twice: %v", err)
	}
	if err := b.AddRater(ctx, ratings.Rater{ID: "other", Added: Now}); err == nil {
		t.Error("a rater without a name")
	}
	ok(t, b.SetPIN(ctx, "r3", []byte("hash")))
	if err := b.SetPIN(ctx, "nobody", nil); !errors.Is(err, ratings.ErrUnknown) {
		t.Errorf("a PIN of nobody: %v", err)
	}
	got, err := b.Raters(ctx)
	ok(t, err)
	want := []ratings.Rater{{ID: "r3", Name: "zoe", Added: Now, PIN: []byte("hash")}, {ID: "r7", Name: "Ann <b>", Added: Now}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func shut(t *testing.T, open func(string) ratings.Book, _ *clock) {
	b := open("")
	ok(t, b.AddRater(ctx, Rater("a")))
	ok(t, b.Shut(ctx, true))
	if is, err := b.IsShut(ctx); !is || err != nil {
		t.Errorf("shut %v, %v", is, err)
	}
	if _, err := b.Add(ctx, []ratings.Entry{Entry("r-a", 1)}); !errors.Is(err, ratings.ErrClosed) {
		t.Errorf("answers after the end: %v", err)
	}
	ok(t, b.Shut(ctx, false))
	if n, err := b.Add(ctx, []ratings.Entry{Entry("r-a", 1)}); n != 1 || err != nil {
		t.Errorf("opened again: %d, %v", n, err)
	}
}

// A copy that is made while others answer holds all that was acknowledged before, and can be opened.
func backup(t *testing.T, open func(string) ratings.Book, _ *clock) {
	b := open("")
	ok(t, b.AddRater(ctx, Rater("a")))
	for n := range 10 {
		_, err := b.Add(ctx, []ratings.Entry{Entry("r-a", n)})
		ok(t, err)
	}
	var wait sync.WaitGroup
	wait.Go(func() {
		for n := range 50 {
			if _, err := b.Add(ctx, []ratings.Entry{Entry("r-a", 100+n)}); err != nil {
				t.Error(err)
			}
		}
	})
	path := filepath.Join(t.TempDir(), "copy.db")
	err := b.Backup(ctx, path)
	wait.Wait()
	ok(t, err)
	if got := All(t, open(path)); len(got) < 10 {
		t.Errorf("%d entries in the copy", len(got))
	}
	if err := b.Backup(ctx, path); err == nil {
		t.Error("a copy was written over another")
	}
}

// Many raters answer at once, and send again what they are not sure of: nothing is lost, nothing is there twice.
func together(t *testing.T, open func(string) ratings.Book, _ *clock) {
	const people, answers = 50, 20
	b := open("")
	var wait sync.WaitGroup
	for p := range people {
		r := Rater(fmt.Sprint(p))
		ok(t, b.AddRater(ctx, r))
		wait.Go(func() {
			for n := range answers {
				batch := []ratings.Entry{Entry(r.ID, n)}
				if n > 0 {
					batch = append(batch, Entry(r.ID, n-1))
				}
				if _, err := b.Add(ctx, batch); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	seen := map[string]bool{}
	for _, e := range All(t, b) {
		name := e.Rater + " " + e.ID
		if seen[name] {
			t.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
	if len(seen) != people*answers {
		t.Errorf("%d entries of %d", len(seen), people*answers)
	}
}
