package llamacpp

import (
	"errors"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// admit lets in as many jobs as there are sequences and cells for, and queues the tree of their prompts. Texts wait for
// the letters before them to be gone, with what was brought back for them.
func (r *round) admit() error {
	r.wave = r.wave[:0]
	for len(r.pending) > 0 && len(r.active) < r.parallel {
		j := r.pending[0]
		if len(r.wave) > 0 && (r.wave[0].forms == nil) != (j.forms == nil) {
			break
		}
		ok, err := r.place(j)
		if large := (*tooLarge)(nil); errors.As(err, &large) {
			r.pending = r.pending[1:]
			r.done(j.index, percuss.Answer{}, &model.Fault{Kind: "engine", Err: err})
			continue
		}
		if err != nil {
			return err
		}
		if !ok {
			break
		}
		r.pending = r.pending[1:]
		r.active = append(r.active, j)
		r.wave = append(r.wave, j)
		r.counts.PromptAsked += int64(len(j.tokens))
	}
	paths := make([]path, len(r.wave))
	for i, j := range r.wave {
		paths[i] = path{tokens: j.tokens, from: j.from, class: j.class()}
	}
	r.queue = grow(paths, r.mix)
	return nil
}

// tooLarge says that the machine has no memory for one request.
type tooLarge struct{ err error }

func (t *tooLarge) Error() string { return t.err.Error() }
func (t *tooLarge) Unwrap() error { return t.err }

// limit returns how many cells may be in use with the job let in: the model's budget, so that the company of a
// request does not depend on what was asked before, or for a job that needs more alone, the cache, which grows for it.
func (r *round) limit(j *job) (cells int, ok bool, err error) {
	m, whole := r.m, len(j.tokens)+j.room
	if whole <= m.budget {
		return m.budget, true, nil
	}
	if len(r.active) > 0 {
		return 0, false, nil
	}
	if whole > m.engine.cells {
		if err := m.resize(max(whole, min(2*m.engine.cells, m.caps.ContextTokens))); err != nil {
			if again := m.resize(m.budget); again != nil {
				return 0, false, again
			}
			return 0, false, &tooLarge{err}
		}
	}
	return m.engine.cells, true, nil
}

// place finds a sequence and room for the job's worst case. It gives up idle sequences, the oldest first, and at
// last the one that the job could have built on; when nothing else is active, there is always room.
func (r *round) place(j *job) (bool, error) {
	limit, ok, err := r.limit(j)
	if !ok || err != nil {
		return false, err
	}
	if placed, wait, err := r.revive(j, limit); placed || wait || err != nil {
		return placed, err
	}
	from, n := r.held(j)
	ok, err = r.clearRoom(j, n, 0, limit, from)
	if !ok && err == nil && from != nil && !from.busy && len(r.active) == 0 {
		if err = r.m.cache.trim(from, 0); err == nil {
			from, n = nil, 0
			ok, err = r.clearRoom(j, n, 0, limit, nil)
		}
	}
	if !ok || err != nil {
		return false, err
	}
	s, err := r.m.cache.take(from, n)
	if s == nil || err != nil {
		return false, err
	}
	j.slot, j.from = s, n
	return true, nil
}

// revive lets the job build on a parked sequence, where one holds more of its prompt than the cache does and the engine
// takes it back. wait: there is no room for it beside those that are at work.
func (r *round) revive(j *job, limit int) (placed, wait bool, err error) {
	_, n := r.held(j)
	p, k := r.m.cache.asleep(j.tokens, n)
	if p == nil || len(p.tokens)+len(j.tokens)-k+j.room > limit {
		return false, false, nil
	}
	if ok, err := r.clearRoom(j, k, len(p.tokens), limit, nil); !ok || err != nil {
		return false, len(r.active) > 0, err
	}
	if j.slot, err = r.m.cache.wake(p, k); j.slot == nil || err != nil {
		return false, false, err
	}
	j.from, j.woken = k, true
	return true, false, nil
}

// clearRoom sees to room for the job, of whose prompt the cache holds n tokens, and for so many cells besides, and
// reports whether there is. It gives up idle sequences for it, but not keep.
func (r *round) clearRoom(j *job, n, besides, limit int, keep *slot) (bool, error) {
	c := r.m.cache
	for {
		need := len(j.tokens) - max(n, r.sharedInWave(j, n)) + j.room
		if !r.pays(j, need) {
			return false, nil
		}
		if c.used()+r.debts()+besides+need <= limit {
			j.debt = need
			return true, nil
		}
		if evicted, err := c.evict(keep); !evicted || err != nil {
			return false, err
		}
	}
}

// pays reports whether it saves time to generate the job's text beside those that are at work. need is how many cells it
// may have for itself.
func (r *round) pays(j *job, need int) bool {
	e := r.m.engine
	return !e.narrow || j.forms != nil || pays(len(r.active), need-j.room+min(j.room, usualRoom)/2, e.overhead, e.look)
}

// held returns the sequence that holds most of the job's prompt.
func (r *round) held(j *job) (*slot, int) {
	if !r.m.reuse {
		return nil, 0
	}
	return r.m.cache.best(j.tokens)
}

// sharedInWave returns how many of the job's tokens are computed by the wave anyway.
func (r *round) sharedInWave(j *job, from int) int {
	most := 0
	for _, w := range r.wave {
		if w.from != from {
			continue
		}
		if n := common(w.tokens, j.tokens); n < len(j.tokens) || w.class() == j.class() && len(w.tokens) == n {
			most = max(most, n)
		}
	}
	return most
}

// debts is the number of cells that the active jobs may still need.
func (r *round) debts() int {
	n := 0
	for _, j := range r.active {
		n += j.debt
	}
	return n
}
