package openai

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai/openaitest"
	"pgregory.net/rapid"
)

// ending is how a reply ends: in an outcome, or in a fault of a kind.
type ending struct {
	name, body string
	status     int
	outcome    percuss.Outcome
	kind       string // of the fault that ends the request
	fatal      bool
	says       string
}

func checkEndings(t *testing.T, cases []ending) {
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := openaitest.Start(t, "generic")
			s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
				if strings.Contains(fmt.Sprint(body["messages"]), "Hello.") {
					return false // a control, which the toy model answers
				}
				w.Header().Set("Content-Type", "application/json")
				w.WriteHeader(c.status)
				_, _ = w.Write([]byte(c.body))
				return true
			}
			got := one(t, openWith(t, quick(s.URL)), ask("x"))
			if got.answer.Outcome != c.outcome || kindOf(got.err) != c.kind || model.IsFatal(got.err) != c.fatal {
				t.Fatalf("outcome %q, fault %v (again %d times)", got.answer.Outcome, got.err, len(got.again))
			}
			text := got.answer.Detail
			if got.err != nil {
				text = got.err.Error()
			}
			if !strings.Contains(text, c.says) {
				t.Errorf("%q does not say %q", text, c.says)
			}
			if again := len(got.again) > 0; again != (c.kind != "" && !c.fatal) {
				t.Errorf("asked again %d times", len(got.again))
			}
		})
	}
}

func TestOutcomesOfReplies(t *testing.T) {
	checkEndings(t, []ending{
		{"ok", `{"choices":[{"finish_reason":"stop","message":{"content":"B"}}]}`, 200, percuss.OK, "", false, ""},
		{"parts", `{"choices":[{"finish_reason":"stop","message":{"content":[{"type":"text","text":"B"}]}}]}`, 200, percuss.OK, "", false, ""},
		{"length", `{"choices":[{"finish_reason":"length","message":{"content":"B"}}]}`, 200, percuss.Truncated, "", false, ""},
		{"empty", `{"choices":[{"finish_reason":"stop","message":{"content":""}}]}`, 200, percuss.Empty, "", false, ""},
		{"null", `{"choices":[{"finish_reason":"stop","message":{"content":null}}]}`, 200, percuss.Empty, "", false, ""},
		{"reasoning only", `{"choices":[{"finish_reason":"stop","message":{"content":null,"reasoning":"B?"}}]}`, 200, percuss.ReasoningOnly, "", false, ""},
		{"inline reasoning", `{"choices":[{"finish_reason":"stop","message":{"content":"<think>B?"}}]}`, 200, percuss.ReasoningOnly, "", false, ""},
		{"inline reasoning that ends", `{"choices":[{"finish_reason":"stop","message":{"content":"<think>B?</think>B"}}]}`, 200, percuss.OK, "", false, ""},
		{"filter", `{"choices":[{"finish_reason":"content_filter","message":{"content":"B"}}]}`, 200, percuss.Filtered, "", false, ""},
		{"refusal", `{"choices":[{"finish_reason":"stop","message":{"content":null,"refusal":"I cannot help with that."}}]}`, 200, percuss.Filtered, "", false, "cannot help"},
		{"no reason", `{"choices":[{"message":{"content":"B"}}]}`, 200, "", model.Malformed, false, "finish reason"},
		{"broken off", `{"choices":[{"finish_reason":"abort","message":{"content":"B"}}]}`, 200, "", model.Server, false, "abort"},
		{"no JSON", `<html>Bad gateway</html>`, 200, "", model.Malformed, false, ""},
		{"odd usage", `{"choices":[{"finish_reason":"stop","message":{"content":"B"}}],"usage":{"prompt_tokens":"x","completion_tokens":2.0}}`, 200, percuss.OK, "", false, ""},
	})
}

func TestRefusalsOfOneRequest(t *testing.T) {
	checkEndings(t, []ending{
		{"context", `{"error":{"message":"This model's maximum context length is 4096 tokens. However, you requested 5000 tokens.","code":"context_length_exceeded"}}`, 400, percuss.ContextExceeded, "", false, "4096"},
		{"context, llama.cpp", `{"error":{"code":400,"message":"the request exceeds the available context size, try increasing it","type":"exceed_context_size_error"}}`, 400, percuss.ContextExceeded, "", false, ""},
		{"context, TGI", "{\"error\":\"Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096\",\"error_type\":\"validation\"}", 422, percuss.ContextExceeded, "", false, ""},
		{"context, vLLM", `{"object":"error","message":"'max_tokens' is too large: 9000. This model's maximum context length is 2048 tokens","type":"BadRequestError","code":400}`, 400, percuss.ContextExceeded, "", false, ""},
		{"filter by 400", `{"error":{"message":"The response was filtered due to the prompt triggering content management policy","code":"content_filter"}}`, 400, percuss.Filtered, "", false, ""},
		{"other 400", `{"error":{"message":"messages: roles must alternate"}}`, 400, percuss.Refused, "", false, "roles must alternate"},
		{"FastAPI", `{"detail":[{"loc":["body","messages"],"msg":"field required"}]}`, 422, percuss.Refused, "", false, "field required"},
		{"FastAPI that repeats the question", `{"detail":[{"loc":["body","messages",0],"msg":"too odd","input":"Who sent the billing? The model was not found, the api key flagged, overloaded."}]}`, 422, percuss.Refused, "", false, "body.messages.0: too odd"},
		{"too large", `Payload Too Large`, 413, percuss.Refused, "", false, "Payload"},
	})
}

