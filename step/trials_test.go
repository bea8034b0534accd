package step_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/judge"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/step"
)

// options are those of a small audit: three chains, judged under four views by two judges.
func options() step.Options {
	return step.Options{Seed: 1, Prompts: prompt.Default(), K: 3, Heat: 0.7, TopP: 0.95, MaxTokens: 100, Judged: 2, Control: 1, Most: 10,
		Views: []step.View{{ID: "markers", By: step.Markers, Words: step.Normalised}, {ID: "raw", By: step.Markers, Words: step.AsWritten},
			{ID: "gold", By: step.Markers, Words: step.Normalised, Gold: true}, {ID: "paraphrase", By: step.Markers, Words: step.Paraphrased}},
		Judges: []step.Model{{ID: "one", Identity: "judge-one"}, {ID: "two", Identity: "judge-two"}}, Neutral: &step.Model{ID: "neutral", Identity: "neutral"},
		Rubric: judge.DefaultSteps(), Style: step.DefaultStyle()}
}

func subject() percuss.Subject {
	q := percuss.Question{ID: "q1", Set: "mine", Stem: "A man of 40 has a cough. What is next?", Gold: "B",
		Options: []percuss.Option{{Label: "A", Text: "rest"}, {Label: "B", Text: "tea"}}}
	return percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: "mine", Item: "q1"}, Identity: "model", Question: q}
}

// answered asks until nothing is missing, and returns what was answered in how many rounds.
func answered(t *testing.T, a *step.Audit, s percuss.Subject, say func(percuss.Request) percuss.Answer) (percuss.AnswerMap, int) {
	t.Helper()
	known := percuss.AnswerMap{}
	for round := 0; ; round++ {
		missing := percuss.Missing(a.Trials(s, known), known)
		if len(missing) == 0 {
			return known, round
		}
		if round > 20 {
			t.Fatal("the audit asks for ever")
		}
		for _, r := range missing {
			known[r.Key()] = say(r)
		}
	}
}

func ok(text string) percuss.Answer {
	return percuss.Answer{Outcome: percuss.OK, Text: text, Usage: percuss.Usage{Prompt: 50, Output: len(strings.Fields(text))}}
}

// shownStep is the step that a request to a judge puts.
func shownStep(r percuss.Request) string {
	text := r.Messages[1].Content
	text = text[strings.LastIndex(text, "The step:\n> ")+len("The step:\n> "):]
	return strings.TrimSpace(text)
}

// say answers as a model, two judges and a neutral model: judge one calls steps on coughs wrong, judge two is malformed on
// them at first.
func say(r percuss.Request) percuss.Answer {
	last := r.Messages[len(r.Messages)-1].Content
	switch r.Model {
	case "model":
		return ok(fmt.Sprintf("Step 1: Let's think step by step.\nStep 2: I think he has a cough.\nStep 3: He is %d.\nAnswer: %c", 40+r.Replicate, "BBA"[r.Replicate]))
	case "neutral":
		return ok("In other words: " + strings.TrimSpace(strings.Split(last, "\n\n")[0]))
	case "judge-two":
		if len(r.Messages) == 2 && strings.Contains(shownStep(r), "cough") {
			return ok("I find it true.")
		}
	case "judge-one":
		if strings.Contains(shownStep(r), "cough") {
			return ok("VERDICT: ERROR (factual)")
		}
	}
	return ok("VERDICT: CORRECT")
}

func TestTrialsAsk(t *testing.T) {
	a, s := step.New(options()), subject()
	first := a.Trials(s, percuss.AnswerMap{})
	if len(first) != 3 {
		t.Fatalf("%d trials before any answer, want one for each chain", len(first))
	}
	seeds := map[uint64]bool{}
	for i, trial := range first {
		r := trial.Request
		seeds[r.Sampling.Seed] = true
		if trial.ID != step.ChainTrial(i+1) || r.Replicate != i || r.Sampling.Temperature != 0.7 || r.Sampling.TopP != 0.95 || r.Sampling.Seed >= 1<<31 {
			t.Errorf("chain %d is %s, asked as %+v, replicate %d", i+1, trial.ID, r.Sampling, r.Replicate)
		}
	}
	other := subject()
	other.Model, other.Identity = "other", "other"
	if len(seeds) != 3 || a.Trials(other, percuss.AnswerMap{})[1].Request.Sampling.Seed != first[1].Request.Sampling.Seed {
		t.Error("chains of an item want seeds of their own, and the same ones for every model")
	}
	greedy := options()
	greedy.K, greedy.Heat = 1, 0
	if r := step.New(greedy).Trials(s, percuss.AnswerMap{})[0].Request; !cmp.Equal(r.Sampling, percuss.Greedy(100)) || r.Replicate != 0 {
		t.Errorf("one greedy chain is asked as %+v", r)
	}
}

