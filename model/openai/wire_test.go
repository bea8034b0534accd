package openai

import (
	"context"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai/openaitest"
)

func TestTLSFailures(t *testing.T) {
	s, handler := openaitest.New(t, "vllm")
	secure := httptest.NewUnstartedServer(handler)
	secure.Config.ErrorLog = log.New(io.Discard, "", 0) // it reports what this test is about
	secure.StartTLS()
	t.Cleanup(secure.Close)
	s.URL = secure.URL + "/v1"
	for name, url := range map[string]string{
		"unknown authority": s.URL,
		"no TLS there":      strings.Replace(openaitest.Start(t, "vllm").URL, "http:", "https:", 1),
	} {
		_, err := Open(t.Context(), quick(url))
		if !model.IsFatal(err) || kindOf(err) != "tls" || !strings.Contains(err.Error(), "certificate") {
			t.Errorf("%s: %v", name, err)
		}
	}
	// The same failure after a reply came is a broken connection.
	o := quick(s.URL)
	first := true
	good := secure.Client().Transport
	o.Transport = roundTrip(func(r *http.Request) (*http.Response, error) {
		if r.Method == http.MethodPost && first {
			first = false
			bad := &http.Transport{}
			defer bad.CloseIdleConnections()
			return bad.RoundTrip(r)
		}
		return good.RoundTrip(r)
	})
	got := one(t, openWith(t, o), ask("x"))
	if got.answer.Outcome != percuss.OK || len(got.again) != 1 || kindOf(got.again[0]) != model.Dropped {
		t.Errorf("later: %+v", got)
	}
}

type roundTrip func(*http.Request) (*http.Response, error)

func (f roundTrip) RoundTrip(r *http.Request) (*http.Response, error) { return f(r) }

func TestDroppedConnections(t *testing.T) {
	var calls atomic.Int64
	s := openaitest.Start(t, "vllm")
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		if n := calls.Add(1); n < 3 {
			if n == 2 {
				openaitest.Event(w, openaitest.Delta("half", ""))
			}
			panic(http.ErrAbortHandler)
		}
		return false
	}
	got := one(t, openWith(t, quick(s.URL)), ask("x"))
	if got.answer.Outcome != percuss.OK || strings.Contains(got.answer.Text, "half") || len(got.again) != 2 {
		t.Fatalf("%+v", got)
	}
	for _, err := range got.again {
		if kindOf(err) != model.Dropped {
			t.Errorf("%v", err)
		}
	}
}

// Where a server closes kept connections, requests do not meet a closed one, however fast they follow each other.
func TestOwnConnections(t *testing.T) {
	for kind, close := range map[string]bool{"llama.cpp": true, "vllm": false} {
		s := openaitest.Start(t, kind)
		var kept atomic.Int64
		s.Script = func(_ http.ResponseWriter, r *http.Request, _ map[string]any) bool {
			if !r.Close {
				kept.Add(1)
			}
			return false
		}
		m := openWith(t, quick(s.URL))
		for range 3 {
			one(t, m, ask("x"))
		}
		if n := kept.Load(); n != map[bool]int64{true: 0, false: 3}[close] {
			t.Errorf("%s: %d of 3 requests keep their connection", kind, n)
		}
	}
}

func TestNoFirstByte(t *testing.T) {
	release := make(chan struct{})
	s := scripted(t, "vllm", func(http.ResponseWriter, map[string]any) { <-release })
	o := quick(s.URL)
	o.FirstByte = 50 * time.Millisecond
	got := one(t, openWith(t, o), ask("x"))
	close(release)
	if kindOf(got.err) != model.Stalled || len(got.again) != 2 || !strings.Contains(got.err.Error(), "50ms") {
		t.Errorf("%+v", got)
	}
}

func TestKeepAlivesCountAsBytes(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		w.Header().Set("Content-Type", "text/event-stream")
		for range 8 {
			_, _ = w.Write([]byte(": keep-alive\n\n"))
			w.(http.Flusher).Flush()
			time.Sleep(50 * time.Millisecond)
		}
		openaitest.Event(w, openaitest.Delta("late", "stop"))
		return true
	}
	o := quick(s.URL)
	o.FirstByte, o.Idle = 300*time.Millisecond, 300*time.Millisecond
	if got := one(t, openWith(t, o), ask("x")); got.answer.Text != "late" {
		t.Errorf("%+v", got)
	}
}

