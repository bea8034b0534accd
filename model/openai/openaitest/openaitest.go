// Package openaitest has small servers that speak OpenAI's protocol each in the way of a known server: how they are
// recognised, what they refuse, how they continue a turn and what their log-probabilities look like. Behind each is
// the same toy model, whose words depend on the chat alone.
package openaitest

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss/model/modeltest"
)

// Name is the model that every server has.
const Name = "toy-1"

// Server is a running server.
type Server struct {
	URL string // base, ends in /v1
	Key string // required as a bearer token when not empty

	// Script, when set, sees each chat request first; when it returns true it has answered.
	Script func(w http.ResponseWriter, r *http.Request, body map[string]any) bool

	// Fingerprint: streams name it, as OpenAI's do; whole replies always do.
	Fingerprint bool
	// Batches, when set, makes the server take batch files.
	Batches *Batches
	modeltest.HandedIn

	kind kind
	mu   sync.Mutex
	got  []map[string]any
}

// Start runs a server of a kind, one of Kinds, until the test ends.
func Start(t testing.TB, name string) *Server {
	t.Helper()
	s, handler := New(t, name)
	server := httptest.NewServer(handler)
	t.Cleanup(server.Close)
	s.URL = server.URL + "/v1"
	return s
}

// New returns a server that does not listen yet, and its handler; the caller sets URL.
func New(t testing.TB, name string) (*Server, http.Handler) {
	t.Helper()
	for _, k := range kinds() {
		if k.name == name {
			s := &Server{kind: k}
			return s, s.handler()
		}
	}
	t.Fatalf("there is no kind of server %q", name)
	return nil, nil
}

// Kinds are the servers that there are.
func Kinds() []string {
	var out []string
	for _, k := range kinds() {
		out = append(out, k.name)
	}
	return out
}

// Requests are the bodies of the chat requests so far.
func (s *Server) Requests() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.got...)
}

func (s *Server) handler() http.Handler {
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models", func(w http.ResponseWriter, r *http.Request) {
		if s.allowed(w, r) {
			entry := map[string]any{"id": Name, "object": "model", "owned_by": s.kind.owner}
			if s.kind.maxModelLen > 0 {
				entry["max_model_len"] = s.kind.maxModelLen
			}
			JSON(w, 200, map[string]any{"object": "list", "data": []any{entry}})
		}
	})
	for path, reply := range s.kind.gets {
		mux.HandleFunc("GET "+path, func(w http.ResponseWriter, _ *http.Request) { JSON(w, 200, reply) })
	}
	mux.HandleFunc("POST /v1/chat/completions", s.chat)
	s.batchHandlers(mux)
	if s.kind.everything200 {
		mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) {
			JSON(w, 200, map[string]any{"error": "Unexpected endpoint or method. (" + r.Method + " " + r.URL.Path + ")"})
		})
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		for k, v := range s.kind.headers {
			w.Header().Set(k, v)
		}
		mux.ServeHTTP(w, r)
	})
}

func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
	if s.Key != "" && r.Header.Get("Authorization") != "Bearer "+s.Key {
		Error(w, 401, "Incorrect API key provided: "+strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
		return false
	}
	return true
}

func (s *Server) chat(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var body map[string]any
	if err != nil || json.Unmarshal(raw, &body) != nil {
		Error(w, 400, "no JSON")
		return
	}
	s.mu.Lock()
	s.got = append(s.got, body)
	s.mu.Unlock()
	if s.Script != nil && s.Script(w, r, body) || !s.allowed(w, r) {
		return
	}
	if status, reply := s.reply(body); status != 200 || body["stream"] != true {
		JSON(w, status, reply)
		return
	}
	var fingerprint any
	if s.Fingerprint {
		fingerprint = "fp_" + s.kind.name
	}
	s.kind.generate(body).stream(w, fingerprint)
}

// reply is the whole reply to a chat request, or the server's refusal.
func (s *Server) reply(body map[string]any) (status int, reply map[string]any) {
	if body["model"] != Name {
		return 404, errorBody(fmt.Sprintf("The model `%v` does not exist.", body["model"]))
	}
	if refusal := s.kind.refuse(body); refusal != "" {
		return s.kind.refusal, errorBody(refusal)
	}
	out := s.kind.generate(body)
	choice := map[string]any{"index": 0, "finish_reason": out.finish,
		"message": map[string]any{"role": "assistant", "content": out.prefix + strings.Join(out.words, "")}}
	if body["logprobs"] == true && s.kind.maxTop > 0 {
		n, _ := body["top_logprobs"].(float64)
		choice["logprobs"] = map[string]any{"content": []any{s.kind.position(body, int(n))}}
	} else {
		choice["logprobs"] = nil
	}
	return 200, map[string]any{"object": "chat.completion", "model": Name, "system_fingerprint": "fp_" + s.kind.name,
		"choices": []any{choice}, "usage": out.usage()}
}

// JSON writes a reply.
func JSON(w http.ResponseWriter, status int, v any) {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // a test's own data
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(b) // the client may have gone
}

// Error writes an error in OpenAI's form.
func Error(w http.ResponseWriter, status int, message string) {
	JSON(w, status, errorBody(message))
}

func errorBody(message string) map[string]any {
	return map[string]any{"error": map[string]any{"message": message, "type": "invalid_request_error"}}
}

// Event writes one event of a stream. Its first call writes the header.
func Event(w http.ResponseWriter, data string) {
	if w.Header().Get("Content-Type") == "" {
		w.Header().Set("Content-Type", "text/event-stream")
	}
	_, _ = io.WriteString(w, "data: "+data+"\n\n")
	if f, ok := w.(http.Flusher); ok {
		f.Flush()
	}
}

// Delta is an event with a piece of text; finish may be empty.
func Delta(text, finish string) string {
	choice := map[string]any{"index": 0, "delta": map[string]any{"content": text}, "finish_reason": nil}
	if finish != "" {
		choice["finish_reason"] = finish
	}
	b, _ := json.Marshal(map[string]any{"model": Name, "choices": []any{choice}})
	return string(b)
}

func (o output) stream(w http.ResponseWriter, fingerprint any) {
	for _, word := range o.words {
		Event(w, Delta(word, ""))
	}
	Event(w, Delta("", o.finish))
	b, _ := json.Marshal(map[string]any{"model": Name, "system_fingerprint": fingerprint, "choices": []any{}, "usage": o.usage()})
	Event(w, string(b))
	Event(w, "[DONE]")
}
