package probe_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/probe"
	"github.com/percuss/percuss/model/simulated"
)

// fake is a back-end that behaves well unless told otherwise.
type fake struct {
	can      percuss.Capabilities
	restarts bool // begins its turn anew whatever it is given
	drifts   bool // answers otherwise in company
	forgets  bool // gives another text every time
	constant bool // the same log-probabilities for every prompt
	window   int  // prompt tokens beyond which it cuts silently; 0: none
	refuses  bool // refuses long prompts and unknown parameters instead
	seedless bool
	filtered bool // probability 1 for one candidate
	copies   bool // gives the sampled token twice
	twice    bool // and counts it twice
	think    string
	fault    error
	calls    int
}

const reply = "Step 1: The cough has lasted for three weeks now. Step 2: The fever came in the evenings and went by noon. Answer: B"

func (f *fake) Capabilities() percuss.Capabilities { return f.can }
func (f *fake) Workers() int                       { return 1 }
func (f *fake) Close() error                       { return nil }
func (f *fake) Open(context.Context, string) (model.Session, error) {
	return &session{f}, nil
}

type session struct{ f *fake }

func (s *session) Close() error { return nil }

func (s *session) Answer(_ context.Context, rs []percuss.Request, done func(int, percuss.Answer, error)) error {
	for i, r := range rs {
		s.f.calls++
		if s.f.fault != nil {
			done(i, percuss.Answer{}, s.f.fault)
			continue
		}
		done(i, s.f.answer(r, len(rs)), nil)
	}
	return nil
}

func (f *fake) answer(r percuss.Request, company int) percuss.Answer {
	words := 0
	for _, m := range r.Messages {
		words += len(strings.Fields(m.Content))
	}
	a := percuss.Answer{Outcome: percuss.OK, Usage: percuss.Usage{Prompt: words, Output: 9}, Reasoning: f.think}
	if f.window > 0 && words > f.window {
		if f.refuses {
			return percuss.Answer{Outcome: percuss.ContextExceeded}
		}
		a.Usage.Prompt = f.window
	}
	if f.refuses && len(r.Extra) > 0 {
		return percuss.Answer{Outcome: percuss.Refused, Detail: "unknown parameter percuss_probe"}
	}
	if len(r.Want.Letters) > 0 {
		a.Letters = f.letters(r)
		return a
	}
	a.Text = reply
	if r.Begin != "" {
		a.Continued = percuss.Continues
		if !f.restarts {
			a.Text = strings.TrimPrefix(reply, r.Begin)
		}
	}
	switch {
	case f.drifts && company > 1:
		a.Text = strings.Replace(a.Text, "noon", "dawn", 1)
	case f.forgets, r.Sampling.Temperature > 0 && f.seedless:
		a.Text = fmt.Sprint(f.calls, a.Text)
	case r.Sampling.Temperature > 0:
		a.Text = fmt.Sprint(r.Sampling.Seed, a.Text)
	}
	return a
}

func (f *fake) letters(r percuss.Request) []percuss.LetterScore {
	var out []percuss.LetterScore
	for i, l := range r.Want.Letters {
		v := -1 - float64(i)
		if !f.constant {
			v -= float64(len(r.Messages[len(r.Messages)-1].Content)%11) / 10
		}
		out = append(out, percuss.LetterScore{Letter: l, LogProb: percuss.Num(v)})
	}
	return out
}

// open is a fake that shows its candidates.
type open struct{ *fake }

func (o open) Inspect(_ context.Context, r percuss.Request) (model.Inspection, error) {
	in := model.Inspection{Answer: percuss.Answer{Outcome: percuss.OK, Letters: o.letters(r)}}
	if o.filtered {
		in.Candidates = []model.Candidate{{Token: "B", LogProb: percuss.Num(0)}}
		return in, nil
	}
	for i, l := range in.Answer.Letters {
		v := math.Exp(l.LogProb.Or(0))
		in.Candidates = append(in.Candidates, model.Candidate{Token: l.Letter, LogProb: percuss.Num(math.Log(v * 0.75))},
			model.Candidate{Token: " " + l.Letter, LogProb: percuss.Num(math.Log(v * 0.25))})
		if i == 0 && o.copies {
			in.Candidates = append(in.Candidates, in.Candidates[0])
			if o.twice {
				in.Answer.Letters[0].LogProb = percuss.Num(math.Log(v * 1.75))
			}
		}
	}
	return in, nil
}