func TestRefusalsOfTheRun(t *testing.T) {
	checkEndings(t, []ending{
		{"key", `{"error":{"message":"Incorrect API key provided"}}`, 401, "", "credentials", true, "key"},
		{"forbidden", `{"error":{"message":"no access"}}`, 403, "", "credentials", true, ""},
		{"payment", `{}`, 402, "", "quota", true, ""},
		{"quota", `{"error":{"message":"You exceeded your current quota","code":"insufficient_quota"}}`, 429, "", "quota", true, ""},
		{"model", `{"error":{"message":"model \"x\" not found, try pulling it first"}}`, 404, "", "unknown_model", true, ""},
		{"model by 400", `{"error":{"message":"The model x does not exist"}}`, 400, "", "unknown_model", true, ""},
		{"key by 400", `{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}`, 400, "", "credentials", true, "no key was given"},
		{"key by 400, expired", `{"error":{"code":400,"message":"API key expired. Please renew the API key."}}`, 400, "", "credentials", true, "renew"},
		{"key by 404", `{"error":"Missing API key"}`, 404, "", "credentials", true, "Missing"},
		{"key by 422", `{"detail":"Unauthorized"}`, 422, "", "credentials", true, "Unauthorized"},
		{"permission by 400", `{"error":{"message":"The caller does not have permission","code":"PERMISSION_DENIED"}}`, 400, "", "credentials", true, "permission"},
		{"account by 400", `{"error":{"message":"Your account is not active, please check your billing details","code":"account_deactivated"}}`, 400, "", "quota", true, "account"},
		{"account, deactivated", `{"error":{"message":"Gone.","code":"account_deactivated"}}`, 400, "", "credentials", true, "Gone"},
		{"region", `{"error":{"message":"User location is not supported for the API use."}}`, 400, "", "credentials", true, "location"},
		{"billing by 403", `{"error":{"message":"This API method requires billing to be enabled."}}`, 403, "", "quota", true, "billing"},
		{"balance by 400", `{"error":{"message":"Your credit balance is too low to access the API."}}`, 400, "", "quota", true, "credit"},
		{"quota by 400", `{"error":{"message":"Quota exceeded for this project"}}`, 400, "", "quota", true, "Quota"},
		{"no model loaded", `{"error":{"message":"No models loaded. Please load a model in the developer page."}}`, 400, "", "unknown_model", true, "No models"},
		{"no valid model", `{"error":{"message":"x is not a valid model ID"}}`, 400, "", "unknown_model", true, "valid model"},
		{"model withdrawn", `{"error":{"message":"x was retired in May"}}`, 410, "", "unknown_model", true, "retired"},
		{"redirect", ``, 307, "", "address", true, "URL"},
		{"prefill", `{"error":{"code":400,"message":"Assistant response prefill is incompatible with enable_thinking."}}`, 400, "", model.Capability, true, "continue=no"},
	})
}

func TestTransientRefusals(t *testing.T) {
	checkEndings(t, []ending{
		{"rate", `{"error":{"message":"Rate limit reached. See https://host/account/billing"}}`, 429, "", model.RateLimit, false, ""},
		{"busy by 429", `{"error":"Model is overloaded","error_type":"overloaded"}`, 429, "", model.Overload, false, ""},
		{"busy by 400", `{"error":{"message":"The model is overloaded. Please try again later."}}`, 400, "", model.Overload, false, ""},
		{"loading by 404", `{"error":"model is loading"}`, 404, "", model.Overload, false, ""},
		{"rate by 403", `{"error":{"message":"Rate limit exceeded"}}`, 403, "", model.RateLimit, false, ""},
		{"rate that speaks of billing", `{"error":{"message":"You exceeded your current quota, please check your plan and billing details.","status":"RESOURCE_EXHAUSTED"}}`, 429, "", model.RateLimit, false, ""},
		{"timeout", ``, 408, "", model.Stalled, false, ""},
		{"500", `oops`, 500, "", model.Server, false, "oops"},
		{"502", `<html>`, 502, "", model.Server, false, ""},
		{"503", `{"error":{"message":"Loading model"}}`, 503, "", model.Overload, false, ""},
		{"529", ``, 529, "", model.Overload, false, ""},
	})
}

