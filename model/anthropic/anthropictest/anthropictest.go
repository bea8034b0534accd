// Package anthropictest has a small server that speaks Anthropic's messages interface, in the way of older models,
// which continue a given turn and take a temperature, or of newer ones, which refuse both. Behind each is the same toy
// model, whose words depend on the chat alone.
package anthropictest

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"github.com/percuss/percuss/model/modeltest"
)

// Name is the model that the server has.
const Name = "claude-toy-1"

// The kinds of models.
const (
	Older = "older" // continues a given turn, takes temperature or top_p, not both
	Newer = "newer" // refuses to continue, and any temperature
)

// Server is a running server.
type Server struct {
	URL string // base, without /v1
	Key string // required when not empty

	// Script, when set, sees each request for a message first; when it returns true it has answered.
	Script func(w http.ResponseWriter, r *http.Request, body map[string]any) bool

	// Batches, when set, makes the server take batches.
	Batches *Batches
	modeltest.HandedIn

	kind string
	mu   sync.Mutex
	got  []map[string]any
}

// Start runs a server of a kind until the test ends.
func Start(t testing.TB, kind string) *Server {
	t.Helper()
	if kind != Older && kind != Newer {
		t.Fatalf("there is no kind of model %q", kind)
	}
	s := &Server{kind: kind}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/models/{name}", func(w http.ResponseWriter, r *http.Request) {
		switch name := r.PathValue("name"); {
		case !s.allowed(w, r):
		case name != Name:
			Error(w, 404, "not_found_error", "model: "+name)
		default:
			JSON(w, 200, map[string]any{"type": "model", "id": Name, "display_name": "Toy", "max_input_tokens": 200000, "max_tokens": 8192})
		}
	})
	mux.HandleFunc("POST /v1/messages", s.message)
	s.batchHandlers(mux)
	server := httptest.NewServer(mux)
	t.Cleanup(server.Close)
	s.URL = server.URL
	return s
}

// Requests are the bodies of the requests for messages so far.
func (s *Server) Requests() []map[string]any {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]map[string]any(nil), s.got...)
}

func (s *Server) allowed(w http.ResponseWriter, r *http.Request) bool {
	if s.Key != "" && r.Header.Get("X-Api-Key") != s.Key {
		Error(w, 401, "authentication_error", "invalid x-api-key: "+r.Header.Get("X-Api-Key"))
		return false
	}
	return true
}

func (s *Server) message(w http.ResponseWriter, r *http.Request) {
	raw, err := io.ReadAll(r.Body)
	var body map[string]any
	if err != nil || json.Unmarshal(raw, &body) != nil {
		Error(w, 400, "invalid_request_error", "no JSON")
		return
	}
	s.mu.Lock()
	s.got = append(s.got, body)
	s.mu.Unlock()
	if s.Script != nil && s.Script(w, r, body) || !s.allowed(w, r) {
		return
	}
	status, reply := s.reply(body)
	JSON(w, status, reply)
}

// reply is the message that answers a request, or the error.
func (s *Server) reply(body map[string]any) (status int, reply map[string]any) {
	if body["model"] != Name {
		return 404, errorBody("not_found_error", fmt.Sprintf("model: %v", body["model"]))
	}
	if refusal := s.refuse(body); refusal != "" {
		return 400, errorBody("invalid_request_error", refusal)
	}
	words, stop := generate(body)
	messages, _ := json.Marshal(body["messages"]) // it came as JSON
	return 200, message([]any{map[string]any{"type": "text", "text": strings.Join(words, "")}}, stop, len(messages)/4, len(words))
}

// refuse says what the server finds wrong with a request.
func (s *Server) refuse(body map[string]any) string {
	messages, _ := body["messages"].([]any)
	if len(messages) == 0 {
		return "messages: at least one message is required"
	}
	last, _ := messages[len(messages)-1].(map[string]any)
	said := textOf(last)
	_, warm := body["temperature"]
	_, cut := body["top_p"]
	n, _ := body["max_tokens"].(float64)
	switch {
	case n < 1:
		return "max_tokens: Field required"
	case last["role"] == "assistant" && s.kind == Newer:
		return "This model does not support assistant message prefill. The conversation must end with a user message."
	case last["role"] == "assistant" && said != strings.TrimRight(said, " \t\r\n"):
		return "messages: final assistant content cannot end with trailing whitespace"
	case s.kind == Newer && warm:
		return "`temperature` is deprecated for this model."
	case s.kind == Newer && cut:
		return "`top_p` is deprecated for this model."
	case warm && cut:
		return "`temperature` and `top_p` cannot both be specified for this model. Please use only one."
	}
	return ""
}

// textOf is the text of a message, whose content is a string or a list of blocks.
func textOf(message map[string]any) string {
	if s, ok := message["content"].(string); ok {
		return s
	}
	var out strings.Builder
	blocks, _ := message["content"].([]any)
	for _, b := range blocks {
		block, _ := b.(map[string]any)
		text, _ := block["text"].(string)
		out.WriteString(text)
	}
	return out.String()
}

// toyWords is how many the toy model says of its own accord.
const toyWords = 20

// generate says words that depend on the chat and on their place, fewer where the limit is lower. A turn that is
// continued goes on at the word after its beginning.
func generate(body map[string]any) (words []string, stop string) {
	messages, _ := body["messages"].([]any)
	var chat strings.Builder
	from := 0
	for i, m := range messages {
		message, _ := m.(map[string]any)
		if i == len(messages)-1 && message["role"] == "assistant" {
			from = min(len(strings.Fields(textOf(message))), toyWords-1)
			continue
		}
		fmt.Fprintf(&chat, "%v: %s\n", message["role"], textOf(message))
	}
	vocabulary := []string{" rain", " sun", " wind", " a", " cloud", " light", " the", " day"}
	for i := from; i < toyWords; i++ {
		h := fnv.New32a()
		_, _ = fmt.Fprintf(h, "%v%s%d", body["system"], chat.String(), i) // never fails
		words = append(words, vocabulary[h.Sum32()%uint32(len(vocabulary))])
	}
	if n, _ := body["max_tokens"].(float64); int(n) < len(words) {
		return words[:int(n)], "max_tokens"
	}
	return words, "end_turn"
}

// Reply writes a message of one text block that ended for a reason.
func Reply(w http.ResponseWriter, text, stop string, prompt, output int) {
	Blocks(w, []any{map[string]any{"type": "text", "text": text}}, stop, prompt, output)
}

// Blocks writes a message of any blocks.
func Blocks(w http.ResponseWriter, blocks []any, stop string, prompt, output int) {
	JSON(w, 200, message(blocks, stop, prompt, output))
}

func message(blocks []any, stop string, prompt, output int) map[string]any {
	return map[string]any{"id": "msg_1", "type": "message", "role": "assistant", "model": Name + "-20260101", "content": blocks,
		"stop_reason": stop, "stop_sequence": nil, "usage": map[string]any{"input_tokens": prompt, "output_tokens": output}}
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

// Error writes an error in Anthropic's form.
func Error(w http.ResponseWriter, status int, kind, message string) {
	JSON(w, status, errorBody(kind, message))
}

func errorBody(kind, message string) map[string]any {
	return map[string]any{"type": "error", "error": map[string]any{"type": kind, "message": message}}
}
