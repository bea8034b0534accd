package llamacpp

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/prompt"
)

// patient is a case of the published data with at least the given number of findings.
func patient(t testing.TB, findings int) percuss.Case {
	t.Helper()
	l, err := ddxplus.New(datasettest.File(t, ddxplus.Name, "release_test_patients_sample.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, _, err := dataset.CollectCases(l)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(cases, func(c percuss.Case) bool { return len(c.Units) >= findings && len(c.Candidates) > 5 })
	if i < 0 {
		t.Fatalf("no patient with %d findings", findings)
	}
	return cases[i]
}

// caseRequests are the prompts of a case's subsets of its first units findings, the others fixed. order limits the
// hidden or shown sets as the audit does: up to so many units shown, and the full set; 0: all subsets.
func caseRequests(t testing.TB, c percuss.Case, units, order int) (requests []percuss.Request) {
	t.Helper()
	s := prompt.Shown{Facts: slices.Clone(c.Facts), Units: c.Units[:units]}
	for _, u := range c.Units[units:] {
		s.Facts = append(s.Facts, u.Text)
	}
	var labels []string
	for i, candidate := range c.Candidates {
		labels = append(labels, percuss.Label(i))
		s.Options = append(s.Options, percuss.Option{Label: percuss.Label(i), Text: candidate})
	}
	full := uint64(1)<<units - 1
	for shown := range full + 1 {
		if order > 0 && shown != full && bits.OnesCount64(shown) > order {
			continue
		}
		s.Hidden = full &^ shown
		messages, err := prompt.DefaultCases().Chat("clinical-summary", s)
		if err != nil {
			t.Fatal(err)
		}
		r := percuss.Request{Messages: messages, Sampling: percuss.Greedy(1)}
		r.Want.Letters = labels
		requests = append(requests, r)
	}
	return requests
}

// BenchmarkCase reports, for all prompts of a patient in both layouts: the share of tokens that were computed of those
// of separate prompts, the least share that a tree of prompts can reach, and the rate of prompt tokens as a share of
// that of plain decodes.
func BenchmarkCase(b *testing.B) {
	for _, layout := range []string{Exact, Shared} {
		m := opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b), Layout: layout})
		c := patient(b, 14)
		for _, order := range []int{3, 0} {
			requests := caseRequests(b, c, 8, order)
			b.Run(fmt.Sprintf("%s/%d", layout, len(requests)), func(b *testing.B) {
				before := m.Counts()
				for b.Loop() {
					modeltest.Ask(b, m, requests...)
				}
				report(b, before, m.Counts())
			})
		}
	}
}

func report(b *testing.B, before, after model.Counts) {
	asked := float64(after.PromptAsked - before.PromptAsked)
	computed := float64(after.PromptComputed - before.PromptComputed)
	rate := computed / (after.PrefillSeconds - before.PrefillSeconds)
	b.ReportMetric(computed/asked, "computed/asked")
	b.ReportMetric(float64(after.PromptDistinct-before.PromptDistinct)/asked, "bound")
	b.ReportMetric(rate, "tokens/s")
	b.ReportMetric(rate*after.PlainSeconds/float64(after.PlainTokens), "rate/plain")
}
