package evidence

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// changesBy are the trials that change a family, by family and edit.
func changesBy(trials []percuss.Trial) map[string]percuss.Trial {
	out := map[string]percuss.Trial{}
	for _, trial := range trials {
		if id, ok := strings.CutPrefix(trial.ID, changePrefix); ok {
			out[id] = trial
		}
	}
	return out
}

// In a counterfactual every finding of the family changes, audited, fixed or the complaint, and nothing else does.
func TestChangesReachTheWholeFamily(t *testing.T) {
	c := patient()
	// A family of the complaint, an audited finding, a fixed one, and a detail that is no yes-or-no question.
	c.Units[0].Family = "Fx"
	c.Units = append(c.Units, percuss.Unit{ID: "i", Family: "Fx", Text: "Finding i: yes", Asked: "Is there i?", Value: "yes"},
		percuss.Unit{ID: "j", Family: "Fx", Text: "Where does it ache? knee", Asked: "Where does it ache?", Value: "knee"})
	a := audit(func(o *Options) {
		everyCheck(o)
		o.Selector, o.Appropriate = Spaced, map[string]bool{"p\tFx": true}
		o.Units = 4 // a, d, g, j
	})
	trials, _ := asked(t, a, subject(c), func(q percuss.Request) percuss.Answer {
		return goldOnly(func(string) float64 { return -2 }).answer(q, nil)
	}, nil)
	text := func(id string) string { return changesBy(trials)[id].Request.Messages[1].Content }
	for id, want := range map[string]struct{ in, out []string }{
		"Fx/remove":      {[]string{"Age: 40", "Finding d: yes", "Finding h: yes"}, []string{"Ache", "ache", "Finding a", "there a?", "Finding i", "knee", "not specified"}},
		"Fx/unspecified": {[]string{"Ache: not specified.", "- Is there a? not specified", "Finding i: not specified.", "- Where does it ache? not specified"}, []string{"knee", "Initial complaint", "Finding a: yes", "Finding i: yes"}},
		"Fx/flip":        {[]string{"Ache: no.", "- Finding a: no", "Finding i: no.", "Finding d: yes"}, []string{"knee", "Where", "Initial complaint"}},
		"Fx/administrative": {[]string{"registration form was filled in completely. ", "- The contact details", "A copy of this record", "- The visit was entered"},
			[]string{"Ache", "Finding a", "Finding i", "knee"}},
	} {
		got := text(id)
		for _, part := range want.in {
			if !strings.Contains(got, part) {
				t.Errorf("%s: %q does not stand in\n%s", id, part, got)
			}
		}
		for _, part := range want.out {
			if strings.Contains(got, part) {
				t.Errorf("%s: %q stands in\n%s", id, part, got)
			}
		}
		for _, other := range []string{"Finding d: yes", "Finding e: yes", "Finding f: no", "Finding g: yes"} {
			if strings.Count(got, other) != 1 {
				t.Errorf("%s: %q stands %d times in\n%s", id, other, strings.Count(got, other), got)
			}
		}
	}
	l, _ := parseLabels(changesBy(trials)["Fx/flip"])
	if !slices.Equal(l.Before, []string{"Ache: yes", "Finding a: yes", "Finding i: yes", "Where does it ache? knee"}) ||
		!slices.Equal(l.After, []string{"Ache: no", "Finding a: no", "Finding i: no"}) {
		t.Errorf("flip: before %q, after %q", l.Before, l.After)
	}
}

