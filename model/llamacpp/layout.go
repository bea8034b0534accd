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

// The two ways in which prompts of one call share computation, as Capabilities.Layout says it.
const (
	// Exact: a cache of its own for each of several streams, pieces of equal length together in a decode. An answer is
	// bit for bit the one that its request gets alone.
	Exact = "exact"
	// Shared: one cache whose cells belong to several prompts. The fewest tokens, but on quantised weights the company
	// of a request moves its answer.
	Shared = "shared"
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
	return m.calibrate(ctx)
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
	if m.unit > 0 {
		return Exact
	}
	return Shared
}

// settle chooses the layout for trees of prompts; want is Exact, Shared or "" for the best that holds.
func (m *Model) settle(want string) error {
	switch want {
	case "", Exact:
	case Shared:
		return nil
	default:
		return fmt.Errorf("no layout %q; choose %s or %s, or none for the best that holds", want, Exact, Shared)
	}
	why := m.try()
	if why != nil && want == Exact {
		return fmt.Errorf("the layout %s does not hold for this model on this machine: %w; choose %s", Exact, why, Shared)
	}
	return nil
}

// errDiffers is what a test of the exact layout finds where it does not hold.
var errDiffers = errors.New("prompts computed together differ from the same computed alone")

// try looks for the smallest unit with which the exact layout holds. Kernels differ in how many rows they compute at
// once and treat the remaining rows in another way: a unit that they divide leaves none.
func (m *Model) try() error {
	if !m.reuse || llama.ModelNSWA(m.engine.model) > 0 {
		return errors.New("its cache is not one that can be copied") // the library would abort the process
	}
	defer m.apart.closeContext()
	prompts := testPrompts(m.engine.vocab, m.engine.chunk)
	why := errDiffers
	for unit := 2; unit <= maxUnit; unit *= 2 {
		same, err := m.holds(prompts, unit)
		if err != nil {
			why = err
			continue
		}
		if same {
			m.unit = unit
			return nil
		}
	}
	return why
}

// holds compares the logits of prompts computed together with those of two of them alone, bit for bit.
func (m *Model) holds(prompts [][]llama.Token, unit int) (bool, error) {
	e := m.apart
	e.closeContext()
	e.streams = 8
	if err := e.open(cellPadding); err != nil {
		return false, err
	}
	together, err := e.compute(prompts, unit)
	if err != nil {
		return false, err
	}
	for _, i := range []int{len(prompts) - 1, len(prompts) / 2} {
		alone, err := e.compute(prompts[i:i+1], unit)
		if err != nil {
			return false, err
		}
		if !slices.Equal(alone[0], together[i]) {
			return false, nil
		}
	}
	return true, nil
}

// compute returns the logits after each prompt.
func (e *engine) compute(prompts [][]llama.Token, unit int) ([][]float32, error) {
	passes, err := plan(newTree(prompts, unit), unit, e.streams, e.chunk)
	if err != nil {
		return nil, err
	}
	out := make([][]float32, len(prompts))
	for _, p := range passes {
		err := e.perform(p, unit, func(ended []int, logits []float32) error {
			for _, i := range ended {
				out[i] = slices.Clone(logits)
			}
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// testPrompts are the prompts of the test: every subset of a few stretches of tokens between a head and a closing, as
// the prompts of a case are. A large model gets fewer and shorter ones; chunk says how large it is.
func testPrompts(vocab, chunk int) [][]llama.Token {
	next := 0
	stretch := func(n int) (out []llama.Token) {
		for range n {
			next++
			out = append(out, llama.Token((next*7919+101)%vocab))
		}
		return out
	}
	sizes, head := []int{5, 4}, 5
	if chunk >= 128 {
		sizes, head = []int{7, 6, 7, 3}, 21
	}
	prompts := [][]llama.Token{stretch(head)}
	for _, n := range sizes {
		unit := stretch(n)
		for _, p := range slices.Clone(prompts) {
			prompts = append(prompts, append(slices.Clone(p), unit...))
		}
	}
	closing := stretch(3)
	for i, p := range prompts {
		prompts[i] = append(p, closing...)
	}
	return prompts
}

// calibrate times, once a model, what a plain decode of a full chunk takes: what trees of prompts are held against.
func (m *Model) calibrate(ctx context.Context) error {
	if m.Counts().PlainTokens > 0 || ctx.Err() != nil {
		return nil
	}
	e := m.apart
	if m.unit == 0 {
		e = m.engine
		if err := m.cache.clear(); err != nil {
			return fatal("engine", err)
		}
	}
	best := 0.0
	for range 2 {
		start := time.Now()
		if err := e.plain(); err != nil {
			return nil // it is for information only
		}
		if t := time.Since(start).Seconds(); best == 0 || t < best {
			best = t
		}
	}
	m.count(&model.Counts{PlainTokens: int64(e.chunk), PlainSeconds: best})
	return nil
}

// plain decodes a chunk of tokens in an empty sequence and forgets it.
func (e *engine) plain() error {
	if e.ctx == 0 {
		return errors.New("there is no context")
	}
	if err := e.clear(); err != nil {
		return err
	}
	e.batch.Clear()
	n := min(e.chunk, e.cells)
	for i := range n {
		if err := e.batch.Add(llama.Token((i*7919+101)%e.vocab), llama.Pos(i), e.seqs[0], i == n-1); err != nil {
			return err
		}
	}
	if err := e.decode(); err != nil {
		return err
	}
	return e.clear()
}
