package spec

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseModel(t *testing.T) {
	tests := map[string]ModelArg{
		"llama:smollm2-135m":            {Backend: "llama", Name: "smollm2-135m"},
		"llama:/a b/c.gguf":             {Backend: "llama", Name: "/a b/c.gguf"},
		"sim:faithful?acc=0.7&seed=3":   {Backend: "sim", Name: "faithful", Params: map[string]string{"acc": "0.7", "seed": "3"}},
		"openai:m@2024@https://h/v1":    {Backend: "openai", Name: "m@2024", URL: "https://h/v1"},
		"openai:x?k=v@http://h:8000/v1": {Backend: "openai", Name: "x", Params: map[string]string{"k": "v"}, URL: "http://h:8000/v1"},
	}
	tests["openai:m@http://a/v1,https://b:1/v1"] = ModelArg{Backend: "openai", Name: "m", URL: "http://a/v1", Others: []string{"https://b:1/v1"}}
	for _, wrong := range []string{"openai:m@http://a/v1,", "openai:m@http://a/v1,b", "openai:m@http://a/v1,http://a/v1", "openai:m@http://a/v1,http://u:p@b/v1"} {
		if got, err := ParseModel(wrong); err == nil {
			t.Errorf("%s is read as %+v", wrong, got)
		}
	}
	for arg, want := range tests {
		got, err := ParseModel(arg)
		if err != nil {
			t.Errorf("%s: %v", arg, err)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s: %s", arg, d)
		}
	}
	for _, arg := range []string{"", "llama", "llama:", ":x"} {
		if _, err := ParseModel(arg); err == nil || !strings.Contains(err.Error(), "BACKEND:NAME") {
			t.Errorf("%q: %v", arg, err)
		}
	}
}

func settled(change func(*Specification)) Specification {
	s := Specification{Models: []Model{{Model: "sim:faithful"}}, Data: []Data{{Data: "demo", N: 5}}, Chain: &Chain{}}
	if change != nil {
		change(&s)
	}
	return s.WithDefaults()
}

// planned is the evidence audit's part with a change.
func planned(change func(*Evidence)) *Evidence {
	e := DefaultEvidence()
	change(&e)
	return &e
}

func TestCheck(t *testing.T) {
	if err := settled(nil).Check(); err != nil {
		t.Fatal(err)
	}
	tests := map[string]func(*Specification){
		"no model":     func(s *Specification) { s.Models = nil },
		"no data set":  func(s *Specification) { s.Data = nil },
		"two models":   func(s *Specification) { s.Models = append(s.Models, s.Models[0]) },
		"--answer":     func(s *Specification) { s.Chain.Answer = "guess" },
		"--max-tokens": func(s *Specification) { s.Chain.MaxTokens = -1 },
		"--stem":       func(s *Specification) { s.Chain.Stem = "contexts" },
		"named twice":  func(s *Specification) { s.Models[0].Prompts = []string{"strict", "strict"} },
	}
	nan := math.NaN()
	for i, change := range []func(*Specification){
		func(s *Specification) { s.Models[0].Price = &Price{Prompt: nan} },
		func(s *Specification) { s.Models[0].Price = &Price{Output: math.Inf(1)} },
		func(s *Specification) { s.Limits.FailShare = nan },
		func(s *Specification) { s.Chain, s.Evidence = nil, planned(func(e *Evidence) { e.Low = nan }) },
		func(s *Specification) { s.Chain, s.Evidence = nil, planned(func(e *Evidence) { e.Specific = nan }) },
		func(s *Specification) { s.Chain, s.Evidence = nil, planned(func(e *Evidence) { e.Low = math.Inf(1) }) },
	} {
		if err := settled(change).Check(); err == nil {
			t.Errorf("number %d that is none is taken", i)
		}
	}
	for want, change := range tests {
		if err := settled(change).Check(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}

func TestExtend(t *testing.T) {
	old := settled(nil)
	merged, diff := Extend(old, settled(func(s *Specification) {
		s.Data[0].N = 9
		s.Models = append(s.Models, Model{Model: "sim:inert"})
	}))
	if len(diff) > 0 || merged.Data[0].N != 9 || len(merged.Models) != 2 {
		t.Errorf("a larger n and one more model: %v, %+v", diff, merged)
	}
	if merged, diff := Extend(old, settled(func(s *Specification) { s.Data[0].N = 2 })); len(diff) > 0 || merged.Data[0].N != 5 {
		t.Errorf("a smaller n keeps the larger: %v, %+v", diff, merged.Data)
	}
	refused := map[string]func(*Specification){
		"seed":       func(s *Specification) { s.Seed = 7 },
		"max_tokens": func(s *Specification) { s.Chain.MaxTokens = 3 },
		"stem":       func(s *Specification) { s.Chain.Stem = "question+contexts" },
		"data":       func(s *Specification) { s.Data[0].Data = "medqa" },
		"model":      func(s *Specification) { s.Models[0].Tier = "medical" },
	}
	for want, change := range refused {
		if _, diff := Extend(old, settled(change)); len(diff) != 1 || !strings.HasPrefix(diff[0], want) {
			t.Errorf("%s: %v", want, diff)
		}
	}
}
