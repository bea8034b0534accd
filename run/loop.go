package run

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store"
)

// maxRounds bounds the rounds of one subject: baseline, edits of its chain, letters; the rest is room.
const maxRounds = 12

// Loop asks what is missing.
type Loop struct {
	Audit    percuss.Audit
	Store    store.Store
	Subjects []percuss.Subject
	Models   func(ctx context.Context, id string) (model.Model, error) // opened when first needed
	Attempts int                                                       // tries of one request
	Progress func(Progress)                                            // called from several goroutines, one at a time
	Now      func() time.Time
}

// Progress says how far a run is.
type Progress struct {
	Subjects, Done int // subjects in all, and finished
	Answered       int // answers that this process stored
	Known          int // answers that were there
	Failed         int // requests that failed in this process
	Tokens         int64
	Model          string
}

// Result says how a loop ended.
type Result struct {
	Progress
	Trials int // requests of all finished subjects
}

// Run asks what is missing, subject by subject, until nothing is, the context is done, or a fatal fault. What came in
// is stored in any case.
func (l *Loop) Run(ctx context.Context) (Result, error) {
	state := &tally{report: l.Progress, p: Progress{Subjects: len(l.Subjects)}}
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
	lazy := &lazyModel{open: func() (model.Model, error) { return l.Models(ctx, subjects[0].Model) }}
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	queue := make(chan percuss.Subject)
	var wg sync.WaitGroup
	work := func() {
		defer wg.Done()
		for s := range queue {
			if err := l.subject(ctx, s, lazy, state); err != nil {
				cancel(err)
				return
			}
		}
	}
	workers := 1
	if m, err := lazy.ifNeeded(ctx, l, subjects); err != nil {
		return err
	} else if m != nil {
		workers = max(1, m.Workers())
	}
	for range workers {
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

// lazyModel opens a model only when something is missing.
type lazyModel struct {
	open func() (model.Model, error)
	once sync.Once
	m    model.Model
	err  error
}

func (z *lazyModel) get() (model.Model, error) {
	z.once.Do(func() { z.m, z.err = z.open() })
	return z.m, z.err
}

// ifNeeded opens the model when any of the subjects has a request without an answer.
func (z *lazyModel) ifNeeded(ctx context.Context, l *Loop, subjects []percuss.Subject) (model.Model, error) {
	for _, s := range subjects {
		known := newStored(ctx, l.Store)
		if len(percuss.Missing(l.Audit.Trials(s, known), known)) > 0 {
			return z.get()
		}
		if known.err != nil {
			return nil, known.err
		}
	}
	return nil, nil
}

// subject asks one subject round by round.
func (l *Loop) subject(ctx context.Context, s percuss.Subject, lazy *lazyModel, state *tally) (err error) {
	known := newStored(ctx, l.Store)
	failed := map[percuss.Key]int{}
	var session model.Session
	defer func() {
		if session != nil {
			err = errors.Join(err, session.Close())
		}
	}()
	var trials []percuss.Trial
	for range maxRounds {
		trials = l.Audit.Trials(s, known)
		if known.err != nil {
			return known.err
		}
		missing := l.open(percuss.Missing(trials, known), failed)
		if len(missing) == 0 {
			break
		}
		if session == nil {
			m, err := lazy.get()
			if err != nil {
				return err
			}
			if session, err = m.Open(ctx, s.String()); err != nil {
				return err
			}
		}
		// The ledger is written before the calls, so that every stored answer is accounted for.
		if err := l.Store.SetLedger(ctx, s.SubjectID, Ledger(trials)); err != nil {
			return err
		}
		if err := l.ask(ctx, session, missing, known, failed, state, s.Model); err != nil {
			return err
		}
	}
	if err := l.Store.SetLedger(ctx, s.SubjectID, Ledger(trials)); err != nil {
		return err
	}
	state.finished(trials, failed, l.Attempts)
	return nil
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

// ask answers one round and stores what comes.
func (l *Loop) ask(ctx context.Context, session model.Session, requests []percuss.Request, known *stored,
	failed map[percuss.Key]int, state *tally, modelID string) error {
	keep := context.WithoutCancel(ctx) // what was in flight at Ctrl-C is stored
	var broken error
	err := session.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
		key := requests[i].Key()
		if err == nil {
			// The store keeps valid UTF-8 only; a broken rune must not differ between memory and store.
			a.Text, a.Reasoning = strings.ToValidUTF8(a.Text, "\uFFFD"), strings.ToValidUTF8(a.Reasoning, "\uFFFD")
			err = l.Store.Put(keep, store.Entry{Key: key, Request: requests[i], Answer: a})
			if err != nil {
				broken = errors.Join(broken, err)
				return
			}
			known.put(key, a)
			state.answered(a, modelID)
			return
		}
		failed[key]++
		kind := "error"
		var fault *model.Fault
		if errors.As(err, &fault) {
			kind = fault.Kind
			if fault.Fatal {
				broken = errors.Join(broken, err)
			}
		}
		if note := l.Store.Fail(keep, store.Attempt{Key: key, At: l.Now(), Kind: kind, Detail: err.Error()}); note != nil {
			broken = errors.Join(broken, note)
		}
	})
	switch {
	case broken != nil:
		return broken
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("model %s: %w", modelID, err)
	}
	return nil
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

// tally counts for the progress line.
type tally struct {
	mu     sync.Mutex
	p      Progress
	trials int
	report func(Progress)
}

func (t *tally) answered(a percuss.Answer, modelID string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Answered++
	t.p.Tokens += int64(a.Usage.Output)
	t.p.Model = modelID
	t.tell()
}

func (t *tally) finished(trials []percuss.Trial, failed map[percuss.Key]int, attempts int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.p.Done++
	for _, trial := range trials {
		if trial.Request != nil {
			t.trials++
		}
	}
	for _, n := range failed {
		if n >= max(1, attempts) {
			t.p.Failed++
		}
	}
	t.tell()
}

func (t *tally) tell() {
	if t.report != nil {
		t.report(t.p)
	}
}

func (t *tally) result() Result {
	t.mu.Lock()
	defer t.mu.Unlock()
	return Result{Progress: t.p, Trials: t.trials}
}