func TestTrialsOfJudges(t *testing.T) {
	a, s := step.New(options()), subject()
	known, _ := answered(t, a, s, say)
	ids := map[string]*percuss.Request{}
	for _, trial := range a.Trials(s, known) {
		ids[trial.ID] = trial.Request
	}
	for _, id := range []string{"c1/markers/2/judge:one", "c2/markers/3/judge:two", "c2/markers/2/judge:two/repair", "c1/raw/1/judge:one", "c1/gold/2/judge:one", "c1/paraphrase/2/words", "c1/paraphrase/3/judge:two"} {
		if ids[id] == nil {
			t.Errorf("there is no trial %s", id)
		}
	}
	for _, id := range []string{"c1/markers/1/judge:one", "c3/markers/2/judge:one", "c2/raw/2/judge:one", "c2/paraphrase/2/words", "c1/markers/3/judge:two/repair"} {
		if ids[id] != nil {
			t.Errorf("there is a trial %s", id)
		}
	}
	if got := shownStep(*ids["c1/markers/2/judge:one"]); got != "He has a cough." {
		t.Errorf("the judge sees %q", got)
	}
	if got := shownStep(*ids["c1/raw/2/judge:one"]); got != "Step 2: I think he has a cough." {
		t.Errorf("the judge of the raw view sees %q", got)
	}
	if got := shownStep(*ids["c1/paraphrase/2/judge:one"]); got != "In other words: He has a cough." {
		t.Errorf("the judge of the paraphrase sees %q", got)
	}
	for id, r := range ids {
		if _, asks := step.JudgeOf(id); !asks {
			continue
		}
		text := r.Messages[0].Content + r.Messages[1].Content
		if shows := strings.Contains(text, "The right answer: B. tea"); shows != strings.Contains(id, "/gold/") {
			t.Errorf("%s shows the right answer: %t", id, shows)
		}
		if strings.Contains(text, "Answer: B") {
			t.Errorf("%s shows what was answered", id)
		}
	}
}

// A judge's request says nothing of the model: equal steps of two models are one request.
func TestJudgesSeeNoModel(t *testing.T) {
	a, s, other := step.New(options()), subject(), subject()
	other.Model, other.Identity, other.Variant, other.System = "other", "model-two", "strict", "You are another model."
	mine, _ := answered(t, a, s, say)
	theirs, _ := answered(t, a, other, func(r percuss.Request) percuss.Answer {
		if r.Model == "model-two" {
			r.Model = "model"
		}
		return say(r)
	})
	for k := range theirs {
		if _, ok := mine[k]; !ok && !slices.ContainsFunc(a.Trials(other, theirs)[:3], func(t percuss.Trial) bool { return t.Key() == k }) {
			t.Fatal("a judge is asked about an equal step of another model in another way")
		}
	}
}

func TestReduce(t *testing.T) {
	o := options()
	o.Repeats = 1
	a, s := step.New(o), subject()
	known, _ := answered(t, a, s, say)
	rec := a.Reduce(s, a.Trials(s, known), known).(step.Record)
	if len(rec.Chains) != 3 {
		t.Fatalf("%d chains, want 3", len(rec.Chains))
	}
	for i, want := range []step.Chain{{State: step.Read, Answer: "B", Correct: true}, {State: step.Read, Answer: "B", Correct: true}, {State: step.Read, Answer: "A"}} {
		if c := rec.Chains[i]; c.State != want.State || c.Answer != want.Answer || c.Correct != want.Correct || c.Prompt != 50 || c.Tokens == 0 {
			t.Errorf("chain %d is %+v", i+1, c)
		}
	}
	if got := []int{len(rec.Chains[0].Views), len(rec.Chains[1].Views), len(rec.Chains[2].Views)}; !slices.Equal(got, []int{4, 1, 1}) {
		t.Errorf("views of the chains: %v", got)
	}
	steps := rec.Chains[0].Views[0].Steps
	if len(steps) != 3 || !steps[0].Blank || steps[0].Says != nil || steps[1].Blank || !steps[1].Hedged || steps[2].Hedged {
		t.Fatalf("the steps are %+v", steps)
	}
	if got := steps[1].Says; got[0].Says != step.Factual || got[0].Asked != 1 || got[1].Says != step.Correct || got[1].Asked != 2 {
		t.Errorf("the second step is judged %+v", got)
	}
	if got := steps[1].Again; len(got) != 2 || got[0].Says != step.Factual {
		t.Errorf("the second step is judged again %+v", got)
	}
	if len(steps[1].Features) == 0 || len(steps[1].Raw) <= len(steps[1].Features) {
		t.Error("a step as it was written should have more features than without its style")
	}
	if third := rec.Chains[2].Views[0].Steps; third[1].Says != nil || !third[1].Hedged {
		t.Errorf("a chain that is not judged has %+v", third[1])
	}
	if c := rec.Chains[1].Views[0].Steps[2].Checks; c.Numbers != 1 || c.NewNumbers != 1 {
		t.Errorf("41 is no number of the question, the checks are %+v", c)
	}
}

