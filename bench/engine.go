package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

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
	gains    []float64 // of plain decodes: the best rate of several texts at once ÷ that of one
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
	enumerated := func() []percuss.Request { return bySize(a.requests) }
	sides := []side{a.side(true), client(b, "client, no prompt cache", enumerated, false, tokens.computed),
		client(b, "client, prompt cache", enumerated, true, tokens.computed),
		client(b, "client, prompt cache, sorted", func() []percuss.Request { return a.requests }, true, tokens.computed)}
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
	if len(rates) < len(a.told) {
		b.tell("evidence: in %d of %d runs no plain decode was timed, for it would have been more than 3 %% of the tokens; a larger -cases has it", len(a.told)-len(rates), len(a.told))
	}
	what := fmt.Sprintf("evidence audit, %d case(s), %d subsets: sequential client ", b.cases, len(a.requests))
	against := func(client int, how, goal string) result { // where a token costs both alike, their numbers bound the ratio
		return result{row: "evidence", what: what + how + " ÷ Percuss", goal: goal, ratios: quotients(samples[client], samples[0], wall),
			bound: spreadOf(quotients(samples[client], samples[0], figure)).median}
	}
	first := against(1, "without prompt cache", "≥ 10")
	first.unit, first.each, first.sides = "prompt tokens computed", true, sidesOf(sides, samples)
	return []result{first, against(2, "with prompt cache", "≥ 3"), against(3, "with prompt cache and sorted prompts", ""),
		{row: "evidence", what: "rate of prompt tokens: Percuss ÷ one plain decode of the same size, in the same process", goal: "≥ 0.9", ratios: rates},
	}, nil
}

// bySize orders the prompts of each case by the number of findings shown, as interactions are enumerated: none, single
// ones, pairs, triples, all. What stands before the findings is the same for all subsets of a case.
func bySize(requests []percuss.Request) []percuss.Request {
	split := func(r percuss.Request) (common string, findings int) {
		before, after, _ := strings.Cut(text(r), "\nFindings:")
		return strings.TrimRight(before, "\x00"), strings.Count(after, "\n- ") // text ends with a zero where Begin is empty
	}
	return slices.SortedStableFunc(slices.Values(requests), func(x, y percuss.Request) int {
		before, n := split(x)
		other, m := split(y)
		return cmp.Or(strings.Compare(before, other), cmp.Compare(n, m))
	})
}

// generated is the output of a chain audit.
func generated(c counts) float64 { return c.Output }

// chainArgs asks for baselines and one text an edit, and nothing beside them.
func chainArgs(b *bench, battery string) []string {
	return []string{"chain", "-d", b.data, "-n", strconv.Itoa(b.questions), "--battery", battery, "--answer", "text", "--no-direct", "--no-margins",
		"--controls", "none", "--max-tokens", strconv.Itoa(b.tokens)}
}

// chain compares a chain audit's texts with one call a text, and the rate of its decodes with that of plain ones. The
// client has the server's cache of prompts. It generates one text at a time, so that what this machine gains by several at
// once bounds the first ratio.
func chain(ctx context.Context, b *bench) ([]result, error) {
	if err := modelHere(b, true); err != nil {
		return nil, err
	}
	a := &audit{bench: b, of: generated, args: chainArgs(b, paper)}
	sides := []side{a.side(true), client(b, "client, prompt cache", func() []percuss.Request { return a.requests }, true, tokens.output), a.plain()}
	samples, err := b.interleave(ctx, "chain", sides)
	if err != nil {
		return nil, err
	}
	var rates []float64
	for i, s := range a.told {
		if plain, ok := samples[2][i].figure.Get(); ok && plain > 0 && one(s.Models).DecodeSeconds > 0 {
			rates = append(rates, one(s.Models).rate()/plain)
		}
	}
	return []result{
		{row: "chain", what: fmt.Sprintf("chain audit, %d question(s) × 30 operators, %d texts of at most %d tokens: sequential client with prompt cache ÷ Percuss",
			b.questions, len(a.requests), b.tokens), goal: "≥ 4", bound: spreadOf(a.gains).median, ratios: quotients(samples[1], samples[0], wall),
			unit: "tokens generated", each: true, sides: sidesOf(sides[:2], samples)},
		{row: "chain", what: "tokens of a decode a second while texts are generated: Percuss ÷ plain decodes of as many tokens", goal: "≥ 0.9", ratios: rates,
			unit: "tokens/s", sides: []measured{{sides[2].name, samples[2]}}},
	}, nil
}

// batch is how many tokens a decode of generated texts had on average: the next one of every sequence, and drafts.
func (c counts) batch() float64 { return (c.Output - c.Accepted + c.Drafted) / max(c.Decodes, 1) }

// rate is how many of those tokens were computed a second.
func (c counts) rate() float64 { return c.batch() * c.Decodes / c.DecodeSeconds }

// What percuss bench engine is asked for: texts at once at most, tokens of each, and the widths among which the best is
// looked for.
const (
	widest = 128
	steps  = 32
)

func widths() []int { return []int{1, 2, 4, 8, 16} }

// plain is the rate of plain decodes that have as many tokens as those of the audit's last run had on average, one of
// each of so many texts. Behind a draft's tokens stands one text instead of many, so the shape is the same but for that.
// It measures too what several texts at once gain.
func (a *audit) plain() side {
	return side{"Percuss, plain decodes (bench engine)", func(ctx context.Context, folder string) (sample, error) {
		width := 1
		if n := len(a.told); n > 0 {
			width = min(max(int(math.Round(one(a.told[n-1].Models).batch())), 1), widest)
		}
		var asked []string
		for _, w := range slices.Compact(slices.Sorted(slices.Values(append(widths(), width)))) {
			asked = append(asked, strconv.Itoa(w))
		}
		out, u, err := command{program: a.bench.percuss, args: []string{"bench", "engine", "-m", a.bench.model, "--widths", strings.Join(asked, ","),
			"--tokens", strconv.Itoa(steps), "--repeat", "1", "--json"}}.run(ctx, logOf(folder))
		if err != nil {
			return sample{}, err
		}
		rates, err := generating(out)
		if err != nil {
			return sample{}, err
		}
		if single, ok := rates[1].Get(); ok && single > 0 {
			best := single
			for _, r := range rates {
				best = max(best, r.Or(0))
			}
			a.gains = append(a.gains, best/single)
		}
		return sample{usage: u, figure: rates[width]}, nil
	}}
}

// generating reads the rates of generation, by the number of texts at once, from what percuss bench engine prints.
func generating(out string) (map[int]percuss.Number, error) {
	var r struct {
		Models []struct {
			Generate []struct {
				Width  int
				Median percuss.Number
			} `json:"generate_tokens_per_second"`
		}
	}
	if err := json.Unmarshal([]byte(out), &r); err != nil || len(r.Models) != 1 || len(r.Models[0].Generate) == 0 {
		return nil, fmt.Errorf("percuss bench engine printed no rates of one model (%v): %.300s", err, out)
	}
	rates := map[int]percuss.Number{}
	for _, g := range r.Models[0].Generate {
		rates[g.Width] = g.Median
	}
	return rates, nil
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
			shares = append(shares, (c.Output-c.Accepted)/c.Output) // as "percuss chain" itself says it
		}
	}
	return []result{{row: "drafts", what: fmt.Sprintf("decodes ÷ output tokens of a sequence, M-block of %d question(s), their baselines included", b.questions),
		goal: "≤ 0.35", ratios: shares, unit: "tokens generated", sides: sidesOf(sides, samples)}}, nil
}
