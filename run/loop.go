package run

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store"
)

// Loop asks what is missing: every subject of its own model, then each judge about all of them.
type Loop struct {
	Audit    percuss.Audit
	Store    store.Store
	Subjects []percuss.Subject
	Judges   []Judge
	Models   func(ctx context.Context, id string) (model.Model, error) // opened when first needed
	Attempts int                                                       // tries of one request
	Progress func(Progress)                                            // called from several goroutines, one at a time
	Now      func() time.Time
	Cost     func(model string, u percuss.Usage) float64 // nil: not known
	Dir      string                                      // where its standing and the times of subjects are written; empty: nowhere
}

// Run asks what is missing, subject by subject, until nothing is, the context is done, or a fatal fault. What came in
// is stored in any case. A judge that fails keeps no other one from being asked.
func (l *Loop) Run(ctx context.Context) (Result, error) {
	state := newTally(l)
	state.begin()
	w := watch(l, state)
	err := l.ask(ctx, state, w)
	w.end(ctx, err)
	return state.result(), err
}

// ask asks the models of the subjects one after the other, then the judges.
func (l *Loop) ask(ctx context.Context, state *tally, w *watching) error {
	for from := 0; from < len(l.Subjects); {
		to := from
		for to < len(l.Subjects) && l.Subjects[to].Model == l.Subjects[from].Model {
			to++
		}
		p := phase{Loop: l, model: l.Subjects[from].Model, mine: l.ownRequest, state: state, watching: w}
		if err := p.run(ctx, l.Subjects[from:to]); err != nil {
			return err
		}
		from = to
	}
	return l.judge(ctx, state, w)
}

// phase is one model being asked.
type phase struct {
	*Loop
	model   string                                      // its id
	judging bool                                        // it judges the subjects
	mine    func(percuss.Subject, percuss.Request) bool // which of a subject's requests it is asked
	state   *tally
	*watching
}

// part is the part of the run that a subject counts for.
func (p phase) part(s percuss.Subject) partOf { return partOf{p.model, s.Set, p.judging} }

// missing are the model's requests of a subject that have no answer yet.
func (p phase) missing(s percuss.Subject, trials []percuss.Trial, answers percuss.Answers) []percuss.Request {
	return slices.DeleteFunc(percuss.Missing(trials, answers), func(r percuss.Request) bool { return !p.mine(s, r) })
}

// run asks the model about the subjects.
func (p phase) run(ctx context.Context, subjects []percuss.Subject) error {
	subjects, err := p.unfinished(ctx, subjects)
	if err != nil || len(subjects) == 0 {
		return err
	}
	m, err := p.Models(ctx, p.model)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan percuss.Subject)
	var wg sync.WaitGroup
	work := func() {
		defer wg.Done()
		for s := range queue {
			if err := p.subject(ctx, s, m); err != nil {
				cancel(err)
				return
			}
		}
	}
	for range max(1, m.Workers()) {
		wg.Add(1)
		go work()
	}
feed:
	for _, s := range subjects {
		select {
		case queue <- s:
		case <-ctx.Done():
			break feed
		}
	}
	close(queue)
	wg.Wait()
	return context.Cause(ctx)
}

// unfinished counts the subjects at the front of which nothing is missing, and returns the others. A model whose
// subjects are all finished need not be opened.
func (p phase) unfinished(ctx context.Context, subjects []percuss.Subject) ([]percuss.Subject, error) {
	for i, s := range subjects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		known := newStored(ctx, p.Store)
		trials := p.Audit.Trials(s, known)
		if known.err != nil {
			return nil, known.err
		}
		if len(p.missing(s, trials, known)) > 0 {
			return subjects[i:], nil
		}
		if err := p.complete(ctx, s.SubjectID, Ledger(trials)); err != nil {
			return nil, err
		}
		p.before(s, trials)
	}
	return nil, nil
}

