package batch

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// process is one process over service and journal; its answers go into stored until ctx is done.
func process(ctx context.Context, t *testing.T, s *service, j *journal, subjects int, stored percuss.AnswerMap) error {
	t.Helper()
	tokens := len(j.entries)
	m := New(s, s, Options{Subjects: subjects, Past: slices.Clone(j.entries), Note: j.note,
		Token: func() string { tokens++; return fmt.Sprint("t", tokens) }})
	var mu sync.Mutex
	var wg sync.WaitGroup
	var failed error
	for i := range subjects {
		wg.Go(func() {
			err := subject(ctx, t, m, i, &mu, stored)
			mu.Lock()
			defer mu.Unlock()
			if failed == nil {
				failed = err
			}
		})
	}
	wg.Wait()
	if err := m.Close(); err != nil {
		t.Error(err)
	}
	return failed
}

// subject asks one request and then two more, and asks again what failed. What is stored is guarded by mu.
func subject(ctx context.Context, t *testing.T, m *Model, i int, mu *sync.Mutex, stored percuss.AnswerMap) error {
	session, err := m.Open(ctx, fmt.Sprint(i))
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }() // it never fails
	for round := 0; round < 2 && err == nil; {
		requests := numbered(3*i + 1 + 2*round)[3*i+round:]
		mu.Lock()
		requests = slices.DeleteFunc(requests, func(r percuss.Request) bool { _, ok := stored[r.Key()]; return ok })
		mu.Unlock()
		if len(requests) == 0 {
			round++
			continue
		}
		err = session.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
			mu.Lock()
			defer mu.Unlock()
			if _, twice := stored[requests[i].Key()]; twice {
				t.Errorf("request %s was answered twice", requests[i].Begin)
			}
			if err == nil {
				stored[requests[i].Key()] = a
			}
		})
	}
	return err
}

// right checks that every request has its own answer, and was paid once, and once more for each time that it failed.
func right(t *testing.T, s *service, stored percuss.AnswerMap, subjects int, failing map[int]int) {
	t.Helper()
	if len(stored) != 3*subjects {
		t.Errorf("%d answers to %d requests", len(stored), 3*subjects)
	}
	for _, r := range numbered(3 * subjects) {
		key := r.Key()
		if a := stored[key]; a.Text != r.Begin {
			t.Errorf("request %s has the answer %q", r.Begin, a.Text)
		}
		if n, want := s.asked[key], 1+failing[r.Replicate]; n != want {
			t.Errorf("request %s was handed in %d times, want %d", r.Begin, n, want)
		}
	}
}

// A round of all subjects is one batch, as far as it holds them.
func TestBatchesRounds(t *testing.T) {
	for name, c := range map[string]struct {
		change  func(*service)
		batches int
	}{
		"two rounds":            {func(*service) {}, 2},
		"no more than fit":      {func(s *service) { s.fit = 5 }, 2 + 4},
		"one fails twice":       {func(s *service) { s.errors[0] = 2 }, 4},
		"nobody heard of it":    {func(s *service) { s.after = 1 }, 2},
		"it never got there":    {func(s *service) { s.before = 2 }, 2},
		"no room for the first": {func(s *service) { s.full = 1 }, 3},
		"it is seen late":       {func(s *service) { s.after, s.late = 1, 40*time.Second }, 2},
		"results that are cut":  {func(s *service) { s.cut = oftenCut - 1 }, 3},
	} {
		synctest.Test(t, func(t *testing.T) {
			s, stored := newService(), percuss.AnswerMap{}
			c.change(s)
			failing := maps.Clone(s.errors)
			if err := process(t.Context(), t, s, &journal{}, 10, stored); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			right(t, s, stored, 10, failing)
			if len(s.batches) != c.batches {
				t.Errorf("%s: %d batches, want %d", name, len(s.batches), c.batches)
			}
		})
	}
}

