package evidence

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// compared finds the comparisons of a kind.
func compared(rec Record, k Kind) (out []Comparison) {
	for _, c := range rec.Compared {
		if c.Kind == k {
			out = append(out, c)
		}
	}
	return out
}

// A model that heeds findings alone agrees with itself under every setting.
func TestComparisonsOfASteadyModel(t *testing.T) {
	rec := record(t, audit(everyCheck), subject(ten()), func(text, candidate string) float64 {
		return -2 + 1.5*shown(text, "a")*has(candidate, "d0") + 0.5*shown(text, "c", "d")*has(candidate, "d3")
	})
	for kind, want := range map[Kind]int{ByWording: 3, ByOrdering: 4, ByHiding: 1, BySelector: 4} {
		got := compared(rec, kind)
		if len(got) != want {
			t.Errorf("%s: %d comparisons, want %d", kind, len(got), want)
		}
		for _, c := range got {
			if c.Agree.Or(0) != 1 || kind != BySelector && (math.Abs(c.Correlation.Or(0)-1) > 1e-12 || c.Overlap.Or(0) != 1) || kind == BySelector && c.Correlation.OK() {
				t.Errorf("%s of %s with %s: %+v", kind, c.Of, c.With, c)
			}
		}
	}
	for _, c := range compared(rec, ByWording) {
		if c.Of.Wording != "questionnaire" || c.With.Wording != "clinical-summary" || c.Of.Order != c.With.Order {
			t.Errorf("wording compares %s with %s", c.Of, c.With)
		}
	}
	for _, c := range compared(rec, ByOrdering) {
		if c.Of.Order == 0 || c.With.Order != 0 || c.Of.Wording != c.With.Wording {
			t.Errorf("order compares %s with %s", c.Of, c.With)
		}
	}
	for _, v := range rec.Variants {
		if (v.Setting.Selector != "") != (len(v.Units) == 8) {
			t.Errorf("%s has %d units of its own", v.Setting, len(v.Units))
		}
	}
}

// What only a wording, an order or a way of hiding brings about is found unstable by that check, and by no other.
func TestWhatTheChecksFind(t *testing.T) {
	suspicious := lattice.Set(0b1000000) // unit g says nothing about the gold
	inOrder := func(text string) float64 { return has(text, "A. "+baseFirst()+"\n") }
	for name, c := range map[string]struct {
		mind func(text string) float64
		want Survival
	}{
		"steady":       {func(text string) float64 { return 2 * shown(text, "g") }, Survival{Prompt: Holds, Order: Holds, Neutralize: Holds, Family: Holds}},
		"note only":    {func(text string) float64 { return 2 * shown(text, "g") * has(text, "Intake note") }, Survival{Prompt: Fails, Order: Holds, Neutralize: Holds, Family: Holds}},
		"order only":   {func(text string) float64 { return 2 * shown(text, "g") * inOrder(text) }, Survival{Prompt: Holds, Order: Fails, Neutralize: Holds, Family: Holds}},
		"mention only": {func(text string) float64 { return 2 * (has(text, "Finding g") + has(text, "Is there g?")) }, Survival{Prompt: Holds, Order: Holds, Neutralize: Fails, Family: Fails}},
		"sign turns": {func(text string) float64 { return 2*shown(text, "g") - 4*shown(text, "g")*has(text, "Interview") },
			Survival{Prompt: Fails, Order: Holds, Neutralize: Holds, Family: Holds}},
	} {
		rec := record(t, audit(everyCheck), subject(patient()), goldOnly(func(text string) float64 { return -6 + c.mind(text) + shown(text, "a") }))
		c.want.Set, c.want.Value, c.want.Rule, c.want.Suspicious = suspicious, 2, "2", true
		if len(rec.Cascade) != 2 || rec.Cascade[0] != c.want {
			t.Errorf("%s: %+v", name, rec.Cascade)
			continue
		}
		control := rec.Cascade[1]
		if control.Suspicious || control.Set != 1 || control.Prompt != Holds || control.Order != Holds || control.Neutralize != Holds {
			t.Errorf("%s: the control %+v", name, control)
		}
	}
}

// baseFirst is the candidate under letter A in the patient's base order.
func baseFirst() string {
	a := audit(everyCheck)
	return a.candidates(patient(), a.base())[0].Text
}

// A finding whose influence moves to its sibling when hidden ones are marked survives as a family, not as itself.
func TestFamilySurvives(t *testing.T) {
	c := patient()
	c.Units[6].Family, c.Units[7].Family = "same", "same"
	rec := record(t, audit(everyCheck), subject(c), goldOnly(func(text string) float64 {
		marked := has(text, "not specified")
		return -6 + 2*shown(text, "g")*(1-marked) + 2*shown(text, "h")*marked
	}))
	if len(rec.Cascade) == 0 || rec.Cascade[0].Set != 0b1000000 {
		t.Fatalf("%+v", rec.Cascade)
	}
	if got := rec.Cascade[0]; got.Neutralize != Fails || got.Family != Holds || got.Prompt != Holds {
		t.Errorf("%+v", got)
	}
}

