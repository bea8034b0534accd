package anthropic

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/anthropic/anthropictest"
	"github.com/percuss/percuss/model/modeltest"
)

func TestConformance(t *testing.T) {
	for _, kind := range []string{anthropictest.Older, anthropictest.Newer} {
		t.Run(kind, func(t *testing.T) {
			modeltest.Run(t, func(t *testing.T) model.Model { return openWith(t, quick(anthropictest.Start(t, kind))) }, modeltest.Traits{})
		})
	}
}

// TestCapabilities: what is found out costs one token at most, and nothing where the user says it.
func TestCapabilities(t *testing.T) {
	for _, c := range []struct {
		kind, says string
		want       bool
		calls      int
	}{
		{anthropictest.Older, "", true, 1}, {anthropictest.Older, "auto", true, 1}, {anthropictest.Older, "no", false, 0},
		{anthropictest.Newer, "auto", false, 1}, {anthropictest.Newer, "yes", true, 0},
	} {
		s := anthropictest.Start(t, c.kind)
		o := quick(s)
		o.Continue = c.says
		m := openWith(t, o)
		want := percuss.Capabilities{Identity: "anthropic:" + anthropictest.Name + "@" + s.URL, Text: true, Continue: c.want, SystemRole: true,
			ContextTokens: 200000, Engine: "Anthropic"}
		if d := cmp.Diff(want, m.Capabilities()); d != "" {
			t.Errorf("%s, continue=%s: %s", c.kind, c.says, d)
		}
		got := s.Requests()
		if len(got) != c.calls {
			t.Errorf("%s, continue=%s: %d calls", c.kind, c.says, len(got))
		}
		for _, body := range got {
			if body["max_tokens"] != 1.0 {
				t.Errorf("a trial of %v tokens", body["max_tokens"])
			}
		}
	}
}

// TestOpenRefuses: what cannot work is said before a run begins, with the remedy and without the key.
func TestOpenRefuses(t *testing.T) {
	s := anthropictest.Start(t, anthropictest.Older)
	s.Key = "sk-ant-another-one"
	open := anthropictest.Start(t, anthropictest.Older)
	elsewhere := httptest.NewServer(http.RedirectHandler("https://example.org/", http.StatusFound))
	defer elsewhere.Close()
	for name, c := range map[string]struct {
		change func(*Options)
		want   string
	}{
		"a wrong key":            {func(o *Options) { o.URL = s.URL }, "check the key in the variable ANTHROPIC_API_KEY"},
		"no key":                 {func(o *Options) { o.URL, o.Key = "", "" }, "put it into the variable ANTHROPIC_API_KEY"},
		"a broken key":           {func(o *Options) { o.Key = "sk-ant topsecret-topsecret" }, "set it again"},
		"no name":                {func(o *Options) { o.Name = " " }, "anthropic:claude"},
		"a name that is none":    {func(o *Options) { o.Name = "claude-none" }, "claude-none"},
		"continue":               {func(o *Options) { o.Continue = "maybe" }, "yes, no nor auto"},
		"a key in the URL":       {func(o *Options) { o.URL = "https://u:sk-ant-topsecret-topsecret@h" }, "in a variable"},
		"a query in the URL":     {func(o *Options) { o.URL = "https://h/v1?key=sk-ant-topsecret-topsecret" }, "in a variable"},
		"no URL":                 {func(o *Options) { o.URL = "localhost" }, "https://host"},
		"the URL of the calls":   {func(o *Options) { o.URL = "https://h/v1/messages" }, "before /v1"},
		"a server that is moved": {func(o *Options) { o.URL = elsewhere.URL }, "sends requests elsewhere"},
	} {
		o := quick(open)
		c.change(&o)
		m, err := Open(t.Context(), o)
		if err == nil {
			_ = m.Close()
			t.Errorf("%s: opened", name)
			continue
		}
		if !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "topsecret") {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// TestBase: the kit adds /v1 itself, so one that is given goes.
func TestBase(t *testing.T) {
	for given, want := range map[string]string{"": "", "https://Host/v1/": "https://host", "https://host": "https://host",
		"http://h:8000/gate/v1": "http://h:8000/gate"} {
		if got, err := baseOf(given); err != nil || got != want {
			t.Errorf("%s: %q, %v", given, got, err)
		}
	}
}
