package openai

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/openai/openaitest"
)

func TestContract(t *testing.T) {
	for _, kind := range openaitest.Kinds() {
		t.Run(kind, func(t *testing.T) {
			s := openaitest.Start(t, kind)
			modeltest.Run(t, func(t *testing.T) model.Model { return openWith(t, quick(s.URL)) }, modeltest.Traits{})
		})
	}
}

func TestServersAreRecognised(t *testing.T) {
	for kind, want := range map[string]percuss.Capabilities{
		"openai":    {Letters: true, Engine: "OpenAI"},
		"vllm":      {Letters: true, Continue: true, Seeded: true, ContextTokens: 8192, Engine: "vLLM 0.15.0"},
		"sglang":    {Letters: true, Continue: true, ContextTokens: 4096, Engine: "SGLang 0.5.3"},
		"llama.cpp": {Letters: true, Continue: true, Seeded: true, ContextTokens: 2048, Engine: "llama.cpp server b6117-abc"},
		"ollama":    {Letters: true, Seeded: true, ContextTokens: 4096, Engine: "Ollama 0.13.0"},
		"tgi":       {Letters: true, Seeded: true, ContextTokens: 3000, Engine: "text-generation-inference 3.3.0"},
		"lmstudio":  {Seeded: true, ContextTokens: 4096, Engine: "LM Studio"},
		"generic":   {Engine: "a server that speaks OpenAI's protocol"},
	} {
		s := openaitest.Start(t, kind)
		m := openWith(t, quick(s.URL))
		want.Text, want.SystemRole, want.Identity = true, true, "openai:"+openaitest.Name+"@"+s.URL
		if diff := cmp.Diff(want, m.Capabilities()); diff != "" {
			t.Errorf("%s (-want +got):\n%s", kind, diff)
		}
		if n := len(s.Requests()); n != 0 {
			t.Errorf("%s: Open sent %d chat requests", kind, n)
		}
		o := quick(s.URL)
		o.Server = kind
		if got := openWith(t, o).Capabilities(); got != m.Capabilities() {
			t.Errorf("%s: named %+v, found out %+v", kind, got, m.Capabilities())
		}
	}
}

func TestOverrides(t *testing.T) {
	s := openaitest.Start(t, "generic")
	o := quick(s.URL)
	o.Letters, o.Continue = "yes", "yes"
	m := openWith(t, o)
	if c := m.Capabilities(); !c.Letters || !c.Continue {
		t.Errorf("yes gives %+v", c)
	}
	got := one(t, m, letters("A", "B"))
	if got.err != nil || len(got.answer.Letters) != 2 {
		t.Errorf("letters of a server that allows five alternatives: %+v", got)
	}
	if sent := s.Requests(); len(sent) != 2 || sent[0]["top_logprobs"] != 20.0 || sent[1]["top_logprobs"] != 5.0 {
		t.Errorf("asked for %v", sent)
	}
	o = quick(openaitest.Start(t, "vllm").URL)
	o.Letters, o.Continue = "no", "no"
	if c := openWith(t, o).Capabilities(); c.Letters || c.Continue {
		t.Errorf("no gives %+v", c)
	}
}

func TestReasoningModelsHaveNoLetters(t *testing.T) {
	c := &client{name: "openai/gpt-5-mini", row: openaiRow()}
	s := &survey{}
	if c.capabilities(t.Context(), s, Options{}).Letters {
		t.Error("gpt-5-mini promises letters")
	}
	if !c.capabilities(t.Context(), s, Options{Letters: "yes"}).Letters {
		t.Error("letters=yes does not hold")
	}
	c.name = "gpt-4.1-mini"
	if !c.capabilities(t.Context(), s, Options{}).Letters {
		t.Error("gpt-4.1-mini promises no letters")
	}
}

// sent returns the one chat request that a server got.
func sent(t *testing.T, kind string, r percuss.Request) (map[string]any, percuss.Answer) {
	t.Helper()
	s := openaitest.Start(t, kind)
	got := one(t, openWith(t, quick(s.URL)), r)
	if got.err != nil {
		t.Fatalf("%s: %v", kind, got.err)
	}
	if len(s.Requests()) != 1 {
		t.Fatalf("%s: %d requests: %v", kind, len(s.Requests()), s.Requests())
	}
	return s.Requests()[0], got.answer
}

