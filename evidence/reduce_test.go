package evidence

import (
	"math"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// goldOnly is a reasoner whose score of the gold is a function of the prompt; every other candidate scores −1.
func goldOnly(score func(text string) float64) reasoner {
	return func(text, candidate string) float64 {
		if candidate == "d0" {
			return score(text)
		}
		return -1
	}
}

// planted are reasoners with known interactions in the patient's margin, by the rules that name them.
var planted = map[string]struct {
	score func(text string) float64
	want  map[lattice.Set]float64
	rules map[lattice.Set]string
}{
	"additive": {func(t string) float64 { return -6 + shown(t, "a") + 2*shown(t, "d") },
		map[lattice.Set]float64{0b1: 1, 0b1000: 2}, map[lattice.Set]string{0b1: "6", 0b1000: "7"}},
	"two together": {func(t string) float64 { return -6 + 1.5*shown(t, "a", "b") },
		map[lattice.Set]float64{0b11: 1.5}, map[lattice.Set]string{0b11: "6"}},
	"shortcut": {func(t string) float64 { return -6 + 2*shown(t, "g") },
		map[lattice.Set]float64{0b1000000: 2}, map[lattice.Set]string{0b1000000: "2"}},
	"absent as present": {func(t string) float64 { return -6 + shown(t, "a", "f") },
		map[lattice.Set]float64{0b100001: 1}, map[lattice.Set]string{0b100001: "1"}},
	"competitor": {func(t string) float64 { return -6 + shown(t, "e") },
		map[lattice.Set]float64{0b10000: 1}, map[lattice.Set]string{0b10000: "3"}},
	"conflict": {func(t string) float64 { return -6 - shown(t, "a", "e") },
		map[lattice.Set]float64{0b10001: -1}, map[lattice.Set]string{0b10001: "4a"}},
	"redundant": {func(t string) float64 { return -6 + shown(t, "a") + shown(t, "b") - shown(t, "a", "b") },
		map[lattice.Set]float64{0b1: 1, 0b10: 1, 0b11: -1}, map[lattice.Set]string{0b11: "5"}},
	"three":    {func(t string) float64 { return -6 + 0.8*shown(t, "a", "b", "c") }, map[lattice.Set]float64{0b111: 0.8}, nil},
	"too weak": {func(t string) float64 { return -6 + 0.4*shown(t, "a") }, nil, nil},
}

// salient are the interactions from the threshold on.
func salient(m Measured) (out []Interaction) {
	for _, i := range m.Interactions {
		if i.strength() >= Salient {
			out = append(out, i)
		}
	}
	return out
}

// Planted interactions are found exactly, and named by what they are made of, under every wording, order and way of
// hiding.
func TestPlantedInteractions(t *testing.T) {
	for name, c := range planted {
		t.Run(name, func(t *testing.T) {
			rec := record(t, audit(everyCheck), subject(patient()), goldOnly(c.score))
			if rec.Why != "" || len(rec.Units) != 8 || rec.Order != 3 || len(rec.Variants) != 6 {
				t.Fatalf("%+v", rec)
			}
			all := []Measured{rec.Base}
			for _, v := range rec.Variants {
				all = append(all, v.Measured)
			}
			full := patientText()
			for _, m := range all {
				if m.State != Scored || len(m.Interactions) != 92 || len(m.ByOrder) != 3 || !m.Answered {
					t.Fatalf("%s: %s (%s), %d interactions", m.Setting, m.State, m.Why, len(m.Interactions))
				}
				got := salient(m)
				if len(got) != len(c.want) {
					t.Errorf("%s: %d salient interactions, want %d: %+v", m.Setting, len(got), len(c.want), got)
				}
				for _, i := range got {
					if want, ok := c.want[i.Set]; !ok || math.Abs(i.Value-want) > 1e-12 {
						t.Errorf("%s, %b: %g, want %g", m.Setting, i.Set, i.Value, want)
					}
					if rule, ok := c.rules[i.Set]; ok && i.Rule != rule {
						t.Errorf("%s, %b: rule %s (%s), want %s", m.Setting, i.Set, i.Rule, i.Label, rule)
					}
				}
				if got := m.Margin.Or(0); math.Abs(got-(c.score(full)+1)) > 1e-12 || m.Correct != (c.score(full) > -1) {
					t.Errorf("%s: margin %g, correct %v", m.Setting, got, m.Correct)
				}
				if got := m.Empty.Or(0); math.Abs(got+5) > 1e-12 {
					t.Errorf("%s: margin %g without evidence, want -5", m.Setting, got)
				}
			}
		})
	}
}

// patientText has every finding of the patient in it.
func patientText() (text string) {
	for _, u := range patient().Units {
		text += u.Text + "\n"
	}
	return text
}

// With all orders asked, interactions sum to the margin's whole change, and units have their values.
func TestAllOrders(t *testing.T) {
	mind := func(text, candidate string) float64 {
		v := -1.0
		for k, l := range []string{"a", "b", "c", "d", "e", "f", "g", "h"} {
			v += math.Sin(float64(k)*1.7+float64(candidate[1])) * shown(text, l)
		}
		return v * math.Abs(v)
	}
	rec := record(t, audit(func(o *Options) { o.MaxOrder = 0 }), subject(patient()), mind)
	if rec.Order != 8 || len(rec.Base.Interactions) != 255 || rec.Base.Residual.Or(1) > 1e-12 {
		t.Errorf("order %d, %d interactions, residual %v", rec.Order, len(rec.Base.Interactions), rec.Base.Residual)
	}
	sum := 0.0
	for _, u := range rec.Units {
		sum += u.Shapley.Or(math.NaN())
		if !u.Banzhaf.OK() {
			t.Errorf("%s has no Banzhaf value", u.ID)
		}
	}
	if want := rec.Base.Margin.Or(0) - rec.Base.Empty.Or(0); math.Abs(sum-want) > 1e-12 {
		t.Errorf("Shapley values sum to %g, want %g", sum, want)
	}
	for i := 1; i < len(rec.Base.Interactions); i++ {
		if rec.Base.Interactions[i].strength() > rec.Base.Interactions[i-1].strength() {
			t.Fatal("the strongest do not come first")
		}
	}
	few := record(t, audit(nil), subject(patient()), mind)
	if few.Base.Residual.OK() || few.Units[0].Shapley.OK() {
		t.Errorf("residual %v and Shapley value %v without all orders", few.Base.Residual, few.Units[0].Shapley)
	}
	total := 0
	for _, n := range few.Null {
		total += n
	}
	if total != 2*92 {
		t.Errorf("the null counts %d sets and signs, want 184", total)
	}
}

// Every other candidate is audited with flags and margins of its own.
func TestEveryCandidateIsAudited(t *testing.T) {
	mind := func(text, candidate string) float64 {
		if candidate == "d5" {
			return -2 + 1.5*shown(text, "e")
		}
		return -3
	}
	rec := record(t, audit(nil), subject(patient()), mind)
	if len(rec.Others) != 7 {
		t.Fatalf("%d other candidates, want 7", len(rec.Others))
	}
	for _, o := range rec.Others {
		got := salient(o.Measured)
		switch {
		case len(got) != 1 || got[0].Set != 0b10000:
			t.Errorf("%s: %+v", o.Name, got)
		case o.Name == "d5" && (got[0].Value != 1.5 || got[0].Rule != "6" || !o.Measured.Correct):
			t.Errorf("d5's own symptom: %+v", got[0])
		case o.Name != "d5" && (got[0].Value != -1.5 || got[0].Rule != "4a" || o.Measured.Correct):
			t.Errorf("%s: %+v", o.Name, got[0])
		}
		if o.Measured.Letter == rec.Base.Letter || o.Measured.Letter == "" {
			t.Errorf("%s stood under letter %q, the gold under %s", o.Name, o.Measured.Letter, rec.Base.Letter)
		}
	}
	if rec.Base.Prediction != "d5" || rec.Base.Correct {
		t.Errorf("prediction %q", rec.Base.Prediction)
	}
}

// What is missing, censored, constant or without scores is in no interaction, and says so.
func TestStatesOfACase(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -3 + shown(text, "a") })
	a, s := audit(nil), subject(patient())
	own := ""
	for _, o := range a.candidates(*s.Case, a.base()) {
		if o.Text == s.Case.Gold {
			own = o.Label
		}
	}
	letters := func(which func(label string) bool, change func(*percuss.LetterScore)) spoiler {
		return func(trial percuss.Trial, x *percuss.Answer) bool {
			for i := range x.Letters {
				if trial.ID == "clinical-summary/o0/drop/00000010" && which(x.Letters[i].Letter) {
					change(&x.Letters[i])
				}
			}
			return true
		}
	}
	outcome := func(o percuss.Outcome) spoiler {
		return func(trial percuss.Trial, x *percuss.Answer) bool {
			if trial.ID == "clinical-summary/o0/drop/00000010" {
				*x = percuss.Answer{Outcome: o}
			}
			return true
		}
	}
	gold := func(l string) bool { return l == own }
	for name, c := range map[string]struct {
		spoil    spoiler
		want     State
		why      string
		censored int
		answered bool
	}{
		"whole": {nil, Scored, "", 0, true},
		"an answer missing": {func(trial percuss.Trial, _ *percuss.Answer) bool {
			return trial.ID != "clinical-summary/o0/drop/00000010"
		}, Waiting, "missing", 0, true},
		"the full set missing": {func(trial percuss.Trial, _ *percuss.Answer) bool {
			return trial.ID != "clinical-summary/o0/drop/11111111"
		}, Waiting, "missing", 0, false},
		"gold censored":       {letters(gold, func(l *percuss.LetterScore) { l.Censored = true }), Censored, "not among", 1, true},
		"competitor censored": {letters(func(l string) bool { return l != own }, func(l *percuss.LetterScore) { l.Censored = true }), Scored, "", 7, true},
		"a score missing":     {letters(gold, func(l *percuss.LetterScore) { l.LogProb = percuss.Number{} }), Unscored, "no score", 0, true},
		"not a number":        {letters(gold, func(l *percuss.LetterScore) { l.LogProb = percuss.Num(math.NaN()) }), Unscored, "no score", 0, true},
		"a letter missing":    {func(_ percuss.Trial, x *percuss.Answer) bool { x.Letters = x.Letters[:7]; return true }, Unscored, "no score", 0, false},
		"letters in another order": {func(_ percuss.Trial, x *percuss.Answer) bool {
			x.Letters[0], x.Letters[5] = x.Letters[5], x.Letters[0]
			return true
		}, Scored, "", 0, true},
		"constant": {func(_ percuss.Trial, x *percuss.Answer) bool {
			for i := range x.Letters {
				x.Letters[i].LogProb = percuss.Num(-2)
			}
			return true
		}, Constant, "same score", 0, false},
		"all censored": {func(_ percuss.Trial, x *percuss.Answer) bool {
			for i := range x.Letters {
				x.Letters[i].Censored = true
			}
			return true
		}, Censored, "not among", 94 * 8, false},
		"refused":          {outcome(percuss.Refused), Unscored, "refused_by_server", 0, true},
		"filtered":         {outcome(percuss.Filtered), Unscored, "filtered", 0, true},
		"too long":         {outcome(percuss.ContextExceeded), Unscored, "context", 0, true},
		"prompt cut":       {outcome(percuss.PromptTruncated), Unscored, "prompt_truncated", 0, true},
		"ok without score": {outcome(percuss.OK), Unscored, "no score", 0, true},
	} {
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) }, c.spoil)
		rec := a.Reduce(s, trials, answers).(Record)
		m := rec.Base
		if m.State != c.want || m.Censored != c.censored || (m.State == Scored) != (m.Interactions != nil) || m.Answered != c.answered ||
			(c.why == "") != (m.Why == "") || has(m.Why, c.why) == 0 || (m.State == Scored) != (rec.Families != nil) {
			t.Errorf("%s: state %s (%s), %d censored, answered %v", name, m.State, m.Why, m.Censored, m.Answered)
		}
		if m.State == Scored && (len(salient(m)) != 1 || salient(m)[0].Set != 1) {
			t.Errorf("%s: %+v", name, salient(m))
		}
	}
}

// The mass on the letters is that of the scores themselves: a bound says nothing about it.
func TestMass(t *testing.T) {
	mind := reasoner(func(_, candidate string) float64 {
		return map[string]float64{"d0": math.Log(0.5), "d1": math.Log(0.25)}[candidate] - 50*has("d2d3d4d5d6d7", candidate)
	})
	for _, c := range []struct {
		censored bool
		want     float64
	}{{false, 0.75}, {true, 0.5}} {
		a, s := audit(nil), subject(patient())
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer {
			x := mind.answer(q, nil)
			for i := range x.Letters {
				x.Letters[i].Censored = c.censored && x.Letters[i].LogProb.Or(0) < math.Log(0.3)
			}
			return x
		}, nil)
		if m := a.Reduce(s, trials, answers).(Record).Base; math.Abs(m.Mass.Or(0)-c.want) > 1e-9 {
			t.Errorf("censored %v: mass %v, want %g", c.censored, m.Mass, c.want)
		}
	}
}
