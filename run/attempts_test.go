package run

import (
	"context"
	"errors"
	"iter"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store/memory"
)

// stubborn fails every request, or answers none at all.
type stubborn struct{ silent bool }

func (stubborn) Capabilities() percuss.Capabilities {
	return percuss.Capabilities{Identity: "stubborn", Text: true}
}
func (stubborn) Workers() int { return 1 }
func (stubborn) Close() error { return nil }
func (m stubborn) Open(context.Context, string) (model.Session, error) {
	return stubbornSession(m), nil
}

type stubbornSession struct{ silent bool }

func (stubbornSession) Close() error { return nil }
func (s stubbornSession) Answer(_ context.Context, rs []percuss.Request, done func(int, percuss.Answer, error)) error {
	for i := range rs {
		if !s.silent {
			done(i, percuss.Answer{}, &model.Fault{Kind: model.Server, Err: errors.New("500")})
		}
	}
	return nil
}

// oneTrial asks one thing of a subject.
type oneTrial struct{}

func (oneTrial) Name() string { return "one" }
func (oneTrial) Trials(s percuss.Subject, _ percuss.Answers) []percuss.Trial {
	return []percuss.Trial{{ID: "base", Fired: true, Request: &percuss.Request{Model: s.Identity, Begin: s.Item}}}
}
func (oneTrial) Reduce(percuss.Subject, []percuss.Trial, percuss.Answers) percuss.Record { return nil }
func (oneTrial) Summarise(iter.Seq[percuss.Record]) percuss.Findings                     { return nil }

// What has no answer after the allowed attempts has failed, however many are allowed; a model that says nothing is an
// error, and no endless loop.
func TestWhatStaysMissingHasFailed(t *testing.T) {
	loop := func(m model.Model, attempts int) (Result, *memory.Store, error) {
		s := memory.New()
		l := Loop{Audit: oneTrial{}, Store: s, Attempts: attempts, Now: time.Now,
			Subjects: []percuss.Subject{{SubjectID: percuss.SubjectID{Item: "a"}}, {SubjectID: percuss.SubjectID{Item: "b"}}},
			Models:   func(context.Context, string) (model.Model, error) { return m, nil }}
		r, err := l.Run(t.Context())
		return r, s, err
	}
	for _, attempts := range []int{1, 3, 40} {
		r, s, err := loop(stubborn{}, attempts)
		if err != nil || r.Failed != 2 || r.Trials != 2 || r.Done != 2 {
			t.Errorf("%d attempts: %+v, %v", attempts, r, err)
		}
		if n, err := s.Attempts(t.Context()); err != nil || n[model.Server] != 2*attempts {
			t.Errorf("%d attempts: %v, %v", attempts, n, err)
		}
	}
	if _, _, err := loop(stubborn{silent: true}, 3); err == nil {
		t.Error("a model that says nothing is no error")
	}
}