// What was not asked is no failure: sets above the order of the checks, checks that were not made, missing answers.
func TestVerdictsWithoutAnswers(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g", "h") })
	rec := record(t, audit(func(o *Options) { everyCheck(o); o.CheckOrder = 1 }), subject(patient()), mind)
	if len(rec.Cascade) != 1 || rec.Cascade[0].Prompt != NotAsked || rec.Cascade[0].Family != NotAsked || rec.CheckOrder != 1 {
		t.Errorf("above the order of the checks: %+v", rec.Cascade)
	}
	rec = record(t, audit(func(o *Options) { everyCheck(o); o.Checks = Checks{Neutralize: 1} }), subject(patient()), mind)
	if len(rec.Cascade) != 1 || rec.Cascade[0].Prompt != NotAsked || rec.Cascade[0].Neutralize != Holds {
		t.Errorf("only neutralize was asked: %+v", rec.Cascade)
	}
	rec = record(t, audit(nil), subject(patient()), mind)
	if rec.Cascade != nil || rec.Compared != nil || rec.Variants != nil || rec.Noise != nil {
		t.Errorf("no check was asked: %+v", rec.Cascade)
	}
	a, s := audit(everyCheck), subject(patient())
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) },
		func(trial percuss.Trial, _ *percuss.Answer) bool { return trial.ID != "questionnaire/o0/drop/00000001" })
	rec = a.Reduce(s, trials, answers).(Record)
	if rec.Base.State != Scored || len(rec.Cascade) != 1 || rec.Cascade[0].Prompt != NotAsked || rec.Cascade[0].Order != Holds {
		t.Errorf("an answer under the other wording is missing: %+v", rec.Cascade)
	}
	for _, c := range rec.Compared {
		if c.Of.String() == "questionnaire/o0/drop" && (c.Correlation.OK() || c.Overlap.OK() || !c.Agree.OK()) {
			t.Errorf("compared without all answers: %+v", c)
		}
	}
}

// Each suspicious interaction has a control of its order, of its sign where there is one, and of the nearest strength.
func TestControls(t *testing.T) {
	own := func(v float64, letters ...string) func(string) float64 {
		return func(text string) float64 { return v * shown(text, letters...) }
	}
	for name, c := range map[string]struct {
		parts    []func(string) float64
		controls []lattice.Set
	}{
		"nearest strength": {[]func(string) float64{own(2, "g"), own(1, "a"), own(1.8, "b"), own(3, "c")}, []lattice.Set{0b10}},
		"each its own":     {[]func(string) float64{own(2, "g"), own(2, "h"), own(1, "a"), own(1.8, "b")}, []lattice.Set{0b10, 0b1}},
		"sign first":       {[]func(string) float64{own(2, "g"), own(-2, "a"), own(0.6, "b")}, []lattice.Set{0b10}},
		"no other sign":    {[]func(string) float64{own(2, "g"), own(-2, "a"), own(-3, "b")}, []lattice.Set{0b1}},
		"order":            {[]func(string) float64{own(2, "g", "h"), own(2, "a"), own(1, "b", "c"), own(2, "a", "b", "c")}, []lattice.Set{0b110}},
		"none of an order": {[]func(string) float64{own(2, "g", "h"), own(2, "a"), own(2, "b")}, nil},
		"not salient":      {[]func(string) float64{own(2, "g"), own(0.4, "a")}, nil},
		"none suspicious":  {[]func(string) float64{own(2, "a"), own(1, "b")}, nil},
		"equals":           {[]func(string) float64{own(2, "g"), own(1, "a"), own(1, "b"), own(1, "c")}, []lattice.Set{0b1}},
	} {
		mind := goldOnly(func(text string) float64 {
			v := -12.0 // every other candidate has −1: the gold's margin must not change its rival
			for _, part := range c.parts {
				v += part(text)
			}
			return v
		})
		rec := record(t, audit(func(o *Options) { everyCheck(o); o.Checks = Checks{Neutralize: 1} }), subject(patient()), mind)
		var controls []lattice.Set
		for _, s := range rec.Cascade {
			if !s.Suspicious {
				controls = append(controls, s.Set)
			}
		}
		if !slices.Equal(controls, c.controls) {
			t.Errorf("%s: controls %b, want %b", name, controls, c.controls)
		}
	}
}

