package simulated_test

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/step"
)

func TestContractOfStepModels(t *testing.T) {
	for _, p := range []string{"stepwise", "step-judge", "paraphraser"} {
		t.Run(p, func(t *testing.T) {
			modeltest.Run(t, func(t *testing.T) model.Model { return reasoner(t, questions(), p) }, modeltest.Traits{})
		})
	}
}

// Every request brings its own chain and always the same one; the world around a question, style and rates leave the rest.
func TestStepwiseChains(t *testing.T) {
	world := synthetic(12)
	style := step.DefaultStyle()
	text := func(m *simulated.Model, q percuss.Question, seed uint64, replicate int) string {
		r := ask(t, m, q, "")
		r.Sampling.Temperature, r.Sampling.Seed, r.Replicate = 0.7, seed, replicate
		return modeltest.Ask(t, m, r)[0].Text
	}
	steps := func(chain string) (out []string) {
		body, _, _ := strings.Cut(chain, "\n\nAnswer: ")
		for _, s := range step.Segment(body, step.Markers) {
			out = append(out, style.Normalise(s.In(body)))
		}
		return out
	}
	one, longer := reasoner(t, world[:6], "stepwise?steps=7"), reasoner(t, world, "stepwise?steps=7")
	chatty, wrong := reasoner(t, world, "stepwise?steps=7&style=chatty&hedge=0.9"), reasoner(t, world, "stepwise?steps=7&error=0.3&acc=0.2")
	seen, changed := map[string]bool{}, 0
	for _, q := range world[:6] {
		for n := range 4 {
			chain := text(one, q, uint64(n/2), n%2)
			seen[chain] = true
			if chain != text(one, q, uint64(n/2), n%2) || chain != text(longer, q, uint64(n/2), n%2) {
				t.Fatalf("%s: the chain is another one the second time, or in a longer world", q.ID)
			}
			talk := text(chatty, q, uint64(n/2), n%2)
			if strings.ContainsRune(chain+talk, utf8.RuneError) || strings.Contains(talk, "  ") {
				t.Errorf("%q, and with talk %q", chain, talk)
			}
			own, loud, erring := steps(chain), steps(talk), steps(text(wrong, q, uint64(n/2), n%2))
			if len(own) != 7 || !slices.Equal(own, loud) {
				t.Errorf("%s: in another style\n%q are\n%q", q.ID, own, loud)
			}
			for i, s := range own {
				label, known := simulated.StepLabel(q.Stem, s)
				if !known && s != "" {
					t.Errorf("%q is not known", s)
				}
				if i < len(erring) && erring[i] != s {
					changed++
					if now, _ := simulated.StepLabel(q.Stem, erring[i]); label == now && label == "correct" {
						t.Errorf("%q became %q, although both are right", s, erring[i])
					}
				}
			}
		}
	}
	if len(seen) != 24 || changed == 0 {
		t.Errorf("%d different chains of 24 requests, %d steps changed", len(seen), changed)
	}
	if got := one.Capabilities().Identity; got != "sim:stepwise?acc=0.7&error=0.1&follow=0&hedge=0.1&no_claim=0.1&seed=0&steps=7&style=plain&sure=0.3" {
		t.Errorf("identity %s", got)
	}
}

// The outcomes of votes are those of counting by hand.
func TestVotesByHand(t *testing.T) {
	m := reasoner(t, questions()[:2], "stepwise?acc=0.5&sure=0") // four options each
	// Of two votes: both right 1/4; one right 1/2, which ties; none right 1/4, of which a third are alike.
	for _, v := range m.Votes(2) {
		want := map[float64][2]float64{0: {0, 0}, 0.5: {0.5 + 0.25*2/3, 0.25}, 1: {0.25 + 0.25/3, 0.25}}[v.Share]
		if math.Abs(v.Chance-want[0]) > 1e-12 || math.Abs(v.Right-want[1]) > 1e-12 {
			t.Errorf("a share of %g: %+v, want %v", v.Share, v, want)
		}
	}
	sum := 0.0
	for _, v := range reasoner(t, questions(), "stepwise?acc=0.3&sure=0.2").Votes(16) {
		sum += v.Chance
	}
	if math.Abs(sum-1) > 1e-9 {
		t.Errorf("the chances add up to %g", sum)
	}
	if reasoner(t, questions(), "faithful").Votes(4) != nil || m.Votes(0) != nil || reasoner(t, questions(), "inert").StepTruth() != (simulated.StepTruth{}) {
		t.Error("other reasoners have votes, or a truth of steps")
	}
}
