package explore

import (
	"bytes"
	"context"
	"fmt"
	"iter"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/internal/web"
	"github.com/percuss/percuss/report"
	"github.com/percuss/percuss/report/cases"
	"github.com/percuss/percuss/report/steps"
	"github.com/percuss/percuss/run"
)

// hostile is what a model or a file may hold.
const hostile = "<script>alert(1)</script>\x1b[31m\u202e" + `"'=1+1&`

// fakeRun is a chain audit of made-up items, whose edit M2 moves every second answer.
type fakeRun struct {
	dir      string
	subjects []percuss.Subject
	state    atomic.Int64
	closed   atomic.Int64
	wait     chan struct{} // records come when it is closed; nil: at once
}

func newFake(dir string, items int) *fakeRun {
	f := &fakeRun{dir: dir}
	for i := range items {
		s := percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: "s", Item: fmt.Sprintf("i%02d", i)}}
		s.Question = percuss.Question{ID: s.Item, Stem: "A patient " + hostile, Gold: "A", Options: []percuss.Option{{Label: "A", Text: "Sepsis"}, {Label: "B", Text: hostile}}}
		f.subjects = append(f.subjects, s)
	}
	return f
}

func (f *fakeRun) Dir() string { return f.dir }
func (f *fakeRun) Manifest() run.Manifest {
	m, err := run.ReadManifest(f.dir)
	if err != nil {
		panic(err)
	}
	return m
}
func (f *fakeRun) Subjects() []percuss.Subject           { return f.subjects }
func (f *fakeRun) State(context.Context) (string, error) { return fmt.Sprint(f.state.Load()), nil }
func (f *fakeRun) Item(run.View) (report.Item, battery.Battery) {
	return report.Item{}, battery.Battery{}
}
func (f *fakeRun) Close() error { f.closed.Add(1); return nil }

func (f *fakeRun) Case(context.Context, run.View, bool) (cases.Case, float64, cases.Noise, error) {
	return cases.Case{}, 0, cases.Noise{}, nil
}

func (f *fakeRun) StepItem(run.View) steps.Item { return steps.Item{} }

func (f *fakeRun) Answer(context.Context, percuss.Key) (percuss.Request, percuss.Answer, bool, error) {
	return percuss.Request{}, percuss.Answer{}, false, nil
}

func (f *fakeRun) record(at int) chain.Record {
	flip := chain.Kept
	if at%2 == 1 {
		flip = chain.Flipped
	}
	return chain.Record{Subject: f.subjects[at].SubjectID, Base: chain.Reading{State: chain.Read, Answer: "A", Correct: true}, Direct: chain.Reading{State: chain.NotFired},
		Operators: []chain.OperatorTrial{{ID: "M2-" + hostile, Edit: battery.Edit{Fired: true}, Flip: flip, Reading: chain.Reading{State: chain.Read, Answer: "B"}}}}
}

func (f *fakeRun) View(_ context.Context, at int) (run.View, error) {
	base := percuss.Trial{ID: chain.BaseTrial}
	base.Ask(percuss.Request{Model: f.subjects[at].Item})
	return run.View{Subject: f.subjects[at], Trials: []percuss.Trial{base}, Record: f.record(at),
		Answers: percuss.AnswerMap{base.Key(): {Text: "reply of " + f.subjects[at].Item}}}, nil
}

func (f *fakeRun) Views(ctx context.Context) iter.Seq2[run.View, error] {
	return func(yield func(run.View, error) bool) {
		for i := range f.subjects {
			if v, err := f.View(ctx, i); !yield(v, err) {
				return
			}
		}
	}
}

func (f *fakeRun) Records(ctx context.Context) iter.Seq2[percuss.Record, error] {
	return func(yield func(percuss.Record, error) bool) {
		if f.wait != nil {
			select {
			case <-f.wait:
			case <-ctx.Done():
				yield(nil, ctx.Err())
				return
			}
		}
		for i := range f.subjects {
			if !yield(f.record(i), nil) {
				return
			}
		}
	}
}

// site is a server of fake runs, with a clock that is set.
type site struct {
	*Server
	t     *testing.T
	log   bytes.Buffer
	clock atomic.Int64
	fakes map[string]*fakeRun // by folder
	opens int
}

// newSite makes runs of six items by their names below the root.
func newSite(t *testing.T, names ...string) *site {
	t.Helper()
	root := t.TempDir()
	s := &site{t: t, fakes: map[string]*fakeRun{}}
	for _, name := range names {
		dir := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(dir, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := run.WriteManifest(dir, run.Manifest{Begun: time.Unix(0, 0), Data: []run.DataInfo{{Set: hostile, Drawn: 6}}}); err != nil {
			t.Fatal(err)
		}
		s.fakes[dir] = newFake(dir, 6)
	}
	s.Server = &Server{Root: root, Log: &s.log, Now: func() time.Time { return time.Unix(1_700_000_000+s.clock.Load(), 0) },
		Open: func(_ context.Context, dir string) (Run, error) {
			s.opens++
			if f := s.fakes[dir]; f != nil {
				return f, nil
			}
			return nil, fmt.Errorf("%s cannot be opened", dir)
		}}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

func (s *site) do(method, address string, form url.Values) *http.Response {
	r := httptest.NewRequest(method, address, strings.NewReader(form.Encode()))
	if form != nil {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	r.Host = "localhost"
	w := httptest.NewRecorder()
	web.Guard{Hosts: web.Local()}.Wrap(s.Handler()).ServeHTTP(w, r)
	return w.Result()
}

// page returns the status and text of a page, once its index is there.
func (s *site) page(address string) (int, string) {
	s.t.Helper()
	for range 1000 {
		got := s.do("GET", address, nil)
		if got.StatusCode == http.StatusAccepted {
			continue
		}
		var b bytes.Buffer
		if _, err := b.ReadFrom(got.Body); err != nil {
			s.t.Fatal(err)
		}
		return got.StatusCode, b.String()
	}
	s.t.Fatalf("%s is never there", address)
	return 0, ""
}
