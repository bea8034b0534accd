package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"runtime"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/bench/llama"
)

// modelHere reports whether the rows that need a model, and llama.cpp's server to compare with, can be measured.
func modelHere(b *bench, served bool) error {
	if _, err := os.Stat(b.model); err != nil {
		return absent{"the model " + filepath.Base(b.model), "percuss model pull smollm2-135m brings it, -model names another"}
	}
	if _, err := os.Stat(b.server); err != nil && served {
		return absent{"llama.cpp's server", "scripts/setup brings it"}
	}
	return nil
}

// startLlama starts llama.cpp's server: one slot, as many threads as there are cores, its own settings otherwise. It
// returns when the server is ready. What it says is kept in log.
func startLlama(ctx context.Context, b *bench, log string) (*served, error) {
	said, err := os.Create(log)
	if err != nil {
		return nil, err
	}
	defer said.Close() // the server has its own descriptor
	s, err := llama.Start(ctx, b.server, b.model, llama.Settings{Threads: runtime.NumCPU()}, said)
	if err != nil {
		return nil, fmt.Errorf("%w; what it said is in %s", err, log)
	}
	return &served{s.Address(), s.Stop}, nil
}

// served is a server that the sequential client asks.
type served struct {
	address string
	end     func() (*os.ProcessState, error)
}

// stop ends the server and returns what it took.
func (l *served) stop() (usage, error) {
	p, err := l.end()
	if p == nil {
		return usage{}, err
	}
	return usage{cpu: p.UserTime() + p.SystemTime(), memory: peak(p)}, err
}

// tokens are what a reply's usage counts.
type tokens struct {
	Prompt  int `json:"prompt_tokens"`
	Output  int `json:"completion_tokens"`
	Details struct {
		Cached int `json:"cached_tokens"`
	} `json:"prompt_tokens_details"`
}

// computed are the prompt tokens that the server did not have in its cache.
func (t tokens) computed() int { return t.Prompt - t.Details.Cached }

func (t tokens) output() int { return t.Output }

// ask makes one call.
func (l *served) ask(ctx context.Context, r percuss.Request, cache bool) (tokens, error) {
	var none tokens
	body, err := json.Marshal(callOf(r, cache))
	if err != nil {
		return none, err
	}
	call, err := http.NewRequestWithContext(ctx, http.MethodPost, l.address+"/v1/chat/completions", bytes.NewReader(body))
	if err != nil {
		return none, err
	}
	call.Header.Set("Content-Type", "application/json")
	call.Header["Idempotency-Key"] = nil // sent again where the server has closed the connection in the meantime
	resp, err := http.DefaultClient.Do(call)
	if err != nil {
		return none, err
	}
	defer resp.Body.Close()
	raw, err := io.ReadAll(resp.Body)
	if err != nil {
		return none, err
	}
	var reply struct{ Usage tokens }
	if err := json.Unmarshal(raw, &reply); err != nil || resp.StatusCode != http.StatusOK {
		return none, fmt.Errorf("status %s: %.300s", resp.Status, raw)
	}
	return reply.Usage, nil
}

// letterAlternatives is how many of the next token's log-probabilities a client asks for to read letters from.
const letterAlternatives = 20

// callOf is a request in the server's words: greedy, and with a beginning as the last turn, which it goes on with.
func callOf(r percuss.Request, cache bool) map[string]any {
	messages := r.Messages
	if r.Begin != "" {
		messages = append(messages[:len(messages):len(messages)], percuss.Message{Role: percuss.Assistant, Content: r.Begin})
	}
	body := map[string]any{"messages": messages, "temperature": 0, "max_tokens": r.Sampling.MaxTokens, "cache_prompt": cache}
	if len(r.Sampling.Stop) > 0 {
		body["stop"] = r.Sampling.Stop
	}
	if len(r.Want.Letters) > 0 {
		body["max_tokens"], body["logprobs"], body["top_logprobs"] = 1, true, letterAlternatives
	}
	return body
}
