package chain

import (
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/prompt"
)

// settle answers by rule, round by round, as a run would.
func settle(t testing.TB, a *Audit, s percuss.Subject, answer func(percuss.Request) percuss.Answer) ([]percuss.Trial, percuss.AnswerMap) {
	t.Helper()
	known := percuss.AnswerMap{}
	for range 10 {
		trials := a.Trials(s, known)
		missing := percuss.Missing(trials, known)
		if len(missing) == 0 {
			return trials, known
		}
		for _, r := range missing {
			known[r.Key()] = answer(r)
		}
	}
	t.Fatal("the rounds do not end")
	return nil, nil
}

func subject() percuss.Subject {
	q := percuss.Question{ID: "t:1", Set: "t", Gold: "B", Stem: "A 30-year-old man presents with severe cough. He has a history of asthma. He works outdoors. Which is best?",
		Options: []percuss.Option{{Label: "A", Text: "Rest"}, {Label: "B", Text: "Sepsis bundle"}, {Label: "C", Text: "Tea"}}}
	return percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: "t", Item: q.ID}, Identity: "id", Question: q}
}

func audit(t testing.TB, mode AnswerMode, can percuss.Capabilities) *Audit {
	t.Helper()
	b, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	return New(Options{Seed: 1, Battery: b, Prompts: prompt.Default(), Answer: mode, MaxTokens: 64, Direct: true,
		Can: map[string]percuss.Capabilities{"m": can}, Bootstrap: 50})
}

const chainText = "Step 1: The man is 30 and has a severe cough and asthma.\n\nStep 2: Because of that we weigh 3 causes.\n\nStep 3: First we conclude B."

func stubborn(r percuss.Request) percuss.Answer {
	if len(r.Want.Letters) > 0 {
		return percuss.Answer{Outcome: percuss.OK, Letters: []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(-3)},
			{Letter: "B", LogProb: percuss.Num(-0.2)}, {Letter: "C", LogProb: percuss.Num(-4)}}}
	}
	if r.Begin != "" {
		return percuss.Answer{Outcome: percuss.OK, Text: "\n\nAnswer: B"}
	}
	return percuss.Answer{Outcome: percuss.OK, Text: chainText + "\n\nAnswer: B"}
}

var able = percuss.Capabilities{Text: true, Letters: true, Continue: true}

func TestTrialsAndReduce(t *testing.T) {
	a, s := audit(t, Text, able), subject()
	trials, known := settle(t, a, s, stubborn)
	rec, ok := a.Reduce(s, trials, known).(Record)
	if !ok {
		t.Fatal("no record")
	}
	if rec.Base.Answer != "B" || !rec.Base.Correct || !rec.Base.Acute || rec.Base.Via != ViaText || rec.Base.Steps != 3 {
		t.Errorf("baseline %+v", rec.Base)
	}
	if len(rec.Operators) != 30 {
		t.Fatalf("%d operators", len(rec.Operators))
	}
	fired := 0
	for _, o := range rec.Operators {
		if o.Edit.Fired {
			fired++
			if o.Flip != Kept {
				t.Errorf("%s: flip %q, %+v", o.ID, o.Flip, o.Reading)
			}
		}
	}
	if fired < 25 {
		t.Errorf("%d operators fired", fired)
	}
	// The unchanged chain names neither the new age nor the new severity.
	i := slices.IndexFunc(rec.Operators, func(o OperatorTrial) bool { return o.ID == "M5-a" })
	if o := rec.Operators[i]; !o.Rule || o.Token {
		t.Errorf("M5-a: %+v", o)
	}
}

// No label, operator or gold may be seen by a model.
func TestRequestsHoldNoLabels(t *testing.T) {
	trials, _ := settle(t, audit(t, TextLetters, able), subject(), stubborn)
	seen := map[percuss.Key]bool{}
	for _, tr := range trials {
		if tr.Request == nil {
			continue
		}
		seen[tr.Request.Key()] = true
	}
	s := subject()
	s.Question.Gold, s.Question.Note = "C", "because"
	other, _ := settle(t, audit(t, TextLetters, able), s, stubborn)
	for _, tr := range other {
		if tr.Request != nil && !seen[tr.Request.Key()] {
			t.Errorf("%s depends on the gold label", tr.ID)
		}
	}
}

func TestLettersReadWhatTheTextDoesNot(t *testing.T) {
	mute := func(r percuss.Request) percuss.Answer {
		a := stubborn(r)
		if len(r.Want.Letters) == 0 {
			a.Text, a.Outcome = "Step 1: The man coughs.\n\nStep 2: Hmm", percuss.Truncated
		}
		return a
	}
	a, s := audit(t, TextLetters, able), subject()
	trials, known := settle(t, a, s, mute)
	rec := a.Reduce(s, trials, known).(Record)
	if rec.Base.Via != ViaLetters || rec.Base.Answer != "B" || rec.Base.Outcome != percuss.Truncated {
		t.Errorf("baseline %+v", rec.Base)
	}
	if v, ok := rec.Base.Margin.Get(); !ok || v < 2.79 || v > 2.81 {
		t.Errorf("margin %v", rec.Base.Margin)
	}
	text := audit(t, Text, able)
	trials, known = settle(t, text, s, mute)
	if rec := text.Reduce(s, trials, known).(Record); rec.Base.State != Unparseable || rec.Operators[0].Flip != NoFlip {
		t.Errorf("text alone: %+v", rec.Base)
	}
}

// TestCutReplies: a cut reply that has said its answer is read from its text; one that was cut in saying it, from the
// letters.
func TestCutReplies(t *testing.T) {
	a, s := audit(t, TextLetters, able), subject()
	for text, want := range map[string]Via{
		"Step 1: The man coughs.\n\nThe answer is B. Step 2: He": ViaText,
		"Step 1: The man coughs.\n\nSo the answer is":            ViaLetters,
		"Step 1: The man coughs.\n\nThe answer may be B. Step":   ViaLetters,
	} {
		cut := func(r percuss.Request) percuss.Answer {
			answer := stubborn(r)
			if len(r.Want.Letters) == 0 {
				answer.Text, answer.Outcome = text, percuss.Truncated
			}
			return answer
		}
		trials, known := settle(t, a, s, cut)
		if rec := a.Reduce(s, trials, known).(Record); rec.Base.Via != want || rec.Base.Answer != "B" {
			t.Errorf("%q: %+v, want it read from the %s", text, rec.Base, want)
		}
	}
}

func TestQuotationWhereNothingContinues(t *testing.T) {
	a, s := audit(t, Text, percuss.Capabilities{Text: true}), subject()
	trials, known := settle(t, a, s, stubborn)
	for _, tr := range trials {
		if tr.Request != nil && tr.Request.Begin != "" {
			t.Errorf("%s is given a beginning", tr.ID)
		}
	}
	rec := a.Reduce(s, trials, known).(Record)
	if o := rec.Operators[0]; !o.Reading.Quoted {
		t.Errorf("%s is not marked as quoted", o.ID)
	}
}

func TestMissingAnswersAreCountedNotGuessed(t *testing.T) {
	a, s := audit(t, Text, able), subject()
	trials := a.Trials(s, percuss.AnswerMap{})
	rec := a.Reduce(s, trials, percuss.AnswerMap{}).(Record)
	if rec.Base.State != NoCall {
		t.Errorf("baseline %+v", rec.Base)
	}
	for _, o := range rec.Operators {
		if o.Flip != NoFlip {
			t.Errorf("%s: %q", o.ID, o.Flip)
		}
	}
}
