package openai

import (
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai/openaitest"
)

// The tests of this file are named after the reports in which the faults were met.

// scoredBy is the answer of a server of a kind that lists the tokens and values given. The first of them is the sampled one.
func scoredBy(t *testing.T, kind string, labels []string, list string) result {
	t.Helper()
	sampled, _, _ := strings.Cut(list, "}")
	s := raw(t, kind, 200, `{"model":"toy-1","choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":"B"},
		"logprobs":{"content":[`+sampled+`,"top_logprobs":[`+list+`]}]}}],"usage":{"prompt_tokens":9,"completion_tokens":1}}`)
	return one(t, openWith(t, quick(s.URL)), letters(labels...))
}

func top(pairs ...any) string {
	var out []string
	for i := 0; i < len(pairs); i += 2 {
		b, _ := json.Marshal(map[string]any{"token": pairs[i], "logprob": pairs[i+1]})
		out = append(out, string(b))
	}
	return strings.Join(out, ",")
}

func near(t *testing.T, a percuss.Answer, label string, want float64) {
	t.Helper()
	for _, l := range a.Letters {
		if v, ok := l.LogProb.Get(); l.Letter == label && (!ok || l.Censored || math.Abs(v-want) > 1e-3) {
			t.Errorf("%s scores %g (there: %t, censored: %t), want %g", label, v, ok, l.Censored, want)
		}
	}
}

func TestLLMMCQBias6(t *testing.T) { // with and without a leading space
	got := scoredBy(t, "openai", []string{"A", "B", "C"}, top(" B", -0.9163, "A", -1.2040, " A", -1.3863, "C", -3.9120, "a", -9.0, "А", -9.5))
	near(t, got.answer, "A", math.Log(0.55))
	near(t, got.answer, "C", -3.9120)
	// Two spaces make another token.
	near(t, scoredBy(t, "openai", []string{"A", "B"}, top("A", -1.2040, "  A", -1.3863, "B", -2.0)).answer, "A", -1.2040)
	if best, _, ok := got.answer.Best(); !ok || best != "A" {
		t.Errorf("best is %q: %+v", best, got)
	}
}

func TestVLLM36746(t *testing.T) { // the sampled token twice
	for _, list := range []string{top("B", -0.5, "B", -0.5, "A", -1.2), top("B", -0.5, "A", -1.2)} {
		got := scoredBy(t, "vllm", []string{"A", "B"}, list)
		near(t, got.answer, "B", -0.5)
		near(t, got.answer, "A", -1.2)
	}
	// Two values are two tokens; together they cannot exceed 1.
	got := scoredBy(t, "vllm", []string{"A", "B"}, top("B", -0.5, "B", -0.6, "A", -1.2))
	if kindOf(got.err) != model.Malformed || len(got.again) == 0 {
		t.Errorf("probabilities above 1: %+v", got)
	}
}

func TestTextGenerationInference2108(t *testing.T) { // values after filtering
	for kind, list := range map[string]string{"tgi": top("B", 0.0), "vllm": top("B", 0.0, "A", -9999.0, "C", nil)} {
		s := raw(t, kind, 200, `{"choices":[{"finish_reason":"length","message":{"content":"B"},"logprobs":{"content":[
			{"token":"B","logprob":0.0,"top_logprobs":[`+list+`]}]}}]}`)
		got := one(t, openWith(t, quick(s.URL)), letters("A", "B"))
		if kindOf(got.err) != model.Capability || !model.IsFatal(got.err) || !strings.Contains(got.err.Error(), "letters=no") {
			t.Errorf("%s: %+v", kind, got)
		}
	}
}

