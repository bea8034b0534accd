package recorded_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/recorded"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
	"github.com/percuss/percuss/store/storetest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var same = cmp.Comparer(func(a, b percuss.Number) bool { return a == b })

// listener is a model whose answers are kept, as a run keeps them.
type listener struct {
	model.Model
	into store.Store
}

func (l listener) Open(ctx context.Context, subject string) (model.Session, error) {
	s, err := l.Model.Open(ctx, subject)
	return listening{s, l.into}, err
}

type listening struct {
	model.Session
	into store.Store
}

func (l listening) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	return l.Session.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
		if err == nil {
			err = l.into.Put(context.WithoutCancel(ctx), store.Entry{Key: requests[i].Key(), Request: requests[i], Answer: a})
		}
		done(i, a, err)
	})
}

// export writes a store's answers to a file.
func export(t testing.TB, s store.Reader, models map[string]percuss.Capabilities) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "answers.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	_, err = store.Export(t.Context(), f, s, models)
	if err := errors.Join(err, f.Close()); err != nil {
		t.Fatal(err)
	}
	return path
}

func open(t testing.TB, path, which string) *recorded.Model {
	t.Helper()
	m, err := recorded.Open(path, which)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close() })
	return m
}

func reasoner(t testing.TB, spec string) model.Model {
	t.Helper()
	m, err := simulated.New(nil, nil, spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestContract lets the suite ask a simulated model, keeps what it said, and has the recording pass the same suite.
func TestContract(t *testing.T) {
	kept := memory.New()
	t.Run("asked", func(t *testing.T) {
		modeltest.Run(t, func(t *testing.T) model.Model { return listener{reasoner(t, "faithful"), kept} }, modeltest.Traits{})
	})
	path := export(t, kept, map[string]percuss.Capabilities{"faithful": reasoner(t, "faithful").Capabilities()})
	t.Run("recorded", func(t *testing.T) {
		modeltest.Run(t, func(t *testing.T) model.Model { return open(t, path, "") }, modeltest.Traits{})
	})
}

// entries is a store with the suite's entries, a third of them from another model.
func entries(t testing.TB, n int) *memory.Store {
	t.Helper()
	s := memory.New()
	for i := range n {
		e := storetest.Entry(i)
		if i%3 == 0 {
			e.Request.Model = "test:other"
			e.Key = e.Request.Key()
		}
		storetest.Put(t, s, e)
	}
	return s
}

var pair = map[string]percuss.Capabilities{
	"one": {Identity: "test:model", Text: true, Letters: true},
	"two": {Identity: "test:other", Text: true, Seeded: true},
}

// Every answer of the chosen model comes back as it was, and none of another's.
func TestAnswers(t *testing.T) {
	s := entries(t, 60)
	path := export(t, s, pair)
	for which, can := range map[string]percuss.Capabilities{
		"one": pair["one"], "test:model": pair["one"], "two": pair["two"], "test:other": pair["two"],
	} {
		m := open(t, path, which)
		if m.Capabilities() != can {
			t.Errorf("%s: capabilities %+v, want %+v", which, m.Capabilities(), can)
		}
		for e, err := range s.Entries(t.Context()) {
			if err != nil {
				t.Fatal(err)
			}
			a, err := ask(t, m, e.Request)
			var fault *model.Fault
			switch {
			case e.Request.Model == can.Identity:
				if d := cmp.Diff(e.Answer, a, same); d != "" || err != nil {
					t.Errorf("%s: %v, %s", which, err, d)
				}
			case !errors.As(err, &fault) || fault.Kind != recorded.NotRecorded || fault.Fatal:
				t.Errorf("%s answers a request of %s: %v", which, e.Request.Model, err)
			}
		}
	}
}

// ask asks one request and returns what done was told.
func ask(t testing.TB, m model.Model, r percuss.Request) (answer percuss.Answer, fault error) {
	t.Helper()
	s, err := m.Open(t.Context(), "subject")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	calls := 0
	err = s.Answer(t.Context(), []percuss.Request{r}, func(_ int, a percuss.Answer, err error) { answer, fault, calls = a, err, calls+1 })
	if err != nil && !model.IsFatal(err) {
		t.Errorf("Answer: %v", err)
	}
	if calls != 1 {
		t.Errorf("done was called %d times", calls)
	}
	return answer, fault
}

// A request that was never asked is a fault of its own, which names key and file; those behind it are answered.
func TestNotRecorded(t *testing.T) {
	path := export(t, entries(t, 3), pair)
	m := open(t, path, "one")
	never := storetest.Entry(1)
	never.Request.Replicate++
	s, err := m.Open(t.Context(), "subject")
	if err != nil {
		t.Fatal(err)
	}
	var faults [3]error
	requests := []percuss.Request{storetest.Entry(1).Request, never.Request, storetest.Entry(2).Request}
	if err := s.Answer(t.Context(), requests, func(i int, _ percuss.Answer, err error) { faults[i] = err }); err != nil {
		t.Fatal(err)
	}
	if faults[0] != nil || faults[2] != nil {
		t.Errorf("faults %v", faults)
	}
	if say := fmt.Sprint(faults[1]); !strings.Contains(say, string(never.Request.Key())) || !strings.Contains(say, path) {
		t.Errorf("fault %s", say)
	}
}

func TestOpenRefuses(t *testing.T) {
	good := export(t, entries(t, 6), pair)
	raw, err := os.ReadFile(good)
	if err != nil {
		t.Fatal(err)
	}
	file := func(text string) string {
		path := filepath.Join(t.TempDir(), "edited.jsonl")
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	text := string(raw)
	for name, c := range map[string]struct{ path, which, say string }{
		"no file":        {filepath.Join(t.TempDir(), "none.jsonl"), "", "percuss store export DIR -o FILE"},
		"a folder":       {t.TempDir(), "", "directory"},
		"another format": {file("{}\n"), "", "no export of answers"},
		"several models": {good, "", "choose one with ?model=ID: one, two"},
		"unknown model":  {good, "three", `no model "three": there are one, two`},
		"no model":       {export(t, memory.New(), nil), "", "names no model"},
		"no identity":    {export(t, memory.New(), map[string]percuss.Capabilities{"x": {Text: true}}), "", `model "x" has no identity`},
		"cut short":      {file(text[:len(text)-20]), "one", "edited.jsonl:7: no answered request"},
		"a line lost":    {file(text[:strings.LastIndex(text[:len(text)-1], "\n")+1]), "one", "ends after 5 of 6 answers"},
		"edited":         {file(strings.Replace(text, "54-year", "45-year", 1)), "one", "edited.jsonl:2: the key is"},
	} {
		m, err := recorded.Open(c.path, c.which)
		if err == nil {
			m.Close()
		}
		if err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.say)
		}
	}
}

// Two ids may share one identity: a model that was given two system prompts.
func TestOneIdentityTwice(t *testing.T) {
	path := export(t, entries(t, 3), map[string]percuss.Capabilities{
		"a": {Identity: "test:model", Text: true, Engine: "1"}, "b": {Identity: "test:model", Text: true, Engine: "2"}})
	for which, engine := range map[string]string{"": "1", "a": "1", "b": "2"} {
		if can := open(t, path, which).Capabilities(); can.Engine != engine {
			t.Errorf("%q: %+v", which, can)
		}
	}
}

// A file that is written over while it is open is noticed: nobody gets the answer to another request.
func TestFileChanges(t *testing.T) {
	path := export(t, entries(t, 6), pair)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{
		"moved": " " + string(raw), "emptied": "", "another": strings.Replace(string(raw), "54-year", "45-year", -1),
	} {
		if err := os.WriteFile(path, raw, 0o644); err != nil {
			t.Fatal(err)
		}
		m := open(t, path, "one")
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil {
			t.Fatal(err)
		}
		if a, err := ask(t, m, storetest.Entry(1).Request); !model.IsFatal(err) || !strings.Contains(err.Error(), path+" has changed") {
			t.Errorf("%s: %v, %v", name, a, err)
		}
	}
}

func TestClosed(t *testing.T) {
	m := open(t, export(t, entries(t, 3), pair), "one")
	for range 2 {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
	if _, err := m.Open(t.Context(), "subject"); !model.IsFatal(err) {
		t.Errorf("Open after Close: %v", err)
	}
}
