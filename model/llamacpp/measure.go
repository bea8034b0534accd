package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// Gauge times plain decodes of a model, without requests, templates or sampling: what the engine can do on this
// machine. It has a context of its own, of the shape that texts are generated in, and holds the model as a session
// does.
type Gauge struct {
	Widest int // most sequences that Generate takes; 1 of models whose state cannot be shared

	m      *Model
	e      *engine
	closed bool
}

// inCommon is how many tokens all sequences have in common before Generate is timed: a short prompt.
const inCommon = 64

// Gauge waits until no session is open. steps is the most that Generate will be asked for.
func (m *Model) Gauge(ctx context.Context, steps int) (*Gauge, error) {
	if steps < 1 {
		return nil, fmt.Errorf("%d steps to generate; at least 1 is needed", steps)
	}
	s, err := m.Open(ctx, "")
	if err != nil {
		return nil, err
	}
	e := &engine{model: m.engine.model, vocab: m.engine.vocab, chunk: m.engine.chunk, parallel: m.engine.parallel, threads: m.engine.threads, exact: m.engine.exact}
	g := &Gauge{Widest: e.parallel, m: m, e: e}
	cells := max(inCommon+e.parallel*steps, maxChunk)
	if err := e.open((cells + cellPadding - 1) / cellPadding * cellPadding); err != nil {
		return nil, errors.Join(fatal("engine", err), s.Close())
	}
	return g, nil
}

// Close gives the model free again. A second call does nothing.
func (g *Gauge) Close() error {
	if g.closed {
		return nil
	}
	g.closed = true
	g.e.closeContext()
	return (&session{m: g.m}).Close()
}

// Threads is how many threads the model computes with.
func (g *Gauge) Threads() int { return g.e.threads }

// Prefill computes a prompt of so many tokens from an empty cache, as a run does in decodes of the engine's usual
// size, and returns the time that it took. Tokens must be 1 to the cells of the context; ctx is looked at between
// decodes.
func (g *Gauge) Prefill(ctx context.Context, tokens int) (time.Duration, error) {
	if tokens < 1 || tokens > g.e.cells {
		return 0, fmt.Errorf("a prompt of %d tokens; choose 1 to %d", tokens, g.e.cells)
	}
	if err := g.e.clear(); err != nil {
		return 0, err
	}
	start := time.Now()
	for from := 0; from < tokens; from += g.e.chunk {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		if err := g.prompt(from, min(g.e.chunk, tokens-from), g.e.seqs[0], from+g.e.chunk >= tokens); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// Generate lets so many sequences go on by one token a decode, steps times, behind a prompt that they share, and
// returns the time of those decodes.
func (g *Gauge) Generate(ctx context.Context, width, steps int) (time.Duration, error) {
	if width < 1 || width > g.Widest || steps < 1 || inCommon+width*steps > g.e.cells {
		return 0, fmt.Errorf("%d sequences of %d tokens; choose 1 to %d sequences, and no more tokens than the gauge was made for", width, steps, g.Widest)
	}
	if err := g.e.clear(); err != nil {
		return 0, err
	}
	all := make([]llama.SeqId, width)
	for i := range all {
		all[i] = llama.SeqId(i)
	}
	for from := 0; from < inCommon; from += g.e.chunk {
		if err := g.prompt(from, min(g.e.chunk, inCommon-from), all, from+g.e.chunk >= inCommon); err != nil {
			return 0, err
		}
	}
	start := time.Now()
	for step := range steps {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		g.e.batch.Clear()
		for i := range width {
			if err := g.e.batch.Add(g.token(inCommon+step*width+i), llama.Pos(inCommon+step), g.e.seqs[i], true); err != nil {
				return 0, err
			}
		}
		if err := g.decode(); err != nil {
			return 0, err
		}
	}
	return time.Since(start), nil
}

// prompt computes n tokens of a prompt for the sequences.
func (g *Gauge) prompt(from, n int, to []llama.SeqId, last bool) error {
	g.e.batch.Clear()
	for i := range n {
		if err := g.e.batch.Add(g.token(from+i), llama.Pos(from+i), to, last && i == n-1); err != nil {
			return err
		}
	}
	if !last {
		return g.e.decode()
	}
	return g.decode()
}

// decode ends when the logits are there: a device computes on after the call.
func (g *Gauge) decode() error {
	if err := g.e.decode(); err != nil {
		return err
	}
	_, err := g.e.logits(int(g.e.batch.NTokens) - 1)
	return err
}

// token is the i-th of tokens that look like no text: which ones they are makes no difference to the time.
func (g *Gauge) token(i int) llama.Token { return llama.Token((i*7919 + 101) % g.e.vocab) }
