package llamacpp

import (
	"fmt"
	"math/bits"
	"slices"
	"testing"

	"github.com/hybridgroup/yzma/pkg/llama"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
	"github.com/percuss/percuss/model"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/prompt"
)

// patients are cases of the published data with at least the given number of findings and more than five candidates.
func patients(t testing.TB, findings int) []percuss.Case {
	t.Helper()
	l, err := ddxplus.New(datasettest.File(t, ddxplus.Name, "release_test_patients_sample.csv"), nil)
	if err != nil {
		t.Fatal(err)
	}
	cases, _, err := dataset.CollectCases(l)
	if err != nil {
		t.Fatal(err)
	}
	cases = slices.DeleteFunc(cases, func(c percuss.Case) bool { return len(c.Units) < findings || len(c.Candidates) < 6 })
	if len(cases) == 0 {
		t.Fatalf("no patient with %d findings", findings)
	}
	return cases
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

// dearestExact is the most that the exact layout may cost, as a multiple of the shared one.
const dearestExact = 1.3

// smolShares holds what is computed of a case against what separate prompts have: at most 10 % for all subsets of
// eight findings and 12 % for those of up to three, where the part before the findings has 150 tokens. Whatever unit the
// kernels need, the exact layout computes at most 1.3 times the tokens of the shared one, each of which costs no more
// (BenchmarkLayouts).
func smolShares(t *testing.T, m *Model) {
	for _, goal := range []struct {
		order int
		most  float64
	}{{3, 0.12}, {0, 0.10}} {
		n, worst := 0, 0.0
		for i, c := range patients(t, 8) {
			if c.Units = c.Units[:8]; i%100 != 0 {
				continue
			}
			var tokens [][]llama.Token
			asked, fixed := 0, 0
			for _, r := range caseRequests(t, c, 8, goal.order) {
				j, a, err := m.newJob(0, &r)
				if j == nil {
					t.Fatal(a, err)
				}
				tokens = append(tokens, j.tokens)
				asked += len(j.tokens)
				fixed = common(tokens[0], j.tokens)
			}
			if fixed < 150 {
				continue
			}
			distinct := len(grow(pathsTo(tokens), 0))
			for unit := 1; unit <= maxUnit; unit *= 2 {
				if n, _ := newTree(tokens, unit).size(); float64(n) > dearestExact*float64(distinct) {
					t.Errorf("patient %d, unit %d: %d tokens, %d distinct ones", i, unit, n, distinct)
				}
			}
			computed, _ := newTree(tokens, 2).size()
			n, worst = n+1, max(worst, float64(computed)/float64(asked))
		}
		t.Logf("%d patients, order %d: at most %.4f of the tokens of separate prompts", n, goal.order, worst)
		if n == 0 || worst > goal.most {
			t.Errorf("%d patients, order %d: %.4f of the tokens of separate prompts, want at most %.2f", n, goal.order, worst, goal.most)
		}
	}
}

// pathsTo are the prompts as the shared layout is given them.
func pathsTo(prompts [][]llama.Token) []path {
	paths := make([]path, len(prompts))
	for i, p := range prompts {
		paths[i].tokens = p
	}
	return paths
}

// BenchmarkLayouts reports what a patient's prompts cost in the exact layout, as a multiple of the shared one. The two
// take turns, so that what else the machine does slows both, on one thread, because threads that wait for each other
// spin; the best of each counts.
func BenchmarkLayouts(b *testing.B) {
	var best [2]float64
	var models [2]*Model
	for i, layout := range []string{Exact, Shared} {
		models[i] = opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b), Layout: layout, Threads: 1})
	}
	c := patients(b, 14)[0]
	c.Units = c.Units[:8]
	requests := caseRequests(b, c, 8, 3)
	for b.Loop() {
		for i, m := range models {
			before := m.Counts().PrefillSeconds
			modeltest.Ask(b, m, requests...)
			if took := m.Counts().PrefillSeconds - before; best[i] == 0 || took < best[i] {
				best[i] = took
			}
		}
	}
	b.ReportMetric(best[0]/best[1], "exact/shared")
}

// BenchmarkCase reports, for all prompts of a patient in both layouts: the share of tokens that were computed of those
// of separate prompts, the least share that a tree of prompts can reach, and the rate of prompt tokens as a share of
// that of plain decodes.
func BenchmarkCase(b *testing.B) {
	for _, layout := range []string{Exact, Shared} {
		m := opened(b, Options{Lib: modeltest.EngineLib(b), Path: modeltest.SmolLM2(b), Layout: layout})
		c := patients(b, 14)[0]
		c.Units = c.Units[:8] // a fixed part of the length that the goals are set for
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
	if after.PlainTokens > 0 {
		b.ReportMetric(rate*after.PlainSeconds/float64(after.PlainTokens), "rate/plain")
	}
}