func well(change func(*fake)) open {
	f := &fake{can: percuss.Capabilities{Identity: "openai:m", Text: true, Letters: true, Continue: true, Seeded: true}}
	if change != nil {
		change(f)
	}
	return open{f}
}

func options() probe.Options {
	return probe.Options{Cue: "Answer:", Letters: []string{"A", "B", "C", "D"},
		Chat:  []percuss.Message{{Role: percuss.User, Content: "A man coughs. What is it?"}},
		Other: []percuss.Message{{Role: percuss.User, Content: "A woman limps after a fall. What is it?"}}}
}

func TestVerdicts(t *testing.T) {
	capability := &model.Fault{Kind: "capability", Err: errors.New("no log-probabilities here")}
	for name, c := range map[string]struct {
		change func(*fake)
		want   map[string]probe.Verdict
		can    func(percuss.Capabilities) bool
	}{
		"well": {nil, map[string]probe.Verdict{probe.Text: "yes", probe.Reasoning: "no", probe.Repeats: "yes", probe.Company: "yes",
			probe.Continues: "yes", probe.Letters: "yes", probe.OneToken: "yes", probe.Real: "yes", probe.Both: "yes", probe.LongCut: "yes",
			probe.Seeds: "yes", probe.Unknown: "no"}, func(c percuss.Capabilities) bool { return c.Letters && c.Continue && c.Seeded }},
		"starts over": {func(f *fake) { f.restarts = true }, map[string]probe.Verdict{probe.Continues: "no"},
			func(c percuss.Capabilities) bool { return !c.Continue && c.Letters }},
		"drifts":    {func(f *fake) { f.drifts = true }, map[string]probe.Verdict{probe.Repeats: "yes", probe.Company: "no"}, nil},
		"forgets":   {func(f *fake) { f.forgets = true }, map[string]probe.Verdict{probe.Repeats: "no", probe.Company: "no"}, nil},
		"constants": {func(f *fake) { f.constant = true }, map[string]probe.Verdict{probe.Letters: "yes", probe.Real: "no"}, func(c percuss.Capabilities) bool { return !c.Letters }},
		"filtered":  {func(f *fake) { f.filtered = true }, map[string]probe.Verdict{probe.Real: "no", probe.OneToken: "unclear"}, func(c percuss.Capabilities) bool { return !c.Letters }},
		"copies":    {func(f *fake) { f.copies = true }, map[string]probe.Verdict{probe.Both: "yes", probe.Real: "yes"}, nil},
		"twice":     {func(f *fake) { f.copies, f.twice = true, true }, map[string]probe.Verdict{probe.Both: "no"}, nil},
		"cuts":      {func(f *fake) { f.window = 700 }, map[string]probe.Verdict{probe.LongCut: "no"}, nil},
		"refuses":   {func(f *fake) { f.window, f.refuses = 700, true }, map[string]probe.Verdict{probe.LongCut: "yes", probe.Unknown: "yes"}, nil},
		"no seeds":  {func(f *fake) { f.seedless = true }, map[string]probe.Verdict{probe.Seeds: "no"}, func(c percuss.Capabilities) bool { return !c.Seeded }},
		"thinks":    {func(f *fake) { f.think = "Hm." }, map[string]probe.Verdict{probe.Reasoning: "yes", probe.Continues: "unclear"}, func(c percuss.Capabilities) bool { return c.Continue }},
		"says no": {func(f *fake) { f.can.Letters, f.can.Continue = false, false },
			map[string]probe.Verdict{probe.Letters: "no", probe.Real: "not asked", probe.Continues: "no", probe.OneToken: "not asked"}, nil},
		"capability": {func(f *fake) { f.fault = capability }, map[string]probe.Verdict{probe.Text: "unclear", probe.Letters: "no"}, func(c percuss.Capabilities) bool { return !c.Letters }},
	} {
		t.Run(name, func(t *testing.T) {
			m := well(c.change)
			r, err := probe.Run(t.Context(), m, options())
			if err != nil {
				t.Fatal(err)
			}
			if len(r.Findings) != 12 {
				t.Errorf("%d findings", len(r.Findings))
			}
			for check, want := range c.want {
				if f, ok := r.Of(check); !ok || f.Verdict != want || f.Evidence == "" || f.Asks == "" {
					t.Errorf("%s: %+v, want %s", check, f, want)
				}
			}
			if c.can != nil && !c.can(r.Can) {
				t.Errorf("capabilities %+v", r.Can)
			}
		})
	}
}