// A process that is stopped at any time goes on without handing in anything twice.
func TestBatchesResumes(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		stops := rapid.SliceOfN(rapid.IntRange(1, 9000), 0, 4).Draw(rt, "seconds until each stop")
		failing := map[int]int{rapid.IntRange(0, 11).Draw(rt, "fails"): rapid.IntRange(0, 2).Draw(rt, "times")}
		after := rapid.IntRange(0, 1).Draw(rt, "unheard of")
		synctest.Test(t, func(t *testing.T) {
			s, j, stored := newService(), &journal{}, percuss.AnswerMap{}
			s.errors, s.after = maps.Clone(failing), after
			for _, stop := range stops {
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(stop)*time.Second)
				_ = process(ctx, t, s, j, 4, stored)
				cancel()
			}
			if err := process(t.Context(), t, s, j, 4, stored); err != nil {
				t.Fatal(err)
			}
			right(t, s, stored, 4, failing)
		})
	})
}

// What the service refuses altogether ends the run with its words.
func TestBatchesEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService()
		s.refuse = &model.Fault{Kind: "quota", Fatal: true, Err: errors.New("no credit")}
		if err := process(t.Context(), t, s, &journal{}, 3, percuss.AnswerMap{}); !model.IsFatal(err) || !strings.Contains(err.Error(), "no credit") {
			t.Errorf("%v", err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s := newService()
		s.before = 1 << 30
		began := time.Now()
		if err := process(t.Context(), t, s, &journal{}, 3, percuss.AnswerMap{}); !isAway(err) || time.Since(began) > time.Hour {
			t.Errorf("after %s: %v", time.Since(began), err)
		}
	})
	synctest.Test(t, func(t *testing.T) {
		s, j := newService(), &journal{}
		m := New(s, s, Options{Note: func(Entry) error { return errors.New("disk full") }, Token: func() string { return "t" }})
		session, err := m.Open(t.Context(), "x")
		if err != nil {
			t.Fatal(err)
		}
		err = session.Answer(t.Context(), numbered(1), func(int, percuss.Answer, error) {})
		if !model.IsFatal(err) || !strings.Contains(err.Error(), "disk full") || len(s.batches) > 0 || len(j.entries) > 0 {
			t.Errorf("%v, %d batches", err, len(s.batches))
		}
		if err := errors.Join(session.Close(), m.Close()); err != nil {
			t.Error(err)
		}
	})
}

// Two subjects that ask the same request share its answer.
func TestBatchesShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService()
		m := New(s, s, Options{Subjects: 2, Note: (&journal{}).note, Token: func() string { return "t" }})
		var wg sync.WaitGroup
		for range 2 {
			wg.Go(func() {
				session, err := m.Open(t.Context(), "x")
				if err != nil {
					t.Error(err)
					return
				}
				n := 0
				if err := session.Answer(t.Context(), numbered(2), func(int, percuss.Answer, error) { n++ }); err != nil || n != 2 {
					t.Errorf("%d answers, %v", n, err)
				}
				_ = session.Close()
			})
		}
		wg.Wait()
		for key, n := range s.asked {
			if n != 1 {
				t.Errorf("%s was handed in %d times", key, n)
			}
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
}

// Where a service keeps no token, a batch of as many requests that is known already is not taken for the one that was
// not heard of.
func TestBatchesOfOthersAreNotTaken(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newService()
		s.blind = true
		if _, err := s.Submit(t.Context(), "another's", numbered(1)); err != nil {
			t.Fatal(err)
		}
		clear(s.asked)
		s.before = 1
		j := &journal{entries: []Entry{{Event: Submitting, Token: "o", Model: "other"}, {Event: Submitted, Token: "o", Model: "other", ID: "b0"}}}
		stored := percuss.AnswerMap{}
		if err := process(t.Context(), t, s, j, 1, stored); err != nil {
			t.Fatal(err)
		}
		right(t, s, stored, 1, nil)
	})
}
