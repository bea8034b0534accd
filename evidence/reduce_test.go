package evidence

import (
	"math"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// answered makes the answers of a reasoner whose score of the gold is a function of what is shown; every other
// candidate scores −1. spoil may change an answer, or drop it by returning false.
func answered(t *testing.T, o Options, s percuss.Subject, score func(lattice.Set) float64, spoil func(lattice.Set, *percuss.Answer) bool) (percuss.AnswerMap, []percuss.Trial) {
	t.Helper()
	answers := percuss.AnswerMap{}
	trials := o.Trials(s)
	for _, trial := range trials {
		var shown lattice.Set
		for i := range 8 {
			if trial.ID[len(trial.ID)-1-i] == '1' {
				shown |= 1 << i
			}
		}
		a := percuss.Answer{Outcome: percuss.OK}
		for _, option := range o.candidates(*s.Case, 0) {
			v := -1.0
			if option.Text == s.Case.Gold {
				v = score(shown)
			}
			a.Letters = append(a.Letters, percuss.LetterScore{Letter: option.Label, LogProb: percuss.Num(v)})
		}
		if spoil == nil || spoil(shown, &a) {
			answers[trial.Request.Key()] = a
		}
	}
	return answers, trials
}

// patient has units of every kind: 0 to 2 symptoms of the gold, 3 an antecedent, 4 a competitor's, 5 absent, 6 and 7
// linked to nothing.
func patient() percuss.Case {
	c := percuss.Case{ID: "p", Candidates: eight, Gold: "d0"}
	for i, u := range []percuss.Unit{{SymptomOf: []string{"d0"}}, {SymptomOf: []string{"d0"}}, {SymptomOf: []string{"d0"}}, {AntecedentOf: []string{"d0"}},
		{SymptomOf: []string{"d5"}}, {Absent: true, SymptomOf: []string{"d0"}}, {}, {}} {
		u.ID, u.Text = string(rune('a'+i)), "Finding "+string(rune('A'+i))
		c.Units = append(c.Units, u)
	}
	return c
}

// Planted interactions are found exactly, and named by what they are made of.
func TestPlantedInteractions(t *testing.T) {
	has := func(s lattice.Set, units ...int) bool {
		for _, u := range units {
			if !s.Has(u) {
				return false
			}
		}
		return true
	}
	part := func(on bool, w float64) float64 {
		if on {
			return w
		}
		return 0
	}
	for name, c := range map[string]struct {
		score func(lattice.Set) float64
		want  map[lattice.Set]float64
		rules map[lattice.Set]string
	}{
		"additive": {func(s lattice.Set) float64 { return -6 + part(has(s, 0), 1) + part(has(s, 3), 2) },
			map[lattice.Set]float64{0b1: 1, 0b1000: 2}, map[lattice.Set]string{0b1: "6", 0b1000: "7"}},
		"two together": {func(s lattice.Set) float64 { return -6 + part(has(s, 0, 1), 1.5) },
			map[lattice.Set]float64{0b11: 1.5}, map[lattice.Set]string{0b11: "6"}},
		"shortcut": {func(s lattice.Set) float64 { return -6 + part(has(s, 6), 2) },
			map[lattice.Set]float64{0b1000000: 2}, map[lattice.Set]string{0b1000000: "2"}},
		"absent as present": {func(s lattice.Set) float64 { return -6 + part(has(s, 0, 5), 1) },
			map[lattice.Set]float64{0b100001: 1}, map[lattice.Set]string{0b100001: "1"}},
		"competitor": {func(s lattice.Set) float64 { return -6 + part(has(s, 4), 1) },
			map[lattice.Set]float64{0b10000: 1}, map[lattice.Set]string{0b10000: "3"}},
		"conflict": {func(s lattice.Set) float64 { return -6 - part(has(s, 0, 4), 1) },
			map[lattice.Set]float64{0b10001: -1}, map[lattice.Set]string{0b10001: "4a"}},
		"redundant": {func(s lattice.Set) float64 {
			return -6 + part(has(s, 0), 1) + part(has(s, 1), 1) - part(has(s, 0, 1), 1)
		},
			map[lattice.Set]float64{0b1: 1, 0b10: 1, 0b11: -1}, map[lattice.Set]string{0b11: "5"}},
		"three": {func(s lattice.Set) float64 { return -6 + part(has(s, 0, 1, 2), 0.8) },
			map[lattice.Set]float64{0b111: 0.8}, nil},
		"too weak": {func(s lattice.Set) float64 { return -6 + part(has(s, 0), 0.4) }, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			o := options(nil)
			s := subject(patient())
			answers, trials := answered(t, o, s, c.score, nil)
			r := o.Reduce(s, trials, answers, DefaultLabels())
			if r.Why != "" || len(r.Settings) != 1 || r.Settings[0].State != Scored || len(r.Units) != 8 {
				t.Fatalf("%+v", r)
			}
			m := r.Settings[0]
			if len(m.Salient) != len(c.want) {
				t.Errorf("%d salient interactions, want %d: %+v", len(m.Salient), len(c.want), m.Salient)
			}
			for _, i := range m.Salient {
				if want, ok := c.want[i.Set]; !ok || math.Abs(i.Value-want) > 1e-12 {
					t.Errorf("%b: %g, want %g", i.Set, i.Value, want)
				}
				if rule, ok := c.rules[i.Set]; ok && i.Rule != rule {
					t.Errorf("%b: rule %s (%s), want %s", i.Set, i.Rule, i.Label, rule)
				}
			}
			if got := m.Margin.Or(0); math.Abs(got-(c.score(0xff)+1)) > 1e-12 || m.Correct != (c.score(0xff) > -1) {
				t.Errorf("margin %g, correct %v", got, m.Correct)
			}
			if len(m.ByOrder) != 3 {
				t.Errorf("orders %+v", m.ByOrder)
			}
		})
	}
}

