package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// The ways in which prompts of one call share computation, as Capabilities.Layout says it.
const (
	// Exact: a cache of its own for each of several streams, pieces of equal length together in a decode. An answer is
	// bit for bit the one that its request gets alone.
	Exact = "exact"
	// Shared: one cache whose cells belong to several prompts. The fewest tokens, but on quantised weights the company
	// of a request moves its answer.
	Shared = "shared"
	// Alone: nothing is shared, as Options.Plain wants it.
	Alone = "alone"
)

// atOnce reports whether a call is one of trees of prompts: every request asks for letters at the beginning of the
// turn. Letters after a given beginning stay where texts are, because the cache holds that beginning already. The
// choice looks at each request by itself, so that a request of such a call that is asked again goes the same way.
func atOnce(jobs []*job) bool {
	return len(jobs) > 0 && !slices.ContainsFunc(jobs, func(j *job) bool { return j.forms == nil || j.req.Begin != "" })
}

// trees answers a call of trees of prompts, one replicate number after the other: a repetition is computed again, in
// another company.
func (m *Model) trees(ctx context.Context, jobs []*job, done func(int, percuss.Answer, error)) error {
	if err := m.calibrate(ctx, len(jobs[0].tokens)); err != nil { // now, because what is in the caches ends here anyway
		return err
	}
	for len(jobs) > 0 {
		n := slices.MinFunc(jobs, func(a, b *job) int { return a.req.Replicate - b.req.Replicate }).req.Replicate
		var group, rest []*job
		for _, j := range jobs {
			if j.req.Replicate == n {
				group = append(group, j)
			} else {
				rest = append(rest, j)
			}
		}
		if err := m.tree(ctx, n, group, done); err != nil {
			return err
		}
		jobs = rest
	}
	return nil
}

func (m *Model) tree(ctx context.Context, replicate int, group []*job, done func(int, percuss.Answer, error)) error {
	if m.unit > 0 {
		f := &forest{m: m, replicate: replicate, jobs: group, done: done}
		return f.run(ctx)
	}
	if err := m.cache.clear(); err != nil { // what an earlier call computed would be read back, not repeated
		return fatal("engine", err)
	}
	r := newRound(m, group, done)
	r.chunk = otherChunk(r.chunk, replicate)
	if replicate > 0 { // a company, an order of cells and shapes of decodes of its own
		rng := percuss.Rand(uint64(replicate), "", "", "llamacpp/company")
		rng.Shuffle(len(group), func(i, k int) { group[i], group[k] = group[k], group[i] })
		r.parallel = max(1, min(r.parallel-r.parallel/4, len(group)/2))
		r.mix = llama.Token(rng.Int32())
	}
	return r.run(ctx)
}

// otherChunk is the chunk of a replicate: it differs from that of replicate 0, so that the shapes of decodes do.
func otherChunk(chunk, replicate int) int {
	if replicate == 0 {
		return chunk
	}
	return chunk - chunk/4
}

// layout is what Capabilities.Layout says.
func (m *Model) layout() string {
	switch {
	case m.plain:
		return Alone
	case m.unit > 0:
		return Exact
	}
	return Shared
}

// settle chooses the layout for trees of prompts; want is Exact, Shared or "" for the best that holds, of which before may
// know.
func (m *Model) settle(want string, before outcomes) error {
	if m.plain {
		if want != "" {
			return fmt.Errorf("the layout %s with everything off that prompts share: name no layout, or do without plain", want)
		}
		return nil
	}
	switch want {
	case "", Exact:
	case Shared:
		return nil
	default:
		return fmt.Errorf("no layout %q; choose %s or %s, or none for the best that holds", want, Exact, Shared)
	}
	why := m.try(before)
	if why != nil && want == Exact {
		return fmt.Errorf("the layout %s does not hold for this model on this machine: %w; choose %s", Exact, why, Shared)
	}
	return nil
}

// dearest is the largest share of a run's prompt tokens that timing a plain decode may cost.
const dearest = 0.03

// calibrate times, once a model, what a plain decode of a full chunk takes: what trees of prompts are held against. It
// waits until so many prompts were computed that the tokens for it hardly count, so short runs have no such figure.
// Attention is paid for every token before, so it is timed behind so many as prompts of the given length have, or two
// chunks.
func (m *Model) calibrate(ctx context.Context, length int) error {
	e := m.apart
	if m.unit == 0 {
		e = m.engine
	}
	n := min(e.chunk, e.cells)
	depth := max(0, min(length-n, e.cells-n, 2*n))
	if so := m.Counts(); so.PlainTokens > 0 || float64(depth+plainTimes*n) > dearest*float64(so.PromptComputed) || ctx.Err() != nil {
		return nil
	}
	if m.unit == 0 {
		if err := m.cache.clear(); err != nil {
			return fatal("engine", err)
		}
	}
	seconds, err := e.plain(depth, n)
	if err == nil { // else there is nothing to hold against, which harms no answer
		m.count(&model.Counts{PlainTokens: int64(n), PlainSeconds: seconds})
	}
	return nil
}

// plainTimes is how often a plain decode is timed: the first may find memory that was never used.
const plainTimes = 2

// plain times the decode of n tokens behind depth others in an otherwise empty cache, and forgets them. It returns the
// better of two times in seconds.
func (e *engine) plain(depth, n int) (float64, error) {
	if e.ctx == 0 {
		return 0, errors.New("there is no context")
	}
	if err := e.clear(); err != nil {
		return 0, err
	}
	next := func(from, n int) error {
		e.batch.Clear()
		for pos := from; pos < from+n; pos++ {
			if err := e.batch.Add(llama.Token((pos*7919+101)%e.vocab), llama.Pos(pos), e.seqs[0], pos == from+n-1); err != nil {
				return err
			}
		}
		return e.decode()
	}
	for from := 0; from < depth; from += n {
		if err := next(from, min(n, depth-from)); err != nil {
			return 0, err
		}
	}
	best := 0.0
	for range plainTimes {
		start := time.Now()
		if err := e.remove(0, depth); err != nil {
			return 0, err
		}
		if err := next(depth, n); err != nil {
			return 0, err
		}
		if t := time.Since(start).Seconds(); best == 0 || t < best {
			best = t
		}
	}
	return best, e.clear()
}