// Of drawn letters the noise is that between the draws: it falls as more are drawn.
func TestNoiseOfDrawnLetters(t *testing.T) {
	variance := func(n int) float64 {
		a, s := sampling(n, nil), subject(patient())
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer {
			if percuss.Rand(q.Sampling.Seed, "", "", "test").Float64() < 0.6 {
				return says(q, "d0")
			}
			return says(q, "d5")
		}, nil)
		noise := a.Reduce(s, trials, answers).(Record).Noise
		if len(noise) != 3 || noise[0].Source != noiseBatch || noise[0].DoF != 38 {
			t.Fatalf("%+v", noise)
		}
		return noise[0].Sum / float64(noise[0].DoF)
	}
	few, many := variance(20), variance(160)
	// The variance of the log of an odds of n draws is about 1/(n p (1−p)).
	for n, got := range map[float64]float64{20: few, 160: many} {
		if want := 1 / (n * 0.24); got < want/1.6 || got > want*1.6 {
			t.Errorf("%g draws: variance %.4f, about %.4f was expected", n, got, want)
		}
	}
}

// A control must keep its sign, though not be suspicious.
func TestControlKeepsItsSign(t *testing.T) {
	for name, c := range map[string]struct {
		turn float64 // what the other wording adds
		want Verdict
	}{"steady": {0, Holds}, "turned": {3, Fails}, "weaker": {1, Fails}} {
		rec := record(t, audit(everyCheck), subject(patient()), goldOnly(func(text string) float64 {
			return -6 + 2*shown(text, "g", "h") - 1.2*shown(text, "a", "e") + c.turn*shown(text, "a", "e")*has(text, "Interview")
		}))
		if len(rec.Cascade) != 2 || rec.Cascade[1].Suspicious || rec.Cascade[1].Prompt != c.want || rec.Cascade[1].Order != Holds {
			t.Errorf("%s: %+v, want %s", name, rec.Cascade, c.want)
		}
	}
}

// Nothing in a narrative can be suspicious: one salient interaction is followed, the same every time.
func TestOneIsFollowedInANarrative(t *testing.T) {
	c := percuss.Case{ID: "n", Set: "set", Narrative: true, Candidates: []string{"d0", "d1", "d2"}, Gold: "d0"}
	for _, id := range []string{"1", "2", "3"} {
		c.Units = append(c.Units, percuss.Unit{ID: id, Text: "Sentence " + id + "."})
	}
	mind := goldOnly(func(text string) float64 {
		return -9 + 2*has(text, "Sentence 1.") + 2*has(text, "Sentence 2.") + 2*has(text, "Sentence 3.")
	})
	rec, again := record(t, audit(everyCheck), subject(c), mind), record(t, audit(everyCheck), subject(c), mind)
	if len(rec.Cascade) != 1 || rec.Cascade[0].Suspicious || rec.Cascade[0].Prompt != Holds || !slices.Equal(rec.Cascade, again.Cascade) {
		t.Errorf("%+v, then %+v", rec.Cascade, again.Cascade)
	}
}

// The strongest sets are compared up to the order that both settings have; two ties are no agreement.
func TestComparisonsOfLessThanAll(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -6 + shown(text, "a") + 3*shown(text, "b", "c") })
	rec := record(t, audit(func(o *Options) { everyCheck(o); o.CheckOrder = 1 }), subject(patient()), mind)
	for _, c := range rec.Compared {
		// every other candidate has the same score: whatever is best is a tie
		if c.Overlap.Or(0) != 1 || c.Agree.Or(9) != 0 {
			t.Errorf("%s with %s: %+v", c.Of, c.With, c)
		}
	}
	if len(rec.Compared) == 0 {
		t.Error("nothing was compared")
	}
}

// Noise between askings has the variance that was put in, at every order; between orders likewise.
func TestNoise(t *testing.T) {
	a, s := audit(everyCheck), subject(patient())
	mind := goldOnly(func(text string) float64 { return -6 + shown(text, "a") })
	offset := map[string]float64{"": 0, "#1": 0.1, "#2": -0.1}
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) },
		func(trial percuss.Trial, x *percuss.Answer) bool {
			if !strings.HasPrefix(trial.ID, "clinical-summary/o0/drop/00000001") { // unit a alone is noisy
				return true
			}
			for i := range x.Letters { // −1 is every other candidate's score
				if v := x.Letters[i].LogProb.Or(0); v != -1 {
					x.Letters[i].LogProb = percuss.Num(v + offset[trial.ID[len("clinical-summary/o0/drop/00000001"):]])
				}
			}
			return true
		})
	rec := a.Reduce(s, trials, answers).(Record)
	// The noise of {a} enters I({a}) once, and every I(S) with a in S and |S| ≤ 3 once.
	want := map[string][]float64{noiseBatch: {0.02, 0.02, 7 * 0.02, 21 * 0.02}, noiseOrder: {0, 0, 0, 0}}
	dof := []int{2 * 94, 2 * 8, 2 * 28, 2 * 56}
	if len(rec.Noise) != 8 {
		t.Fatalf("%+v", rec.Noise)
	}
	for _, n := range rec.Noise {
		if math.Abs(n.Sum-want[n.Source][n.Order]) > 1e-12 || n.DoF != dof[n.Order] {
			t.Errorf("%s, order %d: sum %g over %d, want %g over %d", n.Source, n.Order, n.Sum, n.DoF, want[n.Source][n.Order], dof[n.Order])
		}
	}
}
