package openaitest

import (
	"fmt"
	"hash/fnv"
	"math"
	"slices"
	"strings"
)

// kind is how one server behaves.
type kind struct {
	name        string
	owner       string
	headers     map[string]string
	gets        map[string]any
	maxModelLen int

	everything200 bool     // unknown paths get status 200
	maxTop        int      // most alternatives; 0: none are given
	refusal       int      // status of a refusal
	known         []string // parameters, where others are refused
	continuing    func(body map[string]any) bool
	repeats       bool
	twice         bool // the sampled token is listed twice
	standIn       bool // the last alternatives are stand-ins
}

func kinds() []kind {
	flag := func(b map[string]any, name string) bool { return b[name] == true }
	return []kind{
		{name: "openai", owner: "system", headers: map[string]string{"Openai-Version": "2020-10-01"}, maxTop: 20, refusal: 400,
			known: []string{"model", "messages", "n", "stream", "stream_options", "temperature", "top_p", "seed", "stop",
				"max_completion_tokens", "logprobs", "top_logprobs", "presence_penalty", "frequency_penalty"}},
		{name: "vllm", owner: "vllm", maxModelLen: 8192, gets: map[string]any{"/version": map[string]any{"version": "0.15.0"}},
			maxTop: 20, refusal: 400, twice: true, standIn: true,
			continuing: func(b map[string]any) bool {
				return flag(b, "continue_final_message") && b["add_generation_prompt"] == false
			}},
		{name: "sglang", owner: "sglang", maxModelLen: 4096, maxTop: 20, refusal: 400,
			gets:       map[string]any{"/get_server_info": map[string]any{"version": "0.5.3"}, "/get_model_info": map[string]any{"model_path": Name}},
			continuing: func(b map[string]any) bool { return flag(b, "continue_final_message") }},
		{name: "llama.cpp", owner: "llamacpp", headers: map[string]string{"Server": "llama.cpp"}, maxTop: 1000, refusal: 400, repeats: true,
			gets: map[string]any{"/props": map[string]any{"build_info": "b6117-abc",
				"default_generation_settings": map[string]any{"n_ctx": 2048}}},
			continuing: func(map[string]any) bool { return true }},
		{name: "ollama", owner: "library", maxTop: 20, refusal: 400,
			gets: map[string]any{"/api/version": map[string]any{"version": "0.13.0"},
				"/api/ps": map[string]any{"models": []any{map[string]any{"name": Name + ":latest", "context_length": 4096}}}}},
		{name: "tgi", owner: Name, maxTop: 5, refusal: 422,
			gets: map[string]any{"/info": map[string]any{"version": "3.3.0", "router": "text-generation-router", "max_total_tokens": 3000}}},
		{name: "lmstudio", owner: "organization_owner", everything200: true, refusal: 400,
			gets: map[string]any{"/api/v0/models": map[string]any{"data": []any{
				map[string]any{"id": Name, "max_context_length": 32768, "loaded_context_length": 4096}}}}},
		{name: "generic", owner: "somebody", maxTop: 5, refusal: 400},
	}
}

// refuse says what the server finds wrong with a request.
func (k kind) refuse(body map[string]any) string {
	for name := range body {
		if k.known != nil && !slices.Contains(k.known, name) {
			return "Unrecognized request argument supplied: " + name
		}
	}
	n, _ := body["top_logprobs"].(float64)
	switch {
	case k.maxTop > 0 && int(n) > k.maxTop:
		return fmt.Sprintf("top_logprobs of %d is greater than max allowed: %d", int(n), k.maxTop)
	case k.name == "tgi" && body["presence_penalty"] != nil:
		return "a real one adds 2 and takes the sum for a repetition penalty: no request may hold it"
	case k.name == "tgi" && body["top_p"] == 1.0:
		return "Input validation error: `top_p` must be > 0.0 and < 1.0"
	case body["continue_final_message"] == true && body["add_generation_prompt"] != false && k.name == "vllm":
		return "Cannot set both `continue_final_message` and `add_generation_prompt` to True."
	}
	return ""
}

// output is what the toy model makes of a chat.
type output struct {
	prefix string // beginning that a whole reply repeats; a stream does not
	words  []string
	finish string
	prompt int // tokens
}

func (o output) usage() map[string]any {
	return map[string]any{"prompt_tokens": o.prompt, "completion_tokens": len(o.words)}
}

// words is how many the toy model says of its own accord.
const words = 20

// generate says words that depend on the chat and on their place; fewer where the limit is lower. A turn that is
// continued goes on at the word after its beginning; one that is not starts over.
func (k kind) generate(body map[string]any) output {
	chat, last := chatOf(body)
	o := output{finish: "stop", prompt: len(chat)/4 + 1}
	from := 0
	if last["role"] == "assistant" {
		begun, _ := last["content"].(string)
		o.prompt += len(begun)/4 + 1
		if k.continuing != nil && k.continuing(body) {
			from = min(len(strings.Fields(begun)), words-1)
			if k.repeats {
				o.prefix = begun
			}
		}
	}
	vocabulary := []string{" rain", " sun", " wind", " a", " cloud", " light", " the", " day"}
	for i := from; i < words; i++ {
		o.words = append(o.words, vocabulary[hash(chat, i)%uint32(len(vocabulary))])
	}
	for _, name := range []string{"max_tokens", "max_completion_tokens"} {
		if most, ok := body[name].(float64); ok && int(most) < len(o.words) {
			o.words, o.finish = o.words[:int(most)], "length"
		}
	}
	return o
}

// chatOf is the chat up to a last assistant message, and the last message.
func chatOf(body map[string]any) (string, map[string]any) {
	messages, _ := body["messages"].([]any)
	var chat strings.Builder
	var last map[string]any
	for i, m := range messages {
		last, _ = m.(map[string]any)
		if i < len(messages)-1 || last["role"] != "assistant" {
			fmt.Fprintf(&chat, "%v: %v\n", last["role"], last["content"])
		}
	}
	return chat.String(), last
}

func hash(chat string, i int) uint32 {
	h := fnv.New32a()
	_, _ = fmt.Fprintf(h, "%s%d", chat, i) // never fails
	return h.Sum32()
}

// position gives n alternatives: the letters A to D with and without a space, then words. How fast they fall off
// depends on the chat.
func (k kind) position(body map[string]any, n int) map[string]any {
	entry := func(text string, p float64) map[string]any {
		return map[string]any{"token": text, "bytes": numbers(text), "logprob": math.Log(p)}
	}
	chat, _ := chatOf(body)
	p, fall := 0.4, 0.5+0.05*float64(hash(chat, 0)%1000)/1000
	var top []any
	for i := 0; len(top) < n; i++ {
		text := fmt.Sprintf("w%d", i)
		if i < 8 {
			text = []string{" A", "B", "A", " C", " B", "D", "C", " D"}[i]
		}
		e := entry(text, p)
		if k.standIn && len(top) >= 12 {
			e["logprob"] = -9999.0
		}
		top = append(top, e)
		p *= fall
	}
	if k.twice && n > 1 {
		top = append(top[:1:1], top[:n-1]...)
	}
	first := entry(" A", 0.4)
	first["top_logprobs"] = top
	return first
}

func numbers(text string) []int {
	var out []int
	for _, b := range []byte(text) {
		out = append(out, int(b))
	}
	return out
}
