package chain

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/judge"
)

var numbers = cmp.Comparer(func(a, b percuss.Number) bool { return a == b })

// TestQuestionsOfOtherDomains: outside medicine the chain is edited and the question is not.
func TestQuestionsOfOtherDomains(t *testing.T) {
	a, s := with(t, func(o *Options) { o.Controls, o.Judges = AllControls(), panel() }), subject()
	s.Question.Domain = "commonsense"
	trials, known := settle(t, a, s, func(r percuss.Request) percuss.Answer { return replies(r, "B") })
	rec := a.Reduce(s, trials, known).(Record)
	fired := 0
	for _, o := range rec.Operators {
		switch {
		case o.ID[0] == 'F' && o.Edit.Fired:
			fired++
		case o.ID[0] == 'M' && (o.Edit.Fired || o.Edit.Why != otherDomain || o.Reading.State != NotFired):
			t.Errorf("%s: %+v", o.ID, o)
		}
	}
	if fired < 10 || rec.Domain != "commonsense" {
		t.Errorf("%d edits of the chain fired, domain %q", fired, rec.Domain)
	}
	for _, c := range rec.Controls {
		if !c.Fired || c.Reading.State != Read {
			t.Errorf("%+v", c)
		}
	}
}

// TestNumbers: a question with a number for an answer is read as one, and no letter is asked for.
func TestNumbers(t *testing.T) {
	s := subject()
	s.Question = percuss.Question{ID: "g:1", Set: "g", Stem: "Ann has 3 bags of 4 nuts and eats 2. How many are left?", Gold: "10", Kind: percuss.Numeric, Domain: "arithmetic"}
	answer := func(r percuss.Request) percuss.Answer {
		if len(r.Want.Letters) > 0 {
			t.Error("letters are asked for")
		}
		said := "\n\nAnswer: $10.0"
		if strings.Contains(r.Begin, "3 times 4 is 1") && !strings.Contains(r.Begin, "is 12.") { // the product was edited
			said = "\n\nAnswer: 9"
		}
		if r.Begin == "" {
			said = "Step 1: 3 times 4 is 12.\n\nStep 2: 12 less 2 is 10." + said
		}
		return percuss.Answer{Outcome: percuss.OK, Text: said}
	}
	for _, mode := range []AnswerMode{Text, TextLetters} {
		a := with(t, func(o *Options) { o.Controls, o.Answer, o.Margins, o.Direct = AllControls(), mode, true, true })
		trials, known := settle(t, a, s, answer)
		rec := a.Reduce(s, trials, known).(Record)
		if rec.Base.Answer != "10" || !rec.Base.Correct || rec.Kind != percuss.Numeric || rec.Longest != "" || rec.Acute != "" || rec.Direct.Answer != "10" {
			t.Errorf("%s: %+v", mode, rec)
		}
		flips := 0
		for _, o := range rec.Operators {
			flips += int(bit(o.Flip == Flipped))
			if o.Edit.Fired && o.Flip == NoFlip || o.Flip == Flipped && (o.Reading.Answer != "9" || o.Reading.Correct) {
				t.Errorf("%s: %+v", o.ID, o)
			}
		}
		if flips > 3 {
			t.Errorf("%s: %d flips", mode, flips)
		}
		for _, c := range rec.Controls {
			if want := c.ID == Sham || c.ID == ShamChain; c.Fired != want || want && c.Flip != Kept {
				t.Errorf("%s: %+v", mode, c)
			}
		}
	}
	// Where the text has no number, the letters cannot help, and the record says so.
	a := with(t, func(o *Options) { o.Answer = TextLetters })
	trials, known := settle(t, a, s, func(percuss.Request) percuss.Answer { return text("Step 1: who knows?") })
	if base := a.Reduce(s, trials, known).(Record).Base; base.State != Unparseable || !strings.Contains(base.Why, "number") {
		t.Errorf("%+v", base)
	}
}

