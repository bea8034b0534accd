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
	"bytes"
	"context"
	"os"
	"sync"
	"testing"

	"github.com/percuss/percuss/bench/llama"
	"github.com/percuss/percuss/model/modeltest"
)

// logBytes is how much of the end of what the server says is kept.
const logBytes = 8 << 10

// Options say how the server runs. The zero value is one slot of 4096 tokens on two threads with the server's own
// settings.
type Options = llama.Settings

// Start serves a GGUF file on a free port of this machine until the test ends, and returns the server's address
// without a path, e.g. http://127.0.0.1:40519. It returns when the server says that it is healthy. Without the server,
// which scripts/setup brings, the test is skipped. A test that calls it runs alone: the server takes its threads.
func Start(t testing.TB, gguf string, o Options) (baseURL string) {
	t.Helper()
	python := llama.Python(modeltest.Cache())
	if _, err := os.Stat(python); err != nil {
		t.Skip("needs llama.cpp's server: run scripts/setup, which makes ", python)
	}
	log := &tail{}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("the server said at last:\n%s", log)
		}
	})
	// The test's own context is done before its cleanups, and would kill what is to end by itself.
	s, err := llama.Start(context.WithoutCancel(t.Context()), python, gguf, o, log)
	if err != nil {
		t.Fatalf("the server for tests: %v", err)
	}
	t.Cleanup(func() {
		if _, err := s.Stop(); err != nil && !t.Failed() {
			t.Errorf("the server for tests ended with %v", err)
		}
	})
	return s.Address()
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