// A fatal fault ends the probe; what was found is there.
func TestFatal(t *testing.T) {
	m := well(func(f *fake) {
		f.fault = &model.Fault{Kind: "credentials", Fatal: true, Err: errors.New("the key is refused")}
	})
	if r, err := probe.Run(t.Context(), m, options()); err == nil || !strings.Contains(err.Error(), "refused") || r.Calls != 1 {
		t.Errorf("%d calls, %v", r.Calls, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := probe.Run(ctx, well(nil), options()); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
	if _, err := probe.Run(t.Context(), well(nil), probe.Options{}); err == nil {
		t.Error("nothing to ask, and no error")
	}
}

// The quick probe asks little, and decides the same.
func TestQuick(t *testing.T) {
	o := options()
	o.Quick = true
	m := well(func(f *fake) { f.restarts, f.constant = true, true })
	r, err := probe.Run(t.Context(), m, o)
	if err != nil || r.Can.Letters || r.Can.Continue || !r.Can.Text || len(r.Findings) != 4 || r.Calls > 7 {
		t.Errorf("%+v, %v", r, err)
	}
}

// A back-end that does not show its candidates is judged by its scores; a simulated reasoner passes every check that
// suits it.
func TestSimulated(t *testing.T) {
	q := percuss.Question{ID: "q", Stem: "A 40-year-old man has a severe cough for 3 days. What is the cause?", Gold: "A",
		Options: []percuss.Option{{Label: "A", Text: "a"}, {Label: "B", Text: "b"}}}
	other := q
	other.ID, other.Stem = "r", "A 52-year-old woman limps after a fall on ice. What is the cause?"
	m, err := simulated.New([]percuss.Question{q, other}, nil, "faithful")
	if err != nil {
		t.Fatal(err)
	}
	chat := func(q percuss.Question) []percuss.Message {
		return []percuss.Message{{Role: percuss.User, Content: "Question: " + q.Stem + "\n\nOptions:\nA. a\nB. b"}}
	}
	r, err := probe.Run(t.Context(), m, probe.Options{Chat: chat(q), Other: chat(other), Cue: "Answer:", Letters: []string{"A", "B"}, MaxTokens: 512})
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range []string{probe.Text, probe.Repeats, probe.Company, probe.Letters, probe.OneToken, probe.Real} {
		if f, _ := r.Of(check); f.Verdict != probe.Yes {
			t.Errorf("%+v", f)
		}
	}
	if !r.Can.Text || !r.Can.Letters {
		t.Errorf("%+v", r.Can)
	}
}

// A length that cannot be halved thrice ends the probe all the same.
func TestShortPrompts(t *testing.T) {
	for _, long := range []int{1, 3, 7, 8, 81} {
		o := options()
		o.Long = long
		m := well(nil)
		if r, err := probe.Run(t.Context(), m, o); err != nil || r.Calls > 40 {
			t.Errorf("%d words: %d calls, %v", long, r.Calls, err)
		}
	}
}

// A server that fails is no server that cannot.
func TestFailingServer(t *testing.T) {
	r, err := probe.Run(t.Context(), well(func(f *fake) { f.fault = &model.Fault{Kind: model.Server, Spent: true, Err: errors.New("500")} }), options())
	if err != nil {
		t.Fatal(err)
	}
	for _, check := range []string{probe.Text, probe.Letters, probe.Real} {
		if f, _ := r.Of(check); f.Verdict == probe.Yes || f.Verdict == probe.No {
			t.Errorf("%+v", f)
		}
	}
	if !r.Can.Letters || !r.Can.Continue {
		t.Errorf("what could not be seen was taken away: %+v", r.Can)
	}
}

// A prompt that does not fit into the context says nothing of scores: the back-end's word stands.
func TestQuestionsThatDoNotFit(t *testing.T) {
	o := options()
	o.Quick = true
	m := well(func(f *fake) { f.window, f.refuses = 1, true })
	r, err := probe.Run(t.Context(), m, o)
	if err != nil || !r.Can.Letters {
		t.Fatalf("%+v, %v", r, err)
	}
	if f, _ := r.Of(probe.Letters); f.Verdict != probe.Unclear || !strings.Contains(f.Evidence, "does not fit into the context") {
		t.Errorf("%+v", f)
	}
	if f, _ := r.Of(probe.Real); f.Verdict != probe.NotAsked {
		t.Errorf("%+v", f)
	}
}
