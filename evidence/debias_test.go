package evidence

import (
	"math"
	"testing"

	"github.com/percuss/percuss"
)

// A model that likes letters: what it knows is the same as that of the model without such a liking.
func TestLetterBiasIsTakenOut(t *testing.T) {
	mind := reasoner(func(text, candidate string) float64 {
		switch candidate {
		case "d0":
			return -3 + 1.5*shown(text, "a", "b")
		case "d5":
			return -2.5
		}
		return -4
	})
	bias := map[string]float64{"A": 1.1, "B": -0.7, "C": 0.4, "E": 2, "H": -1.3}
	honest := record(t, audit(func(o *Options) { everyCheck(o); o.Checks.Counterfactuals = 0 }), subject(patient()), mind)
	for how, tolerance := range map[Debias]float64{Raw: -1, Prior: 1e-12, Cyclic: 1e-12} {
		a, s := audit(func(o *Options) { everyCheck(o); o.Debias = how }), subject(patient())
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer {
			if has(q.Messages[1].Content, "A. a diagnosis") == 1 {
				return reasoner(func(string, string) float64 { return -2 }).answer(q, bias)
			}
			return mind.answer(q, bias)
		}, nil)
		rec := a.Reduce(s, trials, answers).(Record)
		if rec.Base.State != Scored {
			t.Fatalf("%s: %s (%s)", how, rec.Base.State, rec.Base.Why)
		}
		off := math.Abs(rec.Base.Margin.Or(9) - honest.Base.Margin.Or(0))
		for i, o := range rec.Others {
			off = max(off, math.Abs(o.Measured.Margin.Or(9)-honest.Others[indexOf(honest, o.Name, i)].Measured.Margin.Or(0)))
		}
		if off <= tolerance != (how != Raw) {
			t.Errorf("%s: margins are %g off those of the model without a liking for letters", how, off)
		}
		if how != Raw && (len(salient(rec.Base)) != 1 || salient(rec.Base)[0].Set != 0b11 || math.Abs(rec.Base.Interactions[0].Value-honest.Base.Interactions[0].Value) > 1e-12) {
			t.Errorf("%s: %+v", how, salient(rec.Base))
		}
		if len(rec.Variants) != 6 || len(rec.Changes) == 0 {
			t.Errorf("%s: %d variants, %d changes", how, len(rec.Variants), len(rec.Changes))
		}
	}
}

// Under rotations the checks are held against the base order alone, in every figure of them: what an order does to a model
// that likes letters is in both, and a check that changes nothing finds nothing.
func TestChecksAreHeldAgainstOneOrder(t *testing.T) {
	a, s := audit(func(o *Options) { everyCheck(o); o.Debias = Cyclic }), subject(patient())
	first := a.candidates(patient(), a.base())[0].Text
	mind := reasoner(func(text, candidate string) float64 { // g counts under the base order alone
		return -2 + has(candidate, "d0")*(0.1*shown(text, "a")+2*shown(text, "g")*has(text, "A. "+first+"\n"))
	})
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) }, nil)
	rec := a.Reduce(s, trials, answers).(Record)
	if rec.Unrotated == nil || len(salient(rec.Base)) != 0 || len(salient(*rec.Unrotated)) != 1 || rec.Reference().Margin != rec.Unrotated.Margin {
		t.Fatalf("mean %+v, base order %+v", salient(rec.Base), rec.Unrotated)
	}
	if len(rec.Cascade) != 1 || rec.Cascade[0].Prompt != Holds || rec.Cascade[0].Order != Fails || rec.Cascade[0].Neutralize != Holds {
		t.Errorf("cascade %+v", rec.Cascade)
	}
	c := onlyCell(t, Options{Debias: Cyclic}, rec)
	for name, want := range map[string]float64{"clinical-summary": 1. / 3, "questionnaire": 1. / 3, "drop": 1, "neutralize": 1, "base order": 1} {
		is(t, name, stabilityRow(t, c, name).PerCase, want)
	}
	if c.Cascade[0].Kept != 1 || c.Gold.Salient != 0 {
		t.Errorf("cascade %+v, %d salient", c.Cascade[0], c.Gold.Salient)
	}
	plain := record(t, audit(everyCheck), subject(patient()), mind)
	if plain.Unrotated != nil || plain.Reference().Margin != plain.Base.Margin {
		t.Error("without rotations the base setting is its own reference")
	}
}

