package llama

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// asPython makes this test's own program stand in for the interpreter: it prints the value as the server's address, and
// lives until its input ends. With "dies" it ends at once, with "deaf" it ends only when it is killed.
const asPython = "LLAMA_TEST_AS_PYTHON"

func TestMain(m *testing.M) {
	said := os.Getenv(asPython)
	if said == "" {
		os.Exit(m.Run())
	}
	fmt.Fprintln(os.Stderr, "settings:", os.Args[len(os.Args)-1])
	switch said {
	case "dies":
		os.Exit(3)
	case "deaf":
		time.Sleep(time.Hour)
	}
	fmt.Println(said)
	_, _ = io.Copy(io.Discard, os.Stdin)
}

// interpreter is this program, told what to say.
func interpreter(t *testing.T, says string) string {
	t.Helper()
	t.Setenv(asPython, says)
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return program
}

func TestStartWaitsUntilTheServerIsHealthy(t *testing.T) {
	var asked atomic.Int32
	fake := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked.Add(1) < 3 || r.URL.Path != "/health" {
			w.WriteHeader(http.StatusServiceUnavailable)
		}
	}))
	defer fake.Close()
	var log bytes.Buffer
	s, err := Start(t.Context(), interpreter(t, fake.URL), "m.gguf", Settings{Context: 512, APIKey: "sesame"}, &log)
	if err != nil || s.Address() != fake.URL || asked.Load() != 3 {
		t.Fatalf("%v: %+v after %d calls", err, s, asked.Load())
	}
	p, err := s.Stop()
	if err != nil || !p.Success() {
		t.Errorf("%v: %v; it ends with its input", err, p)
	}
	var got map[string]any
	if err := json.Unmarshal([]byte(strings.TrimPrefix(log.String(), "settings: ")), &got); err != nil {
		t.Fatalf("%v: %s", err, log.String())
	}
	for name, want := range map[string]any{"model": "m.gguf", "slots": 1.0, "context": 512.0, "threads": 2.0, "exact": false, "template": "", "api_key": "sesame"} {
		if got[name] != want {
			t.Errorf("%s is %v, not %v", name, got[name], want)
		}
	}
}

func TestStartSaysWhyThereIsNoServer(t *testing.T) {
	if _, err := Start(t.Context(), filepath.Join(t.TempDir(), "python"), "m.gguf", Settings{}, io.Discard); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("without an interpreter: %v", err)
	}
	if _, err := Start(t.Context(), interpreter(t, "dies"), "m.gguf", Settings{}, io.Discard); err == nil || !strings.Contains(err.Error(), "did not start with m.gguf") {
		t.Errorf("of one that dies: %v", err)
	}
	sick := httptest.NewServer(http.NotFoundHandler())
	defer sick.Close()
	for _, says := range []string{"deaf", sick.URL} {
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		_, err := Start(ctx, interpreter(t, says), "m.gguf", Settings{}, io.Discard)
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%s: %v", says, err)
		}
		cancel()
	}
}
