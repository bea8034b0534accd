package anthropic

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/anthropic/anthropictest"
)

// said is what a server says of a request, and what that is to mean.
type said struct {
	status        int
	kind, message string
	fault         string
	fatal         bool
	outcome       percuss.Outcome
}

func faults() map[string]said {
	const invalid = "invalid_request_error"
	return map[string]said{
		"key":              {401, "authentication_error", "invalid x-api-key", "credentials", true, ""},
		"permission":       {403, "permission_error", "Your account may not use it.", "credentials", true, ""},
		"model":            {404, "not_found_error", "model: claude-none", "unknown_model", true, ""},
		"billing":          {402, "billing_error", "Payment required", "quota", true, ""},
		"credit":           {400, invalid, "Your credit balance is too low to access the Anthropic API.", "quota", true, ""},
		"spending":         {400, invalid, "You have reached your specified API usage limits.", "quota", true, ""},
		"rate":             {429, "rate_limit_error", "This request would exceed your rate limit.", model.RateLimit, false, ""},
		"overloaded":       {529, "overloaded_error", "Overloaded", model.Overload, false, ""},
		"inside a 200":     {200, "overloaded_error", "Overloaded", model.Overload, false, ""},
		"server in a 200":  {200, "api_error", "Internal server error", model.Server, false, ""},
		"key in a 200":     {200, "authentication_error", "invalid x-api-key", "credentials", true, ""},
		"internal":         {500, "api_error", "Internal server error", model.Server, false, ""},
		"gateway":          {504, "timeout_error", "Timeout", model.Stalled, false, ""},
		"too long":         {400, invalid, "prompt is too long: 213462 tokens > 200000 maximum", "", false, percuss.ContextExceeded},
		"too large":        {413, "request_too_large", "Request exceeds the maximum size", "", false, percuss.ContextExceeded},
		"filtered":         {400, invalid, "Output blocked by content filtering policy", "", false, percuss.Filtered},
		"prefill":          {400, invalid, "This model does not support assistant message prefill.", model.Capability, true, ""},
		"one request":      {400, invalid, "messages.0: this text is not allowed", "", false, percuss.Refused},
		"a key in a reply": {400, invalid, "you sent " + testKey, "", false, percuss.Refused},
	}
}

// TestFaults: what no repetition mends ends the run with a remedy, what is transient is asked again, and what concerns
// one request is its outcome.
func TestFaults(t *testing.T) {
	for name, c := range faults() {
		s := anthropictest.Start(t, anthropictest.Older)
		m := openWith(t, quick(s))
		s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
			if strings.Contains(fmt.Sprint(body), "Hello.") {
				return false // the control of a refusal
			}
			anthropictest.Error(w, c.status, c.kind, c.message)
			return true
		}
		got := one(t, m, ask("What is it?"))
		if kindOf(got.err) != c.fault || model.IsFatal(got.err) != c.fatal || got.answer.Outcome != c.outcome {
			t.Errorf("%s: %v, %+v", name, got.err, got.answer)
		}
		if !c.fatal && c.fault != "" && len(got.again) == 0 {
			t.Errorf("%s: not asked again", name)
		}
		if said := fmt.Sprint(got.err, got.answer.Detail); strings.Contains(said, "topsecret") || !strings.Contains(said, strings.SplitN(c.message, " ", 2)[0]) {
			t.Errorf("%s: %s", name, said)
		}
	}
}

// TestRefusesAll: where the control is refused as well, no single request is at fault, and nothing is stored.
func TestRefusesAll(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	m := openWith(t, quick(s))
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		anthropictest.Error(w, 400, "invalid_request_error", "the account is being reviewed")
		return true
	}
	if got := one(t, m, ask("What is it?")); kindOf(got.err) != model.RefusesAll || !model.IsFatal(got.err) {
		t.Errorf("%+v", got)
	}
}

// TestRecovers: a server that is busy, breaks off and answers nonsense by turns is asked until it answers; it is waited
// for as long as it asks.
func TestRecovers(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	faults := []func(w http.ResponseWriter){
		func(w http.ResponseWriter) {
			w.Header().Set("Retry-After", "7")
			anthropictest.Error(w, 429, "rate_limit_error", "slow down")
		},
		func(w http.ResponseWriter) { anthropictest.Error(w, 529, "overloaded_error", "Overloaded") },
		func(w http.ResponseWriter) {
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(`{"type":"message","content":[{"ty`))
		},
		func(w http.ResponseWriter) { _, _ = w.Write([]byte(`<html>`)) },
		func(w http.ResponseWriter) {
			if c, _, err := http.NewResponseController(w).Hijack(); err == nil {
				_ = c.Close()
			}
		},
		func(w http.ResponseWriter) {
			anthropictest.Blocks(w, []any{map[string]any{"type": "text", "text": "Step"}}, "pause_turn", 1, 1)
		},
	}
	m := openWith(t, quick(s))
	var n atomic.Int64
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		i := n.Add(1)
		if int(i) > len(faults) {
			return false
		}
		faults[i-1](w)
		return true
	}
	got := one(t, m, ask("What is it?"))
	var kinds []string
	for _, err := range got.again {
		kinds = append(kinds, kindOf(err))
	}
	want := []string{model.RateLimit, model.Overload, model.Malformed, model.Malformed, model.Dropped, model.Server}
	if d := cmp.Diff(want, kinds); d != "" || got.answer.Outcome != percuss.OK {
		t.Fatalf("%+v %s", got, d)
	}
	var f *model.Fault
	if !errors.As(got.again[0], &f) || f.RetryAfter != 7*time.Second {
		t.Errorf("the server asked to wait 7 s, read as %+v", f)
	}
}

// TestNoMessage: a reply without content is none, and is not stored as an empty answer.
func TestNoMessage(t *testing.T) {
	for _, body := range []map[string]any{{}, {"type": "message", "stop_reason": "end_turn"}, {"content": []any{}}} {
		s := anthropictest.Start(t, anthropictest.Older)
		m := openWith(t, quick(s))
		s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
			anthropictest.JSON(w, 200, body)
			return true
		}
		if got := one(t, m, ask("What is it?")); got.err == nil || model.IsFatal(got.err) || got.answer.Outcome != "" {
			t.Errorf("%v: %+v", body, got)
		}
	}
}

// TestLetters: log-probabilities are refused before anything is sent.
func TestLetters(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	m := openWith(t, quick(s))
	before := len(s.Requests())
	r := ask("Which one?")
	r.Want.Letters = []string{"A", "B"}
	if got := one(t, m, r); kindOf(got.err) != model.Capability || len(s.Requests()) != before {
		t.Errorf("%+v", got)
	}
}
