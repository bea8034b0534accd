package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/prompt"
)

// with returns an audit of the paper's battery with further options.
func with(t *testing.T, set func(*Options)) *Audit {
	t.Helper()
	b, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Seed: 1, Battery: b, Prompts: prompt.Default(), Answer: Text, MaxTokens: 64, Can: map[string]percuss.Capabilities{"m": able}, Bootstrap: 50}
	set(&o)
	return New(o)
}

func trialOf(t *testing.T, trials []percuss.Trial, id string) percuss.Trial {
	t.Helper()
	i := slices.IndexFunc(trials, func(tr percuss.Trial) bool { return tr.ID == id })
	if i < 0 {
		t.Fatalf("no trial %s", id)
	}
	return trials[i]
}

func controlOf(t *testing.T, rec Record, id Control) ControlTrial {
	t.Helper()
	i := slices.IndexFunc(rec.Controls, func(c ControlTrial) bool { return c.ID == id })
	if i < 0 {
		t.Fatalf("no control %s", id)
	}
	return rec.Controls[i]
}

// TestControlRequests: each control differs from the baseline's request in one respect.
func TestControlRequests(t *testing.T) {
	a, s := with(t, func(o *Options) { o.Controls = AllControls() }), subject()
	trials, _ := settle(t, a, s, stubborn)
	base := *trialOf(t, trials, BaseTrial).Request
	shown := base.Messages[1].Content
	sham := base
	sham.Replicate = 1
	chained := base
	chained.Begin = chainText
	edited := func(content string) percuss.Request {
		r := base
		r.Messages = slices.Clone(base.Messages)
		r.Messages[1].Content = content
		return r
	}
	markers := strings.NewReplacer("A. Rest", "(A) Rest", "B. Sepsis", "(B) Sepsis", "C. Tea", "(C) Tea").Replace(shown)
	for id, want := range map[Control]percuss.Request{
		Sham: sham, ShamChain: chained, FormatMarkers: edited(markers),
		FormatSpace: edited(strings.NewReplacer("A. Rest\n", "A. Rest\n\n", "bundle\n", "bundle\n\n").Replace(shown)),
	} {
		got := trialOf(t, trials, string(id))
		if got.Request == nil || got.Request.Key() != want.Key() || got.Version != ControlsVersion {
			t.Errorf("%s: %+v, want %+v", id, got.Request, want)
		}
	}
	shuffle := trialOf(t, trials, string(Shuffle)).Request
	lines := strings.Split(shuffle.Messages[1].Content, "\n")
	for _, o := range s.Question.Options {
		n := 0
		for _, l := range lines {
			if text, ok := strings.CutPrefix(l, "A. "); ok && text == o.Text || strings.HasSuffix(l, ". "+o.Text) {
				n++
			}
		}
		if n != 1 {
			t.Errorf("the shuffle shows %q %d times", o.Text, n)
		}
	}
	if shuffle.Messages[1].Content == shown {
		t.Error("the shuffle shows the options as they are")
	}
}

// TestNothingIsAskedByDefault: an audit without the new settings asks what it always asked.
func TestNothingIsAskedByDefault(t *testing.T) {
	trials, _ := settle(t, with(t, func(*Options) {}), subject(), stubborn)
	for _, tr := range trials {
		if tr.ID != BaseTrial && !OfOperator(tr.ID) || tr.Shared {
			t.Errorf("%s is asked", tr.ID)
		}
	}
}

