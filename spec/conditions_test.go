package spec

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestConditions: the tier medical is asked under strict and every other one under neutral, unless conditions are named.
func TestConditions(t *testing.T) {
	for name, c := range map[string]struct {
		model Model
		chain []string
		want  []string
	}{
		"no tier":                   {Model{}, nil, []string{"neutral"}},
		"general":                   {Model{Tier: "general"}, nil, []string{"neutral"}},
		"medical":                   {Model{Tier: "medical"}, nil, []string{"strict"}},
		"reasoning":                 {Model{Tier: "reasoning"}, nil, []string{"neutral"}},
		"closed":                    {Model{Tier: "closed"}, nil, []string{"neutral"}},
		"medical, but named":        {Model{Tier: "medical"}, []string{"neutral"}, []string{"neutral"}},
		"both named":                {Model{Tier: "medical"}, []string{"neutral", "strict"}, []string{"neutral", "strict"}},
		"its own":                   {Model{Tier: "medical", Prompts: []string{"neutral"}}, nil, []string{"neutral"}},
		"its own before the others": {Model{Prompts: []string{"strict"}}, []string{"neutral"}, []string{"strict"}},
		"a medical judge":           {Model{Role: Judge, Tier: "medical"}, nil, nil},
	} {
		s := Specification{Models: []Model{c.model, {Model: "sim:inert"}}, Chain: &Chain{Prompts: c.chain}}
		once := s.WithDefaults()
		if got := once.Conditions(once.Models[0]); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
		other := []string{"neutral"}
		if c.chain != nil {
			other = c.chain
		}
		if got := once.Conditions(once.Models[1]); !slices.Equal(got, other) {
			t.Errorf("%s: the other model has %v, want %v", name, got, other)
		}
		if d := cmp.Diff(once, once.WithDefaults()); d != "" {
			t.Errorf("%s: defaults filled in twice: %s", name, d)
		}
		if d := cmp.Diff(c.model.Prompts, s.Models[0].Prompts); d != "" {
			t.Errorf("%s: the specification that was given has changed: %s", name, d)
		}
	}
	if got := (Specification{}).Conditions(Model{}); got != nil {
		t.Errorf("without an audit: %v", got)
	}
}

// TestOlderRuns: a run.json from before prompts of models and the stem were kept is read, and goes on as it was begun.
func TestOlderRuns(t *testing.T) {
	const kept = `{"version": 1, "seed": 1, "models": [{"id": "faithful", "model": "sim:faithful", "tier": "TIER"}],
		"data": [{"data": "demo", "n": 5}], "chain": {"battery": "paper", "prompts": ["neutral"], "direct": false, "answer": "text",
		"max_tokens": 512}, "limits": {"attempts": 3, "fail_share": 0.03}}`
	for _, c := range []struct {
		tier    string
		prompts []string
		differs bool
	}{{"general", nil, false}, {"general", []string{"neutral"}, false}, {"medical", []string{"neutral"}, false}, {"medical", nil, true}} {
		var old, defaults Specification
		if err := json.Unmarshal([]byte(strings.Replace(kept, "TIER", c.tier, 1)), &old); err != nil {
			t.Fatal(err)
		}
		if got := old.Conditions(old.Models[0]); !slices.Equal(got, []string{"neutral"}) || old.Check() != nil {
			t.Errorf("%s: read with %v, %v", c.tier, got, old.Check())
		}
		if defaults = old.WithDefaults(); defaults.Chain.Controls != nil || defaults.Chain.Margins {
			t.Errorf("%s: controls and margins came by themselves: %+v", c.tier, defaults.Chain)
		}
		_, diff := Extend(old, settled(func(s *Specification) {
			s.Models[0].Tier, s.Seed, s.Chain.Prompts = c.tier, 1, c.prompts
		}))
		if (len(diff) > 0) != c.differs || c.differs && !strings.Contains(diff[0], "strict") {
			t.Errorf("%s, asked with %v: %v", c.tier, c.prompts, diff)
		}
	}
}
