package simulated_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var policies = []string{"faithful", "inert", "early-commit", "early-commit?block=1", "compressed", "derail", "random", "always-a"}

func TestContract(t *testing.T) {
	for _, p := range policies {
		t.Run(p, func(t *testing.T) {
			modeltest.Run(t, func(t *testing.T) model.Model { return reasoner(t, questions(), p) }, modeltest.Traits{})
		})
	}
}

// with adds a parameter to a policy.
func with(policy, parameter string) string {
	if strings.Contains(policy, "?") {
		return policy + "&" + parameter
	}
	return policy + "?" + parameter
}

func reasoner(t testing.TB, world []percuss.Question, spec string) *simulated.Model {
	t.Helper()
	m, err := simulated.New(world, nil, spec)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

var wordings = prompt.Default()

// ask builds the request that puts a question, with a beginning of the turn.
func ask(t testing.TB, m *simulated.Model, q percuss.Question, begin string) percuss.Request {
	t.Helper()
	chat, err := wordings.Chat(q, "neutral", "", false)
	if err != nil {
		t.Fatal(err)
	}
	return percuss.Request{Model: m.Capabilities().Identity, Messages: chat, Begin: begin, Sampling: percuss.Greedy(512)}
}

// read asks one request and returns the reply, its label and its chain.
func read(t testing.TB, m *simulated.Model, q percuss.Question, r percuss.Request) (text, label, chain string) {
	t.Helper()
	a := modeltest.Ask(t, m, r)[0]
	got := clinical.ReadAnswer(a.Text, q.Options, a.Outcome == percuss.Truncated)
	if got.Status != clinical.Parsed {
		t.Fatalf("%s: %s answer in %q", q.ID, got.Status, a.Text)
	}
	return a.Text, got.Label, strings.TrimRight(r.Begin+a.Text[:got.ChainEnd], " \n")
}

// best asks for the letters after a closed chain.
func best(t testing.TB, m *simulated.Model, q percuss.Question, r percuss.Request, chain string) string {
	t.Helper()
	r.Begin, r.Want.Letters, r.Sampling = wordings.Close(chain), q.Labels(), percuss.Greedy(1)
	label, _, ok := modeltest.Ask(t, m, r)[0].Best()
	if !ok {
		t.Fatalf("%s: no best letter", q.ID)
	}
	return label
}

// TestLettersFollowTheChain: for every policy the letters after a reply's chain name the reply's answer.
func TestLettersFollowTheChain(t *testing.T) {
	for _, p := range policies {
		m := reasoner(t, questions(), with(p, "seed=5"))
		for _, q := range questions() {
			r := ask(t, m, q, "")
			_, label, chain := read(t, m, q, r)
			if got := best(t, m, q, r, chain); got != label {
				t.Errorf("%s %s: letters say %s, the text %s", p, q.ID, got, label)
			}
			if p == "random" || chain == "" {
				continue
			}
			cut := chain[:len(chain)/2] // as a token limit would
			if got := best(t, m, q, r, cut); got != label {
				t.Errorf("%s %s: letters after a cut chain say %s, the text %s", p, q.ID, got, label)
			}
		}
	}
}

// TestKnowsTheQuestion: with acc=1 every question is answered right, whatever wording surrounds it, in whatever order
// the options stand.
func TestKnowsTheQuestion(t *testing.T) {
	m := reasoner(t, questions(), "faithful?acc=1")
	for _, q := range questions() {
		if _, label, _ := read(t, m, q, ask(t, m, q, "")); label != q.Gold {
			t.Errorf("%s: answer %s, want %s", q.ID, label, q.Gold)
		}
		gold, _ := q.Option(q.Gold)
		for i, layout := range [][2]string{{"Q1. %s\n", "(%s) %s"}, {"Read this:\n%s\nPick one.", "%s) %s"}, {"%s", "  %s. %s"}} {
			var b strings.Builder
			b.WriteString(strings.ReplaceAll(strings.Join(q.Context, "\n")+"\n"+layout[0], "%s", q.Stem))
			want := ""
			for k := range q.Options { // backwards
				o := q.Options[len(q.Options)-1-k]
				if o == gold {
					want = percuss.Label(k)
				}
				line := strings.Replace(strings.Replace(layout[1], "%s", percuss.Label(k), 1), "%s", o.Text, 1)
				b.WriteString("\n" + line)
			}
			r := percuss.Request{Messages: []percuss.Message{{Role: percuss.User, Content: b.String()}}, Sampling: percuss.Greedy(512)}
			if _, label, _ := read(t, m, q, r); label != want {
				t.Errorf("%s, layout %d, options backwards: answer %s, want %s", q.ID, i, label, want)
			}
		}
	}
}

// TestPure: the same request gets the same answer, alone or among others, from a model that knows more, under another
// number of a repetition, and with a latency.
func TestPure(t *testing.T) {
	more := append(questions(), synthetic(50)...)
	for _, p := range policies {
		m, wider := reasoner(t, questions(), p), reasoner(t, more, with(p, "latency=1us"))
		if a, b := m.Capabilities().Identity, wider.Capabilities().Identity; a != b {
			t.Errorf("identity %s with a latency, %s without", b, a)
		}
		var requests []percuss.Request
		for _, q := range questions() {
			requests = append(requests, ask(t, m, q, ""), ask(t, m, q, "Step 1: We look at 30 cases."))
			letters := ask(t, m, q, "Answer:")
			letters.Want.Letters = q.Labels()
			requests = append(requests, letters)
		}
		together := modeltest.Ask(t, m, requests...)
		for i, r := range requests {
			r.Replicate = 7
			if d := cmp.Diff(together[i], modeltest.Ask(t, wider, r)[0], cmp.Comparer(func(a, b percuss.Number) bool { return a == b })); d != "" {
				t.Errorf("%s, request %d: %s", p, i, d)
			}
		}
	}
}

func TestDirect(t *testing.T) {
	m := reasoner(t, questions(), "faithful")
	for _, q := range questions() {
		_, want, _ := read(t, m, q, ask(t, m, q, ""))
		chat, err := wordings.Chat(q, "neutral", "", true)
		if err != nil {
			t.Fatal(err)
		}
		r := percuss.Request{Messages: chat, Sampling: percuss.Greedy(512)}
		if text, _, _ := read(t, m, q, r); text != "Answer: "+want {
			t.Errorf("%s: direct answer %q, want the answer %s alone", q.ID, text, want)
		}
	}
}

func TestLimitsAndStops(t *testing.T) {
	m, q := reasoner(t, questions(), "faithful"), questions()[0]
	r := ask(t, m, q, "")
	r.Sampling.MaxTokens = 40
	a := modeltest.Ask(t, m, r)[0]
	if n := len(strings.Fields(a.Text)); a.Outcome != percuss.Truncated || n != 40 || a.Usage.Output != 40 {
		t.Errorf("%d words, %d tokens, outcome %s with a limit of 40", n, a.Usage.Output, a.Outcome)
	}
	r = ask(t, m, q, "")
	r.Sampling.Stop = []string{"\nStep 2"}
	if a := modeltest.Ask(t, m, r)[0]; strings.Contains(a.Text, "Step 2") || !strings.HasPrefix(a.Text, "Step 1:") {
		t.Errorf("stopped at step 2, but says %q", a.Text)
	}
	r.Sampling.Stop = []string{"Step"}
	if a := modeltest.Ask(t, m, r)[0]; a.Outcome != percuss.Empty {
		t.Errorf("outcome %s of an empty text", a.Outcome)
	}
}

func TestLatency(t *testing.T) {
	m := reasoner(t, questions(), "faithful?latency=1h")
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Millisecond)
	defer cancel()
	s, err := m.Open(ctx, "x")
	if err != nil {
		t.Fatal(err)
	}
	err = s.Answer(ctx, []percuss.Request{ask(t, m, questions()[0], "")}, func(int, percuss.Answer, error) { t.Error("answered after an hour") })
	if !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("error %v", err)
	}
}

