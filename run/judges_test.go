package run

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/spec"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
)

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
		if again := p.rehearsal(companion{}, percuss.Subject{Identity: "m"}, c.trials, known) != nil; again != c.again {
			t.Errorf("%s: gone through again %v", name, again)
		}
	}
}
