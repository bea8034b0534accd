package step_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// BenchmarkWalk works out and reduces the trials of an item of eight chains whose answers are all there, as a report does.
func BenchmarkWalk(b *testing.B) {
	o := options()
	o.K, o.Judged, o.Views, o.Neutral = 8, 8, o.Views[:1], nil
	a, s := step.New(o), subject()
	s.Question.Stem = strings.Repeat("A man of 40 has a cough and a temperature of 38.6 degrees. ", 12)
	known := percuss.AnswerMap{}
	for {
		missing := percuss.Missing(a.Trials(s, known), known)
		if len(missing) == 0 {
			break
		}
		for _, r := range missing {
			if r.Model != "model" {
				known[r.Key()] = ok("VERDICT: CORRECT")
				continue
			}
			var text strings.Builder
			for i := range 8 {
				fmt.Fprintf(&text, "Step %d: I think the patient is %d years old and has a cough of %d days. It looks like the lungs are clear.\n", i+1, 40+r.Replicate, i)
			}
			known[r.Key()] = ok(text.String() + "Answer: B")
		}
	}
	for b.Loop() {
		a.Reduce(s, a.Trials(s, known), known)
	}
}