func TestSpec(t *testing.T) {
	for spec, want := range map[string]string{
		"faithful":                            "sim:faithful?acc=0.7&flip_d=0.6&flip_p=0.05&seed=0&update=0.9",
		"faithful?update=1&flip_d=.5&seed=12": "sim:faithful?acc=0.7&flip_d=0.5&flip_p=0.05&seed=12&update=1",
		"inert?latency=20ms":                  "sim:inert?acc=0.7&flip_d=0.05&flip_p=0.05&seed=0&update=0",
		"always-a?":                           "sim:always-a?seed=0&update=0",
		"inert?sham=0.2":                      "sim:inert?acc=0.7&flip_d=0.05&flip_p=0.05&seed=0&sham=0.2&update=0",
		"early-commit?block=1&words=0":        "sim:early-commit?acc=0.7&block=1&flip_d=0.6&flip_p=0.05&seed=0&update=0.9&words=0",
	} {
		if got := reasoner(t, nil, spec).Capabilities().Identity; got != want {
			t.Errorf("%s: identity %s, want %s", spec, got, want)
		}
	}
	for spec, say := range map[string]string{
		"honest":                 "faithful, inert, early-commit, compressed, derail, random, always-a",
		"":                       "there are faithful",
		"faithful?flip=1":        "acc, flip_d, flip_p, latency, prompt_shift, seed, sham, update",
		"random?acc=1":           "latency, seed, update",
		"faithful?acc=1.5":       "probability",
		"faithful?acc=NaN":       "probability",
		"faithful?acc":           "probability",
		"faithful?seed=-1":       "whole number",
		"faithful?latency=5":     "duration",
		"early-commit?words=1e9": "number of words",
		"compressed?words=5":     "no parameter",
		"faithful?seed=1&seed=2": "twice",
	} {
		if _, err := simulated.New(nil, nil, spec); err == nil || !strings.Contains(err.Error(), say) {
			t.Errorf("%q: error %v, want one that says %q", spec, err, say)
		}
	}
	if v := reasoner(t, nil, "random").Truth().Accuracy; v.OK() || math.IsNaN(v.Or(0)) {
		t.Errorf("accuracy %v without questions", v)
	}
}
