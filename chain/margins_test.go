package chain

import (
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// contrary says B in its texts, and C in its letters.
func contrary(r percuss.Request) percuss.Answer {
	if len(r.Want.Letters) == 0 {
		return replies(r, "B")
	}
	return percuss.Answer{Outcome: percuss.OK, Letters: []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(-3)},
		{Letter: "B", LogProb: percuss.Num(-2)}, {Letter: "C", LogProb: percuss.Num(-0.5)}}}
}

// TestMarginsNeverDecide: with margins every answer, way of reading and flip is what it is without; the margin is that
// of the baseline's answer.
func TestMarginsNeverDecide(t *testing.T) {
	for _, mode := range []AnswerMode{Text, TextLetters} {
		s := subject()
		off := with(t, func(o *Options) { o.Answer, o.Controls = mode, AllControls() })
		trials, known := settle(t, off, s, contrary)
		want := off.Reduce(s, trials, known).(Record)
		on := with(t, func(o *Options) { o.Answer, o.Controls, o.Margins = mode, AllControls(), true })
		trials, known = settle(t, on, s, contrary)
		got := on.Reduce(s, trials, known).(Record)
		if v, ok := got.Base.Margin.Get(); !ok || math.Abs(v+1.5) > 1e-9 || want.Base.Margin.OK() {
			t.Errorf("%s: baseline margin %s, without %s", mode, got.Base.Margin.Format(3), want.Base.Margin.Format(3))
		}
		fired := 0
		for i, o := range got.Operators {
			if !o.Edit.Fired {
				continue
			}
			fired++
			if v, ok := o.Reading.Margin.Get(); !ok || math.Abs(v+1.5) > 1e-9 {
				t.Errorf("%s: %s: margin %s", mode, o.ID, o.Reading.Margin.Format(3))
			}
			o.Reading.Margin = percuss.Number{}
			if o.Reading != want.Operators[i].Reading || o.Flip != want.Operators[i].Flip {
				t.Errorf("%s: %s: %+v, without margins %+v", mode, o.ID, o.Reading, want.Operators[i].Reading)
			}
		}
		if fired < 25 || len(got.Operators) != len(want.Operators) {
			t.Errorf("%s: %d fired of %d", mode, fired, len(got.Operators))
		}
		for i, c := range got.Controls {
			if c.Reading.Margin.OK() || c.Flip != want.Controls[i].Flip {
				t.Errorf("%s: %+v", mode, c)
			}
		}
	}
}

// TestMarginsWhereTheyCanBe: none where the text has no answer, where letters decide anyway, where the back-end cannot,
// where labels are longer than a token, or where the answer is a number.
func TestMarginsWhereTheyCanBe(t *testing.T) {
	mute := func(r percuss.Request) percuss.Answer {
		a := contrary(r)
		a.Text = strings.ReplaceAll(a.Text, "Answer: B", "")
		return a
	}
	many := subject()
	many.Question.Options = append(many.Question.Options, percuss.Option{Label: "AA", Text: "Rest and tea"})
	number := subject()
	number.Question.Options, number.Question.Kind, number.Question.Gold = nil, percuss.Numeric, "30"
	for name, c := range map[string]struct {
		s      percuss.Subject
		mode   AnswerMode
		can    percuss.Capabilities
		answer func(percuss.Request) percuss.Answer
		some   bool
	}{
		"read":            {subject(), Text, able, contrary, true},
		"no answer":       {subject(), Text, able, mute, false},
		"letters decide":  {subject(), Letters, able, contrary, false},
		"letters helped":  {subject(), TextLetters, able, mute, false},
		"no letters":      {subject(), Text, percuss.Capabilities{Text: true, Continue: true}, contrary, false},
		"no continuation": {subject(), Text, percuss.Capabilities{Text: true, Letters: true}, contrary, false},
		"long labels":     {many, Text, able, contrary, false},
		"numbers":         {number, Text, able, func(r percuss.Request) percuss.Answer { return replies(r, "30") }, false},
	} {
		a := with(t, func(o *Options) {
			o.Answer, o.Margins, o.Can = c.mode, true, map[string]percuss.Capabilities{"m": c.can}
		})
		trials, _ := settle(t, a, c.s, c.answer)
		n := 0
		for _, tr := range trials {
			if strings.HasSuffix(tr.ID, MarginSuffix) {
				n++
				if len(tr.Request.Want.Letters) != 3 || tr.Request.Begin == "" {
					t.Errorf("%s: %s asks %+v", name, tr.ID, tr.Request)
				}
			}
		}
		if (n > 0) != c.some {
			t.Errorf("%s: %d margins", name, n)
		}
	}
}

// TestMarginThatIsMissing: a margin that was not answered, or of an answer without a score, is null.
func TestMarginThatIsMissing(t *testing.T) {
	a, s := with(t, func(o *Options) { o.Margins = true }), subject()
	trials, known := settle(t, a, s, contrary)
	delete(known, trialOf(t, trials, BaseTrial+MarginSuffix).Request.Key())
	key := trialOf(t, trials, "M5-a"+MarginSuffix).Request.Key()
	known[key] = percuss.Answer{Outcome: percuss.OK, Letters: []percuss.LetterScore{{Letter: "A", LogProb: percuss.Num(-1)}, {Letter: "B"}, {Letter: "C"}}}
	rec := a.Reduce(s, trials, known).(Record)
	if rec.Base.State != Read || rec.Base.Margin.OK() {
		t.Errorf("baseline %+v", rec.Base)
	}
	for _, o := range rec.Operators {
		if o.ID == "M5-a" && (o.Reading.State != Read || o.Reading.Margin.OK()) {
			t.Errorf("%+v", o.Reading)
		}
	}
}
