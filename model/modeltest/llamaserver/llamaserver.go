// Package llamaserver starts llama.cpp's own HTTP server for tests: it comes with the Python wheel xllamacpp, which
// scripts/setup puts into the user's cache.
//
// What the server does that a client must know, seen in version 2026.10.11549 and held by the tests beside it:
//
//   - /v1/chat/completions with a last assistant message continues that turn, white space at its end included. The
//     content of the whole reply repeats the beginning and goes on; the chunks of a stream do not repeat it, nor do
//     log-probabilities, usage and stop sequences count it. Nothing asks for it: add_generation_prompt may be left out
//     or false, continue_final_message together with the default add_generation_prompt is a 400. An empty last
//     assistant message breaks the prompt: leave it out.
//   - Where the template opens a chain of thought, a last assistant message goes behind an empty one
//     (<think>, </think>), and a <think> of its own stands there a second time. A beginning inside the chain is given
//     as reasoning_content with an empty content; the reply's reasoning_content then repeats it.
//     A chain comes as reasoning_content, and content is "" when the limit falls into it.
//   - top_logprobs may be up to the whole vocabulary and needs logprobs true, else a 400; 0 and negative numbers give
//     none. Log-probabilities are those of the model before temperature, cuts, logit_bias and grammar. The sampled
//     token need not be among the alternatives. They are normalised in single precision: over the whole vocabulary
//     their probabilities sum to 1.00015 with SmolLM2, so that each is up to 2e-4 nats too high; their differences, and
//     what is left after dividing by the sum, agree with the embedded engine's to 1e-5 on float weights.
//     The end of a turn is a token of its own, with an empty text.
//   - Sampling has defaults that a request must undo: top_k 40, top_p 0.95, min_p 0.05, temperature 0.8. A seed repeats
//     a text; seeds are whole numbers of 64 bits, of which the server keeps 32. n is at most 1.
//   - max_tokens 0 gives one token.
//   - cache_prompt is on by default. usage.prompt_tokens counts the whole prompt, of which
//     prompt_tokens_details.cached_tokens were not computed again.
//   - A prompt beyond the context is a 400 of type exceed_context_size_error with n_prompt_tokens and n_ctx; a reply
//     that meets the end of the context ends with finish_reason length.
//   - Any model name is accepted; the reply's model is the file's path. system_fingerprint is b0-unknown.
//   - Streams are server-sent events: a first chunk with the role and content null, one a token, one with the
//     finish_reason, with stream_options.include_usage one with usage and no choices, then [DONE].
//   - Connections are closed after every stream, although it announces keep-alive, after 100 requests, and after five
//     seconds without one. A POST on a connection that was kept may end with EOF: it must be sent again.
//   - /apply-template gives {"prompt"} and knows last assistant messages, /tokenize {"tokens"}, with with_pieces pairs
//     of id and piece; /props has chat_template, model_path, model_ftype, total_slots and, in
//     default_generation_settings, n_ctx of a slot. /metrics is off (501), errors are {"error":{code,message,type}}.
//
// Measured on two cores: SmolLM2-135M is served after 0.3 s as Q4_1 and 0.4 s as F32, Python's start not counted. With
// as few HTTP threads as slots, clients wait ten seconds for each other's idle connections; Start leaves their number
// to the server.
package llamaserver

import (
	"bufio"
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/percuss/percuss/model/modeltest"
)

//go:embed server.py
var script string

// Limits of a server's life.
const (
	startWithin = 2 * time.Minute // loading a model of half a gigabyte on a busy machine included
	stopWithin  = 10 * time.Second
	logBytes    = 8 << 10
)

// Options say how the server runs. The zero value is one slot of 4096 tokens on two threads with the server's own
// settings.
type Options struct {
	Slots    int    // requests that are computed at once; 0: 1
	Context  int    // tokens of a slot, prompt and output together; 0: 4096
	Threads  int    // 0: 2
	Exact    bool   // no flash attention and a float cache, as the embedded engine computes
	Template string // a Jinja chat template in place of the model's own
	APIKey   string // what a request must carry as its bearer token; "": nothing
}

// Start serves a GGUF file on a free port of this machine until the test ends, and returns the server's address
// without a path, e.g. http://127.0.0.1:40519. It returns when the server says that it is healthy. Without the server,
// which scripts/setup brings, the test is skipped. A test that calls it runs alone: the server takes its threads.
func Start(t testing.TB, gguf string, o Options) (baseURL string) {
	t.Helper()
	python := interpreter(t)
	settings, err := json.Marshal(map[string]any{
		"model": gguf, "slots": max(o.Slots, 1), "context": or(o.Context, 4096), "threads": or(o.Threads, 2),
		"exact": o.Exact, "template": o.Template, "api_key": o.APIKey,
	})
	if err != nil {
		t.Fatal(err)
	}
	c := exec.Command(python, "-I", "-c", script, string(settings))
	log := &tail{}
	c.Stderr = log
	in, err := c.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := c.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := c.Start(); err != nil {
		t.Fatalf("the server for tests: %v", err)
	}
	t.Cleanup(func() {
		stop(t, c, in)
		if t.Failed() {
			t.Logf("the server said at last:\n%s", log)
		}
	})
	timer := time.AfterFunc(startWithin, func() { c.Process.Kill() })
	defer timer.Stop()
	address, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		t.Fatalf("the server for tests did not start with %s", gguf)
	}
	address = strings.TrimSpace(address)
	waitHealthy(t, address)
	return address
}

func or(n, otherwise int) int {
	if n > 0 {
		return n
	}
	return otherwise
}

// interpreter is the Python that has the server.
func interpreter(t testing.TB) string {
	t.Helper()
	path := filepath.Join(modeltest.Cache(), "server", "bin", "python")
	if runtime.GOOS == "windows" {
		path = filepath.Join(modeltest.Cache(), "server", "Scripts", "python.exe")
	}
	if _, err := os.Stat(path); err != nil {
		t.Skip("needs llama.cpp's server: run scripts/setup, which puts it into ", filepath.Join(modeltest.Cache(), "server"))
	}
	return path
}

// waitHealthy asks until the model is loaded. The server answers before with status 503.
func waitHealthy(t testing.TB, address string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), startWithin)
	defer cancel()
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	for {
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, address+"/health", nil)
		if err != nil {
			t.Fatalf("the server for tests gave the address %q: %v", address, err)
		}
		resp, err := client.Do(r)
		if err == nil {
			io.Copy(io.Discard, resp.Body)
			resp.Body.Close()
			if resp.StatusCode == http.StatusOK {
				return
			}
			err = fmt.Errorf("status %s", resp.Status)
		}
		select {
		case <-ctx.Done():
			t.Fatalf("the server for tests is not healthy: %v", err)
		case <-time.After(50 * time.Millisecond):
		}
	}
}

// stop ends the server by ending its input, and by force if it does not listen.
func stop(t testing.TB, c *exec.Cmd, in io.Closer) {
	in.Close()
	timer := time.AfterFunc(stopWithin, func() { c.Process.Kill() })
	defer timer.Stop()
	if err := c.Wait(); err != nil && !t.Failed() {
		t.Errorf("the server for tests ended with %v", err)
	}
}

// tail keeps the end of what the server says.
type tail struct {
	mu   sync.Mutex
	kept []byte
}

func (l *tail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.kept = append(l.kept, p...)
	if over := len(l.kept) - logBytes; over > 0 {
		l.kept = bytes.Clone(l.kept[over:])
	}
	return len(p), nil
}

func (l *tail) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return string(l.kept)
}
