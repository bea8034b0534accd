package openai

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai/openaitest"
	"pgregory.net/rapid"
)

// refuser is a server that refuses what rule says, with words that nobody knows.
func refuser(t *testing.T, rule func(n int64, body map[string]any) bool) *openaitest.Server {
	t.Helper()
	s := openaitest.Start(t, "vllm")
	var n atomic.Int64
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		if rule(n.Add(1), body) {
			openaitest.Error(w, 400, "Computer says no.")
			return true
		}
		return false
	}
	return s
}

// many asks rounds of requests, so many at a time, and returns the outcomes and what Answer returned.
func many(t *testing.T, s *openaitest.Server, concurrency int, rounds ...[]percuss.Request) (map[percuss.Outcome]int, error) {
	t.Helper()
	o := quick(s.URL)
	o.Remote.Concurrency = concurrency
	session, err := openWith(t, o).Open(t.Context(), "subject")
	if err != nil {
		t.Fatal(err)
	}
	got := map[percuss.Outcome]int{}
	for _, requests := range rounds {
		err = session.Answer(t.Context(), requests, func(_ int, a percuss.Answer, err error) {
			var f *model.Fault
			switch {
			case err == nil:
				got[a.Outcome]++
			case !errors.As(err, &f) || !f.Again:
				got[percuss.Failed]++
			}
		})
		if err != nil {
			break
		}
	}
	return got, err
}

func asks(n int, content string) []percuss.Request {
	var out []percuss.Request
	for i := range n {
		out = append(out, ask(fmt.Sprintf("%s %d", content, i)))
	}
	return out
}

func says(body map[string]any, text string) bool {
	return strings.Contains(fmt.Sprint(body["messages"]), text)
}

// A server that refuses everything is not believed: not one of its refusals becomes an answer.
func TestRefusalOfEverythingIsNoAnswer(t *testing.T) {
	for _, concurrency := range []int{1, 32} {
		s := refuser(t, func(int64, map[string]any) bool { return true })
		got, err := many(t, s, concurrency, asks(100, "x"))
		if !model.IsFatal(err) || kindOf(err) != "refused" || !strings.Contains(err.Error(), "Computer says no.") || !strings.Contains(err.Error(), "resume") {
			t.Errorf("ended with %v", err)
		}
		if got[percuss.Refused] != 0 || len(s.Requests()) > 2*8 {
			t.Errorf("%v after %d requests", got, len(s.Requests()))
		}
	}
}

// A question that is refused while others are served is an answer, also where nothing else is left to ask.
func TestRefusalOfOneQuestionIsAnAnswer(t *testing.T) {
	s := refuser(t, func(_ int64, body map[string]any) bool { return says(body, "offending") })
	got, err := many(t, s, 1, asks(40, "an offending question"))
	if err != nil || got[percuss.Refused] != 40 {
		t.Errorf("%v, ended with %v", got, err)
	}
	if controls := len(s.Requests()) - 40; controls != 40 {
		t.Errorf("%d controls", controls)
	}
	got, err = many(t, s, 1, asks(5, "x"), asks(1, "offending"), asks(5, "y"))
	if err != nil || got[percuss.Refused] != 1 || got[percuss.OK] != 10 {
		t.Errorf("%v, ended with %v", got, err)
	}
}

// What all requests share is refused for all: system prompt, a parameter, a beginning, letters.
func TestControlKeepsWhatRequestsShare(t *testing.T) {
	system := ask("x")
	system.Messages = append([]percuss.Message{{Role: percuss.System, Content: "You are odd."}}, system.Messages...)
	extra := ask("x")
	extra.Extra = []byte(`{"odd":1}`)
	begun := ask("x")
	begun.Begin = "So"
	for name, c := range map[string]struct {
		r    percuss.Request
		rule func(int64, map[string]any) bool
	}{
		"system":    {system, func(_ int64, b map[string]any) bool { return says(b, "odd") }},
		"extra":     {extra, func(_ int64, b map[string]any) bool { return b["odd"] != nil }},
		"beginning": {begun, func(_ int64, b map[string]any) bool { return b["continue_final_message"] == true }},
		"letters":   {letters("A", "B"), func(_ int64, b map[string]any) bool { return b["max_tokens"] == 1.0 }},
	} {
		s := refuser(t, c.rule)
		got, err := many(t, s, 1, asks(3, "served"), []percuss.Request{c.r, c.r})
		if kindOf(err) != "refused" || got[percuss.Refused] != 0 {
			t.Errorf("%s, after others: %v, ended with %v", name, got, err)
		}
		if got, err := many(t, s, 1, []percuss.Request{c.r}); kindOf(err) != "refused" || got[percuss.Refused] != 0 {
			t.Errorf("%s, alone: %v, ended with %v", name, got, err)
		}
	}
}

