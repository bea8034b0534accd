package llamaserver_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss/model/modeltest/llamaserver"
)

// TestFacts holds what the package comment says about the server.
func TestFacts(t *testing.T) {
	address := served(t, llamaserver.Options{})
	begun := func(text string) []message { return append(slices.Clone(asked), turn("assistant", text)) }
	t.Run("continuing", func(t *testing.T) { continuing(t, address, begun) })
	t.Run("stream", func(t *testing.T) { streaming(t, address, begun("one, two,")) })
	t.Run("log-probabilities", func(t *testing.T) { logProbs(t, address, begun("one, two,")) })
	t.Run("sampling", func(t *testing.T) { sampling(t, address) })
	t.Run("limits", func(t *testing.T) { limits(t, address) })
	t.Run("template", func(t *testing.T) { template(t, address, begun("one, two, ")) })
}

func continuing(t *testing.T, address string, begun func(string) []message) {
	for _, begin := range []string{"one, two,", "  one, two", "one, two,\n"} {
		r := ask(t, address, chat(begun(begin)))
		if c := r.Choices[0]; !strings.HasPrefix(c.Message.Content, begin) || c.Message.Content == begin || r.Usage.Output != 4 {
			t.Errorf("%q: %+v", begin, r)
		}
	}
	if r := ask(t, address, chat(begun("one, two,"), "add_generation_prompt", false, "continue_final_message", true)); r.Choices[0].Message.Content != "one, two, three, four," {
		t.Errorf("%+v", r)
	}
	if status, body := post(t, address+"/v1/chat/completions", chat(begun("one,"), "continue_final_message", true)); status != http.StatusBadRequest {
		t.Errorf("status %d: %s", status, body)
	}
	if r := ask(t, address, chat(begun("one, two,"), "stop", []string{"two", ", four"})); r.Choices[0].Message.Content != "one, two, three" || r.Choices[0].Finish != "stop" {
		t.Errorf("%+v", r)
	}
	if r := ask(t, address, chat(begun("one, two,"), "max_tokens", 0)); r.Usage.Output != 1 {
		t.Errorf("%+v", r)
	}
}

func streaming(t *testing.T, address string, begun []message) {
	status, body := post(t, address+"/v1/chat/completions", chat(begun, "stream", true, "stream_options", map[string]any{"include_usage": true}))
	if status != http.StatusOK {
		t.Fatal(status, body)
	}
	var events []string
	for line := range strings.SplitSeq(body, "\n") {
		if data, ok := strings.CutPrefix(line, "data: "); ok {
			events = append(events, data)
		}
	}
	if n := len(events); n != 8 || events[n-1] != "[DONE]" || !strings.Contains(events[0], `"delta":{"role":"assistant","content":null}`) ||
		!strings.Contains(events[1], `"delta":{"content":" three"}`) || !strings.Contains(events[n-3], `"finish_reason":"length"`) ||
		!strings.Contains(events[n-2], `"choices":[]`) || !strings.Contains(events[n-2], `"usage":{`) {
		t.Errorf("%d events:\n%s", n, body)
	}
	closesAfterStream(t, address)
}

