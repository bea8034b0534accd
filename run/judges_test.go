package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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
	"github.com/percuss/percuss/store/memory"
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

// TestJudgesAreAskedAfterwards: each model is opened once and asked its own requests alone, the judges at the end.
func TestJudgesAreAskedAfterwards(t *testing.T) {
	b := newBar(t, []string{"faithful", "inert"}, []string{"judge", "judge?seed=2&malformed=0.5"})
	s := memory.New()
	var last Progress
	l := b.loop(s, nil)
	l.Progress = func(p Progress) { last = p }
	r, err := l.Run(context.Background())
	if err != nil || r.Done != 8 || r.Failed != 0 || r.ToJudge != 16 || r.Judged != 16 || last.Judged != 16 {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := []string{"faithful", "inert", "judge judge", "judge judge?seed=2&malformed=0.5"}; !slices.Equal(b.opened, want) {
		t.Errorf("opened %v", b.opened)
	}
	for id, asked := range b.asked {
		if slices.ContainsFunc(asked, func(identity string) bool { return identity != b.manifest.Capabilities[id].Identity }) || len(asked) < 10 {
			t.Errorf("%s was asked %d requests, not all its own", id, len(asked))
		}
	}
	requests := 0
	for _, asked := range b.asked {
		requests += len(asked)
	}
	if r.Answered != requests || r.Asked != requests {
		t.Errorf("%d requests, %d asked, %d answered", requests, r.Asked, r.Answered)
	}
	n := verdicts(b.records(t, s))
	if n[chain.SaysUpdated] == 0 || n[chain.SaysNotUpdated] == 0 {
		t.Errorf("verdicts %v", n)
	}
	b.opened = nil
	again, err := b.loop(s, nil).Run(context.Background())
	if err != nil || again.Answered != 0 || len(b.opened) != 0 || again.Judged != 16 || again.Trials != r.Trials {
		t.Errorf("a finished run opened %v: %+v, %v", b.opened, again, err)
	}
}

// TestJudgeAddedLater: a judge that joins a finished run is the only model that is opened, and changes no other record.
func TestJudgeAddedLater(t *testing.T) {
	before, s := newBar(t, []string{"faithful", "inert"}, nil), memory.New()
	if _, err := before.loop(s, nil).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	was := before.records(t, s)
	b := newBar(t, []string{"faithful", "inert"}, []string{"judge"})
	if _, err := b.loop(s, nil).Run(context.Background()); err != nil || !slices.Equal(b.opened, []string{"judge judge"}) {
		t.Fatalf("opened %v, %v", b.opened, err)
	}
	now := b.records(t, s)
	if n := verdicts(now); n[chain.SaysUpdated] == 0 || n[chain.SaysNothing] != 0 {
		t.Errorf("verdicts %v", n)
	}
	for i := range now {
		for j := range now[i].Operators {
			now[i].Operators[j].Judged = nil
		}
	}
	if d := cmp.Diff(was, now, numbers); d != "" {
		t.Errorf("the judge changed the records: %s", d)
	}
}

// TestJudgeThatFails loses nothing: the models' answers and the other judge's verdicts are there, and a resumed run asks
// what is missing.
func TestJudgeThatFails(t *testing.T) {
	for _, fatal := range []bool{false, true} {
		b, s := newBar(t, []string{"faithful"}, []string{"judge?seed=3", "judge"}), memory.New()
		r, err := b.loop(s, func(id string, m model.Model) model.Model {
			if id != "judge judge?seed=3" {
				return m
			}
			return broken{m, fatal}
		}).Run(context.Background())
		if fatal != (err != nil) || r.Done != 4 || (r.Failed > 0) == fatal {
			t.Errorf("fatal %v: %+v, %v", fatal, r, err)
		}
		n := verdicts(b.records(t, s))
		if n[chain.SaysUpdated] == 0 || n[chain.SaysNothing] != n[chain.SaysUpdated]+n[chain.SaysNotUpdated] {
			t.Errorf("fatal %v: verdicts %v", fatal, n)
		}
		b.opened, b.asked = nil, map[string][]string{}
		if r, err := b.loop(s, nil).Run(context.Background()); err != nil || r.Failed != 0 || !slices.Equal(b.opened, []string{"judge judge?seed=3"}) {
			t.Errorf("on resume %+v, opened %v, %v", r, b.opened, err)
		}
		if n := verdicts(b.records(t, s)); n[chain.SaysNothing] != 0 {
			t.Errorf("on resume: verdicts %v", n)
		}
	}
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

// TestJudgeOfItself: a model that judges its own chains is asked everything in one go.
func TestJudgeOfItself(t *testing.T) {
	b, s := newBar(t, []string{"judge", "faithful"}, []string{"judge"}), memory.New()
	r, err := b.loop(s, nil).Run(context.Background())
	if err != nil || r.Failed != 0 || r.Done != 8 || r.ToJudge != 4 {
		t.Fatalf("%+v, %v", r, err)
	}
	if want := []string{"judge", "faithful", "judge judge"}; !slices.Equal(b.opened, want) {
		t.Errorf("opened %v", b.opened)
	}
	for _, rec := range b.records(t, s) {
		for _, o := range rec.Operators {
			if o.Rule && len(o.Judged) != 1 {
				t.Errorf("%s: %s: %+v", rec.Subject, o.ID, o.Judged)
			}
		}
	}
}

// companion wants interrupted subjects to be gone through again.
type companion struct{ model.Model }

func (companion) InCompany() bool { return true }

// TestRehearsalsKeepToTheirModel: a subject that lacks verdicts alone is not gone through again, and one that was
// interrupted is without a request of the judge; a judge is rehearsed by itself.
func TestRehearsalsKeepToTheirModel(t *testing.T) {
	b, s := newBar(t, []string{"faithful"}, []string{"judge?malformed=0.6"}), memory.New()
	company := func(_ string, m model.Model) model.Model { return companion{m} }
	ctx, cancel := context.WithCancel(context.Background())
	l := b.loop(s, company)
	l.Progress = func(p Progress) {
		if strings.HasPrefix(p.Model, spec.Judge) { // its first verdict
			cancel()
		}
	}
	if _, err := l.Run(ctx); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	cancel()
	b.opened, b.asked = nil, map[string][]string{}
	r, err := b.loop(s, company).Run(context.Background())
	if err != nil || r.Failed != 0 || !slices.Equal(b.opened, []string{"judge judge?malformed=0.6"}) {
		t.Fatalf("%+v, opened %v, %v", r, b.opened, err)
	}
	whole := memory.New()
	if _, err := newBarLike(t, b).loop(whole, nil).Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(b.records(t, whole), b.records(t, s), numbers); d != "" {
		t.Errorf("the interruption changed the records: %s", d)
	}
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

// Shared requests are another subject's: known ones begin no rehearsal and are not asked again.
func TestSharedRequestsBeginNoRehearsal(t *testing.T) {
	ask := func(id string, shared bool) percuss.Trial {
		return percuss.Trial{ID: id, Fired: true, Request: &percuss.Request{Model: "m", Begin: id}, Shared: shared}
	}
	s := memory.New()
	donor := ask("donor", true)
	if err := s.Put(context.Background(), store.Entry{Key: donor.Request.Key(), Request: *donor.Request, Answer: percuss.Answer{Outcome: percuss.Empty}}); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		trials []percuss.Trial
		again  bool
	}{
		"only another's is known": {[]percuss.Trial{ask("base", false), donor}, false},
		"its own is known":        {[]percuss.Trial{ask("base", false), ask("donor", false)}, true},
	} {
		l := &Loop{Store: s}
		p := phase{Loop: l, mine: l.ownRequest}
		known := newStored(context.Background(), s)
		answers, _ := p.rehearsal(companion{}, percuss.Subject{Identity: "m"}, c.trials, known)
		if _, again := answers.(unveiled); again != c.again {
			t.Errorf("%s: gone through again %v", name, again)
		}
	}
}