// An account may run out in the middle, in words that nobody knows.
func TestRefusalInMidRunIsFoundOut(t *testing.T) {
	s := refuser(t, func(n int64, _ map[string]any) bool { return n > 10 })
	got, err := many(t, s, 1, asks(100, "x"))
	if kindOf(err) != "refused" || got[percuss.OK] != 10 || got[percuss.Refused] != 0 {
		t.Errorf("%v, ended with %v", got, err)
	}
}

func TestControlThatMeetsAFault(t *testing.T) {
	for name, c := range map[string]struct {
		status  int
		kind    string // of the fault that ends the request
		outcome percuss.Outcome
	}{"busy once": {503, "", percuss.Refused}, "key": {401, "credentials", ""}} {
		controls := 0
		s := openaitest.Start(t, "vllm")
		s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
			if says(body, "Hello.") {
				if controls++; controls > 1 {
					return false
				}
				openaitest.Error(w, c.status, "not now")
				return true
			}
			openaitest.Error(w, 400, "Computer says no.")
			return true
		}
		got := one(t, openWith(t, quick(s.URL)), ask("x"))
		if kindOf(got.err) != c.kind || got.answer.Outcome != c.outcome || len(got.again) > 0 != (c.kind == "") {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

func TestHarmlessDiffersByTextAlone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := percuss.Request{Model: "m", Begin: rapid.SampledFrom([]string{"", "So"}).Draw(t, "begin"), Sampling: percuss.Greedy(7)}
		for range rapid.IntRange(0, 4).Draw(t, "turns") {
			role := rapid.SampledFrom([]percuss.Role{percuss.System, percuss.User, percuss.Assistant}).Draw(t, "role")
			r.Messages = append(r.Messages, percuss.Message{Role: role, Content: "secret question"})
		}
		before := fmt.Sprint(r)
		h := harmless(r)
		if fmt.Sprint(r) != before {
			t.Fatal("the request itself was changed")
		}
		if diff := cmp.Diff(r, h, cmpopts.IgnoreFields(percuss.Request{}, "Begin"), cmpopts.IgnoreFields(percuss.Message{}, "Content"), cmpopts.EquateEmpty()); diff != "" {
			t.Error(diff)
		}
		for i, m := range h.Messages {
			if kept := m.Content == r.Messages[i].Content; kept != (m.Role == percuss.System) {
				t.Errorf("a message of %s: %q", m.Role, m.Content)
			}
		}
	})
}

// A prompt for which no scores come, in mid-run or as the first of a resumed run, ends with an empty answer; the others
// are asked on. Fewer candidates than letters are bounds, no fault.
func TestPromptsWithoutScores(t *testing.T) {
	const position = `{"model":"toy-1","choices":[{"index":0,"finish_reason":"length","message":{"role":"assistant","content":"A"},"logprobs":%s}]}`
	none := func(value string) string {
		return fmt.Sprintf(position, `{"content":[{"token":"A","logprob":`+value+`,"top_logprobs":[{"token":"A","logprob":`+value+`},{"token":"B","logprob":`+value+`}]}]}`)
	}
	for name, c := range map[string]struct {
		body string
		want percuss.Outcome
	}{
		"NaN":         {none("NaN"), percuss.Empty},
		"null":        {none("null"), percuss.Empty},
		"empty":       {fmt.Sprintf(position, `{"content":[{"token":"A","logprob":-0.1,"top_logprobs":[]}]}`), percuss.Empty},
		"none at all": {fmt.Sprintf(position, "null"), percuss.Empty},
		"no token":    {fmt.Sprintf(position, `{"content":[]}`), percuss.Empty},
		"fewer":       {fmt.Sprintf(position, `{"content":[{"token":"A","logprob":-0.1,"top_logprobs":[{"token":"A","logprob":-0.1}]}]}`), percuss.OK},
	} {
		s := openaitest.Start(t, "vllm")
		s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
			if !says(body, "odd") {
				return false
			}
			w.Header().Set("Content-Type", "application/json")
			_, _ = w.Write([]byte(c.body))
			return true
		}
		m := openWith(t, quick(s.URL))
		for i, text := range []string{"an odd one", "a plain one", "an odd one more"} {
			r := letters("A", "B", "C")
			r.Messages[0].Content = text
			got, want := one(t, m, r), percuss.OK
			if i != 1 {
				want = c.want
			}
			if got.err != nil || got.answer.Outcome != want || (want == percuss.Empty) != (len(got.answer.Letters) == 0) ||
				want == percuss.Empty && !strings.Contains(got.answer.Detail, "for this prompt") {
				t.Errorf("%s, %q: %+v", name, text, got)
			}
		}
	}
}
