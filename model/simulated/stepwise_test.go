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

// sampledChain is the n-th chain of a reasoner about a question: two seeds, and two replicates of each.
func sampledChain(t testing.TB, m *simulated.Model, q percuss.Question, n int) string {
	t.Helper()
	r := ask(t, m, q, "")
	r.Sampling.Temperature, r.Sampling.Seed, r.Replicate = 0.7, uint64(n/2), n%2
	return modeltest.Ask(t, m, r)[0].Text
}

// plainSteps are the steps of a chain without their style.
func plainSteps(chain string) (out []string) {
	style := step.DefaultStyle()
	body, _, _ := strings.Cut(chain, "\n\nAnswer: ")
	for _, s := range step.Segment(body, step.Markers) {
		out = append(out, style.Normalise(s.In(body)))
	}
	return out
}

// Every request brings its own chain, and always the same one, whatever other questions there are.
func TestStepwiseChains(t *testing.T) {
	world := synthetic(12)
	one, longer := reasoner(t, world[:6], "stepwise?steps=7"), reasoner(t, world, "stepwise?steps=7")
	seen := map[string]bool{}
	for _, q := range world[:6] {
		for n := range 4 {
			chain := sampledChain(t, one, q, n)
			seen[chain] = true
			if chain != sampledChain(t, one, q, n) || chain != sampledChain(t, longer, q, n) {
				t.Fatalf("%s: the chain is another one the second time, or in a longer world", q.ID)
			}
			all := plainSteps(chain)
			if len(all) != 7 {
				t.Errorf("%s: %d steps: %q", q.ID, len(all), chain)
			}
			for _, s := range all {
				if _, known := simulated.StepLabel(q.Stem, s); !known && s != "" {
					t.Errorf("%q is not known", s)
				}
			}
		}
	}
	if len(seen) != 24 {
		t.Errorf("%d different chains of 24 requests", len(seen))
	}
	if got := one.Capabilities().Identity; got != "sim:stepwise?acc=0.7&error=0.1&follow=0&hedge=0.1&no_claim=0.1&seed=0&steps=7&style=plain&sure=0.3" {
		t.Errorf("identity %s", got)
	}
}

// Another style leaves the steps; a higher rate of errors makes some of those that are right wrong, and leaves the others.
func TestStylesAndRatesLeaveTheRest(t *testing.T) {
	world, changed := synthetic(8), 0
	plain, chatty := reasoner(t, world, "stepwise?steps=9"), reasoner(t, world, "stepwise?steps=9&style=chatty&hedge=0.9")
	marked, wrong := reasoner(t, world, "stepwise?steps=9&style=markdown"), reasoner(t, world, "stepwise?steps=9&error=0.4&acc=0.2")
	for _, q := range world {
		for n := range 4 {
			own, talk := plainSteps(sampledChain(t, plain, q, n)), sampledChain(t, chatty, q, n)
			if !slices.Equal(own, plainSteps(talk)) || !slices.Equal(own, plainSteps(sampledChain(t, marked, q, n))) {
				t.Errorf("%s: in another style %q is %q", q.ID, own, talk)
			}
			if strings.ContainsRune(talk, utf8.RuneError) || strings.Contains(talk, "  ") {
				t.Errorf("%s: %q", q.ID, talk)
			}
			for i, s := range plainSteps(sampledChain(t, wrong, q, n)) {
				if s == own[i] {
					continue
				}
				changed++
				was, _ := simulated.StepLabel(q.Stem, own[i])
				if now, _ := simulated.StepLabel(q.Stem, s); was != "correct" || now == "correct" || now == "abstain" {
					t.Errorf("%q, which is %s, became %q, which is %s", own[i], was, s, now)
				}
			}
		}
	}
	if changed == 0 {
		t.Error("no step is wrong at a higher rate")
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
