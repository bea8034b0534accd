package anthropic

import (
	"context"
	"errors"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/anthropic/anthropictest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

const testKey = "sk-ant-topsecret-topsecret"

// quick are options for a test server, with waits that take no time.
func quick(s *anthropictest.Server) Options {
	return Options{URL: s.URL, Name: anthropictest.Name, Key: testKey, KeyFrom: "the variable ANTHROPIC_API_KEY", Remote: model.RemoteOptions{
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
	return percuss.Request{Messages: []percuss.Message{{Role: percuss.System, Content: "Be brief."}, {Role: percuss.User, Content: content}},
		Sampling: percuss.Greedy(64)}
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

// kindOf is the kind of a fault; empty: it is none.
func kindOf(err error) string {
	var f *model.Fault
	if errors.As(err, &f) {
		return f.Kind
	}
	return ""
}
