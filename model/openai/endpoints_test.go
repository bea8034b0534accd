package openai

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/openai/openaitest"
)

// Two addresses are one model: the first names it, both answer, and one that breaks is done without.
func TestSeveralAddresses(t *testing.T) {
	a, b := openaitest.Start(t, "vllm"), openaitest.Start(t, "vllm")
	o := quick(a.URL)
	alone := openWith(t, o).Capabilities()
	o.Others = []string{b.URL}
	m := openWith(t, o)
	if got := m.Capabilities(); got != alone {
		t.Errorf("with a second address: %+v, alone %+v", got, alone)
	}
	var broken atomic.Bool
	b.Script = func(http.ResponseWriter, *http.Request, map[string]any) bool {
		if broken.Load() {
			panic(http.ErrAbortHandler)
		}
		return false
	}
	var wg sync.WaitGroup
	for i := range 40 {
		wg.Go(func() {
			s, err := m.Open(t.Context(), fmt.Sprint(i))
			if err != nil {
				t.Error(err)
				return
			}
			for round := range 3 {
				broken.Store(i > 20 && round > 0 || broken.Load())
				n := 0
				err := s.Answer(t.Context(), []percuss.Request{ask(fmt.Sprint(i, round)), ask(fmt.Sprint(i, round, "b"))}, func(_ int, a percuss.Answer, err error) {
					if err == nil && a.Outcome == percuss.OK {
						n++
					}
				})
				if err != nil || n != 2 {
					t.Errorf("subject %d: %d answers, %v", i, n, err)
				}
			}
			_ = s.Close()
		})
	}
	wg.Wait()
	if len(a.Requests()) < 20 || len(b.Requests()) < 20 {
		t.Errorf("the first address had %d requests, the second %d", len(a.Requests()), len(b.Requests()))
	}
}

// What stands at the further addresses is looked at before the run.
func TestFurtherAddressesAreLookedAt(t *testing.T) {
	a, other, shut := openaitest.Start(t, "vllm"), openaitest.Start(t, "ollama"), "http://127.0.0.1:1/v1"
	for name, c := range map[string]struct {
		url    string
		others []string
		want   string
	}{
		"of another kind": {a.URL, []string{other.URL}, "of one kind"},
		"twice":           {a.URL, []string{strings.Replace(a.URL, "/v1", "/v1/", 1)}, "named twice"},
		"a secret":        {a.URL, []string{"http://u:topsecret@h/v1"}, "user name or password"},
		"nothing there":   {shut, []string{"http://127.0.0.1:2/v1"}, "nothing answers"},
	} {
		o := quick(c.url)
		o.Others = c.others
		if _, err := Open(t.Context(), o); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v", name, err)
		}
	}
	loading := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { openaitest.Error(w, 503, "Loading model") }))
	defer loading.Close()
	for _, o := range []Options{{URL: loading.URL + "/v1", Others: []string{a.URL}}, {URL: a.URL, Others: []string{loading.URL + "/v1"}}} {
		with := quick(o.URL)
		with.Others = o.Others
		openWith(t, with) // the other one will do
	}
	if _, err := Open(t.Context(), quick(loading.URL+"/v1")); err == nil || !strings.Contains(err.Error(), "not ready") {
		t.Errorf("a server that is not ready alone: %v", err)
	}
	o := quick(shut) // the first is down at present: it names the model all the same
	o.Others = []string{a.URL}
	m := openWith(t, o)
	if got := m.Capabilities(); !strings.HasSuffix(got.Identity, "@"+shut) || !got.Continue {
		t.Errorf("%+v", got)
	}
	for range 6 {
		if got := one(t, m, ask("x")); got.err != nil || got.answer.Outcome != percuss.OK {
			t.Errorf("%+v", got)
		}
	}
}