// Which families are changed follows from the answers: those in suspicious interactions, those in other salient ones, those
// in none, and those that the user calls appropriate; no more than asked for of each.
func TestStrataOfFamilies(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g") + shown(text, "a", "d") })
	strata := map[string][]Stratum{"Fx": nil, "Fa": {Clean}, "Fc": {Low}, "Fd": {Clean, Plausible}, "Fe": {Low}, "Ff": nil, "Fg": {High}, "Fh": {Low}}
	rec := record(t, audit(func(o *Options) { everyCheck(o); o.Appropriate = map[string]bool{"p\tFd": true, "other\tFa": true} }), subject(patient()), mind)
	if len(rec.Families) != len(strata) {
		t.Errorf("%d families, want %d: %+v", len(rec.Families), len(strata), rec.Families)
	}
	for _, f := range rec.Families {
		if !slices.Equal(f.Strata, strata[f.ID]) {
			t.Errorf("%s: %v, want %v", f.ID, f.Strata, strata[f.ID])
		}
	}
	changedFamilies := map[string]int{}
	for _, c := range rec.Changes {
		changedFamilies[c.Family]++
	}
	if len(changedFamilies) != 6 || changedFamilies["Fa"] != 4 || changedFamilies["Fg"] != 4 || changedFamilies["Fd"] != 4 || changedFamilies["Fh"] != 4 {
		t.Errorf("changed: %v", changedFamilies)
	}
	one := record(t, audit(func(o *Options) { everyCheck(o); o.Families = 1 }), subject(patient()), mind)
	two := record(t, audit(func(o *Options) { everyCheck(o); o.Families = 2 }), subject(patient()), mind)
	if len(one.Changes) != 12 || len(two.Changes) != 20 {
		t.Errorf("%d changes with one family a stratum, %d with two", len(one.Changes), len(two.Changes))
	}
	for _, c := range one.Changes {
		if !slices.ContainsFunc(two.Changes, func(d Change) bool { return d.Family == c.Family && d.Edit == c.Edit }) {
			t.Errorf("%s is changed where one is wanted, not where two are", c.Family)
		}
	}
}

// What a change moves is measured against the unchanged full evidence.
func TestWhatChangesMove(t *testing.T) {
	// g raises the gold by 2, but its denial raises d5 by 1.5; b and a both speak for the gold.
	mind := func(text, candidate string) float64 {
		switch candidate {
		case "d0":
			return -3 + 2*shown(text, "g")
		case "d5":
			return -2 + 1.5*has(text, "Finding g: no")
		}
		return -4
	}
	rec := record(t, audit(everyCheck), subject(patient()), mind)
	seen := map[Edit]bool{}
	for _, c := range rec.Changes {
		if c.Family != "Fg" {
			if c.Margin.Or(1) != 0 || c.RankBefore != 1 || c.RankAfter != 1 {
				t.Errorf("%s %s moved something: %+v", c.Family, c.Edit, c)
			}
			continue
		}
		seen[c.Edit] = true
		rival := 0.0
		if c.Edit == Flip {
			rival = 1.5
		}
		if c.State != Scored || c.Competitor != "d5" || c.Target.Or(0) != -2 || c.Rival.Or(9) != rival || c.Margin.Or(0) != -2-rival || c.RankBefore != 1 || c.RankAfter != 2 {
			t.Errorf("%s: %+v", c.Edit, c)
		}
	}
	if len(seen) != 4 {
		t.Errorf("edits of Fg: %v", seen)
	}
}

// A change that has no scores says so; its neighbours keep theirs.
func TestStatesOfChanges(t *testing.T) {
	mind := goldOnly(func(text string) float64 { return -6 + 2*shown(text, "g") })
	a, s := audit(everyCheck), subject(patient())
	censor := func(x *percuss.Answer) {
		for i := range x.Letters {
			x.Letters[i].Censored = true
		}
	}
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) }, func(trial percuss.Trial, x *percuss.Answer) bool {
		switch trial.ID {
		case "change/Fg/flip":
			return false
		case "change/Fg/unspecified":
			x.Letters = x.Letters[:3]
		case "change/Fg/administrative":
			censor(x)
		}
		return true
	})
	rec := a.Reduce(s, trials, answers).(Record)
	want := map[Edit]State{Remove: Scored, Flip: Waiting, Unspecify: Unscored, Administrative: Censored}
	n := 0
	for _, c := range rec.Changes {
		if c.Family != "Fg" {
			continue
		}
		n++
		if c.State != want[c.Edit] || (c.State == Scored) != (c.Why == "") || (c.State == Scored) != c.Margin.OK() {
			t.Errorf("%s: %+v", c.Edit, c)
		}
	}
	if n != 4 {
		t.Errorf("%d changes of Fg", n)
	}
}

