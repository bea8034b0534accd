package run

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/store"
)

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

// Ledger is what the store keeps of trials.
func Ledger(trials []percuss.Trial) []store.Row {
	rows := make([]store.Row, len(trials))
	for i, t := range trials {
		rows[i] = store.Row{Trial: t.ID, Fired: t.Fired, Why: t.Why, Key: t.Key(), Version: t.Version, Labels: t.Labels}
	}
	return rows
}