// Margins averaged after they are taken keep a part of a letter bias, for whichever rival is favoured counts; margins of
// averaged scores do not (docs/decisions/0009-letter-bias.md).
func TestMeansOfScoresNotOfMargins(t *testing.T) {
	level := map[string]float64{"d0": -1, "d5": -1.2, "d3": -1.3} // close to each other, which evidence changes
	mind := reasoner(func(text, candidate string) float64 {
		v, ok := level[candidate]
		if !ok {
			return -9
		}
		return v - 2*shown(text, "a")*has(candidate, "d3")
	})
	a, s := audit(func(o *Options) { o.Debias = Cyclic }), subject(patient())
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, map[string]float64{"A": 1.5, "B": 0.7}) }, nil)
	if rec := a.Reduce(s, trials, answers).(Record); math.Abs(rec.Base.Empty.Or(0)-0.2) > 1e-12 || len(salient(rec.Base)) != 0 {
		t.Errorf("margin %s, salient %+v", rec.Base.Empty.Format(6), salient(rec.Base))
	}
	got := a.read(s, trials, answers)
	mean := 0.0
	for _, one := range got.tables {
		mean += one.of(0, got.columns["d0"]).Or(math.NaN()) / float64(len(got.tables))
	}
	if !(mean < 0.2-0.1) {
		t.Errorf("the mean of margins is %g: it was to be less than the margin of means, 0.2", mean)
	}
}

func indexOf(r Record, name string, fallback int) int {
	for i, o := range r.Others {
		if o.Name == name {
			return i
		}
	}
	return fallback
}

// What takes the bias out must be answered too: else the case waits, or says why it has no scores.
func TestDebiasNeedsItsPrompts(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -2 + shown(text, "a") })
	for _, c := range []struct {
		how   Debias
		at    string
		spoil func(*percuss.Answer) bool
		want  State
		why   string
	}{
		{Prior, "prior/clinical-summary", func(*percuss.Answer) bool { return false }, Waiting, "without content"},
		{Prior, "prior/clinical-summary", func(x *percuss.Answer) bool { x.Letters = nil; return true }, Unscored, "without content: an answer has no score"},
		{Prior, "prior/clinical-summary", func(x *percuss.Answer) bool { x.Letters[2].Censored = true; return true }, Unscored, "some letter was not among"},
		{Cyclic, "clinical-summary/o0/drop/r3/00000001", func(*percuss.Answer) bool { return false }, Waiting, "missing"},
		{Cyclic, "clinical-summary/o0/drop/r3/00000001", func(x *percuss.Answer) bool { x.Outcome = percuss.Filtered; return true }, Unscored, "filtered"},
	} {
		a, s := audit(func(o *Options) { o.Debias = c.how }), subject(patient())
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) },
			func(trial percuss.Trial, x *percuss.Answer) bool { return trial.ID != c.at || c.spoil(x) })
		if m := a.Reduce(s, trials, answers).(Record).Base; m.State != c.want || has(m.Why, c.why) == 0 || m.Interactions != nil {
			t.Errorf("%s: %s (%s), want %s (%s)", c.at, m.State, m.Why, c.want, c.why)
		}
	}
}

// A model that looks at the letters alone has no opinion once its liking is taken out, whatever rounding leaves.
func TestLettersAlone(t *testing.T) {
	bias := map[string]float64{"A": 1.1, "B": -0.7, "C": 0.4, "E": 1.0 / 3, "H": -1.3}
	for _, how := range []Debias{Prior, Cyclic} {
		a, s := audit(func(o *Options) { o.Debias = how }), subject(patient())
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer {
			return reasoner(func(string, string) float64 { return -2.1 }).answer(q, bias)
		}, nil)
		if m := a.Reduce(s, trials, answers).(Record).Base; m.State != Constant || m.Answered || m.Prediction != "" {
			t.Errorf("%s: %s, prediction %q", how, m.State, m.Prediction)
		}
	}
}
