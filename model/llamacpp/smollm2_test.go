package llamacpp

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/modeltest"
)

// TestSmolLM2 asks a real, quantised model; it is loaded once.
func TestSmolLM2(t *testing.T) {
	if testing.Short() {
		t.Skip("loads a model of 98 MB")
	}
	m := opened(t, Options{Lib: modeltest.EngineLib(t), Path: modeltest.SmolLM2(t)})
	t.Run("capabilities", func(t *testing.T) {
		c := m.Capabilities()
		const id = "llama:sha256=b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53:template="
		if !strings.HasPrefix(c.Identity, id) || c.Exact || c.Weights != "Q4_1" || c.Template != kindJinja || !c.SystemRole {
			t.Errorf("%+v", c)
		}
		if !strings.Contains(c.Engine, "llama.cpp 0.5.0") || !strings.Contains(c.Engine, "CPU") {
			t.Errorf("engine %q", c.Engine)
		}
		t.Logf("%+v", c)
	})
	t.Run("prompt", func(t *testing.T) { smolPrompt(t, m) })
	t.Run("greedy", func(t *testing.T) {
		r := text("What is the capital of France? Answer in one sentence.", "", 24)
		r.Messages[0].Content = "You are a helpful assistant."
		a := modeltest.Ask(t, m, r)[0]
		if a.Outcome != percuss.OK || !strings.Contains(a.Text, "Paris") {
			t.Errorf("%s: %q", a.Outcome, a.Text)
		}
	})
	t.Run("continuation", func(t *testing.T) {
		a := modeltest.Ask(t, m, text("Count from one to eight in words.", "one, two, three, four,", 16))[0]
		if !strings.HasPrefix(a.Text, " five") || a.Continued != percuss.Continues {
			t.Errorf("the turn was not continued: %+v", a)
		}
	})
	t.Run("system", func(t *testing.T) {
		r := text("Say something.", "", 16)
		s := r
		s.Messages = slices.Clone(r.Messages)
		s.Messages[0].Content = "Answer with the word yes and nothing else."
		a := modeltest.Ask(t, m, r, s)
		if a[0].Text == a[1].Text {
			t.Errorf("the system turn changes nothing: %q", a[0].Text)
		}
	})
	t.Run("stop", func(t *testing.T) {
		r := text("Count from one to eight in words.", "one, two, three, four,", 16)
		r.Sampling.Stop = []string{", six"}
		if a := modeltest.Ask(t, m, r)[0]; a.Text != " five" || a.Outcome != percuss.OK {
			t.Errorf("%s: %q", a.Outcome, a.Text)
		}
	})
	t.Run("letters", func(t *testing.T) { smolLetters(t, m) })
	t.Run("drift", func(t *testing.T) { smolDrift(t, m) })
	t.Run("chains", func(t *testing.T) { smolChains(t, m) })
	t.Run("drafts", func(t *testing.T) { smolDrafts(t, m) })
	t.Run("shares", func(t *testing.T) { smolShares(t, m) })
	t.Run("trees", func(t *testing.T) { smolTrees(t, m) })
}

func smolPrompt(t *testing.T, m *Model) {
	j, a, err := m.newJob(0, new(text("Hi.", "Step 1:", 5)))
	if j == nil {
		t.Fatal(a, err)
	}
	got := ""
	for _, tok := range j.tokens {
		if name := m.vocab.text(tok); strings.HasPrefix(name, "<|") {
			got += name
			continue
		}
		got += m.vocab.pieces()[tok]
	}
	want := "<|im_start|>system\nYou are a clinician.<|im_end|>\n<|im_start|>user\nHi.<|im_end|>\n<|im_start|>assistant\nStep 1:"
	if got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if n := slices.Index(j.tokens[1:], m.vocab.bos); m.vocab.addBOS || len(j.tokens) < 10 || n == 0 {
		t.Errorf("beginning of text: %v", j.tokens)
	}
}

func smolLetters(t *testing.T, m *Model) {
	r := letters("Which letter comes first in the alphabet?\nA. A\nB. B\nC. C", "The answer is", "A", "B", "C", "D")
	a := modeltest.Ask(t, m, r)[0]
	sum := 0.0
	for _, l := range a.Letters {
		v, ok := l.LogProb.Get()
		if !ok {
			t.Errorf("%q has no score", l.Letter)
		}
		sum += math.Exp(v)
	}
	if sum <= 0.01 || sum > 1 {
		t.Errorf("the letters have probability %g: %+v", sum, a.Letters)
	}
	for _, label := range []string{"A", "B"} {
		if f := m.vocab.forms(label); len(f) != 2 {
			t.Errorf("%q has the forms %v", label, f)
		}
	}
}

// Prompts at the beginning of a turn are answered as if each were alone, quantised or not.
func smolTrees(t *testing.T, m *Model) {
	if got := m.Capabilities().Layout; got != Exact {
		t.Skipf("the layout of this model is %q on this machine", got)
	}
	requests := shownSets(findings()[:2]...)
	together := modeltest.Ask(t, m, append(requests, repeated(requests, 1)...)...)
	single := alone(t, m, requests)
	for i, name := range []string{"together", "repeated"} {
		if most, _ := furthest(t, together[i*len(requests):][:len(requests)], single); most != 0 {
			t.Errorf("%s: log-probabilities differ by up to %g from those of asking alone", name, most)
		}
	}
}

// On quantised weights the company of a request moves its answer; by how much is a property of the kernels.
func smolDrift(t *testing.T, m *Model) {
	requests := []percuss.Request{
		letters(vignette, "The answer is", "A", "B", "C", "D"), text(vignette, "", 16),
		letters(strings.Replace(vignette, "54", "7", 1), "The answer is", "A", "B", "C", "D"),
		text(strings.Replace(vignette, "man", "woman", 1), "", 16),
	}
	together := modeltest.Ask(t, m, requests...)
	if most, texts := furthest(t, together, modeltest.Ask(t, m, requests...)); most != 0 || texts != 0 {
		t.Errorf("the same call twice differs by %g, %d texts", most, texts)
	}
	most, texts := furthest(t, together, alone(t, m, requests))
	t.Logf("against asking alone: log-probabilities differ by up to %.3f, %d of 2 texts differ", most, texts)
	if most > 2 {
		t.Errorf("a difference of %g is no rounding", most)
	}
}