// TestControlsThatDoNotFire say why.
func TestControlsThatDoNotFire(t *testing.T) {
	options := func(texts ...string) []percuss.Option {
		var out []percuss.Option
		for i, text := range texts {
			out = append(out, percuss.Option{Label: percuss.Label(i), Text: text})
		}
		return out
	}
	for name, c := range map[string]struct {
		options []percuss.Option
		kind    percuss.Kind
		silent  map[Control]string
	}{
		"contents":      {options("Rest", "Tea"), "", nil},
		"yes and no":    {options("Yes", "no"), "", map[Control]string{Shuffle: "labels"}},
		"with maybe":    {options("yes", "no", "maybe"), "", map[Control]string{Shuffle: "labels"}},
		"no in content": {options("No treatment", "Yes"), "", nil},
		"one option":    {options("Rest"), "", map[Control]string{Shuffle: "fewer", FormatMarkers: "fewer", FormatSpace: "fewer"}},
		"a number":      {nil, percuss.Numeric, map[Control]string{Shuffle: "number", FormatMarkers: "number", FormatSpace: "number"}},
		"above":         {options("Rest", "Tea", "All of the above"), "", map[Control]string{Shuffle: "option C"}},
		"none of these": {options("Rest", "Tea", "None of these"), "", nil},
		"letters":       {options("Rest", "Tea", "Both A and B"), "", map[Control]string{Shuffle: "option C"}},
		"bare letters":  {options("A & C", "Tea"), "", map[Control]string{Shuffle: "option A"}},
		"vitamins":      {options("Vitamins A and D", "Hepatitis B and C"), "", nil},
		"text twice":    {options("Rest", "Rest"), "", nil},
	} {
		s := subject()
		s.Question.Options, s.Question.Kind = c.options, c.kind
		a := with(t, func(o *Options) { o.Controls = AllControls() })
		trials := a.Trials(s, percuss.AnswerMap{})
		for _, id := range []Control{FormatMarkers, FormatSpace, Shuffle} {
			tr := trialOf(t, trials, string(id))
			if why, silent := c.silent[id]; tr.Fired == silent || silent && !strings.Contains(tr.Why, why) {
				t.Errorf("%s: %s fired %v: %s", name, id, tr.Fired, tr.Why)
			}
		}
		if tr := trialOf(t, trials, string(ShamChain)); tr.Fired || tr.Why != waits {
			t.Errorf("%s: the baseline's chain is not there: %+v", name, tr)
		}
	}
}

// TestRewritten: options are re-rendered where they stand once, line by line, and nowhere else.
func TestRewritten(t *testing.T) {
	options := []percuss.Option{{Label: "A", Text: "Rest"}, {Label: "B", Text: "Tea"}}
	for message, want := range map[string]string{
		"Q\n\nA. Rest\nB. Tea\n\nThink":      "Q\n\n(A) Rest\n(B) Tea\n\nThink",
		"A. Rest\nB. Tea":                    "(A) Rest\n(B) Tea",
		"Q: A. Rest\nB. Tea":                 "", // within a line
		"A. Rest\nB. Tea for two":            "", // another text
		"A. Rest, B. Tea":                    "",
		"A) Rest\nB) Tea":                    "",
		"A. Rest\nB. Tea\n\nA. Rest\nB. Tea": "", // which of them?
	} {
		got, ok := rewritten(message, options, FormatMarkers)
		if ok != (want != "") || ok && got != want || !ok && got != message {
			t.Errorf("%q: %q, %v", message, got, ok)
		}
	}
}

// TestUnknownControl: a control of a later version does not fire, and the rest is asked.
func TestUnknownControl(t *testing.T) {
	trials, _ := settle(t, with(t, func(o *Options) { o.Controls = []Control{"later"} }), subject(), stubborn)
	if tr := trialOf(t, trials, "later"); tr.Fired || tr.Why == "" {
		t.Errorf("%+v", tr)
	}
}

// byContent answers by an option's text, wherever it stands.
func byContent(text string) func(percuss.Request) percuss.Answer {
	return func(r percuss.Request) percuss.Answer {
		label := "Z"
		for _, l := range strings.Split(r.Messages[1].Content, "\n") {
			if before, ok := strings.CutSuffix(l, text); ok {
				label = strings.Trim(before, "(). ")
			}
		}
		return replies(r, label)
	}
}

