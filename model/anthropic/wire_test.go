package anthropic

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/anthropic/anthropictest"
)

// TestBody: what is sent is what the request says, and no more.
func TestBody(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	m := openWith(t, quick(s))
	before := len(s.Requests())
	r := ask("What is it?")
	r.Begin, r.Sampling.Stop, r.Extra, r.Replicate, r.Sampling.Seed = "Step 1: fever.\n\n", []string{"END", "\n"}, json.RawMessage(`{"top_k": 5}`), 3, 9
	if got := one(t, m, r); got.err != nil || got.answer.Outcome != percuss.OK || got.answer.Continued != percuss.Continues {
		t.Fatalf("%+v", got)
	}
	text := func(s string) []any { return []any{map[string]any{"type": "text", "text": s}} }
	want := map[string]any{"model": anthropictest.Name, "max_tokens": 64.0, "temperature": 0.0, "top_k": 5.0, "system": text("Be brief."),
		"stop_sequences": []any{"END"}, "messages": []any{
			map[string]any{"role": "user", "content": text("What is it?")}, map[string]any{"role": "assistant", "content": text("Step 1: fever.")}}}
	if d := cmp.Diff(want, s.Requests()[before]); d != "" {
		t.Error(d)
	}
}

// TestNewerModel: a beginning is quoted in the user's turn, a temperature that is refused is left out from then on, and
// the answers say both.
func TestNewerModel(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Newer)
	m := openWith(t, quick(s))
	r := ask("What is it?")
	r.Begin = "Step 1: fever."
	got := one(t, m, r)
	if got.err != nil || got.answer.Continued != percuss.Quotes || !strings.Contains(got.answer.Detail, "no temperature") {
		t.Fatalf("%+v", got)
	}
	before := len(s.Requests())
	if got := one(t, m, ask("And now?")); got.answer.Outcome != percuss.OK || len(s.Requests()) != before+1 {
		t.Errorf("%+v after %d calls", got, len(s.Requests())-before)
	}
	last := s.Requests()[before-1]
	messages, _ := last["messages"].([]any)
	if text, _ := json.Marshal(messages); len(messages) != 1 || !strings.Contains(string(text), "Step 1: fever.") || last["temperature"] != nil {
		t.Errorf("%s", text)
	}
}

// TestTopP: a cut that may not stand beside the temperature goes, and the temperature stays.
func TestTopP(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	r := ask("What is it?")
	r.Sampling.Temperature, r.Sampling.TopP = 0.7, 0.9
	got := one(t, openWith(t, quick(s)), r)
	all := s.Requests()
	if last := all[len(all)-1]; got.err != nil || last["temperature"] != 0.7 || last["top_p"] != nil || !strings.Contains(got.answer.Detail, "top_p") {
		t.Errorf("%+v, %v", got, last)
	}
}

