package llamacpp

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
)

const vignette = "A 54-year-old man has had chest pain for two hours. Blood pressure is 150/90. What is the diagnosis?"

// mixture makes requests that share prefixes in every way: edits of one vignette, continuations of one turn, one
// prompt that is the beginning of another, equal ones, text beside letters.
func mixture() []percuss.Request {
	requests := []percuss.Request{
		text(vignette, "", 40), letters(vignette, "", "A", "B", "C"), text(vignette, "", 40),
		text(vignette, "Step 1: the pain", 40), letters(vignette, "Step 1: the pain is", "A", "B", "C"),
		text(vignette, "Step 1: the pain is new.\nAnswer:", 12), letters(vignette, "Step 1: the pain is new.\nAnswer:", "D", "B"),
	}
	for i := range 9 {
		edited := strings.Replace(vignette, "54", fmt.Sprint(20+7*i), 1)
		requests = append(requests, text(edited, "", 30+i), letters(edited, "The answer is", "A", "B", "C", "D", "E"))
	}
	replicate := text(vignette, "", 40)
	replicate.Replicate = 1
	return append(requests, replicate)
}

func TestTogetherEqualsAlone(t *testing.T) {
	m := tiny(t, Options{})
	requests := mixture()
	before := m.Counts()
	together := modeltest.Ask(t, m, requests...)
	after := m.Counts()
	single := alone(t, m, requests)
	most, texts := furthest(t, together, single)
	if most > 1e-4 || texts > 0 {
		t.Errorf("log-probabilities differ by up to %g, %d texts differ", most, texts)
	}
	asked, computed := after.PromptAsked-before.PromptAsked, after.PromptComputed-before.PromptComputed
	t.Logf("largest difference %.2g; %d of %d prompt tokens computed", most, computed, asked)
	if computed*3 > asked*2 {
		t.Errorf("%d of %d prompt tokens were computed: the prefixes were not shared", computed, asked)
	}
	distinct := map[string]bool{}
	ended := map[percuss.Outcome]int{}
	for _, a := range single {
		distinct[a.Text] = true
		ended[a.Outcome]++
		if a.Usage.Prompt == 0 {
			t.Error("no prompt tokens counted")
		}
	}
	if len(distinct) < 8 || ended[percuss.OK] == 0 || ended[percuss.Truncated] == 0 {
		t.Errorf("the test shows little: %d different texts, outcomes %v", len(distinct), ended)
	}
	if diff := cmp.Diff(usages(single), usages(together)); diff != "" {
		t.Errorf("usage depends on the company:\n%s", diff)
	}
}

func usages(answers []percuss.Answer) []percuss.Usage {
	var out []percuss.Usage
	for _, a := range answers {
		out = append(out, a.Usage)
	}
	return out
}

func TestMoreRequestsThanSequences(t *testing.T) {
	few := tiny(t, Options{Parallel: 3})
	requests := mixture()
	most, texts := furthest(t, modeltest.Ask(t, few, requests...), alone(t, few, requests))
	if most > 1e-4 || texts > 0 {
		t.Errorf("log-probabilities differ by up to %g, %d texts differ", most, texts)
	}
}

// A cache that holds two of the requests at most: the rest must wait, and what was idle must be given up.
func TestRequestsThatDoNotFitTogether(t *testing.T) {
	m := tiny(t, Options{})
	m.budget = 512
	if err := m.resize(m.budget); err != nil {
		t.Fatal(err)
	}
	var requests []percuss.Request
	for i := range 8 {
		requests = append(requests, text(strings.Repeat(fmt.Sprintf("%d. %s\n", i, vignette), 2), "", 60))
	}
	requests = append(requests, letters(strings.Repeat(vignette, 8), "", "A", "B")) // more than the whole cache: it grows
	most, texts := furthest(t, modeltest.Ask(t, m, requests...), alone(t, m, requests))
	if most > 1e-4 || texts > 0 {
		t.Errorf("log-probabilities differ by up to %g, %d texts differ", most, texts)
	}
	if m.engine.cells <= 512 || m.engine.cells > 2048 {
		t.Errorf("the cache has %d cells", m.engine.cells)
	}
}

