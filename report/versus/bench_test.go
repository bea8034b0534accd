package versus

import (
	"fmt"
	"runtime"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
)

// BenchmarkPair compares two made-up runs of a million trials each: sixteen models, 1,953 items, 32 operators. It reports
// the memory that the comparison holds beside the runs.
func BenchmarkPair(b *testing.B) {
	const models, items, operators = 16, 1953, 32
	var subjects []percuss.Subject
	for m := range models {
		for i := range items {
			id := percuss.SubjectID{Variant: "neutral", Model: fmt.Sprintf("model-%d", m), Set: "medqa", Item: fmt.Sprintf("medqa:%08x", i)}
			subjects = append(subjects, percuss.Subject{SubjectID: id, Question: percuss.Question{ID: id.Item, Stem: "A patient."}})
		}
	}
	ids := make([]string, operators)
	for k := range ids {
		ids[k] = fmt.Sprintf("M%d-a", k)
	}
	records := func(shift int) func(yield func(percuss.Record, error) bool) {
		return func(yield func(percuss.Record, error) bool) {
			for i, s := range subjects {
				r := chain.Record{Subject: s.SubjectID, Base: chain.Reading{State: chain.Read, Answer: "A", Correct: (i+shift)%3 > 0}}
				for k, id := range ids {
					flip := chain.Kept
					if (i*7+k*3+shift*(k%5))%11 < 3 {
						flip = chain.Flipped
					}
					r.Operators = append(r.Operators, chain.OperatorTrial{ID: id, Edit: battery.Edit{Fired: true}, Flip: flip, Rule: k%2 == 0, Token: (i+k)%4 > 0})
				}
				if !yield(r, nil) {
					return
				}
			}
		}
	}
	for b.Loop() {
		var before, after runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&before)
		c, err := Pair(Run{Name: "a", Subjects: subjects, Records: records(0)}, Run{Name: "b", Subjects: subjects, Records: records(1)}, nil)
		if err != nil {
			b.Fatal(err)
		}
		runtime.GC()
		runtime.ReadMemStats(&after)
		b.ReportMetric(float64(after.HeapAlloc-before.HeapAlloc)/(1<<20), "MiB-kept")
		runtime.KeepAlive(c)
	}
}