func TestCancelledInFlight(t *testing.T) {
	began := make(chan struct{})
	s := openaitest.Start(t, "vllm")
	s.Script = func(_ http.ResponseWriter, r *http.Request, _ map[string]any) bool {
		close(began)
		<-r.Context().Done()
		return true
	}
	o := quick(s.URL)
	o.Remote = model.RemoteOptions{Grace: 20 * time.Millisecond}
	m := openWith(t, o)
	why := errors.New("ctrl-c")
	ctx, cancel := context.WithCancelCause(t.Context())
	go func() { <-began; cancel(why) }()
	session, err := m.Open(ctx, "subject")
	if err != nil {
		t.Fatal(err)
	}
	err = session.Answer(ctx, []percuss.Request{ask("x")}, func(_ int, a percuss.Answer, err error) { t.Errorf("told %+v, %v", a, err) })
	if !errors.Is(err, why) {
		t.Errorf("Answer returned %v", err)
	}
}

func TestOpenWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	why := errors.New("ctrl-c")
	cancel(why)
	if _, err := Open(ctx, quick(openaitest.Start(t, "vllm").URL)); !errors.Is(err, why) {
		t.Errorf("Open returned %v", err)
	}
}

func TestServersThatAreNotReady(t *testing.T) {
	for name, c := range map[string]struct {
		reply http.HandlerFunc
		want  string
	}{
		"loading":    {func(w http.ResponseWriter, _ *http.Request) { openaitest.Error(w, 503, "Loading model") }, "Loading model"},
		"a web page": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("<html>Welcome</html>")) }, "no model list"},
		"not found":  {http.NotFound, "server=generic"},
		"moved": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://there/v1", http.StatusMovedPermanently)
		}, "https://there/v1"},
		"empty list": {func(w http.ResponseWriter, _ *http.Request) { openaitest.JSON(w, 200, map[string]any{"data": []any{}}) }, "no model list"},
	} {
		server := httptest.NewServer(c.reply)
		_, err := Open(t.Context(), quick(server.URL+"/v1"))
		server.Close()
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want one that says %q", name, err, c.want)
		}
	}
	// A named kind needs no list.
	server := httptest.NewServer(http.NotFoundHandler())
	defer server.Close()
	o := quick(server.URL + "/v1")
	o.Server = "generic"
	if c := openWith(t, o).Capabilities(); !c.Text {
		t.Errorf("%+v", c)
	}
}

func TestInspect(t *testing.T) {
	s := openaitest.Start(t, "vllm")
	m := openWith(t, quick(s.URL)).(model.Inspector)
	in, err := m.Inspect(t.Context(), letters("A", "B"))
	if err != nil || len(in.Answer.Letters) != 2 {
		t.Fatalf("%+v, %v", in, err)
	}
	if n := len(in.Candidates); n != 21 || in.Candidates[0] != in.Candidates[1] || !in.Candidates[20].Sampled || in.Candidates[0].Sampled {
		t.Errorf("%d candidates; want the copy and the sampled token kept: %+v", n, in.Candidates)
	}
	if !strings.HasPrefix(in.Raw, "{") || len(in.Raw) > mostKept {
		t.Errorf("raw %d bytes: %.40s", len(in.Raw), in.Raw)
	}
	if in, err = m.Inspect(t.Context(), ask("x")); err != nil || in.Answer.Text == "" || !strings.HasPrefix(in.Raw, "data: ") {
		t.Errorf("text: %+v, %v", in, err)
	}
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		openaitest.Error(w, 500, "broken")
		return true
	}
	before := len(s.Requests())
	if in, err = m.Inspect(t.Context(), ask("x")); kindOf(err) != model.Server || !strings.Contains(in.Raw, "broken") {
		t.Errorf("a fault: %+v, %v", in, err)
	}
	if n := len(s.Requests()) - before; n != 1 {
		t.Errorf("%d attempts, want 1", n)
	}
}

// A text is asked for without log-probabilities, which cost the server time and the wire most of its bytes.
func TestTextsAskForNoLogProbs(t *testing.T) {
	for _, kind := range openaitest.Kinds() {
		s := openaitest.Start(t, kind)
		one(t, openWith(t, quick(s.URL)), ask("x"))
		for _, body := range s.Requests() {
			if body["logprobs"] != nil || body["top_logprobs"] != nil {
				t.Errorf("%s: %v", kind, body)
			}
		}
	}
}

// What a server says is left is waited for, before it has to refuse.
func TestFollowsTheServersBudget(t *testing.T) {
	var calls atomic.Int64
	s := openaitest.Start(t, "openai")
	s.Script = func(w http.ResponseWriter, _ *http.Request, _ map[string]any) bool {
		calls.Add(1)
		w.Header().Set("x-ratelimit-limit-requests", "2")
		w.Header().Set("x-ratelimit-remaining-requests", "0")
		w.Header().Set("x-ratelimit-reset-requests", "400ms")
		return false
	}
	m := openWith(t, quick(s.URL))
	began := time.Now()
	one(t, m, ask("x"))
	one(t, m, ask("y"))
	if took := time.Since(began); calls.Load() != 2 || took < 200*time.Millisecond {
		t.Errorf("%d calls within %s, though one is let in every 200 ms", calls.Load(), took)
	}
}
