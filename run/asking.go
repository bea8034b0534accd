package run

import (
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
	if len(failed) == 0 {
		return missing
	}
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
	of     partOf
	known  *stored
	failed map[percuss.Key]int // failed tries
	absent int                 // requests whose answer a record does not hold, see model.Fault
	state  *tally
	work   Work        // what was counted of it
	ledger []store.Row // what was written down of the subject last; nil: nothing was, in this process
}

// round asks one round and stores what comes. It returns how many requests were heard of, failed ones included.
func (k *asking) round(ctx context.Context, session model.Session, requests []percuss.Request) (told int, err error) {
	keep := context.WithoutCancel(ctx) // what was in flight at Ctrl-C is stored
	k.asked(k.fresh(requests))
	var broken error
	err = session.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
		told++
		key := requests[i].Key()
		switch _, ok := k.known.Answer(key); {
		case ok: // gone through again: the first answer stays
		case err == nil:
			broken = errors.Join(broken, k.store(keep, key, requests[i], a))
		default:
			broken = errors.Join(broken, k.note(keep, key, err))
		}
	})
	switch {
	case broken != nil:
		return told, broken
	case ctx.Err() != nil:
		return told, context.Cause(ctx)
	case err != nil:
		return told, fmt.Errorf("model %s: %w", k.of.model, err)
	}
	return told, nil
}

// begin counts the subject as one at work.
func (k *asking) begin() {
	k.work.Subjects = 1
	k.state.begun(k.of)
}

// asked counts the requests of a round.
func (k *asking) asked(n int) {
	k.work.Asked += n
	k.state.asked(k.of, n)
}

// fresh counts the requests that are not tried again.
func (k *asking) fresh(requests []percuss.Request) int {
	if len(k.failed) == 0 {
		return len(requests)
	}
	n := 0
	for _, r := range requests {
		if k.failed[r.Key()] == 0 {
			n++
		}
	}
	return n
}

// store keeps an answer.
func (k *asking) store(ctx context.Context, key percuss.Key, r percuss.Request, a percuss.Answer) error {
	// The store keeps valid UTF-8 only; a broken rune must not differ between memory and store.
	a.Text, a.Reasoning = strings.ToValidUTF8(a.Text, "\uFFFD"), strings.ToValidUTF8(a.Reasoning, "\uFFFD")
	if err := k.loop.Store.Put(ctx, store.Entry{Key: key, Request: r, Answer: a}); err != nil {
		return err
	}
	k.known.put(key, a)
	k.work.Answered++
	k.work.Cost += k.state.answered(k.of, a)
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
	k.state.fault(k.of, kind, fault.Again, err)
	if fault.Absent {
		k.absent++
	}
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

// complete writes the ledger of a subject that was finished before, where it is another: it seldom is, so the store is asked
// first, which needs no turn of the writer's.
func (l *Loop) complete(ctx context.Context, id percuss.SubjectID, rows []store.Row) error {
	old, err := l.Store.Ledger(ctx, id)
	if err != nil || slices.EqualFunc(old, rows, store.Row.Equal) {
		return err
	}
	return l.Store.SetLedger(ctx, id, rows)
}

// keep writes the subject's ledger, unless it is what was written last.
func (k *asking) keep(ctx context.Context, id percuss.SubjectID, trials []percuss.Trial) error {
	rows := Ledger(trials)
	if k.ledger != nil && slices.EqualFunc(k.ledger, rows, store.Row.Equal) {
		return nil
	}
	if err := k.loop.Store.SetLedger(ctx, id, rows); err != nil {
		return err
	}
	k.ledger = rows
	return nil
}

// Ledger is what the store keeps of trials.
func Ledger(trials []percuss.Trial) []store.Row {
	rows := make([]store.Row, len(trials))
	for i, t := range trials {
		rows[i] = store.Row{Trial: t.ID, Fired: t.Fired, Why: t.Why, Key: t.Key(), Version: t.Version, Labels: t.Labels}
	}
	return rows
}
