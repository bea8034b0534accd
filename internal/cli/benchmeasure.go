package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/internal/supply"
	"github.com/percuss/percuss/model/llamacpp"
)

// benchModel measures one model, and returns the engine's name beside.
func (a *app) benchModel(ctx context.Context, cache *supply.Cache, lib string, devices []llamacpp.Device, of benched, f benchFlags) (r engineFigures, engine string, err error) {
	most, err := a.allot(cache, lib, of.path, of.name, f.on)
	if err != nil {
		return r, "", usage(err)
	}
	before := residentMemory(systemFiles())
	m, err := llamacpp.Open(ctx, llamacpp.Options{Lib: lib, Path: of.path, Threads: f.on.threads, Parallel: slices.Max(f.widths), Memory: most})
	if err != nil {
		return r, "", usage(err)
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	can := m.Capabilities()
	r = engineFigures{Model: of.name, File: filepath.Base(of.path), Weights: can.Weights, Layout: can.Layout}
	if r.Planned, err = llamacpp.PlanMemory(of.path, most); err != nil {
		return r, "", err
	}
	a.benchTell(of.name, "letters of a tree of prompts")
	if err := r.letters(ctx, m, f.repeats); err != nil {
		return r, "", err
	}
	if now := residentMemory(systemFiles()); before > 0 && now > 0 {
		r.Resident = percuss.Num(float64(max(now-before, 0)))
	}
	start, busy := time.Now(), processorTime(systemFiles())
	if err := a.benchDecodes(ctx, m, &r, f); err != nil {
		return r, "", err
	}
	if busy > 0 && !accelerated(devices) {
		share := (processorTime(systemFiles()) - busy).Seconds() / (time.Since(start).Seconds() * float64(r.Threads))
		r.Share = percuss.Num(min(share, 1))
	}
	return r, can.Engine, nil
}

func accelerated(devices []llamacpp.Device) bool {
	return slices.ContainsFunc(devices, func(d llamacpp.Device) bool { return d.Accelerator })
}

// letters measures trees of prompts as an evidence audit asks for them, through all that a run does. The first is not
// counted: memory that is used for the first time is slower.
func (r *engineFigures) letters(ctx context.Context, m *llamacpp.Model, repeats int) error {
	requests := benchTree()
	var tokens, prompts []float64
	for i := range repeats + 1 {
		before, start := m.Counts(), time.Now()
		if err := answerAll(ctx, m, requests); err != nil {
			return err
		}
		seconds, counts := time.Since(start).Seconds(), m.Counts()
		r.Tree = tree{Prompts: len(requests), Asked: counts.PromptAsked - before.PromptAsked, Computed: counts.PromptComputed - before.PromptComputed}
		if i > 0 {
			tokens, prompts = append(tokens, float64(r.Tree.Computed)/seconds), append(prompts, float64(len(requests))/seconds)
		}
	}
	r.Letters, r.Prompts = rateOf(tokens), rateOf(prompts)
	return nil
}

// benchUnits are what the prompts of the tree show or leave out: each subset is one prompt.
var benchUnits = [...]string{
	"He has had a fever of 39 degrees for three days.", "The cough brings up rust-coloured sputum.",
	"Breathing in hurts on the right side.", "He smoked twenty cigarettes a day for thirty years.",
	"Both calves are soft and of equal size.", "The pulse is 112 a minute and regular.",
}

// benchTree are the prompts of a case of six units: what never changes first, so that it is computed once.
func benchTree() []percuss.Request {
	var requests []percuss.Request
	for shown := range 1 << len(benchUnits) {
		var text strings.Builder
		text.WriteString("Which diagnosis is the most likely? A. Pneumonia. B. Pulmonary embolism. C. Pneumothorax. Answer with the letter alone.\nA man of 58 years is short of breath.")
		for i := range bits.Len(uint(shown)) {
			if shown>>i&1 == 1 {
				text.WriteString(" " + benchUnits[i])
			}
		}
		requests = append(requests, percuss.Request{Sampling: percuss.Greedy(0), Want: percuss.Want{Letters: []string{"A", "B", "C"}},
			Messages: []percuss.Message{{Role: percuss.System, Content: "You are a physician."}, {Role: percuss.User, Content: text.String()}}})
	}
	return requests
}

// answerAll asks in a session of its own, so that nothing is there from before.
func answerAll(ctx context.Context, m *llamacpp.Model, requests []percuss.Request) (err error) {
	s, err := m.Open(ctx, "bench")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var first error
	err = s.Answer(ctx, requests, func(_ int, answer percuss.Answer, err error) {
		if err == nil && answer.Outcome != percuss.OK {
			err = fmt.Errorf("a prompt of the benchmark was answered %s: %s", answer.Outcome, answer.Detail)
		}
		if first == nil {
			first = err
		}
	})
	return errors.Join(err, first)
}

// benchDecodes measures plain decodes: each round everything once, so that a machine that slows down shows in all.
func (a *app) benchDecodes(ctx context.Context, m *llamacpp.Model, r *engineFigures, f benchFlags) (err error) {
	g, err := m.Gauge(ctx, f.steps)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, g.Close()) }()
	r.Threads = g.Threads()
	if _, err := g.Prefill(ctx, benchPrompt); err != nil { // not counted, as the first tree is not
		return err
	}
	prefill, generate := []float64{}, make([][]float64, len(f.widths))
	for i := range f.repeats {
		a.benchTell(r.Model, "prompts and texts, %d of %d", i+1, f.repeats)
		took, err := g.Prefill(ctx, benchPrompt)
		if err != nil {
			return err
		}
		prefill = append(prefill, benchPrompt/took.Seconds())
		for k, width := range f.widths {
			if width > g.Widest {
				continue // missing: of this model percuss generates fewer at once
			}
			took, err := g.Generate(ctx, width, f.steps)
			if err != nil {
				return err
			}
			generate[k] = append(generate[k], float64(width*f.steps)/took.Seconds())
		}
	}
	r.Prefill = rateOf(prefill)
	for k, width := range f.widths {
		r.Generate = append(r.Generate, generated{Width: width, rate: rateOf(generate[k])})
	}
	return nil
}

// processorTime is what this process has taken of all processors, 0 where the system does not say.
func processorTime(root fs.FS) time.Duration {
	raw, err := fs.ReadFile(root, "proc/self/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), ") ") // behind the program's name, which may hold anything
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	var user, system int64
	if _, err := fmt.Sscan(fields[11]+" "+fields[12], &user, &system); err != nil {
		return 0
	}
	return time.Duration(user+system) * (time.Second / 100) // Linux counts it in hundredths for all programs
}

// residentMemory is how much of this process is in memory, in bytes, 0 where the system does not say. What Go no longer
// needs is given back first.
func residentMemory(root fs.FS) int64 {
	debug.FreeOSMemory()
	raw, err := fs.ReadFile(root, "proc/self/statm")
	if err != nil {
		return 0
	}
	var size, resident int64
	if _, err := fmt.Sscan(string(raw), &size, &resident); err != nil {
		return 0
	}
	return resident * int64(os.Getpagesize())
}