func TestTargon51(t *testing.T) { // absent is not probability 1
	scores := func(list string) percuss.Answer {
		t.Helper()
		s := raw(t, "vllm", 200, `{"choices":[{"finish_reason":"length","message":{"content":"A"},"logprobs":{"content":[
			{"token":"A","logprob":-0.105,"top_logprobs":[`+list+`]}]}}]}`)
		got := one(t, openWith(t, quick(s.URL)), letters("A", "B", "C", "D"))
		if got.err != nil || got.answer.Outcome != percuss.OK || len(got.answer.Letters) != 4 {
			t.Fatalf("%s: %+v", list, got)
		}
		near(t, got.answer, "A", -0.105)
		near(t, got.answer, "B", -2.4)
		return got.answer
	}
	left := math.Log(1 - math.Exp(-0.105) - math.Exp(-2.4)) // lower than the smallest value
	for _, list := range []string{top("A", -0.105, "B", -2.4), top("A", -0.105, "B", -2.4, "C", -9999.0, "D", -9999.0),
		top("A", -0.105, "B", -2.4, "C", -100.0), top("A", -0.105, "B", -2.4, "C", -3.4028234663852886e38), // llama.cpp
		`{"token":"A","logprob":-0.105},{"token":"B","logprob":-2.4},{"token":"C","logprob":-Infinity}`} {
		for _, l := range scores(list).Letters[2:] {
			if v, ok := l.LogProb.Get(); !ok || !l.Censored || math.Abs(v-left) > 1e-9 {
				t.Errorf("%s: %+v, want the bound %g", list, l, left)
			}
		}
	}
	// A letter that is listed without a number has no score; one that is not listed still has its bound.
	for _, list := range []string{`{"token":"C","logprob":NaN}`, `{"token":"C","logprob":null}`, `{"token":"C"}`, `{"token":" C","logprob":Infinity}`,
		`{"token":"C","logprob":-6},{"token":" C","logprob":NaN}`} {
		ls := scores(`{"token":"A","logprob":-0.105},{"token":"B","logprob":-2.4},` + list).Letters
		if ls[2].LogProb.OK() || ls[2].Censored || !ls[3].Censored || !ls[3].LogProb.OK() {
			t.Errorf("%s: %+v", list, ls)
		}
	}
	// A copy with a number tells what the other does not.
	near(t, scores(`{"token":"A","logprob":-0.105},{"token":"B","logprob":-2.4},{"token":"B","logprob":null}`), "B", -2.4)
}

func TestPrairieLearn3133(t *testing.T) { // labels of more than one character
	labels := []string{"A", "B", "AA"}
	if got := scoredBy(t, "openai", labels, top("A", -0.7, "B", -0.9)); got.answer.Outcome != percuss.Refused ||
		got.answer.Letters != nil || !strings.Contains(got.answer.Detail, `"AA"`) {
		t.Errorf("not found as one token: %+v", got)
	}
	got := scoredBy(t, "openai", labels, top("A", -0.9, "B", -1.5, " AA", -2.0))
	near(t, got.answer, "AA", -2.0)
	near(t, got.answer, "A", -0.9)
	if got.answer.Outcome != percuss.OK {
		t.Errorf("found as one token: %+v", got)
	}
}

func TestPromptfoo8070(t *testing.T) { // an error inside a 200
	calls := 0
	s := scripted(t, "generic", func(w http.ResponseWriter, _ map[string]any) {
		if calls++; calls == 1 {
			openaitest.JSON(w, 200, map[string]any{"error": map[string]any{"message": "rate limit exceeded"}})
			return
		}
		openaitest.Event(w, openaitest.Delta("fine", "stop"))
	})
	got := one(t, openWith(t, quick(s.URL)), ask("x"))
	if got.answer.Text != "fine" || len(got.again) != 1 || kindOf(got.again[0]) != model.RateLimit {
		t.Errorf("%+v", got)
	}
	for _, body := range []string{`{"choices":[]}`, `{"choices":null}`, `{}`, `{"choices":[{"finish_reason":"stop","message":null}]}`} {
		got := one(t, openWith(t, quick(raw(t, "generic", 200, body).URL)), ask("x"))
		if kindOf(got.err) != model.Malformed {
			t.Errorf("%s: %+v", body, got)
		}
	}
	filtered := one(t, openWith(t, quick(raw(t, "generic", 200, `{"choices":[{"finish_reason":"content_filter","message":null}]}`).URL)), ask("x"))
	if filtered.answer.Outcome != percuss.Filtered || len(filtered.again) > 0 {
		t.Errorf("null message with a filter reason: %+v", filtered)
	}
}

