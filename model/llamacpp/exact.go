package llamacpp

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

const (
	mostStreams = 32    // more streams do not make passes fuller by much
	streamCells = 16384 // of all streams together, unless one prompt alone needs more
	cellPadding = 256   // the library pads to it
)

// forest answers letters requests in the exact layout: a tree of their prompts, computed on streams.
type forest struct {
	m         *Model
	replicate int
	jobs      []*job // without an answer yet
	done      func(int, percuss.Answer, error)
}

// run answers everything, or returns why not. When ctx is done, what has not been answered is left.
func (f *forest) run(ctx context.Context) error {
	asked := model.Counts{}
	for _, j := range f.jobs {
		asked.PromptAsked += int64(len(j.tokens))
	}
	f.m.count(&asked)
	for failures := 0; len(f.jobs) > 0; {
		before := len(f.jobs)
		err := f.grow(ctx)
		if err == nil {
			return nil
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if len(f.jobs) < before {
			failures = 0
		}
		f.m.apart.closeContext()
		if failures++; failures >= maxFailures {
			fault := &model.Fault{Kind: "engine", Err: fmt.Errorf("%d decodes in a row failed: %w", failures, err)}
			f.fail(fault)
			return &model.Fault{Kind: "engine", Fatal: true, Err: fault.Err}
		}
	}
	return nil
}

// fail ends every job that is left with the fault.
func (f *forest) fail(fault *model.Fault) {
	for _, j := range f.jobs {
		f.done(j.index, percuss.Answer{}, fault)
	}
	f.jobs = nil
}

// grow computes the tree of the jobs that are left.
func (f *forest) grow(ctx context.Context) error {
	jobs := slices.Clone(f.jobs)
	prompts := make([][]llama.Token, len(jobs))
	for i, j := range jobs {
		prompts[i] = j.tokens
	}
	root := newTree(prompts, f.m.unit)
	_, longest := root.size()
	e := f.m.apart
	if err := f.m.openStreams(longest, root.need); err != nil {
		f.fail(&model.Fault{Kind: "engine", Err: err}) // no memory for it, which more tries do not mend
		return nil
	}
	streams := e.streams // a repetition has fewer: then others are computed together
	if fewer := streams - 1 - f.replicate%5; f.replicate > 0 && fewer > root.need {
		streams = fewer
	}
	passes, err := plan(root, f.m.unit, streams, otherChunk(e.chunk, f.replicate))
	if err != nil {
		return err
	}
	for _, p := range passes {
		if err := ctx.Err(); err != nil {
			return err
		}
		start := time.Now()
		err := e.perform(p, f.m.unit, func(ended []int, logits []float32) error {
			for _, i := range ended {
				f.end(jobs[i], logits)
			}
			return nil
		})
		if err != nil {
			return err
		}
		f.m.count(&model.Counts{PromptComputed: int64(p.tokens()), PrefillSeconds: time.Since(start).Seconds()})
	}
	return nil
}

// end answers one job.
func (f *forest) end(j *job, logits []float32) {
	f.jobs = slices.DeleteFunc(f.jobs, func(o *job) bool { return o == j })
	scores, err := j.letters(logits)
	if err != nil {
		f.done(j.index, percuss.Answer{}, &model.Fault{Kind: "engine", Err: err})
		return
	}
	a := f.m.answer(j.req, percuss.OK, "")
	a.Letters, a.Usage.Prompt = scores, len(j.tokens)
	f.done(j.index, *a, nil)
}

// openStreams sees to a context for prompts of so many tokens and trees of such a need: as many streams as the memory
// set aside has room for, or where those are too few, one.
func (m *Model) openStreams(longest, need int) error {
	cells := (longest + cellPadding - 1) / cellPadding * cellPadding
	wanted := min(mostStreams, m.room/cells)
	if wanted <= need {
		wanted = 1
	}
	e := m.apart
	if fits := e.cells >= cells && (e.streams > need || wanted == 1); e.ctx != 0 && fits && 2*e.streams > wanted {
		return e.clear()
	}
	if m.cache != nil && m.cache.used() == 0 {
		m.engine.closeContext() // nothing of this session is in it
		m.cache = nil
	}
	e.closeContext()
	e.streams = wanted
	err := e.open(cells)
	if err != nil && e.streams > 1 {
		e.streams = 1
		err = e.open(cells)
	}
	return err
}
