package cli

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/spec"
)

// What a report says of seeds: nothing where they decide, else for whom they do not and when.
func TestSeedsThatDoNotDecide(t *testing.T) {
	models := []spec.Model{
		{ID: "small", Model: "llama:smollm2-135m"}, {ID: "other", Model: "llama:x.gguf"}, {ID: "float", Model: "llama:f.gguf"},
		{ID: "served", Model: "openai:m@http://localhost:1/v1"}, {ID: "hosted", Model: "anthropic:m"},
		{ID: "log", Model: "recorded:log.jsonl"}, {ID: "export", Model: "recorded:export.jsonl"}, {ID: "sim", Model: "sim:faithful"},
		{ID: "judge", Model: "anthropic:j", Role: spec.Judge},
	}
	can := map[string]percuss.Capabilities{
		"small": {Seeded: true, Weights: "Q4_1"}, "other": {Seeded: true, Weights: "Q8_0"}, "float": {Seeded: true, Exact: true, Weights: "F16"},
		"served": {Seeded: true}, "hosted": {}, "log": {Given: true}, "export": {Seeded: true, Weights: "Q4_1"},
		"sim": {Seeded: true, Exact: true}, "judge": {},
	}
	steps := spec.DefaultSteps()
	s := spec.Specification{Models: models, Steps: &steps}
	got := repeatability(s, can)
	want := [][2]string{{"weights of small, other are compressed", "after an interruption"}, {"server of served takes a seed", "asked anew a few"},
		{"server of hosted does not promise", "keeps the chains"}}
	if len(got) != len(want) {
		t.Fatalf("%d notes:\n%s", len(got), strings.Join(got, "\n"))
	}
	for i, w := range want {
		if !strings.Contains(got[i], w[0]) || !strings.Contains(got[i], w[1]) || strings.Contains(got[i], "%!") {
			t.Errorf("note %d: %s; want %q and %q", i, got[i], w[0], w[1])
		}
	}
	steps.Temperature = 0
	if got := repeatability(s, can); len(got) != 0 {
		t.Errorf("a chain at temperature 0 has no seed: %v", got)
	}
	s.Steps = nil
	if got := repeatability(s, can); len(got) != 0 {
		t.Errorf("no step audit: %v", got)
	}
}