// A family of a narrative is one audited sentence; whether it says yes or no is not known.
func TestChangesOfANarrative(t *testing.T) {
	c := percuss.Case{ID: "n", Set: "set", Narrative: true, Candidates: []string{"d0", "d1", "d2"}, Gold: "d0"}
	for _, id := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		c.Units = append(c.Units, percuss.Unit{ID: id, Text: "Sentence " + id + "."})
	}
	rec := record(t, audit(everyCheck), subject(c), goldOnly(func(text string) float64 { return -3 + 2*has(text, "Sentence 1.") }))
	// Three of the five sentences that do nothing, and the one that does something.
	if len(rec.Families) != 6 || len(rec.Changes) != 12 || rec.Base.Interactions[0].Rule != "n1" {
		t.Fatalf("%d families, %d changes, %+v", len(rec.Families), len(rec.Changes), rec.Base.Interactions[0])
	}
	for _, ch := range rec.Changes {
		if ch.Edit == Flip || len(ch.Before) != 1 || (ch.Edit == Remove) != (ch.After == nil) {
			t.Errorf("%+v", ch)
		}
	}
}

// Flips are of answers yes and no alone; others say why not.
func TestFlip(t *testing.T) {
	a := audit(nil)
	for _, c := range []struct {
		units []percuss.Unit
		want  string // texts after the flip
		why   bool
	}{
		{[]percuss.Unit{{ID: "1", Text: "Fever: yes", Value: "yes"}}, "Fever: no", false},
		{[]percuss.Unit{{ID: "1", Text: "Fever: No", Value: "No"}}, "Fever: yes", false},
		{[]percuss.Unit{{ID: "1", Text: "No fever", Asked: "Is there a fever?", Value: "no"}}, "Is there a fever? yes", false},
		{[]percuss.Unit{{ID: "1", Text: "Pain: no", Value: "no"}, {ID: "2", Text: "Where: knee", Value: "knee"}}, "Pain: yes|Where: knee", false},
		{[]percuss.Unit{{ID: "1", Text: "Pain: yes", Value: "yes"}, {ID: "2", Text: "Where: knee", Value: "knee"}}, "Pain: no", false},
		{[]percuss.Unit{{ID: "2", Text: "Where: knee", Value: "knee"}}, "", true},
		{[]percuss.Unit{{ID: "2", Text: "A sentence."}}, "", true},
	} {
		out, why := a.edit(family{findings: c.units}, Flip)
		var texts []string
		for _, u := range c.units {
			if e, ok := out[u.ID]; ok && !e.gone {
				texts = append(texts, e.unit.Text)
			}
		}
		if got := strings.Join(texts, "|"); got != c.want || (why != "") != c.why {
			t.Errorf("%v: %q (%s), want %q", c.units, got, why, c.want)
		}
	}
}

// Nothing is changed before the base setting is scored, and nothing where it cannot be.
func TestChangesWaitForTheBase(t *testing.T) {
	a, s := audit(everyCheck), subject(patient())
	if got := changesBy(a.Trials(s, percuss.AnswerMap{})); len(got) != 0 {
		t.Errorf("asked at once: %v", got)
	}
	if n := a.Later(s, a.Trials(s, percuss.AnswerMap{})); n != 4*8 {
		t.Errorf("at most %d requests later, want 32 for eight families", n)
	}
	flat := reasoner(func(string, string) float64 { return -1 })
	trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return flat.answer(q, nil) }, nil)
	got := changesBy(trials)
	if len(got) != 1 || got["none"].Fired || !strings.Contains(got["none"].Why, "same score") {
		t.Errorf("a model without a preference: %+v", got)
	}
	if n := a.Later(s, trials); n != 0 {
		t.Errorf("%d requests later, after all was asked", n)
	}
	rec := a.Reduce(s, trials, answers).(Record)
	if !slices.Contains(rec.Unasked, got["none"].Why) || rec.Changes != nil || rec.Base.State != Constant {
		t.Errorf("%q, %+v", rec.Unasked, rec.Base)
	}
}
