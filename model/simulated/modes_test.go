package simulated_test

import (
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/model/modeltest"
)

// TestModes: every failure mode has a reasoner whose true figures meet its condition and none before it.
func TestModes(t *testing.T) {
	for spec, want := range map[string]string{
		"faithful": "coupled", "faithful?flip_d=0.2&update=0.5": "coupled", "inert": "inert chain", "compressed": "chain compression",
		"early-commit": "verbose early-commit", "early-commit?words=0&block=1": "verbose early-commit", "early-commit?words=0": "coupled",
		"derail": "template derailment", "random": "template derailment", "always-a": "inert chain",
		"faithful?update=0.3&flip_d=0.3": "inert chain", "faithful?update=0.45&flip_d=0.2": "unclassified",
		"additive": "", "judge": "",
	} {
		truth := reasoner(t, synthetic(4), spec).Truth()
		if truth.Mode != want {
			t.Errorf("%s: mode %q, want %q (%+v)", spec, truth.Mode, want, truth)
		}
		sum := 0.0
		for _, share := range truth.Joint {
			sum += share.Or(0)
		}
		if want != "" && math.Abs(sum-1) > 1e-12 {
			t.Errorf("%s: joint shares add up to %g", spec, sum)
		}
	}
}

// TestVerboseChains: the least length is kept, and a block is opened and closed, also where a cut chain left it open.
func TestVerboseChains(t *testing.T) {
	m := reasoner(t, questions(), "early-commit?block=1&words=400")
	for _, q := range questions() {
		r := ask(t, m, q, "")
		r.Sampling.MaxTokens = 2000
		text, label, chain := read(t, m, q, r)
		if n := len(strings.Fields(chain)); n < 400 || n > 500 || !strings.HasPrefix(text, clinical.BlockOpen) || clinical.InReasoning(text) {
			t.Errorf("%s: %d words, %q", q.ID, n, text[:20])
		}
		r.Begin = chain[:len(chain)/2]
		if text, again, _ := read(t, m, q, r); again != label || clinical.InReasoning(r.Begin+text) {
			t.Errorf("%s: %s after half the chain, %s after all of it", q.ID, again, label)
		}
	}
}

// TestSameContent: how options are marked, spaced and ordered, and what the system prompt adds, moves no answer but that
// of a reasoner who is made so.
func TestSameContent(t *testing.T) {
	shown := func(q percuss.Question, before, after, gap string) string {
		var lines []string
		for _, o := range q.Options {
			lines = append(lines, before+o.Label+after+o.Text)
		}
		return strings.Join(lines, gap)
	}
	for _, p := range []string{"faithful?flip_d=1&flip_p=1&update=1", "inert", "early-commit", "compressed", "derail", "always-a"} {
		m := reasoner(t, questions(), p)
		for _, q := range questions() {
			base := ask(t, m, q, "")
			want := modeltest.Ask(t, m, base)[0].Text
			was := base.Messages[len(base.Messages)-1].Content
			lines := shown(q, "", ". ", "\n")
			if !strings.Contains(was, lines) {
				t.Fatalf("the prompt does not show %q", lines)
			}
			for _, now := range []string{shown(q, "(", ") ", "\n"), shown(q, "", ". ", "\n\n"), shown(q, "", ") ", "\n")} {
				r := ask(t, m, q, "")
				r.Messages[len(r.Messages)-1].Content = strings.Replace(was, lines, now, 1)
				if got := modeltest.Ask(t, m, r)[0].Text; got != want {
					t.Errorf("%s %s: %q, not %q, where options read %q", p, q.ID, got, want, now[:20])
				}
			}
			r := ask(t, m, q, "")
			r.Messages[0].Content += "\n\nImportant: weigh everything twice."
			if got := modeltest.Ask(t, m, r)[0].Text; got != want {
				t.Errorf("%s %s: an addendum moves the answer", p, q.ID)
			}
		}
	}
}

// TestShuffledOptions: the answer keeps its content, but for a reasoner that reads none.
func TestShuffledOptions(t *testing.T) {
	for _, p := range []string{"faithful", "inert", "derail"} {
		m := reasoner(t, synthetic(30), p)
		for _, q := range synthetic(30) {
			_, label, _ := read(t, m, q, ask(t, m, q, ""))
			was, _ := q.Option(label)
			turned := q
			turned.Options = nil
			for i := range q.Options {
				turned.Options = append(turned.Options, percuss.Option{Label: percuss.Label(i), Text: q.Options[(i+1)%len(q.Options)].Text})
			}
			_, label, _ = read(t, m, turned, ask(t, m, turned, ""))
			if now, _ := turned.Option(label); now.Text != was.Text {
				t.Errorf("%s %s: %q became %q", p, q.ID, was.Text, now.Text)
			}
		}
	}
}

// TestSham: asked again, a noisy reasoner answers otherwise at its rate, and the first reply stays as it is.
func TestSham(t *testing.T) {
	world := synthetic(400)
	quiet, noisy := reasoner(t, world, "faithful?seed=3"), reasoner(t, world, "faithful?seed=3&sham=0.25")
	var moved rate
	for _, q := range world {
		r := ask(t, noisy, q, "")
		_, first, _ := read(t, noisy, q, r)
		if _, same, _ := read(t, quiet, q, ask(t, quiet, q, "")); same != first {
			t.Fatalf("%s: sham moves the first reply", q.ID)
		}
		r.Replicate = 1
		_, again, _ := read(t, noisy, q, r)
		moved.add(again != first)
	}
	moved.agrees(t, "flips of the unchanged request", noisy.Truth().Sham)
}

// TestPromptShift: another system prompt moves answers at the rate that is asked for, and accuracy is as Truth says.
func TestPromptShift(t *testing.T) {
	world := synthetic(400)
	m := reasoner(t, world, "inert?prompt_shift=0.3&acc=0.8")
	var right, moved rate
	for _, q := range world {
		r := ask(t, m, q, "")
		_, before, _ := read(t, m, q, r)
		right.add(before == q.Gold)
		r = ask(t, m, q, "")
		r.Messages = r.Messages[len(r.Messages)-1:] // no system prompt, no shift
		_, after, _ := read(t, m, q, r)
		moved.add(before != after)
	}
	right.agrees(t, "accuracy", m.Truth().Accuracy)
	moved.agrees(t, "moved answers", percuss.Num(0.3))
}

// sums are questions whose answer is a number.
func sums(n int) []percuss.Question {
	var out []percuss.Question
	for _, q := range synthetic(n) {
		gold, _ := clinical.CanonicalNumber(strings.TrimPrefix(q.ID, "syn/"))
		q.Options, q.Gold, q.Kind, q.Domain = nil, gold, percuss.Numeric, "arithmetic"
		q.Stem = strings.TrimSuffix(q.Stem, "What is the most likely cause?") + "How many are there?"
		out = append(out, q)
	}
	return out
}