// subject asks about one subject round by round.
func (p phase) subject(ctx context.Context, s percuss.Subject, m model.Model) (err error) {
	known := newStored(ctx, p.Store)
	k := &asking{loop: p.Loop, of: p.part(s), known: known, failed: map[percuss.Key]int{}, state: p.state}
	begun := p.Now()
	trials := p.Audit.Trials(s, known)
	again := p.rehearsal(m, s, trials, known)
	var session model.Session
	defer func() {
		if session != nil {
			err = errors.Join(err, session.Close())
		}
	}()
	for {
		missing := p.open(p.next(s, trials, known, again), k.failed)
		if known.err != nil {
			return known.err
		}
		if len(missing) == 0 {
			break
		}
		if session == nil {
			if session, err = m.Open(ctx, s.String()); err != nil {
				return err
			}
			k.begin()
		}
		// The ledger is written before the calls, so that every stored answer is accounted for.
		if err := k.keep(ctx, s.SubjectID, trials); err != nil {
			return err
		}
		told, err := k.round(ctx, session, missing)
		if err != nil {
			return err
		}
		if told == 0 {
			return fmt.Errorf("model %s: subject %s: nothing came back for %d requests", p.model, s, len(missing))
		}
		if again != nil {
			again.show(missing)
		}
		trials = p.Audit.Trials(s, known)
	}
	return p.end(ctx, k, s, trials, begun)
}

// end keeps the ledger of a subject that is done with, and counts it.
func (p phase) end(ctx context.Context, k *asking, s percuss.Subject, trials []percuss.Trial, begun time.Time) error {
	if k.known.err != nil {
		return k.known.err
	}
	if err := k.keep(ctx, s.SubjectID, trials); err != nil {
		return err
	}
	if k.work.Subjects == 0 {
		p.before(s, trials)
		return nil
	}
	p.finished(s, trials, k.known, k.absent, k.work)
	now := p.Now()
	p.took(Timing{SubjectID: s.SubjectID, Asked: p.model, Requests: k.work.Asked, Seconds: now.Sub(begun).Seconds(), At: now})
	return nil
}

// next are the requests of the next round: of the trials, those of the known answers, or where the subject is gone through
// again, of what is known by then.
func (p phase) next(s percuss.Subject, trials []percuss.Trial, known *stored, again *unveiled) []percuss.Request {
	if again == nil {
		return p.missing(s, trials, known)
	}
	return p.missing(s, p.Audit.Trials(s, again), again)
}

// rehearsal returns the answers that decide what is asked next where the model wants an interrupted subject to be gone
// through again: an answer is known only once its round has been. What other models said, and what another subject asks
// itself, is known in any case. nil: all that is known decides.
func (p phase) rehearsal(m model.Model, s percuss.Subject, trials []percuss.Trial, known *stored) *unveiled {
	c, ok := m.(model.Companion)
	if !ok || !c.InCompany() {
		return nil
	}
	u := &unveiled{known, map[percuss.Key]bool{}}
	begun := false
	for _, t := range trials {
		if t.Request == nil {
			continue
		}
		key := t.Key()
		_, ok := known.Answer(key)
		switch own := !t.Shared && p.mine(s, *t.Request); {
		case ok && own:
			begun = true
		case ok:
			u.shown[key] = true
		}
	}
	if !begun || len(p.missing(s, trials, known)) == 0 {
		return nil
	}
	return u
}

// unveiled are the known answers to what was gone through again.
type unveiled struct {
	known *stored
	shown map[percuss.Key]bool
}

// show makes the answers of a round known.
func (u *unveiled) show(round []percuss.Request) {
	for _, r := range round {
		u.shown[r.Key()] = true
	}
}

// Answer implements percuss.Answers.
func (u *unveiled) Answer(k percuss.Key) (percuss.Answer, bool) {
	if !u.shown[k] {
		return percuss.Answer{}, false
	}
	return u.known.Answer(k)
}
