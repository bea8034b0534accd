package modeltest

import (
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Ask opens a session, asks, and closes it. Faults and missing or repeated answers fail the test.
func Ask(t testing.TB, m model.Model, requests ...percuss.Request) []percuss.Answer {
	t.Helper()
	s, end := begin(t, m)
	defer end()
	return AskIn(t, s, requests...)
}

// begin opens a session. end closes it.
func begin(t testing.TB, m model.Model) (s model.Session, end func()) {
	t.Helper()
	s, err := m.Open(t.Context(), "subject")
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	return s, func() {
		if err := s.Close(); err != nil {
			t.Errorf("closing the session: %v", err)
		}
	}
}

// AskIn asks in an open session.
func AskIn(t testing.TB, s model.Session, requests ...percuss.Request) []percuss.Answer {
	t.Helper()
	answers := make([]percuss.Answer, len(requests))
	calls := make([]int, len(requests))
	err := s.Answer(t.Context(), requests, func(i int, a percuss.Answer, err error) {
		calls[i]++
		if err != nil {
			t.Errorf("request %d: %v", i, err)
		}
		answers[i] = a
	})
	if err != nil {
		t.Fatalf("Answer: %v", err)
	}
	for i, n := range calls {
		if n != 1 {
			t.Errorf("done was called %d times for request %d", n, i)
		}
	}
	return answers
}
