package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/percuss/percuss"
)

// asked are the requests that a run has answered, in the order of their texts, which suits a client with a cache of
// prompts best: those with a common beginning come one after another. None is asked twice; a repetition that measures noise is left out, for a
// cache answers it at once.
func asked(ctx context.Context, b *bench, run, folder string) ([]percuss.Request, error) {
	path := filepath.Join(folder, "requests.jsonl")
	if _, _, err := (command{program: b.percuss, args: []string{"store", "export", run, "-o", path}}).run(ctx, filepath.Join(folder, "export.txt")); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []percuss.Request
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for n := 1; lines.Scan(); n++ {
		var line struct{ Request *percuss.Request }
		if err := json.Unmarshal(lines.Bytes(), &line); err != nil {
			return nil, fmt.Errorf("%s, line %d: %w", path, n, err)
		}
		if line.Request != nil && line.Request.Replicate == 0 { // the first line tells of the file
			out = append(out, *line.Request)
		}
	}
	if err := lines.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(out, func(a, b percuss.Request) int {
		return cmp.Or(strings.Compare(text(a), text(b)), cmp.Compare(len(a.Want.Letters), len(b.Want.Letters)))
	})
	return out, nil
}

// text is a request's prompt, near enough for sorting.
func text(r percuss.Request) string {
	var b strings.Builder
	for _, m := range r.Messages {
		b.WriteString(m.Content + "\x00")
	}
	return b.String() + r.Begin
}

// client is a side that asks llama.cpp's server one request after another. The time is that of the calls alone; CPU time
// and memory are the server's, its start and the loading of the model included. The figure is the sum of the tokens that
// of tells. requests is called at the start of each run.
func client(b *bench, name string, requests func() []percuss.Request, cache bool, of func(tokens) int) side {
	return side{name, func(ctx context.Context, folder string) (sample, error) {
		l, err := startLlama(ctx, b, logOf(folder))
		if err != nil {
			return sample{}, err
		}
		sum, began := 0, time.Now()
		for i, r := range requests() {
			t, callErr := l.ask(ctx, r, cache)
			if callErr != nil {
				l.stop()
				return sample{}, fmt.Errorf("request %d: %w", i+1, callErr)
			}
			sum += of(t)
		}
		took := time.Since(began)
		u, err := l.stop()
		u.wall = took
		return sample{usage: u, figure: percuss.Num(float64(sum))}, err
	}}
}

// spent is what runinfo.json says of a run with one model.
type spent struct {
	Seconds float64
	Result  struct{ Answered int }
	Models  map[string]counts
	Engine  map[string]struct {
		Rate percuss.Number `json:"prefill_rate"`
	}
}

// counts are the engine's, as model.Counts writes them.
type counts struct {
	PromptAsked    float64 `json:"prompt_asked"`
	PromptComputed float64 `json:"prompt_computed"`
	Output         float64 `json:"output"`
	PrefillSeconds float64 `json:"prefill_seconds"`
	DecodeSeconds  float64 `json:"decode_seconds"`
	Decodes        float64 `json:"decodes"`
	Drafted        float64 `json:"drafted"`
	Accepted       float64 `json:"accepted"`
}

// readSpent returns the run information of a run's folder.
func readSpent(run string) (spent, error) {
	path := filepath.Join(run, "report", "runinfo.json")
	raw, err := os.ReadFile(path)
	if err != nil {
		return spent{}, err
	}
	var s spent
	if err := json.Unmarshal(raw, &s); err != nil {
		return s, fmt.Errorf("%s: %w", path, err)
	}
	if len(s.Models) != 1 {
		return s, fmt.Errorf("%s tells of %d models, not of one", path, len(s.Models))
	}
	return s, nil
}

// one is the only model's entry.
func one[V any](m map[string]V) (v V) {
	for _, v = range m {
		break
	}
	return v
}
