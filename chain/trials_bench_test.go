package chain

import (
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain/battery"
)

// BenchmarkTrials is a subject whose answers are all there, as a report sees it: one edit that does not fire, which leaves
// the baseline alone, and the paper's battery.
func BenchmarkTrials(b *testing.B) {
	one, err := battery.Parse("M2-sex")
	if err != nil {
		b.Fatal(err)
	}
	all := audit(b, Text, able)
	alone := New(Options{Seed: 1, Battery: one, Prompts: all.o.Prompts, Answer: Text, MaxTokens: 64, Can: all.o.Can})
	s := subject()
	s.Question.Stem = "A visit to the clinic because of a severe headache that began 8 days ago. " +
		"The temperature is 38.6 °C and the pulse is 104 a minute. What is the most likely diagnosis?"
	for _, c := range []struct {
		name string
		a    *Audit
		s    percuss.Subject
	}{{"baseline", alone, s}, {"paper", all, subject()}, {"paper+letters", audit(b, TextLetters, able), subject()}} {
		b.Run(c.name, func(b *testing.B) {
			trials, known := settle(b, c.a, c.s, stubborn)
			b.ReportAllocs()
			for b.Loop() {
				c.a.Trials(c.s, known)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(trials)), "ns/trial")
		})
	}
}
