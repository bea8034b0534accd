package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

func TestRunInformation(t *testing.T) {
	folder := t.TempDir()
	write := func(text string) {
		if err := os.MkdirAll(filepath.Join(folder, "report"), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, "report", "runinfo.json"), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := readSpent(folder); err == nil {
		t.Error("no error without a file")
	}
	write(`{"seconds":3,"models":{"m":{"output":100,"accepted":70}},"engine":{"m":{"prefill_rate":0.93}}}`)
	s, err := readSpent(folder)
	if err != nil || one(s.Models).Accepted != 70 || one(s.Engine).Rate.Or(0) != 0.93 {
		t.Errorf("%v: %+v", err, s)
	}
	for _, bad := range []string{`{`, `{"models":{}}`} {
		write(bad)
		if _, err := readSpent(folder); err == nil {
			t.Errorf("%s: no error", bad)
		}
	}
}

// The subsets of a case come as interactions are enumerated, one case after another.
func TestPromptsBySize(t *testing.T) {
	prompt := func(text string) percuss.Request {
		return percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: text}}}
	}
	none, one := prompt("case 1"), prompt("case 1\nFindings:\n- b")
	two, other := prompt("case 1\nFindings:\n- a\n- b"), prompt("case 2\nFindings:\n- a")
	got := bySize([]percuss.Request{other, two, one, none})
	for i, want := range []percuss.Request{none, one, two, other} {
		if text(got[i]) != text(want) {
			t.Errorf("place %d: %q, want %q", i, text(got[i]), text(want))
		}
	}
}

func TestRatesOfDecodes(t *testing.T) {
	c := counts{Output: 100, Accepted: 60, Drafted: 80, Decodes: 20, DecodeSeconds: 2}
	if c.batch() != 6 || c.rate() != 60 {
		t.Errorf("%g tokens a decode, %g a second; 40 next tokens and 80 of drafts in 20 decodes and 2 s", c.batch(), c.rate())
	}
	v, err := generating(`{"models":[{"generate_tokens_per_second":[{"width":1,"median":40.5},{"width":6,"median":81.5,"least":80,"most":82},{"width":8,"median":null}]}]}`)
	if err != nil || v[1].Or(0) != 40.5 || v[6].Or(0) != 81.5 || v[8].OK() {
		t.Errorf("%v, %v", v, err)
	}
	for _, bad := range []string{"", "{}", `{"models":[{"generate_tokens_per_second":[]}]}`} {
		if _, err := generating(bad); err == nil {
			t.Errorf("%q was understood", bad)
		}
	}
}

// The calls of the sequential client: greedy, a beginning as the last turn, letters from log-probabilities.
func TestClientsCalls(t *testing.T) {
	var got map[string]any
	status := http.StatusOK
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = nil
		if err := json.NewDecoder(r.Body).Decode(&got); err != nil {
			t.Error(err)
		}
		w.WriteHeader(status)
		io.WriteString(w, `{"usage":{"prompt_tokens":129,"completion_tokens":7,"prompt_tokens_details":{"cached_tokens":100}}}`)
	}))
	defer s.Close()
	l := &served{address: s.URL}
	r := percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: "x"}}, Begin: "Step 1", Sampling: percuss.Greedy(64)}
	used, err := l.ask(t.Context(), r, true)
	if err != nil || used.computed() != 29 || used.output() != 7 {
		t.Errorf("%v: %+v", err, used)
	}
	want := map[string]any{"temperature": 0.0, "max_tokens": 64.0, "cache_prompt": true, "messages": []any{
		map[string]any{"role": "user", "content": "x"}, map[string]any{"role": "assistant", "content": "Step 1"}}}
	if !reflect.DeepEqual(got, want) || len(r.Messages) != 1 {
		t.Errorf("sent %v", got)
	}
	r.Want.Letters = []string{"A", "B"}
	if _, err := l.ask(t.Context(), r, false); err != nil || got["max_tokens"] != 1.0 || got["logprobs"] != true || got["cache_prompt"] != false {
		t.Errorf("%v: sent %v", err, got)
	}
	status = http.StatusBadRequest
	if _, err := l.ask(t.Context(), r, false); err == nil || !strings.Contains(err.Error(), "400") {
		t.Error(err)
	}
}
