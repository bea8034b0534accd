package llamacpp

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// grace is how long requests that have begun may go on after the context is done.
const grace = 3 * time.Second

// maxFailures is how many decodes may fail in a row before the engine is given up.
const maxFailures = 3

// round answers jobs of one call. Prompts enter in waves, each a tree of prefixes; every decode takes one token
// of each open end and fills up with prompt tokens, so that a job that ends makes room for the next.
type round struct {
	m       *Model
	done    func(int, percuss.Answer, error)
	pending []*job // best sorted by their tokens: neighbours share the most
	active  []*job // in the order in which they were let in
	wave    []*job // the jobs whose prompts are in the queue
	queue   []step
	texts   *texts       // of the session, for drafts; nil: none are made
	counts  model.Counts // of this round, not yet added to the model's
	slots   []*slot      // scratch
	gone    time.Time    // when the context was found done

	chunk    int // most prompt tokens in a decode
	parallel int // most jobs at once
	mix      llama.Token
}

// newRound is one that answers the jobs in the usual order, neighbours together. Letters come before texts: they read
// what earlier texts have left in the cache, and new texts will need its cells.
func newRound(m *Model, jobs []*job, done func(int, percuss.Answer, error)) *round {
	slices.SortStableFunc(jobs, func(a, b *job) int {
		if (a.forms == nil) != (b.forms == nil) {
			return cmp.Compare(len(b.forms), len(a.forms))
		}
		return slices.Compare(a.tokens, b.tokens)
	})
	return &round{m: m, done: done, pending: jobs, chunk: m.engine.chunk, parallel: m.engine.parallel}
}

// run answers everything, or returns why not.
func (r *round) run(ctx context.Context) error {
	failures := 0
	for len(r.pending) > 0 || len(r.active) > 0 {
		if err := ctx.Err(); err != nil {
			if r.gone.IsZero() {
				r.gone = time.Now()
			}
			if len(r.active) == 0 || time.Since(r.gone) > grace {
				r.fail(&model.Fault{Kind: "interrupted", Err: err})
				return err
			}
		} else if len(r.queue) == 0 {
			if err := r.admit(); err != nil {
				return r.broken(err)
			}
		}
		err := r.advance()
		r.m.count(&r.counts)
		if err == nil {
			failures = 0
			continue
		}
		if failures++; failures >= maxFailures {
			return r.broken(fmt.Errorf("%d decodes in a row failed: %w", failures, err))
		}
		r.fail(&model.Fault{Kind: "engine", Err: err})
		if err := r.m.cache.clear(); err != nil {
			return r.broken(err)
		}
	}
	return nil
}

// broken ends the round for good.
func (r *round) broken(err error) error {
	r.fail(&model.Fault{Kind: "engine", Err: err})
	return &model.Fault{Kind: "engine", Fatal: true, Err: err}
}

// fail ends every job that has begun with the fault.
func (r *round) fail(f *model.Fault) {
	for _, j := range r.active {
		r.m.cache.release(j.slot)
		r.done(j.index, percuss.Answer{}, f)
	}
	r.active, r.wave, r.queue = nil, nil, nil
}

// output is a row of the decode whose logits are wanted, and by whom.
type output struct {
	row  int
	jobs []*job
}

// advance does one decode: the next token of every open end, with what is likely to follow it, then prompt tokens up to
// the chunk.
func (r *round) advance() error {
	r.m.engine.batch.Clear()
	prompt := r.queue[:min(len(r.queue), r.chunk)]
	open, err := r.extend(len(prompt))
	if err != nil {
		return err
	}
	generated := int(r.m.engine.batch.NTokens)
	var outs []output
	for _, s := range prompt {
		if err := r.m.engine.put(s.token, s.pos, r.through(s), len(s.ends) > 0); err != nil {
			return err
		}
		if len(s.ends) > 0 {
			o := output{row: int(r.m.engine.batch.NTokens) - 1}
			for _, i := range s.ends {
				o.jobs = append(o.jobs, r.wave[i])
			}
			outs = append(outs, o)
		}
	}
	if err := r.decode(generated, len(prompt)); err != nil {
		return err
	}
	for _, x := range open {
		r.keep(x)
	}
	for _, s := range prompt {
		r.m.cache.add(s.token, r.through(s))
		payer := r.wave[s.through[0]]
		payer.debt = max(payer.debt-1, 0)
	}
	r.queue = r.queue[len(prompt):]
	for _, x := range open {
		if err := r.follow(x); err != nil {
			return err
		}
	}
	return r.collect(outs)
}

// through lists the sequences of a step; the list is valid until the next call.
func (r *round) through(s step) []*slot {
	r.slots = r.slots[:0]
	for _, i := range s.through {
		r.slots = append(r.slots, r.wave[i].slot)
	}
	return r.slots
}

// decode runs the engine on what was put, once more without the idle sequences when the cache was full, and counts.
func (r *round) decode(open, prompt int) error {
	start := time.Now()
	err := r.m.engine.decode()
	if full := (errNoSlot{}); errors.As(err, &full) {
		for evicted := true; evicted; {
			var bad error
			if evicted, bad = r.m.cache.evict(nil); bad != nil {
				return bad
			}
		}
		err = r.m.engine.decode()
	}
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	share := seconds * float64(prompt) / float64(open+prompt)
	r.counts.PromptComputed += int64(prompt)
	r.counts.PrefillSeconds += share
	r.counts.DecodeSeconds += seconds - share
	if open > 0 {
		r.counts.Decodes++
	}
	return nil
}

// collect reads the logits after prompts and moves the jobs that they are for.
func (r *round) collect(outs []output) error {
	for _, o := range outs {
		logits, err := r.m.engine.logits(o.row)
		if err != nil {
			return err
		}
		for _, j := range o.jobs {
			if a, err := r.take(j, logits); a != nil || err != nil {
				if err := r.end(j, a, err); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// take gives a job its logits; the answer is nil while it goes on.
func (r *round) take(j *job, logits []float32) (*percuss.Answer, error) {
	if j.forms != nil {
		scores, err := j.letters(logits)
		if err != nil {
			return nil, err
		}
		a := r.m.answer(j.req, percuss.OK, "")
		a.Letters, a.Usage.Prompt = scores, len(j.tokens)
		return a, nil
	}
	t, err := j.choose(logits)
	if err != nil {
		return nil, err
	}
	limit := false
	if !llama.VocabIsEOG(r.m.vocab.handle, t) {
		j.next = t
		j.output++
		r.counts.Output++
		r.said(j, t)
		if stopped := j.write(r.m.vocab.pieces()[t]); !stopped {
			if j.output < j.room {
				return nil, nil
			}
			limit = true
		}
	}
	outcome, text := j.outcome(limit)
	a := r.m.answer(j.req, outcome, "")
	a.Text, a.Usage = text, percuss.Usage{Prompt: len(j.tokens), Output: j.output}
	return a, nil
}

// end finishes a job with its answer or with what the engine did wrong; its sequence stays in the cache for what comes
// later. A text is parked: nothing but its own letters and edits of itself will ask for it, while others go on.
func (r *round) end(j *job, a *percuss.Answer, err error) error {
	r.m.cache.release(j.slot)
	r.active = slices.DeleteFunc(r.active, func(o *job) bool { return o == j })
	if err != nil {
		r.done(j.index, percuss.Answer{}, &model.Fault{Kind: "engine", Err: err})
		return nil
	}
	r.done(j.index, *a, nil)
	switch {
	case j.forms == nil:
		return r.m.cache.park(j.slot)
	case j.woken: // it is parked still
		return r.m.cache.trim(j.slot, 0)
	}
	return nil
}