func TestErrorsInsideA200(t *testing.T) {
	checkEndings(t, []ending{
		{"200, string", `{"error":"something broke"}`, 200, "", model.Server, false, "something broke"},
		{"200, code", `{"error":{"message":"no","code":429}}`, 200, "", model.RateLimit, false, ""},
		{"200, key", `{"error":{"message":"Invalid API key","type":"authentication_error"}}`, 200, "", "credentials", true, ""},
		{"200, billing", `{"error":{"message":"billing is not enabled"}}`, 200, "", "quota", true, ""},
		{"200, context", `{"error":{"message":"context length exceeded"}}`, 200, percuss.ContextExceeded, "", false, ""},
		{"200, vLLM", `{"object":"error","message":"bad roles","code":400}`, 200, percuss.Refused, "", false, "bad roles"},
	})
}

func TestReportedAndUsage(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	m := openWith(t, quick(s.URL))
	r := ask("How is the weather in spring?")
	first := one(t, m, r)
	r.Want.Letters = []string{"A", "B"}
	second := one(t, m, r)
	if u := first.answer.Usage; u.Prompt == 0 || u.Output != 20 || first.answer.Reported != openaitest.Name {
		t.Errorf("streamed: %+v", first.answer)
	}
	if second.answer.Reported != openaitest.Name+" fp_vllm" || second.answer.Usage.Output != 1 {
		t.Errorf("scored: %+v", second.answer)
	}
	if c := m.(model.Counter).Counts(); c.Output != 21 || c.PromptAsked != int64(first.answer.Usage.Prompt+second.answer.Usage.Prompt) {
		t.Errorf("counts %+v", c)
	}
}

func TestRetryAfterReachesTheFault(t *testing.T) {
	s := scripted(t, "generic", func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Retry-After", "3600")
		openaitest.Error(w, 429, "slow down")
	})
	got := one(t, openWith(t, quick(s.URL)), ask("x"))
	if kindOf(got.err) != model.RateLimit || model.IsFatal(got.err) || len(s.Requests()) != 1 || !strings.Contains(got.err.Error(), time.Hour.String()) {
		t.Errorf("%+v after %d requests", got, len(s.Requests()))
	}
}

// A server that sends everybody off for an hour is not asked everything all the same.
func TestAServerThatSendsEverybodyOff(t *testing.T) {
	s := scripted(t, "generic", func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Retry-After", "3600")
		openaitest.Error(w, 429, "slow down")
	})
	_, err := many(t, s, 32, asks(300, "x"))
	if kindOf(err) != model.Away || model.IsFatal(err) || len(s.Requests()) > 32 || !strings.Contains(err.Error(), "resume the run in 1h0m0s") {
		t.Errorf("ended with %v after %d requests", err, len(s.Requests()))
	}
}

func TestExtraParameters(t *testing.T) {
	r := ask("x")
	r.Extra = []byte(`{"min_p":0.05,"model":"other","reasoning_effort":"low"}`)
	body, _ := sent(t, "vllm", r)
	if body["min_p"] != 0.05 || body["reasoning_effort"] != "low" || body["model"] != openaitest.Name {
		t.Errorf("sent %v", body)
	}
	s := openaitest.Start(t, "vllm")
	for _, extra := range []string{`[1]`, `null`, `{`} {
		r.Extra = []byte(extra)
		if got := one(t, openWith(t, quick(s.URL)), r); got.answer.Outcome != percuss.Refused || got.answer.Detail == "" {
			t.Errorf("%s: %+v", extra, got)
		}
	}
	if len(s.Requests()) != 0 {
		t.Error("a request that cannot be meant was sent")
	}
}

func TestPromptCutNeverFiresOnHealthyPrompts(t *testing.T) {
	// Bytes a token as large vocabularies reach them on such text: measured values are lower.
	for name, c := range map[string]struct {
		text  string
		bytes float64
	}{
		"English":    {strings.Repeat("A 54-year-old woman presents with crushing substernal chest pain radiating to the jaw. ", 40), 6},
		"Chinese":    {strings.Repeat("患者因胸痛三小时入院，伴有大汗和恶心。", 60), 7},
		"code":       {strings.Repeat("\n                                                                if err != nil {", 60), 24},
		"a table":    {strings.Repeat("|----------------------------------------------------------------|\n", 60), 40},
		"long words": {strings.Repeat("pneumonoultramicroscopicsilicovolcanoconiosis ", 60), 8},
	} {
		r := ask(c.text)
		if tokens := int(float64(len(c.text)) / c.bytes); promptCut(r, tokens) {
			t.Errorf("%s: %d bytes in %d tokens count as cut", name, len(c.text), tokens)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.String().Draw(t, "text")
		if n := counted(text); n > len(text)*3 || n < 0 {
			t.Errorf("%q counts %d of %d bytes", text, n, len(text))
		}
		if promptCut(ask(text), 1) && len(text) < leastJudged/3 {
			t.Errorf("a prompt of %d bytes is judged", len(text))
		}
	})
}