func closesAfterStream(t *testing.T, address string) {
	conn, err := net.Dial("tcp", strings.TrimPrefix(address, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	body, err := json.Marshal(chat(asked, "stream", true))
	if err != nil {
		t.Fatal(err)
	}
	r, err := http.NewRequest(http.MethodPost, address+"/v1/chat/completions", bytes.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Content-Type", "application/json")
	if err := r.Write(conn); err != nil {
		t.Fatal(err)
	}
	in := bufio.NewReader(conn)
	resp, err := http.ReadResponse(in, r)
	if err != nil {
		t.Fatal(err)
	}
	if status, body := drain(t, resp); status != http.StatusOK || resp.Header.Get("Keep-Alive") == "" || resp.Close {
		t.Errorf("status %d, header %v: %s", status, resp.Header, body)
	}
	conn.SetReadDeadline(time.Now().Add(3 * time.Second)) // below the five seconds after which idle ones are closed
	if _, err := in.ReadByte(); !errors.Is(err, io.EOF) {
		t.Errorf("after a stream the connection gives %v", err)
	}
}

func logProbs(t *testing.T, address string, begun []message) {
	greedy := ask(t, address, chat(begun, "logprobs", true, "top_logprobs", 50))
	first := greedy.Choices[0].Logprobs.Content
	if len(first) != 4 || first[0].Token != " three" || len(first[0].Top) != 50 {
		t.Fatalf("%+v", greedy)
	}
	warm := ask(t, address, chat(begun, "logprobs", true, "top_logprobs", 50, "temperature", 1.5, "seed", 1, "max_tokens", 1, "logit_bias", [][2]any{{330, 100}}))
	biased := warm.Choices[0].Logprobs.Content[0]
	for i, c := range biased.Top {
		if want := first[0].Top[i]; c.Token != want.Token || math.Abs(c.Logprob-want.Logprob) > 0.05 {
			t.Errorf("place %d: %q %.4f, greedy %q %.4f", i, c.Token, c.Logprob, want.Token, want.Logprob)
			break
		}
		if c.Token == biased.Token {
			t.Errorf("the sampled token %q stands at place %d", c.Token, i)
		}
	}
	all := ask(t, address, chat(begun, "logprobs", true, "top_logprobs", 60000, "max_tokens", 1)).Choices[0].Logprobs.Content[0]
	sum := 0.0
	for _, c := range all.Top {
		sum += math.Exp(c.Logprob)
	}
	if len(all.Top) != 49152 || math.Abs(sum-1) > 1e-3 {
		t.Errorf("%d tokens, probabilities sum to %g", len(all.Top), sum)
	}
	for _, n := range []int{0, -1} {
		if r := ask(t, address, chat(begun, "logprobs", true, "top_logprobs", n)); len(r.Choices[0].Logprobs.Content) != 0 {
			t.Errorf("top_logprobs %d: %+v", n, r)
		}
	}
	if status, body := post(t, address+"/v1/chat/completions", chat(begun, "top_logprobs", 5)); status != http.StatusBadRequest {
		t.Errorf("status %d: %s", status, body)
	}
	whole := ask(t, address, chat([]message{turn("system", "Answer shortly."), turn("user", "Say hi.")}, "max_tokens", 200, "logprobs", true, "top_logprobs", 1))
	tokens := whole.Choices[0].Logprobs.Content
	if last := tokens[len(tokens)-1]; whole.Choices[0].Finish != "stop" || last.Token != "" || len(tokens) != whole.Usage.Output {
		t.Errorf("%s after %d tokens of %d, the last is %q", whole.Choices[0].Finish, len(tokens), whole.Usage.Output, last.Token)
	}
}

func sampling(t *testing.T, address string) {
	drawn := func(seed uint64) string {
		return ask(t, address, chat(asked, "temperature", 1.5, "top_k", 0, "min_p", 0, "top_p", 1, "seed", seed, "max_tokens", 12)).Choices[0].Message.Content
	}
	if a, b := drawn(7), drawn(7); a != b {
		t.Errorf("seed 7 gave %q, then %q", a, b)
	}
	if a, b := drawn(7), drawn(8); a == b {
		t.Errorf("seeds 7 and 8 gave %q", a)
	}
	if a, b := drawn(7), drawn(7+1<<32); a != b {
		t.Errorf("seeds that differ above 32 bits gave %q and %q", a, b)
	}
	first := ask(t, address, chat(asked, "cache_prompt", false))
	again := ask(t, address, chat(asked))
	if first.Usage.Prompt != again.Usage.Prompt || first.Usage.Details.Cached != 0 || again.Usage.Details.Cached != first.Usage.Prompt-1 {
		t.Errorf("%+v, then %+v", first.Usage, again.Usage)
	}
	if status, body := post(t, address+"/v1/chat/completions", chat(asked, "n", 2)); status != http.StatusBadRequest {
		t.Errorf("status %d: %s", status, body)
	}
}

func limits(t *testing.T, address string) {
	long := []message{turn("user", strings.Repeat("word ", 5000))}
	status, body := post(t, address+"/v1/chat/completions", chat(long))
	if status != http.StatusBadRequest || !strings.Contains(body, `"type":"exceed_context_size_error"`) || !strings.Contains(body, `"n_ctx":4096`) {
		t.Errorf("status %d: %s", status, body)
	}
	if status, body := post(t, address+"/v1/chat/completions", chat(asked, "model", "anything")); status != http.StatusOK ||
		!strings.Contains(body, ".gguf") || !strings.Contains(body, `"system_fingerprint":"b0-unknown"`) {
		t.Errorf("status %d: %s", status, body)
	}
}

func template(t *testing.T, address string, begun []message) {
	var p struct{ Prompt string }
	into(t, &p)(post(t, address+"/apply-template", map[string]any{"messages": begun}))
	if !strings.HasSuffix(p.Prompt, "<|im_start|>assistant\none, two, ") {
		t.Errorf("%q", p.Prompt)
	}
	var tokens struct{ Tokens []struct{ Piece string } }
	into(t, &tokens)(post(t, address+"/tokenize", map[string]any{"content": "<|im_start|>user", "parse_special": true, "with_pieces": true}))
	if len(tokens.Tokens) != 2 || tokens.Tokens[0].Piece != "<|im_start|>" {
		t.Errorf("%+v", tokens)
	}
}

// thinking is a template that opens a chain of thought, and writes one down as such templates do.
const thinking = `{% for m in messages %}{{ "<|im_start|>" + m.role + "\n" }}` +
	`{% if m.role == "assistant" and m.reasoning_content is defined and m.reasoning_content %}{{ "<think>\n" + m.reasoning_content + "\n</think>\n\n" }}{% endif %}` +
	`{{ m.content + "<|im_end|>\n" }}{% endfor %}{% if add_generation_prompt %}{{ "<|im_start|>assistant\n" }}` +
	`{% if enable_thinking is defined and enable_thinking is false %}{{ "<think>\n\n</think>\n\n" }}{% else %}{{ "<think>\n" }}{% endif %}{% endif %}`

func TestReasoning(t *testing.T) {
	address := served(t, llamaserver.Options{Template: thinking})
	if c := ask(t, address, chat(asked)).Choices[0]; c.Message.Content != "" || c.Message.Reasoning == "" || c.Finish != "length" {
		t.Errorf("cut within the chain: %+v", c)
	}
	inside := append(slices.Clone(asked), message{"role": "assistant", "reasoning_content": "one, two,", "content": ""})
	if c := ask(t, address, chat(inside)).Choices[0]; c.Message.Content != "" || c.Message.Reasoning != "one, two, three, four," {
		t.Errorf("a beginning inside the chain: %+v", c)
	}
	for begin, end := range map[string]string{
		"one, two,":          "assistant\n<think>\n\n</think>\n\none, two,",
		"<think>\none, two,": "assistant\n<think>\n\n</think>\n\n<think>\none, two,",
	} {
		begun := append(slices.Clone(asked), turn("assistant", begin))
		var p struct{ Prompt string }
		into(t, &p)(post(t, address+"/apply-template", map[string]any{"messages": begun}))
		if !strings.HasSuffix(p.Prompt, end) {
			t.Errorf("%q leads to the prompt %q", begin, p.Prompt)
		}
		if c := ask(t, address, chat(begun)).Choices[0]; !strings.HasPrefix(c.Message.Content, begin) || c.Message.Reasoning != "" {
			t.Errorf("%q: %+v", begin, c)
		}
	}
}