// replies answers with a label, in the text and in the letters.
func replies(r percuss.Request, label string) percuss.Answer {
	if len(r.Want.Letters) > 0 {
		a := percuss.Answer{Outcome: percuss.OK}
		for i, l := range r.Want.Letters {
			a.Letters = append(a.Letters, percuss.LetterScore{Letter: l, LogProb: percuss.Num(-3 - float64(i) - map[bool]float64{true: -9}[l == label])})
		}
		return a
	}
	text := "\n\nAnswer: " + label
	if r.Begin == "" {
		text = chainText + text
	}
	return percuss.Answer{Outcome: percuss.OK, Text: text}
}

// TestControlsReduced: a reader of contents is kept by every control; one of places follows the place.
func TestControlsReduced(t *testing.T) {
	for _, mode := range []AnswerMode{Text, Letters, TextLetters} {
		a, s := with(t, func(o *Options) { o.Controls, o.Answer = AllControls(), mode }), subject()
		trials, known := settle(t, a, s, byContent("Sepsis bundle"))
		rec := a.Reduce(s, trials, known).(Record)
		if len(rec.Controls) != 5 || rec.Base.Answer != "B" {
			t.Fatalf("%s: %+v", mode, rec)
		}
		for _, c := range rec.Controls {
			if !c.Fired || c.Flip != Kept || c.Reading.Answer != "B" || !c.Reading.Correct || !c.Reading.Acute {
				t.Errorf("%s: %+v", mode, c)
			}
		}
		if c := controlOf(t, rec, Shuffle); c.Shown != c.Gold || c.Shown == "" {
			t.Errorf("%s: the gold stood at %s, the answer at %s", mode, c.Gold, c.Shown)
		}
		first := func(r percuss.Request) percuss.Answer { return replies(r, "A") }
		trials, known = settle(t, a, s, first)
		rec = a.Reduce(s, trials, known).(Record)
		order := shuffleOrder(1, s.Question)
		c := controlOf(t, rec, Shuffle)
		if c.Shown != "A" || c.Reading.Answer != s.Question.Options[order[0]].Label || (c.Flip == Flipped) != (order[0] != 0) {
			t.Errorf("%s: always the first option: %+v, order %v", mode, c, order)
		}
	}
}

// TestShamSeesNoise: what changes when the same is asked again is a flip of the sham alone, in the letters too.
func TestShamSeesNoise(t *testing.T) {
	for _, mode := range []AnswerMode{Text, Letters} {
		a, s := with(t, func(o *Options) { o.Controls, o.Answer = AllControls(), mode }), subject()
		trials, known := settle(t, a, s, func(r percuss.Request) percuss.Answer {
			if r.Replicate == 1 {
				return replies(r, "C")
			}
			return byContent("Sepsis bundle")(r)
		})
		for _, c := range a.Reduce(s, trials, known).(Record).Controls {
			if want := map[bool]Flip{true: Flipped, false: Kept}[c.ID == Sham]; c.Flip != want {
				t.Errorf("%s: %s: %q, want %q", mode, c.ID, c.Flip, want)
			}
		}
	}
}

// TestControlsOfTheLedger: the records of a run that another version made come from its ledger alone.
func TestControlsOfTheLedger(t *testing.T) {
	a, s := with(t, func(o *Options) { o.Controls, o.Margins = AllControls(), true }), subject()
	trials, known := settle(t, a, s, byContent("Sepsis bundle"))
	other := with(t, func(o *Options) { o.Seed, o.Controls = 99, nil })
	got, want := other.Reduce(s, trials, known).(Record), a.Reduce(s, trials, known).(Record)
	if a, b := controlOf(t, got, Shuffle), controlOf(t, want, Shuffle); a != b || len(got.Controls) != 5 {
		t.Errorf("%+v, want %+v", a, b)
	}
	cut := slices.Clone(trials)
	for i := range cut {
		if cut[i].ID == string(Shuffle) {
			cut[i].Labels = []byte(`{"order":[0,7,7]}`) // damaged
		}
	}
	if c := controlOf(t, other.Reduce(s, cut, known).(Record), Shuffle); c.Gold != "" || c.Reading.State != Unavailable || c.Flip != NoFlip {
		t.Errorf("a damaged order is used: %+v", c)
	}
}