// A record comes from the ledger alone, also where this version would cut the chain in another way.
func TestReduceFromTheLedger(t *testing.T) {
	o := options()
	a, s := step.New(o), subject()
	known, _ := answered(t, a, s, say)
	trials := a.Trials(s, known)
	want := a.Reduce(s, trials, known)
	slices.Reverse(trials[3:])
	if diff := cmp.Diff(want, a.Reduce(s, trials, known)); diff != "" {
		t.Errorf("the order of a ledger's rows matters:\n%s", diff)
	}
	o.Views = slices.Clone(o.Views)
	o.Views[0].By = step.Sentence // as if the rules had changed
	got := step.New(o).Reduce(s, a.Trials(s, known), known).(step.Record)
	if n := len(got.Chains[0].Views[0].Steps); n != 3 || got.Chains[0].Views[0].Steps[1].Says[0].Says != step.Factual {
		t.Errorf("%d steps by the ledger, want 3, the second one judged: %+v", n, got.Chains[0].Views[0].Steps)
	}
}

func TestReduceWithoutAnswers(t *testing.T) {
	a, s := step.New(options()), subject()
	known, _ := answered(t, a, s, func(r percuss.Request) percuss.Answer {
		switch {
		case r.Model == "model" && r.Replicate == 0:
			return percuss.Answer{Outcome: percuss.Filtered}
		case r.Model == "model" && r.Replicate == 1:
			return ok("I cannot help with that.")
		case r.Model == "neutral":
			return percuss.Answer{Outcome: percuss.Empty}
		case r.Model == "judge-one":
			return percuss.Answer{Outcome: percuss.Refused}
		}
		return say(r)
	})
	trials := a.Trials(s, known)
	delete(known, trials[2].Key())
	rec := a.Reduce(s, trials, known).(step.Record)
	states := []step.State{rec.Chains[0].State, rec.Chains[1].State, rec.Chains[2].State}
	if !slices.Equal(states, []step.State{step.Unparseable, step.Refused, step.NoCall}) {
		t.Errorf("states %v", states)
	}
	said := rec.Chains[1].Views[0].Steps[0].Says
	if said[0].Says != step.Missing || said[0].Why == "" || said[1].Says != step.Correct {
		t.Errorf("the verdicts are %+v", said)
	}
}

// Chains that a log has not got are none of an item's, unless it has none at all; a server's that failed stay.
func TestReduceOfALog(t *testing.T) {
	o, s := options(), subject()
	a := step.New(o)
	known, _ := answered(t, a, s, say)
	trials := a.Trials(s, known)
	delete(known, trials[2].Key())
	for _, given := range []bool{false, true} {
		o.Can = map[string]percuss.Capabilities{s.Model: {Given: given}}
		want := map[bool]int{false: 3, true: 2}[given]
		if got := step.New(o).Reduce(s, trials, known).(step.Record); len(got.Chains) != want || got.Chains[1].State != step.Read {
			t.Errorf("a log %t: %d chains, want %d", given, len(got.Chains), want)
		}
	}
	if got := step.New(o).Reduce(s, trials, percuss.AnswerMap{}).(step.Record); len(got.Chains) != 3 || got.Chains[0].State != step.NoCall {
		t.Errorf("a question that the log has not got: %+v", got.Chains)
	}
}
