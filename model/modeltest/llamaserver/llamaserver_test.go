package llamaserver_test

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/modeltest/llamaserver"
	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

// post sends one call and returns its status and body.
func post(t testing.TB, url string, body any) (int, string) {
	t.Helper()
	raw, err := json.Marshal(body)
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, url, bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header["Idempotency-Key"] = nil // sent again when the server has closed the connection in the meantime
	resp, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	return drain(t, resp)
}

func drain(t testing.TB, resp *http.Response) (int, string) {
	t.Helper()
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		t.Fatal(err)
	}
	return resp.StatusCode, string(b)
}

// into reads a body of status 200.
func into(t testing.TB, v any) func(status int, body string) {
	return func(status int, body string) {
		t.Helper()
		if status != http.StatusOK {
			t.Fatalf("status %d: %s", status, body)
		}
		if err := json.Unmarshal([]byte(body), v); err != nil {
			t.Fatalf("%v: %s", err, body)
		}
	}
}

// Each option reaches the server, and the server ends with its test.
func TestStart(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(path, 1); err != nil {
		t.Fatal(err)
	}
	var address string
	t.Run("serving", func(t *testing.T) {
		address = llamaserver.Start(t, path, llamaserver.Options{Slots: 2, Context: 512, Threads: 1, Exact: true,
			Template: "Say {{ messages[0].content }}:", APIKey: "sesame"})
		if status, body := post(t, address+"/tokenize", map[string]any{"content": "x"}); status != http.StatusUnauthorized {
			t.Errorf("status %d without a key: %s", status, body)
		}
		var props struct {
			Slots    int    `json:"total_slots"`
			Template string `json:"chat_template"`
			Settings struct {
				Context int `json:"n_ctx"`
			} `json:"default_generation_settings"`
		}
		r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, address+"/props", nil)
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Authorization", "Bearer sesame")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		into(t, &props)(drain(t, resp))
		if props.Slots != 2 || props.Settings.Context != 512 || !strings.HasPrefix(props.Template, "Say") {
			t.Errorf("%+v", props)
		}
	})
	if address == "" {
		t.Skip("no server")
	}
	if resp, err := http.Get(address + "/health"); err == nil {
		resp.Body.Close()
		t.Error("the server outlived its test")
	}
}

// witness is a test that fails without failing the one that looks at it.
type witness struct {
	testing.TB
	cleanups []func()
	fatal    bool
	logged   strings.Builder
}

func (w *witness) Cleanup(f func())      { w.cleanups = append(w.cleanups, f) }
func (w *witness) Failed() bool          { return w.fatal }
func (w *witness) Fatalf(string, ...any) { w.fatal = true; panic(w) }
func (w *witness) Logf(_ string, a ...any) {
	for _, v := range a {
		w.logged.WriteString(v.(interface{ String() string }).String())
	}
}

// A file that is no model fails the test at once, and the server's own words are shown.
func TestStartOfNoModel(t *testing.T) {
	w := &witness{TB: t}
	func() {
		defer func() {
			if r := recover(); r != nil && r != any(w) {
				panic(r)
			}
		}()
		llamaserver.Start(w, filepath.Join(t.TempDir(), "none.gguf"), llamaserver.Options{})
	}()
	for _, f := range w.cleanups {
		f()
	}
	if !w.fatal || !strings.Contains(w.logged.String(), "none.gguf") {
		t.Errorf("failed: %v, said %q", w.fatal, w.logged.String())
	}
}

// message is one turn.
type message map[string]any

func turn(role, content string) message { return message{"role": role, "content": content} }

var asked = []message{turn("system", "You are a clinician."), turn("user", "Count from one to eight in words.")}

// reply is what the tests look at.
type reply struct {
	Choices []struct {
		Finish  string `json:"finish_reason"`
		Message struct {
			Content   string
			Reasoning string `json:"reasoning_content"`
		}
		Logprobs struct {
			Content []struct {
				Token   string
				Logprob float64
				Top     []struct {
					Token   string
					Logprob float64
				} `json:"top_logprobs"`
			}
		}
	}
	Usage struct {
		Prompt  int `json:"prompt_tokens"`
		Output  int `json:"completion_tokens"`
		Details struct {
			Cached int `json:"cached_tokens"`
		} `json:"prompt_tokens_details"`
	}
}

// chat is a body for the chat endpoint: greedy, four tokens, changed by more.
func chat(messages []message, more ...any) map[string]any {
	body := map[string]any{"messages": messages, "temperature": 0, "max_tokens": 4}
	for i := 0; i < len(more); i += 2 {
		body[more[i].(string)] = more[i+1]
	}
	return body
}

func ask(t testing.TB, address string, body map[string]any) reply {
	t.Helper()
	var r reply
	into(t, &r)(post(t, address+"/v1/chat/completions", body))
	if len(r.Choices) != 1 {
		t.Fatalf("%+v", r)
	}
	return r
}

func served(t testing.TB, o llamaserver.Options) string {
	t.Helper()
	if testing.Short() {
		t.Skip("loads a model")
	}
	return llamaserver.Start(t, modeltest.SmolLM2(t), o)
}
