package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strconv"

	"github.com/percuss/percuss"
)

// paper is the chain paper's whole battery, and edits the part of it that edits questions.
const (
	paper = "paper"
	edits = "M1+M2+M3+M4+M5+M6"
)

// audit is one way of running Percuss with the embedded engine, and what its runs have told so far.
type audit struct {
	bench *bench
	args  []string
	of    func(counts) float64 // the side's figure

	told     []spent
	requests []percuss.Request
}

// side is Percuss's own side. Its first run also gives the requests that the client repeats.
func (a *audit) side(replayed bool) side {
	return side{"Percuss", func(ctx context.Context, folder string) (sample, error) {
		run := filepath.Join(folder, "run")
		args := append(a.args[:len(a.args):len(a.args)], "-m", "llama:"+a.bench.model, "-o", run)
		_, u, err := command{program: a.bench.percuss, args: args}.run(ctx, logOf(folder))
		if err != nil {
			return sample{}, err
		}
		s, err := readSpent(run)
		if err != nil {
			return sample{}, err
		}
		if replayed && len(a.told) == 0 {
			requests, err := asked(ctx, a.bench, run, folder)
			if err != nil {
				return sample{}, err
			}
			a.requests = requests
		}
		a.told = append(a.told, s)
		return sample{usage: u, figure: percuss.Num(a.of(one(s.Models)))}, nil
	}}
}

// evidence compares the subsets of a case as a tree of prompts with one call a subset.
func evidence(ctx context.Context, b *bench) ([]result, error) {
	if err := modelHere(b, true); err != nil {
		return nil, err
	}
	a := &audit{bench: b, of: func(c counts) float64 { return c.PromptComputed }, args: []string{"evidence", "-d", "demo", "-n", strconv.Itoa(b.cases),
		"--stability", "0", "--selectors", "0", "--neutralize", "0", "--counterfactuals", "0", "--floor", "0"}}
	again := func() []percuss.Request { return a.requests }
	sides := []side{a.side(true), client(b, "client, no prompt cache", again, false, tokens.computed), client(b, "client, prompt cache", again, true, tokens.computed)}
	samples, err := b.interleave(ctx, "evidence", sides)
	if err != nil {
		return nil, err
	}
	var rates []float64
	for _, s := range a.told {
		if v, ok := one(s.Engine).Rate.Get(); ok {
			rates = append(rates, v)
		}
	}
	what := fmt.Sprintf("evidence audit, %d case(s), %d subsets: sequential client ", b.cases, len(a.requests))
	return []result{
		{row: "evidence", what: what + "without prompt cache ÷ Percuss", goal: "≥ 10", ratios: quotients(samples[1], samples[0], wall),
			unit: "prompt tokens computed", sides: sidesOf(sides, samples)},
		{row: "evidence", what: what + "with prompt cache ÷ Percuss", goal: "≥ 3", ratios: quotients(samples[2], samples[0], wall)},
		{row: "evidence", what: "rate of prompt tokens: Percuss ÷ one plain decode of the same size, in the same process", goal: "≥ 0.9", ratios: rates},
	}, nil
}

// generated is the output of a chain audit.
func generated(c counts) float64 { return c.Output }

// chainArgs asks for baselines and one text an edit, and nothing beside them.
func chainArgs(b *bench, battery string) []string {
	return []string{"chain", "-d", b.data, "-n", strconv.Itoa(b.questions), "--battery", battery, "--answer", "text", "--no-direct", "--no-margins",
		"--controls", "none", "--max-tokens", strconv.Itoa(b.tokens)}
}

// chain compares a chain audit's texts with one call a text. The client has the server's cache of prompts.
func chain(ctx context.Context, b *bench) ([]result, error) {
	if err := modelHere(b, true); err != nil {
		return nil, err
	}
	a := &audit{bench: b, of: generated, args: chainArgs(b, paper)}
	sides := []side{a.side(true), client(b, "client, prompt cache", func() []percuss.Request { return a.requests }, true, tokens.output)}
	samples, err := b.interleave(ctx, "chain", sides)
	if err != nil {
		return nil, err
	}
	return []result{{row: "chain", what: fmt.Sprintf("chain audit, %d question(s) × 30 operators, %d texts of at most %d tokens: sequential client with prompt cache ÷ Percuss",
		b.questions, len(a.requests), b.tokens), goal: "≥ 4", ratios: quotients(samples[1], samples[0], wall), unit: "tokens generated", sides: sidesOf(sides, samples)}}, nil
}

// drafts measures how many decodes a sequence needs for each token, where only questions are edited. A sequence gets one
// token of each decode that it is part of, and those of its draft that were right.
func drafts(ctx context.Context, b *bench) ([]result, error) {
	if err := modelHere(b, false); err != nil {
		return nil, err
	}
	a := &audit{bench: b, of: generated, args: chainArgs(b, edits)}
	sides := []side{a.side(false)}
	samples, err := b.interleave(ctx, "drafts", sides)
	if err != nil {
		return nil, err
	}
	var shares []float64
	for _, s := range a.told {
		if c := one(s.Models); c.Output > 0 {
			shares = append(shares, (c.Output-c.Accepted)/c.Output)
		}
	}
	return []result{{row: "drafts", what: fmt.Sprintf("decodes ÷ output tokens of a sequence, M-block of %d question(s), their baselines included", b.questions),
		goal: "≤ 0.35", ratios: shares, unit: "tokens generated", sides: sidesOf(sides, samples)}}, nil
}
