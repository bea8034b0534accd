package openai

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/openai/openaitest"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// quick are options for a test server, with waits that take no time.
func quick(url string) Options {
	return Options{URL: url, Name: openaitest.Name, Remote: model.RemoteOptions{
		Sleep: func(ctx context.Context, _ time.Duration) error { return context.Cause(ctx) }}}
}

func openWith(t testing.TB, o Options) model.Model {
	t.Helper()
	m, err := Open(t.Context(), o)
	if err != nil {
		t.Fatalf("Open: %v", err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return m
}

func ask(content string) percuss.Request {
	return percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: content}}, Sampling: percuss.Greedy(64)}
}

func letters(labels ...string) percuss.Request {
	r := ask("Which one?")
	r.Want.Letters = labels
	return r
}

// result is what done was told about one request.
type result struct {
	answer percuss.Answer
	err    error
	again  []error
}

// one asks a single request.
func one(t testing.TB, m model.Model, r percuss.Request) result {
	t.Helper()
	s, err := m.Open(t.Context(), "subject")
	if err != nil {
		t.Fatal(err)
	}
	var got result
	err = s.Answer(t.Context(), []percuss.Request{r}, func(_ int, a percuss.Answer, err error) {
		var f *model.Fault
		if errors.As(err, &f) && f.Again {
			got.again = append(got.again, err)
			return
		}
		got.answer, got.err = a, err
	})
	if err != nil && !model.IsFatal(err) {
		t.Fatalf("Answer: %v", err)
	}
	return got
}

// scripted is a server of a kind whose chat replies a test writes.
func scripted(t testing.TB, kind string, reply func(w http.ResponseWriter, body map[string]any)) *openaitest.Server {
	t.Helper()
	s := openaitest.Start(t, kind)
	s.Script = func(w http.ResponseWriter, _ *http.Request, body map[string]any) bool {
		reply(w, body)
		return true
	}
	return s
}

// raw is a server that answers every chat request with the same body.
func raw(t testing.TB, kind string, status int, body string) *openaitest.Server {
	t.Helper()
	return scripted(t, kind, func(w http.ResponseWriter, _ map[string]any) {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	})
}

func kindOf(err error) string {
	var f *model.Fault
	if errors.As(err, &f) {
		return f.Kind
	}
	return ""
}
