package openai

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai/openaitest"
	"pgregory.net/rapid"
)

// written is the result of a stream with the bytes given; an empty kind gives it no content type.
func written(t *testing.T, stream, kind string) result {
	t.Helper()
	s := scripted(t, "vllm", func(w http.ResponseWriter, _ map[string]any) {
		if kind != "" {
			w.Header().Set("Content-Type", kind)
		}
		_, _ = io.WriteString(w, stream)
	})
	return one(t, openWith(t, quick(s.URL)), ask("x"))
}

func TestStreamsAsServersWriteThem(t *testing.T) {
	a, b := openaitest.Delta("He", ""), openaitest.Delta("llo", "stop")
	usage := `{"choices":[],"usage":{"prompt_tokens":5,"completion_tokens":2}}`
	for name, stream := range map[string]string{
		"plain":             "data: " + a + "\n\ndata: " + b + "\n\ndata: " + usage + "\n\ndata: [DONE]\n\n",
		"CRLF":              "data: " + a + "\r\n\r\ndata: " + b + "\r\n\r\ndata: " + usage + "\r\n\r\ndata: [DONE]\r\n\r\n",
		"without space":     "data:" + a + "\n\ndata:" + b + "\n\ndata:" + usage + "\n\ndata:[DONE]\n\n",
		"comments":          ": keep-alive\n\n: ping\ndata: " + a + "\n\n:\n\ndata: " + b + "\n\ndata: " + usage + "\n\ndata: [DONE]\n\n",
		"other fields":      "event: message\nid: 1\nretry: 10\ndata: " + a + "\n\ndata: " + b + "\n\ndata: " + usage + "\n\ndata: [DONE]\n\n",
		"without [DONE]":    "data: " + a + "\n\ndata: " + b + "\n\ndata: " + usage + "\n\n",
		"without an end":    "data: " + a + "\n\ndata: " + b + "\n\ndata: " + usage,
		"over two lines":    "data: " + strings.Replace(a, ",", ",\ndata: ", 1) + "\n\ndata: " + b + "\n\ndata: " + usage + "\n\ndata: [DONE]\n\n",
		"usage in the last": "data: " + a + "\n\ndata: " + strings.TrimSuffix(b, "}") + `,"usage":{"prompt_tokens":5,"completion_tokens":2}}` + "\n\ndata: [DONE]\n\n",
		"empty data":        "data:\n\ndata: " + a + "\n\ndata: " + b + "\n\ndata: " + usage + "\n\ndata: [DONE]\n\n",
	} {
		for _, kind := range []string{"text/event-stream", "text/event-stream; charset=utf-8", "text/plain", ""} {
			got := written(t, stream, kind)
			if got.err != nil || got.answer.Text != "Hello" || got.answer.Outcome != percuss.OK || got.answer.Usage != (percuss.Usage{Prompt: 5, Output: 2}) {
				t.Errorf("%s as %q: %+v", name, kind, got)
			}
		}
	}
}

func TestStreamsThatAreNotWhole(t *testing.T) {
	a := openaitest.Delta("He", "")
	for name, c := range map[string]struct{ stream, kind string }{
		"cut":                      {"data: " + a + "\n\n", model.Dropped},
		"[DONE] without a reason":  {"data: " + a + "\n\ndata: [DONE]\n\n", model.Dropped},
		"nothing":                  {"", model.Dropped},
		"an error inside":          {"data: " + a + "\n\ndata: {\"error\":{\"message\":\"CUDA error\",\"code\":500}}\n\n", model.Server},
		"an error event":           {"data: " + a + "\n\nevent: error\ndata: {\"message\":\"engine overloaded\"}\n\n", model.Overload},
		"an error event in words":  {"data: " + a + "\n\nevent: error\ndata: it broke\n\n", model.Server},
		"half a chunk":             {"data: " + a + "\n\ndata: {\"choices\":[{\"del\n\n", model.Malformed},
		"an error before anything": {"data: {\"error\":{\"message\":\"rate limit\"}}\n\n", model.RateLimit},
	} {
		got := written(t, c.stream, "text/event-stream")
		if kindOf(got.err) != c.kind || got.answer.Text != "" || len(got.again) == 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestReasoningIsKeptApart(t *testing.T) {
	for _, field := range []string{"reasoning_content", "reasoning"} {
		got := written(t, `data: {"choices":[{"delta":{"role":"assistant","`+field+`":"B "}}]}`+"\n\n"+
			`data: {"choices":[{"delta":{"`+field+`":"it is"}}]}`+"\n\ndata: "+openaitest.Delta("B", "stop")+"\n\n", "text/event-stream")
		if got.answer.Reasoning != "B it is" || got.answer.Text != "B" {
			t.Errorf("%s: %+v", field, got)
		}
	}
}

func TestServersThatDoNotStream(t *testing.T) {
	s := openaitest.Start(t, "generic")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		if body["stream"] == true {
			openaitest.Error(w, 400, "Streaming is not supported for this model.")
			return true
		}
		return false
	}
	m := openWith(t, quick(s.URL))
	for range 2 {
		if got := one(t, m, ask("x")); got.answer.Outcome != percuss.OK || got.answer.Text == "" || got.answer.Detail != "" {
			t.Errorf("%+v", got)
		}
	}
	if n := len(s.Requests()); n != 3 {
		t.Errorf("%d requests for two answers; want one to find out", n)
	}
	// One that passes over the wish and answers plainly.
	got := written(t, `{"choices":[{"finish_reason":"stop","message":{"content":"Hi"}}]}`, "application/json")
	if got.answer.Text != "Hi" {
		t.Errorf("%+v", got)
	}
}

func TestServersThatRefuseParameters(t *testing.T) {
	s := openaitest.Start(t, "openai")
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		for _, name := range []string{"temperature", "top_p", "stream_options", "presence_penalty", "frequency_penalty"} {
			if _, ok := body[name]; ok {
				openaitest.JSON(w, 400, map[string]any{"error": map[string]any{"param": name, "code": "unsupported_parameter",
					"message": "Unsupported parameter: '" + name + "' is not supported with this model."}})
				return true
			}
		}
		return false
	}
	got := one(t, openWith(t, quick(s.URL)), ask("x"))
	if got.answer.Outcome != percuss.OK || !strings.Contains(got.answer.Detail, "no frequency_penalty, presence_penalty, temperature, top_p, so") {
		t.Errorf("%+v", got)
	}
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		openaitest.Error(w, 400, "temperature must be between 0 and 2")
		return true
	}
	if got := one(t, openWith(t, quick(s.URL)), ask("x")); kindOf(got.err) != "refused" || len(s.Requests()) != 8 {
		t.Errorf("a value that is refused, after %d requests: %+v", len(s.Requests()), got)
	}
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		openaitest.Error(w, 403, "You are not allowed to request logprobs from this model")
		return true
	}
	if got := one(t, openWith(t, quick(s.URL)), letters("A")); kindOf(got.err) != model.Capability || !model.IsFatal(got.err) {
		t.Errorf("no letters: %+v", got)
	}
}

