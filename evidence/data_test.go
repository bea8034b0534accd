package evidence

import (
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/cupcase"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
)

// published are the cases of a published file.
func published(t *testing.T, open func(path string) (dataset.CaseLoader, error), set, file string) []percuss.Case {
	t.Helper()
	loader, err := open(datasettest.File(t, set, file))
	if err != nil {
		t.Fatal(err)
	}
	cases, _, err := dataset.CollectCases(loader)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

func patients(t *testing.T) []percuss.Case {
	return published(t, func(path string) (dataset.CaseLoader, error) { return ddxplus.New(path, dataset.Options{}) }, "ddxplus", "release_test_patients_sample.csv")
}

func reports(t *testing.T) []percuss.Case {
	return published(t, func(path string) (dataset.CaseLoader, error) { return cupcase.New(path, nil) }, "cupcase", "cupcase_rtest_eval.first200.csv")
}

// all asks for everything of one case.
func all(c percuss.Case) (*Audit, percuss.Subject) {
	s := subject(c)
	s.Set = c.Set
	return audit(func(o *Options) {
		o.Rank, o.Drawn, o.Checks, o.Debias = map[string]int{c.ID: 0}, map[string]int{c.Set: 1}, PaperChecks(), Prior
	}), s
}

// Every case that the loaders give can be asked, under every setting.
func TestPublishedCasesAreAsked(t *testing.T) {
	for set, cases := range map[string][]percuss.Case{"ddxplus": dataset.DrawCases(patients(t), 1, 40), "cupcase": dataset.DrawCases(reports(t), 1, 40)} {
		requests, unasked := 0, map[string]int{}
		for _, c := range cases {
			a, s := all(c)
			trials := a.Trials(s, nil)
			if !trials[0].Fired {
				t.Errorf("%s: %s", c.ID, trials[0].Why)
			}
			for _, trial := range trials {
				if trial.Fired {
					requests++
				} else {
					unasked[trial.Why]++
				}
			}
		}
		t.Logf("%s: %d cases, %d requests, not asked: %v", set, len(cases), requests, unasked)
		if len(cases) == 0 {
			t.Errorf("%s has no cases", set)
		}
	}
}

// On real patients most of a prompt's characters are those of its neighbour in the order of asking.
func TestPromptsShareTheirBeginning(t *testing.T) {
	a := audit(func(o *Options) { o.MaxOrder = 0 })
	total, fresh := 0, 0
	for _, c := range dataset.DrawCases(patients(t), 1, 20) {
		last := ""
		for _, trial := range a.Trials(subject(c), nil) {
			text := trial.Request.Messages[1].Content
			shared := 0
			for shared < min(len(text), len(last)) && text[shared] == last[shared] {
				shared++
			}
			total, fresh, last = total+len(text), fresh+len(text)-shared, text
		}
	}
	if share := float64(fresh) / float64(total); share > 0.15 {
		t.Errorf("%.3f of the characters are not shared, 0.15 would be much", share)
	} else {
		t.Logf("of %d characters %.3f are not shared", total, share)
	}
}

// A family of a real patient is changed wherever it stands: no text of its findings is left, and all others are there.
func TestChangesOfRealPatients(t *testing.T) {
	flips, details := 0, 0
	for _, c := range dataset.DrawCases(patients(t), 1, 30) {
		a, s := all(c)
		mind := reasoner(func(text, candidate string) float64 {
			return -2 - float64(len(candidate))/50 - 0.7*has(text, c.Units[0].Text)
		})
		trials, answers := asked(t, a, s, func(q percuss.Request) percuss.Answer { return mind.answer(q, nil) }, nil)
		for _, trial := range trials {
			l, ok := parseLabels(trial)
			if !strings.HasPrefix(trial.ID, changePrefix) || !ok {
				continue
			}
			text := trial.Request.Messages[1].Content
			for _, u := range c.Units {
				kept := l.Edit == Flip && slices.Contains(l.After, u.Text) // a detail that is still so
				if stands := standsIn(text, u.Text); stands == (familyOf(u, false) == l.Family) && !kept && !partOfAnother(c, u, text) {
					t.Errorf("%s of %s: %q stands: %v in\n%s", trial.ID, c.ID, u.Text, stands, text)
				}
			}
			if c.Complaint != nil && strings.Contains(text, "Initial complaint: ") == (familyOf(*c.Complaint, false) == l.Family) {
				t.Errorf("%s of %s: the complaint in\n%s", trial.ID, c.ID, text)
			}
			if l.Edit == Flip {
				flips++
				if len(l.After) < len(l.Before) {
					details++
				}
			}
		}
		rec := a.Reduce(s, trials, answers).(Record)
		for _, ch := range rec.Changes {
			if ch.State != Scored || !ch.Margin.OK() || ch.RankAfter == 0 {
				t.Errorf("%s: %+v", c.ID, ch)
			}
		}
	}
	t.Logf("%d flips, %d of them take details with them", flips, details)
	if flips == 0 {
		t.Error("nothing was flipped")
	}
}

// partOfAnother reports whether a finding's text stands within that of another one which is in the prompt.
func partOfAnother(c percuss.Case, u percuss.Unit, text string) bool {
	return slices.ContainsFunc(c.Units, func(o percuss.Unit) bool {
		return o.ID != u.ID && o.Text != u.Text && strings.Contains(o.Text, u.Text) && standsIn(text, o.Text)
	})
}

// standsIn reports whether a finding stands whole in a prompt: as a fact, or at the end of a line.
func standsIn(text, finding string) bool {
	finding = strings.TrimRight(finding, ".")
	return strings.Contains(text+"\n", finding+".") || strings.Contains(text+"\n", finding+"\n")
}