func TestLMEvaluationHarness3244(t *testing.T) { // all tokens went into reasoning
	s := raw(t, "vllm", 200, `{"choices":[{"finish_reason":"length","message":{"content":null,"reasoning_content":"... so probably B ..."}}]}`)
	got := one(t, openWith(t, quick(s.URL)), ask("x"))
	if got.answer.Outcome != percuss.Truncated || got.answer.Text != "" || got.answer.Reasoning != "... so probably B ..." {
		t.Errorf("%+v", got)
	}
	if len(s.Requests()) != 1 {
		t.Errorf("asked %d times", len(s.Requests()))
	}
}

func TestOpenAIGo368(t *testing.T) { // a line of 70,000 characters
	long := strings.Repeat("x", 70_000)
	s := scripted(t, "openai", func(w http.ResponseWriter, _ map[string]any) {
		openaitest.Event(w, openaitest.Delta(long, ""))
		openaitest.Event(w, openaitest.Delta(" and on", "stop"))
		openaitest.Event(w, "[DONE]")
	})
	if got := one(t, openWith(t, quick(s.URL)), ask("x")); got.answer.Text != long+" and on" {
		t.Errorf("%d characters came: %v", len(got.answer.Text), got.err)
	}
}

func TestRagflow15379(t *testing.T) { // a healthy long stream is not cut, a stall is
	for _, stalls := range []bool{false, true} {
		release := make(chan struct{})
		s := openaitest.Start(t, "generic")
		s.Script = func(w http.ResponseWriter, r *http.Request, _ map[string]any) bool {
			for i := range 8 {
				openaitest.Event(w, openaitest.Delta(fmt.Sprint(i), ""))
				select {
				case <-time.After(50 * time.Millisecond):
				case <-r.Context().Done():
				}
				if stalls {
					<-release
				}
			}
			openaitest.Event(w, openaitest.Delta("", "stop"))
			return true
		}
		o := quick(s.URL)
		o.FirstByte, o.Idle = 300*time.Millisecond, 300*time.Millisecond // the whole takes 400
		got := one(t, openWith(t, o), ask("x"))
		close(release)
		switch {
		case !stalls && (got.err != nil || got.answer.Text != "01234567"):
			t.Errorf("healthy: %+v", got)
		case stalls && (kindOf(got.err) != model.Stalled || got.answer.Text != ""):
			t.Errorf("stalled: %+v", got)
		}
	}
}

func TestOllama17889(t *testing.T) { // a prompt that was cut in silence
	long := strings.Repeat("The patient reports chest pain. ", 1130) // about 7,900 tokens
	for prompt, want := range map[int]percuss.Outcome{2050: percuss.PromptTruncated, 7900: percuss.OK, 0: percuss.OK} {
		s := raw(t, "ollama", 200, fmt.Sprintf(`{"choices":[{"finish_reason":"stop","message":{"content":"B"},"logprobs":{"content":[
			{"token":"B","logprob":-0.5,"top_logprobs":[{"token":"B","logprob":-0.5},{"token":"A","logprob":-2}]}]}}],"usage":{"prompt_tokens":%d,"completion_tokens":1}}`, prompt))
		m := openWith(t, quick(s.URL))
		for _, scored := range []bool{false, true} {
			r := ask(long)
			if scored {
				r.Want.Letters = []string{"A", "B"}
			}
			got := one(t, m, r)
			if got.answer.Outcome != want || want == percuss.PromptTruncated && (got.answer.Letters != nil || got.answer.Text != "") {
				t.Errorf("%d tokens counted: %+v", prompt, got)
			}
		}
	}
}
