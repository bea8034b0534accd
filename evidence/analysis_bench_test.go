package evidence_test

import (
	"fmt"
	"math"
	"runtime"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
)

// BenchmarkAnalysis is everything between the answers and the tables: 500 cases of eight units, each with the answers to
// all 256 subsets, eight candidates audited in each, 10,000 resamples. Target: two seconds on two cores; memory beside
// the answers is a few kilobytes a case (heap-kB/case).
func BenchmarkAnalysis(b *testing.B) {
	const n = 500
	s := memory.New()
	can := percuss.Capabilities{Identity: "m", Text: true, Letters: true, SystemRole: true}
	o := evidence.Options{Seed: 1, Prompts: prompt.DefaultCases(), Can: map[string]percuss.Capabilities{"m": can},
		Rank: map[string]int{}, Drawn: map[string]int{"synthetic": n}, Bootstrap: 10000}
	var subjects []percuss.Subject
	for k := range n {
		c := syntheticCase(k)
		o.Rank[c.ID] = k
		subjects = append(subjects, percuss.Subject{SubjectID: percuss.SubjectID{Variant: "clinical-summary", Model: "m", Set: c.Set, Item: c.ID}, Identity: "m", Case: c})
	}
	audit := evidence.New(o)
	for _, subject := range subjects {
		for _, t := range audit.Trials(subject, percuss.AnswerMap{}) {
			if err := s.Put(b.Context(), store.Entry{Key: t.Request.Key(), Request: *t.Request, Answer: syntheticAnswer(*t.Request)}); err != nil {
				b.Fatal(err)
			}
		}
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for b.Loop() {
		records := func(yield func(percuss.Record) bool) {
			for v, err := range run.Views(b.Context(), audit, s, subjects, false) {
				if err != nil {
					b.Fatal(err)
				}
				if !yield(v.Record) {
					return
				}
			}
			runtime.GC()
			runtime.ReadMemStats(&after)
		}
		f := audit.Summarise(records).(evidence.Findings)
		if f.Cells[0].Scored != n {
			b.Fatalf("%d cases scored: %+v", f.Cells[0].Scored, f.Cells[0].Reasons)
		}
	}
	b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/1024/n, "heap-kB/case")
}

// syntheticCase has eight findings that are evidence for two of eight candidates each.
func syntheticCase(k int) *percuss.Case {
	c := &percuss.Case{ID: fmt.Sprintf("synthetic:%d", k), Set: "synthetic", Facts: []string{fmt.Sprintf("Age: %d years", 20+k%60)}}
	for i := range 8 {
		c.Candidates = append(c.Candidates, fmt.Sprintf("Disease %c", 'P'+i))
	}
	c.Gold = c.Candidates[0]
	for i := range 8 {
		c.Units = append(c.Units, percuss.Unit{ID: fmt.Sprintf("u%d", i), Family: fmt.Sprintf("f%d", i), Text: fmt.Sprintf("Finding %d of patient %d: yes", i, k),
			Asked: fmt.Sprintf("Is there finding %d?", i), Value: "yes", SymptomOf: []string{c.Candidates[i%3], c.Candidates[i]}})
	}
	return c
}

// syntheticAnswer scores every letter by a hash of the request, so that all interactions are noise.
func syntheticAnswer(r percuss.Request) percuss.Answer {
	rng := percuss.Rand(1, string(r.Key()), "", "synthetic")
	a := percuss.Answer{Outcome: percuss.OK}
	for _, l := range r.Want.Letters {
		a.Letters = append(a.Letters, percuss.LetterScore{Letter: l, LogProb: percuss.Num(-2 - math.Abs(rng.NormFloat64()))})
	}
	return a
}