func TestSecondRoundReusesTheFirst(t *testing.T) {
	m := tiny(t, Options{})
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var first, second []percuss.Request
	for i := range 5 {
		first = append(first, text(fmt.Sprintf("%d %s", i, vignette), "", 30))
	}
	for i, a := range modeltest.AskIn(t, s, first...) {
		second = append(second, letters(fmt.Sprintf("%d %s", i, vignette), a.Text+"\nThe answer is", "A", "B", "C", "D"))
	}
	before := m.Counts()
	again := modeltest.AskIn(t, s, second...)
	after := m.Counts()
	if asked, computed := after.PromptAsked-before.PromptAsked, after.PromptComputed-before.PromptComputed; computed*4 > asked {
		t.Errorf("the second round computed %d of %d prompt tokens", computed, asked)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	if most, _ := furthest(t, again, alone(t, m, second)); most > 1e-4 {
		t.Errorf("log-probabilities differ by up to %g from a fresh session", most)
	}
}

// Whatever is asked together, in whatever order of rounds and however little room there is, each answer is the one
// that its request gets alone.
func TestAnyCompanyAnyRound(t *testing.T) {
	m := tiny(t, Options{Parallel: 4})
	rng := rand.New(rand.NewPCG(5, 6))
	words := []string{"a fever", "A", " pain", "\n", "no", " B", "54"}
	phrase := func(most int) (s string) {
		for range rng.IntN(most) {
			s += words[rng.IntN(3)] + words[rng.IntN(len(words))]
		}
		return s
	}
	random := func() percuss.Request {
		user := phrase(6) + "x"
		r := text(user, phrase(3), 1+rng.IntN(12))
		switch rng.IntN(3) {
		case 0:
			r = letters(user, phrase(3), "A", "C")
		case 1:
			r.Replicate = rng.IntN(2)
			r.Sampling.Temperature = float64(rng.IntN(2))
		}
		return r
	}
	for trial := range 12 {
		m.budget = 256 + 128*rng.IntN(4)
		s, err := m.Open(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		var asked []percuss.Request
		var got []percuss.Answer
		for range 3 {
			requests := make([]percuss.Request, rng.IntN(12))
			for i := range requests {
				requests[i] = random()
			}
			asked, got = append(asked, requests...), append(got, modeltest.AskIn(t, s, requests...)...)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if most, texts := furthest(t, got, alone(t, m, asked)); most > 1e-4 || texts > 0 {
			t.Fatalf("trial %d: log-probabilities differ by up to %g, %d texts differ", trial, most, texts)
		}
	}
}

func TestSampling(t *testing.T) {
	m := tiny(t, Options{})
	var requests []percuss.Request
	for i := range 6 {
		r := text(vignette, "", 30)
		r.Sampling.Temperature, r.Sampling.TopP, r.Sampling.Seed = 1, 0.9, 7
		r.Replicate = i
		requests = append(requests, r)
	}
	together := modeltest.Ask(t, m, requests...)
	if most, texts := furthest(t, together, alone(t, m, requests)); texts > 0 {
		t.Errorf("%d sampled texts depend on the company (%g)", texts, most)
	}
	distinct := map[string]bool{}
	for _, a := range together {
		distinct[a.Text] = true
	}
	if len(distinct) < 5 {
		t.Errorf("%d different texts of 6 replicates", len(distinct))
	}
}

func TestContextExceeded(t *testing.T) {
	m := tiny(t, Options{Context: 300})
	if got := m.Capabilities().ContextTokens; got != 300 {
		t.Fatalf("context of %d", got)
	}
	long := text(strings.Repeat(vignette, 4), "", 10)
	wordy := text(vignette, "", 300)
	answers := modeltest.Ask(t, m, long, text(vignette, "", 10), wordy)
	for i, want := range []bool{true, false, true} {
		if got := answers[i].Outcome == percuss.ContextExceeded; got != want {
			t.Errorf("request %d: %s (%s)", i, answers[i].Outcome, answers[i].Detail)
		}
	}
	if answers[0].Detail == "" || answers[0].Usage.Prompt < 300 {
		t.Errorf("no explanation: %+v", answers[0])
	}
	if a := modeltest.Ask(t, m, text(vignette, "", 0))[0]; a.Usage.Output+a.Usage.Prompt > 300 {
		t.Errorf("without a limit: %+v", a.Usage)
	}
}

func TestCancelledWhileGenerating(t *testing.T) {
	m := tiny(t, Options{Parallel: 2})
	s, err := m.Open(t.Context(), "one")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var requests []percuss.Request
	for i := range 6 {
		requests = append(requests, text(fmt.Sprint(i, vignette), "", 40))
	}
	ended := 0
	err = s.Answer(ctx, requests, func(i int, a percuss.Answer, err error) {
		ended++
		if err != nil {
			t.Errorf("request %d: %v", i, err)
		}
		cancel()
	})
	if !errors.Is(err, context.Canceled) {
		t.Errorf("Answer returned %v", err)
	}
	if ended == 0 || ended == len(requests) {
		t.Errorf("%d of %d requests ended; those that had begun should, the others not", ended, len(requests))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	modeltest.Ask(t, m, requests[0]) // the model is still of use
}

// A run that cannot be held against one that was not interrupted: the same calls give the same bytes.
func TestSameCallsSameAnswers(t *testing.T) {
	var rounds [2][]percuss.Answer
	for i := range rounds {
		m := eager(tiny(t, Options{}))
		m.budget = 2048 // so little that texts are parked and woken
		if err := m.resize(m.budget); err != nil {
			t.Fatal(err)
		}
		s, err := m.Open(t.Context(), "one")
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			rounds[i] = append(rounds[i], modeltest.AskIn(t, s, mixture()...)...)
		}
		if n := m.Counts(); n.Accepted == 0 {
			t.Error("nothing was drafted")
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(rounds[0], rounds[1], cmp.AllowUnexported(percuss.Number{})); diff != "" {
		t.Errorf("(-first +second)\n%s", diff)
	}
}

func TestConformance(t *testing.T) {
	modeltest.Run(t, func(t *testing.T) model.Model { return tiny(t, Options{}) }, modeltest.Traits{})
}