// What is missing, censored or without scores is in no interaction, and says so.
func TestStatesOfACase(t *testing.T) {
	flat := func(lattice.Set) float64 { return -3 }
	gold := func(o Options, s percuss.Subject) string {
		for _, option := range o.candidates(*s.Case, 0) {
			if option.Text == s.Case.Gold {
				return option.Label
			}
		}
		return ""
	}
	o, s := options(nil), subject(patient())
	own := gold(o, s)
	at := func(which func(label string) bool, change func(*percuss.LetterScore)) func(lattice.Set, *percuss.Answer) bool {
		return func(shown lattice.Set, a *percuss.Answer) bool {
			for i := range a.Letters {
				if shown == 1 && which(a.Letters[i].Letter) {
					change(&a.Letters[i])
				}
			}
			return true
		}
	}
	for name, c := range map[string]struct {
		spoil    func(lattice.Set, *percuss.Answer) bool
		want     State
		censored int
	}{
		"whole":               {nil, Scored, 0},
		"an answer missing":   {func(shown lattice.Set, _ *percuss.Answer) bool { return shown != 1 }, Waiting, 0},
		"gold censored":       {at(func(l string) bool { return l == own }, func(l *percuss.LetterScore) { l.Censored = true }), Censored, 1},
		"competitor censored": {at(func(l string) bool { return l != own }, func(l *percuss.LetterScore) { l.Censored = true }), Scored, 7},
		"a score missing":     {at(func(l string) bool { return l == own }, func(l *percuss.LetterScore) { l.LogProb = percuss.Number{} }), Unscored, 0},
		"no scores": {func(shown lattice.Set, a *percuss.Answer) bool {
			if shown == 1 {
				*a = percuss.Answer{Outcome: percuss.Refused}
			}
			return true
		}, Unscored, 0},
	} {
		answers, trials := answered(t, o, s, flat, c.spoil)
		m := o.Reduce(s, trials, answers, DefaultLabels()).Settings[0]
		if m.State != c.want || m.Censored != c.censored || (m.State == Scored) != (m.ByOrder != nil) || m.State != Scored && m.Why == "" {
			t.Errorf("%s: %+v", name, m)
		}
	}
	refused := options(func(o *Options) { o.Can = nil })
	if r := refused.Reduce(s, refused.Trials(s), percuss.AnswerMap{}, DefaultLabels()); r.Why == "" || r.Settings != nil {
		t.Errorf("a case that cannot be asked: %+v", r)
	}
}
