package spec

import (
	"strings"
	"testing"
)

const rated = `version: 1
models:
  - {id: a, model: 'openai:a@http://h/v1'}
  - {id: b, model: 'openai:b@http://h/v1', limits: {tokens_per_minute: 900}}
data: [{data: demo}]
audits: {chain: {}}
limits: {attempts: 5, requests_per_minute: 60, tokens_per_minute: 40000}
`

// A model has the rates of the run, unless it has its own.
func TestRates(t *testing.T) {
	s, err := Read(strings.NewReader(rated), "a.yaml")
	if err != nil || s.Limits.Attempts != 5 {
		t.Fatalf("%+v, %v", s.Limits, err)
	}
	for i, want := range []Rate{{60, 40000}, {60, 900}} {
		if got := s.Rate(s.Models[i]); got != want {
			t.Errorf("model %s: %+v, want %+v", s.Models[i].ID, got, want)
		}
	}
	for old, line := range map[string]string{"tokens_per_minute: 900": "a.yaml:4: model b: limits: tokens_per_minute: -1",
		"requests_per_minute: 60": "a.yaml:7: limits: requests_per_minute: -1"} {
		name, _, _ := strings.Cut(old, ":")
		if _, err := Read(strings.NewReader(strings.Replace(rated, old, name+": -1", 1)), "a.yaml"); err == nil || !strings.Contains(err.Error(), line) {
			t.Errorf("%s -1: %v", name, err)
		}
	}
}

// Rates steer nothing, so they may change while a run goes on.
func TestRatesMayChange(t *testing.T) {
	asked := settled(func(s *Specification) {
		s.Limits.Rate = Rate{RequestsPerMinute: 9}
		s.Models[0].Limits = &Rate{TokensPerMinute: 100}
	})
	merged, diff := Extend(settled(nil), asked)
	if got := merged.Rate(merged.Models[0]); len(diff) > 0 || got != (Rate{9, 100}) {
		t.Errorf("%+v, %v", got, diff)
	}
}

// A model may be asked at more addresses, or at fewer, while a run goes on, but for the one that names it.
func TestAddressesMayChange(t *testing.T) {
	at := func(arg string) Specification {
		return settled(func(s *Specification) { s.Models[0] = Model{ID: "m", Model: arg} })
	}
	old := at("openai:m@http://a/v1,http://b/v1")
	for _, more := range []string{"openai:m@http://a/v1", "openai:m@http://a/v1,http://c/v1,http://d/v1"} {
		if merged, diff := Extend(old, at(more)); len(diff) > 0 || merged.Models[0].Model != more {
			t.Errorf("%s: %v, %+v", more, diff, merged.Models)
		}
	}
	if _, diff := Extend(old, at("openai:m@http://b/v1,http://a/v1")); len(diff) != 1 {
		t.Errorf("another first address: %v", diff)
	}
	both := settled(func(s *Specification) {
		s.Models = []Model{{ID: "x", Model: "openai:m@http://a/v1"}, {ID: "y", Model: "openai:m@http://a/v1,http://b/v1"}}
	})
	if err := both.Check(); err == nil || !strings.Contains(err.Error(), "once more") {
		t.Errorf("one model under two ids: %v", err)
	}
}