// TestOutcomes: each way in which a reply ends has its outcome.
func TestOutcomes(t *testing.T) {
	text := func(s string) any { return map[string]any{"type": "text", "text": s} }
	thought := map[string]any{"type": "thinking", "thinking": "Perhaps B.", "signature": "x"}
	hidden := map[string]any{"type": "redacted_thinking", "data": "xyz"}
	for name, c := range map[string]struct {
		blocks []any
		stop   string
		want   percuss.Answer
	}{
		"whole":            {[]any{text("Answer: B")}, "end_turn", percuss.Answer{Outcome: percuss.OK, Text: "Answer: B"}},
		"at a stop":        {[]any{text("Answer: B")}, "stop_sequence", percuss.Answer{Outcome: percuss.OK, Text: "Answer: B"}},
		"cut":              {[]any{text("Step 1")}, "max_tokens", percuss.Answer{Outcome: percuss.Truncated, Text: "Step 1"}},
		"out of window":    {[]any{text("Step 1")}, "model_context_window_exceeded", percuss.Answer{Outcome: percuss.Truncated, Text: "Step 1"}},
		"refused":          {[]any{text("I c")}, "refusal", percuss.Answer{Outcome: percuss.Filtered}},
		"nothing":          {[]any{}, "end_turn", percuss.Answer{Outcome: percuss.Empty}},
		"blank":            {[]any{text(" \n")}, "end_turn", percuss.Answer{Outcome: percuss.Empty, Text: " \n"}},
		"thoughts":         {[]any{thought, hidden, text("Answer: B")}, "end_turn", percuss.Answer{Outcome: percuss.OK, Text: "Answer: B", Reasoning: "Perhaps B."}},
		"thoughts alone":   {[]any{thought}, "end_turn", percuss.Answer{Outcome: percuss.ReasoningOnly, Reasoning: "Perhaps B."}},
		"thoughts, cut":    {[]any{thought}, "max_tokens", percuss.Answer{Outcome: percuss.Truncated, Reasoning: "Perhaps B."}},
		"an echo of a key": {[]any{text("key " + testKey)}, "end_turn", percuss.Answer{Outcome: percuss.OK, Text: "key [key]"}},
	} {
		s := anthropictest.Start(t, anthropictest.Older)
		m := openWith(t, quick(s))
		s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
			anthropictest.Blocks(w, c.blocks, c.stop, 7, 3)
			return true
		}
		c.want.Usage, c.want.Reported = percuss.Usage{Prompt: 7, Output: 3}, anthropictest.Name+"-20260101"
		got := one(t, m, ask("What is it?"))
		if d := cmp.Diff(c.want, got.answer); d != "" || got.err != nil {
			t.Errorf("%s: %v %s", name, got.err, d)
		}
	}
}

// TestCachedTokens: tokens that the server had cached are tokens of the prompt.
func TestCachedTokens(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	m := openWith(t, quick(s))
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		anthropictest.JSON(w, 200, map[string]any{"type": "message", "content": []any{}, "stop_reason": "end_turn",
			"usage": map[string]any{"input_tokens": 5, "cache_creation_input_tokens": 10, "cache_read_input_tokens": 100, "output_tokens": 2}})
		return true
	}
	if got := one(t, m, ask("What is it?")); got.answer.Usage != (percuss.Usage{Prompt: 115, Output: 2}) {
		t.Errorf("%+v", got.answer)
	}
}

// TestContinuation: white space between a beginning and its continuation stands once, and a quoted one is not
// repeated.
func TestContinuation(t *testing.T) {
	for _, c := range []struct{ text, begin, want, given string }{
		{"\n\nStep 2", "Step 1.\n\n", "Step 2", "continues"}, {" fever", "Step 1: a", " fever", "continues"},
		{"Step 1. Step 2", "Step 1.", " Step 2", "quotes"}, {"Step 2", "Step 1.", "Step 2", "quotes"}, {"\n x", "", "\n x", ""},
	} {
		given := map[string]percuss.Continuation{"continues": percuss.Continues, "quotes": percuss.Quotes}[c.given]
		if got := unrepeat(c.text, c.begin, given); got != c.want {
			t.Errorf("%q after %q: %q, want %q", c.text, c.begin, got, c.want)
		}
	}
}

// TestStall: a reply that does not come in time is asked for again, and nothing hangs.
func TestStall(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	o := quick(s)
	o.Patience, o.Continue = 50*time.Millisecond, "no"
	m := openWith(t, o)
	s.Script = func(_ http.ResponseWriter, r *http.Request, _ map[string]any) bool {
		<-r.Context().Done()
		return true
	}
	if got := one(t, m, ask("What is it?")); kindOf(got.err) != model.Stalled || len(got.again) == 0 {
		t.Errorf("%+v", got)
	}
}

// What the service says is left is waited for, before it has to refuse.
func TestFollowsTheServicesBudget(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		w.Header().Set("anthropic-ratelimit-requests-limit", "2")
		w.Header().Set("anthropic-ratelimit-requests-remaining", "0")
		w.Header().Set("anthropic-ratelimit-requests-reset", time.Now().Add(2*time.Second).UTC().Format(time.RFC3339))
		return false
	}
	o := quick(s)
	o.Continue = "no"
	m := openWith(t, o)
	began := time.Now()
	one(t, m, ask("x"))
	one(t, m, ask("y"))
	if took := time.Since(began); took < 300*time.Millisecond {
		t.Errorf("asked again after %s, though half a second at least is between two requests", took)
	}
}
