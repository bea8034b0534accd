package llamacpp

import (
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
)

// chainsOf are k sampled chains of one question, each with a seed of its own, as a step audit asks for them.
func chainsOf(k, maxTokens int) []percuss.Request {
	requests := make([]percuss.Request, k)
	for i := range requests {
		r := text(vignette, "", maxTokens)
		r.Replicate = i
		r.Sampling.Temperature, r.Sampling.TopP = 0.9, 0.95
		r.Sampling.Seed = percuss.Rand(5, "item", string(rune('a'+i)), "seed of a chain").Uint64() >> 33
		requests[i] = r
	}
	return requests
}

// different counts the texts of which there is only one.
func different(answers []percuss.Answer) int {
	texts := map[string]bool{}
	for _, a := range answers {
		texts[a.Text] = true
	}
	return len(texts)
}

// Chains of one question differ by their seeds alone, and on float weights neither who is asked beside them, nor how many
// at once, nor in which order, nor whether the rest is asked for later makes another chain of a seed.
func TestSampledChainsAreThoseOfTheirSeeds(t *testing.T) {
	requests := chainsOf(8, 48)
	m := tiny(t, Options{})
	want := modeltest.Ask(t, m, requests...)
	if n := different(want); n != len(requests) {
		t.Fatalf("8 seeds make %d different chains", n)
	}
	backwards := slices.Clone(requests)
	slices.Reverse(backwards)
	got := modeltest.Ask(t, m, backwards...)
	slices.Reverse(got)
	for name, got := range map[string][]percuss.Answer{
		"backwards":      got,
		"one by one":     alone(t, m, requests),
		"three at once":  modeltest.Ask(t, tiny(t, Options{Parallel: 3}), requests...),
		"plain":          modeltest.Ask(t, tiny(t, Options{Plain: true}), requests...),
		"the first five": append(modeltest.Ask(t, m, requests[:5]...), modeltest.Ask(t, m, requests[5:]...)...),
		"beside others":  modeltest.Ask(t, m, append(slices.Clone(requests), mixture()...)...)[:len(requests)],
	} {
		if _, texts := furthest(t, got, want); texts > 0 {
			t.Errorf("%s: %d of 8 chains are others", name, texts)
		}
	}
	reseeded := requests[0]
	reseeded.Sampling.Seed++
	if modeltest.Ask(t, m, reseeded)[0].Text == want[0].Text {
		t.Error("another seed makes the same chain")
	}
}

// The prompt of an item is computed once, however many chains are drawn of it.
func TestSampledChainsShareTheirPrompt(t *testing.T) {
	m := tiny(t, Options{})
	before := m.Counts()
	answers := modeltest.Ask(t, m, chainsOf(8, 24)...)
	after := m.Counts()
	asked, computed := after.PromptAsked-before.PromptAsked, after.PromptComputed-before.PromptComputed
	if one := int64(answers[0].Usage.Prompt); asked != 8*one || computed != one {
		t.Errorf("%d of %d prompt tokens were computed for 8 chains of a prompt of %d", computed, asked, one)
	}
}

// smolChains: the same call makes the same chains on quantised weights, too. In other company a chain may become another one,
// which the capabilities say (Exact).
func smolChains(t *testing.T, m *Model) {
	requests := chainsOf(4, 12)
	together := modeltest.Ask(t, m, requests...)
	if _, texts := furthest(t, together, modeltest.Ask(t, m, requests...)); texts > 0 {
		t.Errorf("the same call twice: %d of 4 chains are others", texts)
	}
	if n := different(together); n < 3 {
		t.Errorf("4 seeds make %d different chains", n)
	}
	_, texts := furthest(t, together, alone(t, m, requests))
	t.Logf("asked one by one %d of 4 chains are others", texts)
	if m.Capabilities().Exact {
		t.Error("quantised weights count as exact")
	}
}
