package evidence

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
	"github.com/percuss/percuss/prompt"
)

func base() Setting { return Setting{Wording: "clinical-summary", Hide: Drop} }

func options(change func(*Options)) Options {
	o := Options{Seed: 1, MaxOrder: 3, Settings: []Setting{base()}, Prompts: prompt.DefaultCases(),
		Can: map[string]percuss.Capabilities{"m": {Letters: true}}}
	if change != nil {
		change(&o)
	}
	return o
}

func subject(c percuss.Case) percuss.Subject {
	return percuss.Subject{SubjectID: percuss.SubjectID{Model: "m", Item: c.ID}, Identity: "id", Case: &c}
}

// A case of ten units, so that two are not audited.
func ten() percuss.Case {
	c := percuss.Case{ID: "c", Candidates: eight, Gold: "d0", Facts: []string{"Age: 40"}}
	for i := range 10 {
		c.Units = append(c.Units, percuss.Unit{ID: string(rune('a' + i)), Text: "Finding " + string(rune('A'+i)) + ": yes", SymptomOf: []string{eight[i%8]}})
	}
	return c
}

func TestBudgets(t *testing.T) {
	for _, c := range []struct{ order, units, want int }{{1, 8, 10}, {2, 8, 38}, {3, 8, 94}, {0, 8, 256}, {3, 6, 43}, {0, 6, 64}, {9, 3, 8}, {3, 0, 1}} {
		o := options(func(o *Options) { o.MaxOrder, o.Units = c.order, c.units })
		case_ := ten()
		case_.Units = case_.Units[:c.units]
		if trials := o.Trials(subject(case_)); len(trials) != c.want {
			t.Errorf("%d units, order %d: %d trials, want %d", c.units, c.order, len(trials), c.want)
		}
	}
}

func TestTrialsOfACase(t *testing.T) {
	o := options(func(o *Options) {
		o.Settings = append(o.Settings, Setting{Wording: "questionnaire", Order: 1, Hide: Neutralize}, Setting{Wording: "clinical-summary", Hide: Drop, EvidenceFirst: true})
	})
	c := ten()
	trials := o.Trials(subject(c))
	if len(trials) != 3*94 {
		t.Fatalf("%d trials", len(trials))
	}
	ids, keys := map[string]bool{}, map[percuss.Key]bool{}
	for _, trial := range trials {
		ids[trial.ID], keys[trial.Request.Key()] = true, true
		if got := trial.Request.Want.Letters; !slices.Equal(got, []string{"A", "B", "C", "D", "E", "F", "G", "H"}) || trial.Request.Begin != "" {
			t.Fatalf("%s asks for %v after %q", trial.ID, got, trial.Request.Begin)
		}
		var l shownLabel
		if err := json.Unmarshal(trial.Labels, &l); err != nil || trialID(l.Setting, l.Shown, 8) != trial.ID {
			t.Fatalf("%s: %s, %v", trial.ID, trial.Labels, err)
		}
	}
	if len(ids) != len(trials) || len(keys) != len(trials) {
		t.Errorf("%d trials, %d ids, %d keys", len(trials), len(ids), len(keys))
	}
	full := trials[93]
	if !strings.HasSuffix(full.ID, "clinical-summary/o0/drop/11111111") {
		t.Errorf("the last of a setting is the full set, not %s", full.ID)
	}
	text := full.Request.Messages[1].Content
	for _, u := range c.Units { // audited or not, every finding of the case is there
		if strings.Count(text, u.Text) != 1 {
			t.Errorf("%q stands %d times in\n%s", u.Text, strings.Count(text, u.Text), text)
		}
	}
	if empty := trials[0].Request.Messages[1].Content; strings.Count(empty, "Finding ") != 2 || !strings.HasSuffix(empty, "none recorded") {
		t.Errorf("without audited units:\n%s", empty)
	}
	again := o.Trials(subject(c))
	for i := range trials {
		if trials[i].Request.Key() != again[i].Request.Key() {
			t.Fatal("another time, other requests")
		}
	}
}

// The gold's place is no hint: over many cases it stands under every letter, and the file's order is an option.
func TestCandidateOrder(t *testing.T) {
	places := map[string]int{}
	o := options(nil)
	for i := range 400 {
		c := ten()
		c.ID = string(rune('a'+i%26)) + strings.Repeat("x", i/26)
		for _, option := range o.candidates(c, 0) {
			if option.Text == c.Gold {
				places[option.Label]++
			}
		}
	}
	for _, l := range []string{"A", "B", "C", "D", "E", "F", "G", "H"} {
		if places[l] < 20 || places[l] > 90 {
			t.Errorf("the gold is %s in %d of 400 cases, about 50 were expected", l, places[l])
		}
	}
	c := ten()
	text := func(options []percuss.Option) (out []string) {
		for _, x := range options {
			out = append(out, x.Text)
		}
		return out
	}
	if slices.Equal(text(o.candidates(c, 0)), text(o.candidates(c, 1))) {
		t.Error("another order is the same")
	}
	o.FileOrder = true
	if !slices.Equal(text(o.candidates(c, 0)), eight) {
		t.Error("the file's order was asked for")
	}
}

// What cannot be asked says why, and asks nothing.
func TestCasesThatCannotBeAsked(t *testing.T) {
	many := ten()
	for i := range 20 {
		many.Candidates = append(many.Candidates, strings.Repeat("z", i+1))
	}
	for want, c := range map[string]struct {
		o Options
		s percuss.Subject
	}{
		"no log-probabilities": {options(func(o *Options) { o.Can = nil }), subject(ten())},
		"no case":              {options(nil), percuss.Subject{SubjectID: percuss.SubjectID{Model: "m"}}},
		"label AB":             {options(nil), subject(many)},
		"no wording":           {options(func(o *Options) { o.Settings[0].Wording = "poem" }), subject(ten())},
		"no selector":          {options(func(o *Options) { o.Selector = "best" }), subject(ten())},
	} {
		trials := c.o.Trials(c.s)
		if len(trials) != 1 || trials[0].Fired || trials[0].Request != nil || !strings.Contains(trials[0].Why, want) {
			t.Errorf("%s: %+v", want, trials)
		}
	}
}

// On real patients: the full set of prompts, most of whose characters are shared.
func TestTrialsOnDDXPlus(t *testing.T) {
	loader, err := ddxplus.New(datasettest.File(t, "ddxplus", "release_test_patients_sample.csv"), dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cases, _, err := dataset.CollectCases(loader)
	if err != nil {
		t.Fatal(err)
	}
	o := options(func(o *Options) { o.MaxOrder = 0 })
	total, fresh := 0, 0
	for _, c := range dataset.DrawCases(cases, 1, 20) {
		trials := o.Trials(subject(c))
		if len(trials) != 1<<min(8, len(c.Units)) {
			t.Fatalf("%s: %d trials of %d units: %s", c.ID, len(trials), len(c.Units), trials[0].Why)
		}
		var texts []string
		for _, trial := range trials {
			texts = append(texts, trial.Request.Messages[1].Content)
			total += len(texts[len(texts)-1])
		}
		slices.Sort(texts)
		for i, text := range texts {
			shared := 0
			if i > 0 {
				for shared < min(len(text), len(texts[i-1])) && text[shared] == texts[i-1][shared] {
					shared++
				}
			}
			fresh += len(text) - shared
		}
	}
	if share := float64(fresh) / float64(total); share > 0.15 {
		t.Errorf("%.3f of the characters are not shared, 0.15 would be much", share)
	} else {
		t.Logf("of %d characters %.3f are not shared", total, share)
	}
}