// Penalties of 0 change nothing, so a server that refuses to be told of them is asked without.
func TestServersThatRefusePenalties(t *testing.T) {
	for _, words := range []string{
		"Argument not supported on this model: %[2]s",
		"Unknown name \"%[1]s\": Cannot find field.",
		"Penalty is not enabled for this model",
		"Unsupported parameter: '%[1]s' is not supported with this model.",
	} {
		s := openaitest.Start(t, "generic")
		s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
			for sent, camel := range map[string]string{"presence_penalty": "presencePenalty", "frequency_penalty": "frequencyPenalty"} {
				if _, ok := body[sent]; ok {
					openaitest.Error(w, 400, fmt.Sprintf(words+"%[3]s", sent, camel, ""))
					return true
				}
			}
			return false
		}
		m := openWith(t, quick(s.URL))
		for range 2 {
			if got := one(t, m, ask("x")); got.answer.Outcome != percuss.OK || got.answer.Detail != "the server takes no frequency_penalty, presence_penalty, so its own default held" {
				t.Errorf("%s: %+v", words, got)
			}
		}
		if n := len(s.Requests()); n != 4 {
			t.Errorf("%s: %d requests for two answers, want two to find out", words, n)
		}
	}
}

// TestEventsInAnyPieces reads the same stream however its bytes arrive.
func TestEventsInAnyPieces(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := rapid.SliceOfN(rapid.StringMatching(`[a-zé漢{}":]{1,40}`), 0, 8).Draw(t, "events")
		end := rapid.SampledFrom([]string{"\n", "\r\n"}).Draw(t, "end")
		var text strings.Builder
		for _, w := range want {
			text.WriteString(rapid.SampledFrom([]string{"", ": note" + end, "id: 7" + end}).Draw(t, "noise"))
			text.WriteString("data: " + w + end + end)
		}
		e := events{r: bufio.NewReaderSize(iotest.OneByteReader(strings.NewReader(text.String())), 16)}
		var got []string
		for {
			_, data, err := e.next()
			if err != nil {
				if !errors.Is(err, io.EOF) {
					t.Fatal(err)
				}
				break
			}
			got = append(got, string(data))
		}
		if len(want) == 0 {
			want = nil
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
	})
}

func FuzzReply(f *testing.F) {
	f.Add("application/json", []byte(`{"choices":[{"finish_reason":"stop","message":{"content":"B"},"logprobs":{"content":[{"token":"A","logprob":-Infinity}]}}]}`))
	f.Add("text/event-stream", []byte("data: {\"choices\":[{\"delta\":null,\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]"))
	f.Add("", []byte(`{"error":[1,2]}`))
	f.Add("", []byte(`{"error":{"message":{"a":1},"code":1e99}}`))
	f.Fuzz(func(t *testing.T, kind string, body []byte) {
		res := &http.Response{StatusCode: 200, Header: http.Header{"Content-Type": {kind}}, Body: io.NopCloser(strings.NewReader(string(body)))}
		got, err := newReading(vllmRow()).read(res)
		c := &client{row: vllmRow(), wire: &wire{secret: secret{forms: strings.NewReplacer()}}}
		var p *problem
		switch {
		case errors.As(err, &p):
			if outcome, err := c.meaning(p, true); outcome == "" && err == nil {
				t.Error("a problem without a meaning")
			}
		case err == nil:
			for _, r := range []percuss.Request{ask("x"), letters("A", "BB")} {
				x, err := c.conclude(r, "", got, shape{top: 20})
				if err == nil && x.answer.Outcome == "" {
					t.Errorf("no outcome: %+v", x.answer)
				}
				for _, l := range x.answer.Letters {
					if v, ok := l.LogProb.Get(); ok && v > 0 {
						t.Errorf("%s has log-probability %g", l.Letter, v)
					}
				}
			}
		}
	})
}
