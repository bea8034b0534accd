package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store"
)

// Loop asks what is missing.
type Loop struct {
	Audit    percuss.Audit
	Store    store.Store
	Subjects []percuss.Subject
	Models   func(ctx context.Context, id string) (model.Model, error) // opened when first needed
	Attempts int                                                       // tries of one request
	Progress func(Progress)                                            // called from several goroutines, one at a time
	Now      func() time.Time
	Cost     func(model string, u percuss.Usage) float64 // nil: not known
}

// Run asks what is missing, subject by subject, until nothing is, the context is done, or a fatal fault. What came in
// is stored in any case.
func (l *Loop) Run(ctx context.Context) (Result, error) {
	state := &tally{report: l.Progress, cost: l.Cost, p: Progress{Subjects: len(l.Subjects)}}
	for from := 0; from < len(l.Subjects); {
		to := from
		for to < len(l.Subjects) && l.Subjects[to].Model == l.Subjects[from].Model {
			to++
		}
		if err := l.model(ctx, l.Subjects[from:to], state); err != nil {
			return state.result(), err
		}
		from = to
	}
	return state.result(), nil
}

// model asks one model's subjects.
func (l *Loop) model(ctx context.Context, subjects []percuss.Subject, state *tally) error {
	subjects, err := l.unfinished(ctx, subjects, state)
	if err != nil || len(subjects) == 0 {
		return err
	}
	m, err := l.Models(ctx, subjects[0].Model)
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
			if err := l.subject(ctx, s, m, state); err != nil {
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
func (l *Loop) unfinished(ctx context.Context, subjects []percuss.Subject, state *tally) ([]percuss.Subject, error) {
	for i, s := range subjects {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		known := newStored(ctx, l.Store)
		trials := l.Audit.Trials(s, known)
		if known.err != nil {
			return nil, known.err
		}
		if len(percuss.Missing(trials, known)) > 0 {
			return subjects[i:], nil
		}
		if err := l.keep(ctx, s.SubjectID, trials); err != nil {
			return nil, err
		}
		state.before(trials)
	}
	return nil, nil
}

// keep writes a subject's ledger, unless it stands there already.
func (l *Loop) keep(ctx context.Context, id percuss.SubjectID, trials []percuss.Trial) error {
	rows := Ledger(trials)
	old, err := l.Store.Ledger(ctx, id)
	if err != nil {
		return err
	}
	same := func(a, b store.Row) bool {
		return a.Trial == b.Trial && a.Fired == b.Fired && a.Why == b.Why && a.Key == b.Key && a.Version == b.Version &&
			bytes.Equal(a.Labels, b.Labels)
	}
	if slices.EqualFunc(old, rows, same) {
		return nil
	}
	return l.Store.SetLedger(ctx, id, rows)
}

// subject asks one subject round by round.
func (l *Loop) subject(ctx context.Context, s percuss.Subject, m model.Model, state *tally) (err error) {
	known := newStored(ctx, l.Store)
	k := &asking{l, s.Model, known, map[percuss.Key]int{}, state}
	trials := l.Audit.Trials(s, known)
	answers, show := l.rehearsal(m, trials, known)
	var session model.Session
	defer func() {
		if session != nil {
			err = errors.Join(err, session.Close())
		}
	}()
	for {
		missing := l.open(percuss.Missing(l.Audit.Trials(s, answers), answers), k.failed)
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
		}
		// The ledger is written before the calls, so that every stored answer is accounted for.
		if err := l.keep(ctx, s.SubjectID, trials); err != nil {
			return err
		}
		told, err := k.round(ctx, session, missing)
		if err != nil {
			return err
		}
		if told == 0 {
			return fmt.Errorf("model %s: subject %s: nothing came back for %d requests", s.Model, s, len(missing))
		}
		show(missing)
		trials = l.Audit.Trials(s, known)
	}
	if known.err != nil {
		return known.err
	}
	if err := l.keep(ctx, s.SubjectID, trials); err != nil {
		return err
	}
	state.finished(trials, known)
	return nil
}

// rehearsal returns the answers that decide what is asked next, and what to call after each round. They are those that
// are known, unless the model wants an interrupted subject to be gone through again: then an answer is known only
// once its round has been.
func (l *Loop) rehearsal(m model.Model, trials []percuss.Trial, known *stored) (percuss.Answers, func([]percuss.Request)) {
	c, ok := m.(model.Companion)
	begun := slices.ContainsFunc(trials, func(t percuss.Trial) bool {
		if t.Request == nil {
			return false
		}
		_, ok := known.Answer(t.Request.Key())
		return ok
	})
	if !ok || !c.InCompany() || !begun || len(percuss.Missing(trials, known)) == 0 {
		return known, func([]percuss.Request) {}
	}
	u := unveiled{known, map[percuss.Key]bool{}}
	return u, func(round []percuss.Request) {
		for _, r := range round {
			u.shown[r.Key()] = true
		}
	}
}

// unveiled are the known answers to what was gone through again.
type unveiled struct {
	known *stored
	shown map[percuss.Key]bool
}

// Answer implements percuss.Answers.
func (u unveiled) Answer(k percuss.Key) (percuss.Answer, bool) {
	if !u.shown[k] {
		return percuss.Answer{}, false
	}
	return u.known.Answer(k)
}

// open drops the requests that have failed as often as is allowed.
func (l *Loop) open(missing []percuss.Request, failed map[percuss.Key]int) []percuss.Request {
	out := missing[:0]
	for _, r := range missing {
		if failed[r.Key()] < max(1, l.Attempts) {
			out = append(out, r)
		}
	}
	return out
}

// asking is one subject being asked.
type asking struct {
	loop   *Loop
	model  string
	known  *stored
	failed map[percuss.Key]int // failed tries
	state  *tally
}

// round asks one round and stores what comes. It returns how many requests were heard of, failed ones included.
func (k *asking) round(ctx context.Context, session model.Session, requests []percuss.Request) (told int, err error) {
	keep := context.WithoutCancel(ctx) // what was in flight at Ctrl-C is stored
	fresh := 0
	for _, r := range requests {
		if k.failed[r.Key()] == 0 {
			fresh++
		}
	}
	k.state.asked(fresh)
	var broken error
	err = session.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
		told++
		switch _, ok := k.known.Answer(requests[i].Key()); {
		case ok: // gone through again: the first answer stays
		case err == nil:
			broken = errors.Join(broken, k.store(keep, requests[i], a))
		default:
			broken = errors.Join(broken, k.note(keep, requests[i].Key(), err))
		}
	})
	switch {
	case broken != nil:
		return told, broken
	case ctx.Err() != nil:
		return told, context.Cause(ctx)
	case err != nil:
		return told, fmt.Errorf("model %s: %w", k.model, err)
	}
	return told, nil
}