// TestForeignLogs: of a log that holds the baselines nothing else is asked; edits that could be made count as fired, and
// are not available.
func TestForeignLogs(t *testing.T) {
	given := able
	given.Given, given.Continue = true, false
	a := with(t, func(o *Options) {
		o.Controls, o.Judges, o.Direct, o.Margins, o.Can = AllControls(), panel(), true, true, map[string]percuss.Capabilities{"m": given}
	})
	s := subject()
	trials, known := settle(t, a, s, stubborn)
	for _, tr := range trials {
		if (tr.Request != nil) != (tr.ID == BaseTrial) {
			t.Errorf("%s: request %v", tr.ID, tr.Request)
		}
	}
	rec := a.Reduce(s, trials, known).(Record)
	if !rec.Given || rec.Base.Answer != "B" || rec.Direct.State != Unavailable || len(rec.Controls) != 5 {
		t.Errorf("%+v", rec)
	}
	all, _ := settle(t, with(t, func(*Options) {}), s, stubborn)
	for _, o := range rec.Operators {
		if want := trialOf(t, all, o.ID).Fired; o.Edit.Fired != want {
			t.Errorf("%s: fired %v, on a model that can be asked %v", o.ID, o.Edit.Fired, want)
		}
		if o.Edit.Fired && (o.Reading.State != Unavailable || o.Reading.Why != GivenOnly || o.Flip != NoFlip || o.Rule || o.Judged != nil) {
			t.Errorf("%s: %+v", o.ID, o)
		}
		if o.Edit.Fired && (len(o.Surface) == surfaceFeatures) != (o.ID[0] == 'M') || o.Reading.Quoted {
			t.Errorf("%s: surface of %d features, quoted %v", o.ID, len(o.Surface), o.Reading.Quoted)
		}
	}
	for _, c := range rec.Controls {
		if c.Fired || c.Reading.State != Unavailable || c.Flip != NoFlip {
			t.Errorf("%+v", c)
		}
	}
	if l := a.Later(s, trials, known); l.Texts+l.Letters+len(l.Judged) != 0 {
		t.Errorf("later %+v", l)
	}
}

// rebuilt are trials as a ledger gives them back.
func rebuilt(trials []percuss.Trial) []percuss.Trial {
	out := slices.Clone(trials)
	for i := range out {
		out[i].Shared = false
	}
	return out
}

// TestLedgerGivesTheSameRecord: a record from the ledger's trials is the record of the run, whatever this version would
// ask.
func TestLedgerGivesTheSameRecord(t *testing.T) {
	for _, mode := range []AnswerMode{Text, Letters, TextLetters} {
		s := subject()
		set := func(o *Options) {
			o.Controls, o.Margins, o.Answer, o.Judges, o.Direct = AllControls(), true, mode, panel(), true
		}
		a := with(t, set)
		trials, known := settle(t, a, s, speaks(func(string, int) percuss.Answer { return text(notUpdatedLine) }))
		later := with(t, func(o *Options) { set(o); o.Seed, o.Controls, o.Margins = 7, nil, false })
		if d := cmp.Diff(a.Reduce(s, trials, known), later.Reduce(s, rebuilt(trials), known), numbers); d != "" {
			t.Errorf("%s: %s", mode, d)
		}
	}
}

// TestDescribedQuestion: what is known of a question without any answer.
func TestDescribedQuestion(t *testing.T) {
	a, s := with(t, func(*Options) {}), subject()
	s.Question.Options = append(s.Question.Options, percuss.Option{Label: "D", Text: "Ätherbundle x"}, percuss.Option{Label: "E", Text: "Shock"})
	trials, known := settle(t, a, s, func(r percuss.Request) percuss.Answer {
		answer := replies(r, "B")
		answer.Text = "<think>Step 1: The man coughs.</think>" + answer.Text
		return answer
	})
	rec := a.Reduce(s, trials, known).(Record)
	if rec.Longest != "B" || rec.Acute != "B,E" || !rec.Base.Block || rec.Options != 5 {
		t.Errorf("longest %q, acute %q, block %v, %d options", rec.Longest, rec.Acute, rec.Base.Block, rec.Options)
	}
	if d := cmp.Diff(surfaceOf(s.Question.Stem), rec.Surface); d != "" {
		t.Error(d)
	}
	measured := 0
	for _, o := range rec.Operators {
		op, _ := a.o.Battery.Operator(o.ID)
		if op.Block == battery.F || !o.Edit.Fired {
			if o.Surface != nil {
				t.Errorf("%s has a surface", o.ID)
			}
			continue
		}
		measured++
		e := op.Apply(s.Question.Stem, 1, s.Question.ID)
		if d := cmp.Diff(surfaceOf(e.Text), o.Surface); d != "" {
			t.Errorf("%s: %s", o.ID, d)
		}
	}
	if measured < 8 {
		t.Errorf("%d edited questions", measured)
	}
}

