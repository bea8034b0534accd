package run

import (
	"context"
	"errors"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store/memory"
)

// The parts of a run count the same as the whole, and nothing is at work in the end.
func TestPartsAddUp(t *testing.T) {
	b := newBar(t, []string{"faithful", "inert"}, []string{"judge"})
	l := b.loop(memory.New(), nil)
	l.Cost = func(string, percuss.Usage) float64 { return 1 }
	var sums [][6]int
	l.Progress = func(p Progress) {
		s := [6]int{p.Done + p.Judged - sum(p.Parts, func(x Part) int { return x.Done }), p.Asked - sum(p.Parts, func(x Part) int { return x.Asked }),
			p.Answered - sum(p.Parts, func(x Part) int { return x.Answered }), p.Failed - sum(p.Parts, func(x Part) int { return x.Failed }),
			int(p.Cost) - sum(p.Parts, func(x Part) int { return int(x.Cost) }), 0}
		sums = append(sums, s)
	}
	result, err := l.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sums {
		if s != ([6]int{}) {
			t.Fatalf("the parts differ from the whole: %v", s)
		}
	}
	if len(result.Parts) != 3 || !result.Parts[2].Judging || result.Parts[0].Model != "faithful" {
		t.Fatalf("%+v", result.Parts)
	}
	for _, p := range result.Parts {
		if p.Open != (Work{}) || p.Done != p.Subjects || p.Share() != 1 || p.Before != 0 || p.Expected() != percuss.Num(p.Cost) {
			t.Errorf("%+v", p)
		}
	}
	again, err := b.loop(l.Store, nil).Run(context.Background())
	if err != nil || slices.ContainsFunc(again.Parts, func(p Part) bool { return p.Before != p.Subjects || p.Asked > 0 }) {
		t.Errorf("a second time: %v, %+v", err, again.Parts)
	}
}

func sum(parts []Part, of func(Part) int) (n int) {
	for _, p := range parts {
		n += of(p)
	}
	return n
}

func TestShare(t *testing.T) {
	for name, c := range map[string]struct {
		p    Part
		want float64
	}{
		"nothing to do":             {Part{}, 1},
		"not begun":                 {Part{Subjects: 4}, 0},
		"the first, all put":        {Part{Subjects: 2, Asked: 1, Open: Work{1, 1, 1, 0}}, 0.25},
		"half of what one took":     {Part{Subjects: 2, Done: 1, Asked: 20, Open: Work{1, 10, 5, 0}}, 0.75},
		"few put of many to come":   {Part{Subjects: 2, Done: 1, Asked: 11, Open: Work{1, 1, 1, 0}}, 0.55},
		"what went before is quick": {Part{Subjects: 4, Done: 2, Before: 2}, 0.5},
	} {
		if got := c.p.Share(); got < c.want-1e-9 || got > c.want+1e-9 {
			t.Errorf("%s: %g, want %g", name, got, c.want)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		n := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
		p := Part{Subjects: n("subjects", 9)}
		p.Done = n("done", p.Subjects)
		p.Before = n("before", p.Done)
		p.Open.Subjects = n("open", p.Subjects-p.Done)
		p.Asked = n("asked", 99)
		p.Open.Asked = n("open asked", p.Asked)
		p.Open.Answered = n("open answered", p.Open.Asked)
		least := 0.0
		if p.Subjects > 0 {
			least = float64(p.Done) / float64(p.Subjects)
		}
		if got := p.Share(); !(got >= least && got <= 1) {
			t.Fatalf("%+v: %g", p, got)
		}
	})
}

func TestExpected(t *testing.T) {
	for name, c := range map[string]struct {
		p    Part
		want percuss.Number
	}{
		"too few":                          {Part{Subjects: 10, Done: 2, Cost: 2}, percuss.Number{}},
		"as the finished ones":             {Part{Subjects: 10, Done: 4, Cost: 2}, percuss.Num(5)},
		"what is at work enters no mean":   {Part{Subjects: 10, Done: 4, Cost: 3, Open: Work{Cost: 1}}, percuss.Num(5)},
		"never less than was spent":        {Part{Subjects: 5, Done: 4, Cost: 9, Open: Work{Cost: 7}}, percuss.Num(9)},
		"an earlier process paid for some": {Part{Subjects: 10, Done: 8, Before: 4, Cost: 2}, percuss.Num(3)},
		"all done":                         {Part{Subjects: 2, Done: 2, Cost: 2}, percuss.Num(2)},
	} {
		if got := c.p.Expected(); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

// late answers after a while.
type late struct {
	model.Model
	wait time.Duration
}

func (m late) Open(ctx context.Context, subject string) (model.Session, error) {
	s, err := m.Model.Open(ctx, subject)
	return lateSession{s, m.wait}, err
}

type lateSession struct {
	model.Session
	wait time.Duration
}

func (s lateSession) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	select {
	case <-time.After(s.wait):
	case <-ctx.Done():
		return ctx.Err()
	}
	return s.Session.Answer(ctx, requests, done)
}

// A run says how far it is while it goes on, also while nothing comes, and how it ended.
func TestStandingOfALoop(t *testing.T) {
	ended := func(dir string) string {
		s, err := ReadStanding(dir)
		if err != nil {
			t.Fatal(err)
		}
		return s.Ended
	}
	synctest.Test(t, func(t *testing.T) {
		b, dir := newBar(t, []string{"faithful"}, nil), t.TempDir()
		ctx, cancel := context.WithCancel(context.Background())
		l := b.loop(memory.New(), func(_ string, m model.Model) model.Model { return late{m, time.Hour} })
		l.Dir = dir
		out := make(chan error)
		go func() {
			_, err := l.Run(ctx)
			out <- err
		}()
		time.Sleep(time.Minute)
		synctest.Wait()
		s, err := ReadStanding(dir)
		if err != nil || !s.Going(time.Now()) || s.Subjects != 4 || s.Asked == 0 || s.Answered != 0 || len(s.Parts) != 1 {
			t.Errorf("while it waits: %v, %+v", err, s)
		}
		cancel()
		if err := <-out; !errors.Is(err, context.Canceled) || ended(dir) != Interrupted {
			t.Errorf("%v, ended %q", err, ended(dir))
		}
		l.Models = func(context.Context, string) (model.Model, error) { return nil, errors.New("planted") }
		if _, err := l.Run(context.Background()); err == nil || ended(dir) != "planted" {
			t.Errorf("%v, ended %q", err, ended(dir))
		}
		l = b.loop(l.Store, func(_ string, m model.Model) model.Model { return late{m, 10 * time.Second} })
		l.Dir = dir
		if _, err := l.Run(context.Background()); err != nil || ended(dir) != Done {
			t.Errorf("%v, ended %q", err, ended(dir))
		}
		times, err := Times(dir)
		if err != nil || len(times) != 4 {
			t.Fatalf("%v, %+v", err, times)
		}
		for _, at := range times {
			if at.Seconds < 10 || at.Requests == 0 || at.Asked != "faithful" || at.Item == "" {
				t.Errorf("%+v", at)
			}
		}
	})
}