// store keeps an answer.
func (k *asking) store(ctx context.Context, r percuss.Request, a percuss.Answer) error {
	// The store keeps valid UTF-8 only; a broken rune must not differ between memory and store.
	a.Text, a.Reasoning = strings.ToValidUTF8(a.Text, "\uFFFD"), strings.ToValidUTF8(a.Reasoning, "\uFFFD")
	key := r.Key()
	if err := k.loop.Store.Put(ctx, store.Entry{Key: key, Request: r, Answer: a}); err != nil {
		return err
	}
	k.known.put(key, a)
	k.state.answered(a, k.model)
	return nil
}

// note counts a failed attempt. It returns the fault when no further request can succeed.
func (k *asking) note(ctx context.Context, key percuss.Key, err error) error {
	kind := "error"
	var fault *model.Fault
	if errors.As(err, &fault) {
		kind = fault.Kind
	} else {
		fault = &model.Fault{}
	}
	k.state.fault(kind, fault.Again, err)
	switch {
	case fault.Again:
	case fault.Spent:
		k.failed[key] = max(k.failed[key]+1, k.loop.Attempts)
	default:
		k.failed[key]++
	}
	noted := k.loop.Store.Fail(ctx, store.Attempt{Key: key, At: k.loop.Now(), Kind: kind, Detail: err.Error()})
	if fault.Fatal {
		return errors.Join(err, noted)
	}
	return noted
}

// Ledger is what the store keeps of trials.
func Ledger(trials []percuss.Trial) []store.Row {
	rows := make([]store.Row, len(trials))
	for i, t := range trials {
		rows[i] = store.Row{Trial: t.ID, Fired: t.Fired, Why: t.Why, Version: t.Version, Labels: t.Labels}
		if t.Request != nil {
			rows[i].Key = t.Request.Key()
		}
	}
	return rows
}