func TestEveryParameterIsSent(t *testing.T) {
	for kind, want := range map[string]map[string]any{
		"openai": {"max_completion_tokens": 7.0},
		"vllm":   {"max_tokens": 7.0, "top_k": -1.0, "min_p": 0.0, "repetition_penalty": 1.0},
		"sglang": {"max_tokens": 7.0, "top_k": -1.0, "min_p": 0.0, "repetition_penalty": 1.0},
		"llama.cpp": {"max_tokens": 7.0, "top_k": 0.0, "min_p": 0.0, "repeat_penalty": 1.0, "typical_p": 1.0, "top_n_sigma": -1.0,
			"dynatemp_range": 0.0, "mirostat": 0.0, "xtc_probability": 0.0, "dry_multiplier": 0.0, "cache_prompt": nil},
		"ollama":   {"max_tokens": 7.0},
		"tgi":      {"max_tokens": 7.0},
		"lmstudio": {"max_tokens": 7.0, "top_k": 0.0, "min_p": 0.0, "repeat_penalty": 1.0},
		"generic":  {"max_tokens": 7.0},
	} {
		want["frequency_penalty"], want["presence_penalty"] = 0.0, 0.0
		if kind == "tgi" {
			want["presence_penalty"] = nil // its 0 would be a repetition penalty of 2
		}
		r := ask("Hello")
		r.Sampling = percuss.Sampling{Temperature: 0.7, TopP: 0.9, MaxTokens: 7, Seed: 11, Stop: []string{"\n\n"}}
		body, _ := sent(t, kind, r)
		want["temperature"], want["top_p"], want["seed"], want["n"], want["stream"] = 0.7, 0.9, 11.0, 1.0, true
		for name, v := range want {
			if body[name] != v {
				t.Errorf("%s: %s is %v, want %v", kind, name, body[name], v)
			}
		}
		if diff := cmp.Diff([]any{"\n\n"}, body["stop"]); diff != "" {
			t.Errorf("%s: stop: %s", kind, diff)
		}
		if _, ok := body["replicate"]; ok {
			t.Errorf("%s: the number of the repetition is sent", kind)
		}
	}
}

func TestScoringIsAskedForBeforeAnyFilter(t *testing.T) {
	for kind, top := range map[string]float64{"openai": 20, "vllm": 20, "sglang": 20, "llama.cpp": 100, "ollama": 20, "tgi": 5} {
		body, a := sent(t, kind, letters("A", "B", "C", "D"))
		if body["temperature"] != 1.0 || body["logprobs"] != true || body["top_logprobs"] != top || body["stream"] != false {
			t.Errorf("%s was asked %v", kind, body)
		}
		if p, ok := body["top_p"]; ok == (kind == "tgi") || ok && p != 1.0 {
			t.Errorf("%s: top_p %v", kind, p)
		}
		if body["max_tokens"] != 1.0 && body["max_completion_tokens"] != 1.0 {
			t.Errorf("%s: no limit of one token: %v", kind, body)
		}
		best, _, ok := a.Best()
		if a.Outcome != percuss.OK || !ok || best != "A" {
			t.Errorf("%s: outcome %s, best %q: %+v", kind, a.Outcome, best, a.Letters)
		}
	}
}

func TestBeginnings(t *testing.T) {
	const begin = "The answer is"
	for kind, continues := range map[string]bool{"openai": false, "vllm": true, "sglang": true, "llama.cpp": true, "ollama": false,
		"tgi": false, "lmstudio": false, "generic": false} {
		r := ask("How is the weather?")
		r.Begin = begin
		body, a := sent(t, kind, r)
		messages := body["messages"].([]any)
		last := messages[len(messages)-1].(map[string]any)
		switch {
		case continues && (last["role"] != "assistant" || last["content"] != begin || a.Continued != percuss.Continues):
			t.Errorf("%s: last message %v, continued %q", kind, last, a.Continued)
		case !continues && (len(messages) != 1 || last["role"] != "user" || a.Continued != percuss.Quotes ||
			!strings.HasPrefix(last["content"].(string), "How is the weather?") || !strings.HasSuffix(last["content"].(string), begin)):
			t.Errorf("%s: messages %v, continued %q", kind, messages, a.Continued)
		}
		if strings.Contains(a.Text, begin) || a.Text == "" {
			t.Errorf("%s: text %q", kind, a.Text)
		}
		flags := [2]any{body["add_generation_prompt"], body["continue_final_message"]}
		if want := map[string][2]any{"vllm": {false, true}, "sglang": {nil, true}}[kind]; flags != want {
			t.Errorf("%s: flags %v, want %v", kind, flags, want)
		}
	}
}

