package run

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/demo"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/store"
)

// bar is a run of two reasoners before two judges.
type bar struct {
	manifest Manifest
	items    Items
	audit    *chain.Audit
	models   map[string]model.Model

	mu     sync.Mutex
	opened []string            // models in the order in which they were opened
	asked  map[string][]string // identities that each model was asked under
}

func newBar(t *testing.T, subjects, judges []string) *bar {
	t.Helper()
	questions, _, err := dataset.Collect(demo.New())
	if err != nil {
		t.Fatal(err)
	}
	b := &bar{items: Items{Questions: dataset.Draw(questions, 1, 4)}, models: map[string]model.Model{}, asked: map[string][]string{}}
	b.manifest = Manifest{Capabilities: map[string]percuss.Capabilities{}}
	add := func(name, role string) {
		m, err := simulated.New(b.items.Questions, nil, name)
		if err != nil {
			t.Fatal(err)
		}
		id := strings.TrimSpace(role + " " + name)
		b.models[id] = m
		b.manifest.Spec.Models = append(b.manifest.Spec.Models, spec.Model{ID: id, Role: role, Prompts: []string{"neutral"}})
		b.manifest.Capabilities[id] = m.Capabilities()
	}
	for _, s := range subjects {
		add(s, "")
	}
	for _, j := range judges {
		add(j, spec.Judge)
	}
	all, err := battery.Parse("families+M2")
	if err != nil {
		t.Fatal(err)
	}
	o := chain.Options{Seed: 1, Battery: all, Prompts: prompt.Default(), Answer: chain.Text, MaxTokens: 256, Can: b.manifest.Capabilities,
		Controls: chain.AllControls(), Rubric: judge.Default(), Questions: b.items.Questions}
	for _, j := range Judges(b.manifest) {
		o.Judges = append(o.Judges, chain.Judge{ID: j.ID, Identity: j.Identity})
	}
	b.audit = chain.New(o)
	return b
}

// loop asks with the models of the bar; wrap may put something around one.
func (b *bar) loop(s store.Store, wrap func(id string, m model.Model) model.Model) *Loop {
	return &Loop{Audit: b.audit, Store: s, Subjects: Subjects(b.manifest, b.items), Judges: Judges(b.manifest), Attempts: 2, Now: time.Now,
		Models: func(_ context.Context, id string) (model.Model, error) {
			b.opened = append(b.opened, id)
			m := b.models[id]
			if wrap != nil {
				m = wrap(id, m)
			}
			return watched{m, b, id}, nil
		}}
}

// watched notes whose requests a model is asked.
type watched struct {
	model.Model
	b  *bar
	id string
}

func (w watched) Open(ctx context.Context, subject string) (model.Session, error) {
	s, err := w.Model.Open(ctx, subject)
	if err != nil {
		return nil, err
	}
	return watchedSession{s, w}, nil
}

// InCompany implements model.Companion, where the model within does.
func (w watched) InCompany() bool {
	c, ok := w.Model.(model.Companion)
	return ok && c.InCompany()
}

type watchedSession struct {
	model.Session
	w watched
}

func (s watchedSession) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	s.w.b.mu.Lock()
	for _, r := range requests {
		s.w.b.asked[s.w.id] = append(s.w.b.asked[s.w.id], r.Model)
	}
	s.w.b.mu.Unlock()
	return s.Session.Answer(ctx, requests, done)
}

// records reduces all subjects.
func (b *bar) records(t *testing.T, s store.Reader) []chain.Record {
	t.Helper()
	var out []chain.Record
	for _, frozen := range []bool{true, false} {
		out = nil
		for v, err := range Views(context.Background(), b.audit, s, Subjects(b.manifest, b.items), frozen) {
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, v.Record.(chain.Record))
		}
	}
	return out
}

// verdicts counts what the judges said.
func verdicts(records []chain.Record) map[chain.Says]int {
	out := map[chain.Says]int{}
	for _, r := range records {
		for _, o := range r.Operators {
			for _, v := range o.Judged {
				out[v.Says]++
			}
		}
	}
	return out
}

func newBarLike(t *testing.T, b *bar) *bar {
	t.Helper()
	var subjects, judges []string
	for _, m := range b.manifest.Spec.Models {
		if name, ok := strings.CutPrefix(m.ID, spec.Judge+" "); ok {
			judges = append(judges, name)
		} else {
			subjects = append(subjects, m.ID)
		}
	}
	return newBar(t, subjects, judges)
}

// broken fails every request.
type broken struct {
	model.Model
	fatal bool
}

func (m broken) Open(context.Context, string) (model.Session, error) { return brokenSession(m), nil }

type brokenSession broken

func (s brokenSession) Answer(_ context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	for i := range requests {
		done(i, percuss.Answer{}, &model.Fault{Kind: "planted", Fatal: s.fatal, Err: errors.New("planted")})
	}
	return nil
}

func (brokenSession) Close() error { return nil }

// companion wants interrupted subjects to be gone through again.
type companion struct{ model.Model }

func (companion) InCompany() bool { return true }
