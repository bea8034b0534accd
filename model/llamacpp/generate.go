package llamacpp

import (
	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
)

// tip is the open end of a text in a decode: its next token and the tokens proposed to follow it, in rows one after the
// other.
type tip struct {
	job   *job
	row   int
	draft []llama.Token
}

// extend puts the tips of all open ends before so many prompt tokens.
func (r *round) extend(prompt int) ([]tip, error) {
	var open []tip
	for _, j := range r.active {
		if j.output > 0 {
			open = append(open, tip{job: j})
		}
	}
	e := r.m.engine
	spare := min(e.drafts, e.chunk+e.parallel-len(open)-prompt)
	for i := range open {
		x := &open[i]
		x.draft = r.propose(x.job, spare/(len(open)-i), len(open)+prompt)
		spare -= len(x.draft)
		x.row = int(e.batch.NTokens)
		at := len(x.job.slot.tokens)
		if err := e.put(x.job.next, at, []*slot{x.job.slot}, true); err != nil {
			return nil, err
		}
		for k, t := range x.draft {
			if err := e.put(t, at+1+k, []*slot{x.job.slot}, true); err != nil {
				return nil, err
			}
		}
	}
	return open, nil
}

// propose returns the draft for a job. It stays within the cells set aside for the job, for it is never longer than what
// the job may still say.
func (r *round) propose(j *job, most, rows int) []llama.Token {
	if j.reply == nil {
		return nil
	}
	return r.texts.propose(j.reply, min(most, j.room-j.output-1), rows, r.m.engine.overhead)
}

// said records a token that a job has generated, for its own drafts and those of others.
func (r *round) said(j *job, t llama.Token) {
	if r.texts == nil || j.draw != nil {
		return
	}
	if j.reply == nil {
		j.reply = newReply(j.tokens)
	}
	r.texts.add(j.reply, t)
}

// keep records the cells of a tip that was computed.
func (r *round) keep(x tip) {
	on := []*slot{x.job.slot}
	r.m.cache.add(x.job.next, on)
	for _, t := range x.draft {
		r.m.cache.add(t, on)
	}
}

// follow moves a job along its draft as far as the engine says the same: each row's most probable token is what plain
// decoding would have generated there, and the first that differs from the draft is the last that is of use. What was
// computed behind it is removed.
func (r *round) follow(x tip) error {
	j, right := x.job, 0
	var a *percuss.Answer
	var failure error
	for {
		logits, err := r.m.engine.logits(x.row + right)
		if err != nil {
			return err
		}
		if a, failure = r.take(j, logits); a != nil || failure != nil || right == len(x.draft) || j.next != x.draft[right] {
			break
		}
		right++
	}
	r.counts.Drafted += int64(len(x.draft))
	r.counts.Accepted += int64(right)
	j.debt = max(j.debt-1-right, 0)
	if err := r.m.cache.trim(j.slot, len(j.slot.tokens)-len(x.draft)+right); err != nil {
		return err
	}
	if a != nil || failure != nil {
		return r.end(j, a, failure)
	}
	return nil
}