// llama.cpp repeats a beginning in whole replies alone. What looks like a repetition in a stream is the model's.
func TestRepeatedBeginnings(t *testing.T) {
	const begin = "The answer is"
	for _, c := range []struct{ kind, text, streamed, whole string }{
		{"llama.cpp", begin + " B", begin + " B", " B"},
		{"llama.cpp", " B", " B", " B"},
		{"vllm", begin + " B", begin + " B", begin + " B"},
		{"generic", begin + " B", " B", " B"},
		{"generic", "\n" + begin + " B", " B", " B"},
	} {
		for _, streams := range []bool{true, false} {
			s := scripted(t, c.kind, func(w http.ResponseWriter, _ map[string]any) {
				if streams {
					openaitest.Event(w, openaitest.Delta(c.text, "stop"))
					return
				}
				openaitest.JSON(w, 200, message200(c.text, "content"))
			})
			r := ask("Which?")
			r.Begin = begin
			want := c.whole
			if streams {
				want = c.streamed
			}
			if got := one(t, openWith(t, quick(s.URL)), r); got.answer.Text != want {
				t.Errorf("%s, streamed %t: %q becomes %q, want %q", c.kind, streams, c.text, got.answer.Text, want)
			}
		}
	}
}

func TestOpenSaysWhatIsWrong(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	s.Key = "sk-secret-of-the-server"
	moved := openaitest.Start(t, "vllm")
	for _, c := range []struct {
		name   string
		change func(*Options)
		want   []string
	}{
		{"nothing there", func(o *Options) { o.URL = "http://127.0.0.1:1/v1" }, []string{"nothing answers", "127.0.0.1:1", "start the server"}},
		{"no key", func(o *Options) { o.KeyFrom = "the variable TOY_KEY" }, []string{"refuses the key", "no key was given", "TOY_KEY"}},
		{"wrong key", func(o *Options) { o.Key = "sk-wrong-and-long-key" }, []string{"refuses the key", "check the key"}},
		{"other model", func(o *Options) { o.Key, o.Name = s.Key, "toy-2" }, []string{"toy-2", "does not have it", "toy-1"}},
		{"without /v1", func(o *Options) { o.URL = strings.TrimSuffix(moved.URL, "/v1") }, []string{"the base URL is " + moved.URL}},
		{"no name", func(o *Options) { o.Name = "" }, []string{"no model is named"}},
		{"unknown kind", func(o *Options) { o.Server = "clippy" }, []string{"clippy", "vllm"}},
		{"neither yes nor no", func(o *Options) { o.Letters = "maybe" }, []string{"letters=maybe"}},
		{"key with a line break", func(o *Options) { o.Key = "sk-a\nb" }, []string{"line break"}},
	} {
		o := quick(s.URL)
		c.change(&o)
		_, err := Open(t.Context(), o)
		if err == nil {
			t.Errorf("%s: opened", c.name)
			continue
		}
		for _, w := range c.want {
			if !strings.Contains(err.Error(), w) {
				t.Errorf("%s: %q does not say %q", c.name, err, w)
			}
		}
		if o.Key != "" && strings.Contains(err.Error(), o.Key) {
			t.Errorf("%s: %q holds the key", c.name, err)
		}
	}
}

// The names in a server's list are a stranger's words: no key, nothing that moves the cursor, none of any length.
func TestNamesInTheListAreShownWithCare(t *testing.T) {
	const key = "tok-12345"
	names := []string{"m\x1b[2J\x07", "echo-" + key, "line\nbreak", "\u202egnp.exe", strings.Repeat("long", 100), "good"}
	var list []any
	for _, n := range names {
		list = append(list, map[string]any{"id": n})
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		openaitest.JSON(w, 200, map[string]any{"data": list})
	}))
	defer server.Close()
	o := quick(server.URL + "/v1")
	o.Key = key
	_, err := Open(t.Context(), o)
	if err == nil {
		t.Fatal("opened")
	}
	text := err.Error()
	for _, bad := range []string{"\x1b", "\x07", "\n", "\u202e", key, strings.Repeat("long", 25)} {
		if strings.Contains(text, bad) {
			t.Errorf("%q holds %q", text, bad)
		}
	}
	for _, want := range []string{"echo-" + mask, "line break", "good", "longlong"} {
		if !strings.Contains(text, want) {
			t.Errorf("%q does not hold %q", text, want)
		}
	}
}