// TestSurfaceThatCannotBeFound: where a passage was edited, or the stem stands twice, an edited stem has no surface.
func TestSurfaceThatCannotBeFound(t *testing.T) {
	a, s := with(t, func(o *Options) { o.Stem = StemContexts }), subject()
	s.Question.Context = []string{"A 50-year-old woman presents with mild pain. She sleeps badly. It began in May."}
	trials, known := settle(t, a, s, stubborn)
	for _, o := range a.Reduce(s, trials, known).(Record).Operators {
		if strings.HasPrefix(o.ID, "M2-age") && (!o.Edit.Fired || o.Surface != nil) {
			t.Errorf("the passage was edited: %+v", o)
		}
	}
	s = subject()
	s.Question.Options[2].Text = s.Question.Stem
	a = with(t, func(*Options) {})
	trials, known = settle(t, a, s, stubborn)
	for _, o := range a.Reduce(s, trials, known).(Record).Operators {
		if o.Surface != nil {
			t.Errorf("%s: which of the two?", o.ID)
		}
	}
}

// TestNoLettersForetold: a back-end that gives no log-probabilities is foretold no readings of letters.
func TestNoLettersForetold(t *testing.T) {
	for _, can := range []bool{true, false} {
		a, s := with(t, func(o *Options) {
			o.Margins = true
			c := o.Can[subject().Model]
			c.Letters = can
			o.Can = map[string]percuss.Capabilities{subject().Model: c}
		}), subject()
		known := percuss.AnswerMap{}
		if l := a.Later(s, a.Trials(s, known), known); (l.Letters > 0) != can || l.Texts == 0 {
			t.Errorf("letters %v: later %+v", can, l)
		}
	}
}

// TestLater: what may come is an upper bound of what comes, whatever the settings.
func TestLater(t *testing.T) {
	for _, mode := range []AnswerMode{Text, Letters, TextLetters} {
		for _, margins := range []bool{false, true} {
			a, s := with(t, func(o *Options) {
				o.Answer, o.Margins, o.Controls, o.Judges, o.Rubric, o.Direct = mode, margins, AllControls(), panel(), judge.Default(), true
			}), subject()
			known := percuss.AnswerMap{}
			trials := a.Trials(s, known)
			bound, asked := a.Later(s, trials, known), map[percuss.Key]bool{}
			for _, r := range percuss.Missing(trials, known) {
				asked[r.Key()] = true
			}
			answer := speaks(func(string, int) percuss.Answer { return text(chatter) })
			trials, known = settle(t, a, s, answer)
			var texts, letters int
			judged := map[string]int{}
			seen := map[percuss.Key]bool{}
			for _, tr := range trials {
				if tr.Request == nil || asked[tr.Request.Key()] || seen[tr.Request.Key()] {
					continue
				}
				seen[tr.Request.Key()] = true
				switch id, ok := JudgeOf(tr.ID); {
				case ok:
					judged[id]++
				case len(tr.Request.Want.Letters) > 0:
					letters++
				default:
					texts++
				}
			}
			if texts > bound.Texts || letters > bound.Letters || judged["j/1"] > bound.Judged["j/1"] || judged["j2"] > bound.Judged["j2"] || judged["j2"] < 10 {
				t.Errorf("%s, margins %v: %d texts, %d letters, %v judged; bounds %+v", mode, margins, texts, letters, judged, bound)
			}
			if l := a.Later(s, trials, known); l.Texts+l.Letters+l.Judged["j/1"]+l.Judged["j2"] != 0 {
				t.Errorf("%s: everything is answered, and later comes %+v", mode, l)
			}
			if !margins && mode == Text && bound.Letters != 0 {
				t.Errorf("letters are foretold: %+v", bound)
			}
		}
	}
}
