package evidence

import (
	"testing"

	"github.com/percuss/percuss"
)

// benchmarkCase is a case of 8 units and 8 candidates, all 256 subsets answered.
func benchmarkCase(b *testing.B, change func(*Options)) (*Audit, percuss.Subject, []percuss.Trial, percuss.AnswerMap) {
	a := audit(func(o *Options) {
		o.MaxOrder = 0
		if change != nil {
			change(o)
		}
	})
	s := subject(ten())
	trials, answers := asked(b, a, s, func(q percuss.Request) percuss.Answer {
		return reasoner(func(text, candidate string) float64 {
			return -3 + 0.7*shown(text, string(candidate[1]-'0'+'a')) - 0.6*shown(text, "a", "d")
		}).answer(q, nil)
	}, nil)
	return a, s, trials, answers
}

// BenchmarkReduce is one case of 256 prompts and eight candidates, each audited, keys and all.
func BenchmarkReduce(b *testing.B) {
	a, s, trials, answers := benchmarkCase(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		if a.Reduce(s, trials, answers).(Record).Base.State != Scored {
			b.Fatal("not scored")
		}
	}
}

// BenchmarkKeys is the part of BenchmarkReduce that hashes requests.
func BenchmarkKeys(b *testing.B) {
	_, _, trials, _ := benchmarkCase(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		for _, t := range trials {
			t.Request.Key()
		}
	}
}

// BenchmarkReduceChecked is a case with every check: 15 settings beside the base setting, and the changes.
func BenchmarkReduceChecked(b *testing.B) {
	a, s, trials, answers := benchmarkCase(b, everyCheck)
	b.ReportMetric(float64(len(trials)), "trials")
	for b.Loop() {
		a.Reduce(s, trials, answers)
	}
}

// BenchmarkTrials is the making of 256 requests.
func BenchmarkTrials(b *testing.B) {
	a, s, _, answers := benchmarkCase(b, nil)
	b.ReportAllocs()
	for b.Loop() {
		a.Trials(s, answers)
	}
}
