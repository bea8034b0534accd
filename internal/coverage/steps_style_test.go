package coverage_test

import (
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// A comparison says what was planted, and nothing where the two models differ in one way only.
func TestVerdictsOfComparisons(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		before, after string
		want          step.Direction
	}{
		{"acc=0.4&error=0.1", "acc=0.9&error=0.4", step.UpDown},
		{"acc=0.4&error=0.4", "acc=0.9&error=0.1", step.UpUp},
		{"acc=0.9&error=0.1", "acc=0.4&error=0.4", step.DownDown},
		{"acc=0.9&error=0.4", "acc=0.4&error=0.1", step.DownUp},
		{"acc=0.6&error=0.1", "acc=0.6&error=0.4", step.Untold},
		{"acc=0.4&error=0.2", "acc=0.9&error=0.2", step.Untold},
	} {
		a := auditOf(t, 30, 2, []step.View{byMarkers}, "stepwise?sure=0&seed=1&"+c.before, "stepwise?sure=0&seed=2&"+c.after).judged(t, "step-judge")
		f := a.findings(t)
		before, after := a.reasonerOf(0).StepTruth(), a.reasonerOf(1).StepTruth()
		p := f.Pairs[0]
		if len(f.Pairs) != 1 || p.Verdict != c.want || (p.Why == "") != (c.want != step.Untold) {
			t.Errorf("%s, then %s: %q (%s), want %q", c.before, c.after, p.Verdict, p.Why, c.want)
		}
		within(t, "accuracy", p.Accuracy, value(after.Accuracy)-value(before.Accuracy))
		within(t, "errors", p.Errors, value(after.Errors)-value(before.Errors))
	}
}

// A difference of error rates shrinks in the eyes of a judge that errs, and is found again for what is known of the judge.
func TestACorrectedDifference(t *testing.T) {
	t.Parallel()
	a := auditOf(t, 60, 2, []step.View{byMarkers}, "stepwise?error=0.1&seed=1", "stepwise?error=0.4&seed=2").judged(t, "step-judge?sensitivity=0.8&specificity=0.9&seed=3")
	a.o.Quality["j1"] = step.Quality{Sensitivity: 0.8, Specificity: 0.9}
	p := a.findings(t).Pairs[0]
	within(t, "as judged", p.Errors, 0.3*0.7)
	within(t, "corrected", p.Corrected, 0.3)
	if value(p.Errors.Hi) > 0.3 {
		t.Errorf("as judged the difference may be %v: nothing had to be corrected", p.Errors.Hi)
	}
}

// Another style with the same content moves nothing that judges see, to the last digit and under every view; hedges, which
// are counted before the style is taken away, do move.
func TestAStyleMovesNothing(t *testing.T) {
	t.Parallel()
	for _, style := range []string{"markdown", "chatty"} {
		a := auditOf(t, 10, 2, []step.View{byMarkers, bySentence, byParagraph, asWritten, inOther}, "stepwise?error=0.2&hedge=0.05", "stepwise?error=0.2&hedge=0.5&style="+style).
			judged(t, "step-judge").judged(t, "step-judge?sensitivity=0.7&specificity=0.8&malformed=0.1")
		a.o.Neutral = &step.Model{ID: "neutral", Identity: a.open(t, "paraphraser")}
		f := a.findings(t)
		if len(f.Pairs) != 10 {
			t.Fatalf("%d comparisons, want two judges under five views", len(f.Pairs))
		}
		for _, p := range f.Pairs {
			for what, e := range map[string]percuss.Estimate{"accuracy": p.Accuracy, "errors": p.Errors} {
				if value(e.Value) != 0 || value(e.Lo) != 0 || value(e.Hi) != 0 {
					t.Errorf("%s, %s under %s: %s moves by %v [%v, %v]", style, p.Judge, p.View, what, e.Value, e.Lo, e.Hi)
				}
			}
			if p.Verdict != step.Untold || value(p.Hedged.Lo) <= 0 {
				t.Errorf("%s: the verdict is %q, hedging moves by %v from %v", style, p.Verdict, p.Hedged.Value, p.Hedged.Lo)
			}
		}
		for _, c := range f.Cells { // and every way of cutting shows the same steps
			for _, tr := range c.Traces {
				if first := c.Traces[0]; tr.Judge == first.Judge && (tr.Errors.Value != first.Errors.Value || tr.Errors.Den != first.Errors.Den || tr.Chains.Value != first.Chains.Value) {
					t.Errorf("%s, %s: under %s the error rate is %v of %v, under %s %v of %v", style, c.Model, first.View, first.Errors.Value, first.Errors.Den, tr.View, tr.Errors.Value, tr.Errors.Den)
				}
			}
		}
	}
}

// What a classifier may tell models apart by is in the steps as they were written, and gone from those that judges see.
func TestFeaturesHoldNoStyle(t *testing.T) {
	t.Parallel()
	for _, style := range []string{"markdown", "chatty"} {
		a := auditOf(t, 10, 2, []step.View{byMarkers}, "stepwise?hedge=0", "stepwise?hedge=0.3&style="+style).judged(t, "step-judge")
		records, seen := a.records(t), 0
		for i, r := range records[:10] {
			for n, c := range r.(step.Record).Chains {
				other := records[10+i].(step.Record).Chains[n].Views[0].Steps
				for j, s := range c.Views[0].Steps {
					if !slices.Equal(s.Features, other[j].Features) {
						t.Errorf("%s: step %d of chain %d of item %d has other features", style, j+1, n+1, i)
					}
					if len(s.Features) > 0 && slices.Equal(s.Raw, other[j].Raw) {
						t.Errorf("%s: step %d of chain %d of item %d has the same features as written", style, j+1, n+1, i)
					}
					seen += len(s.Features)
				}
			}
		}
		if seen == 0 {
			t.Error("no step has a feature")
		}
	}
}

// A judge that holds the style against a step does so only where it sees it.
func TestAStyleBiasIsSeenAsWritten(t *testing.T) {
	t.Parallel()
	a := auditOf(t, 30, 2, []step.View{byMarkers, asWritten}, "stepwise?error=0.1&hedge=0", "stepwise?error=0.1&hedge=0.8&style=markdown").judged(t, "step-judge?style_bias=0.3")
	for _, p := range a.findings(t).Pairs {
		lo, hi := value(p.Errors.Lo), value(p.Errors.Hi)
		if p.View == "markers" && (lo != 0 || hi != 0) || p.View == "raw" && math.IsNaN(lo) {
			t.Errorf("under %s errors move by %v [%v, %v]", p.View, p.Errors.Value, lo, hi)
		}
	}
	for _, c := range a.findings(t).Cells {
		shown, written := c.Traces[0].Errors, c.Traces[1].Errors
		if value(written.Lo) <= value(shown.Hi) {
			t.Errorf("%s: as written the judge sees %v from %v on, without style %v to %v", c.Model, written.Value, written.Lo, shown.Value, shown.Hi)
		}
	}
}

// The checks without a judge flag planted faults only: every wrong calculation, and no step that is right.
func TestChecksFindThePlantedFaults(t *testing.T) {
	t.Parallel()
	for _, style := range []string{"plain", "markdown", "chatty"} {
		a := auditOf(t, 25, 3, []step.View{byMarkers}, "stepwise?error=0.4&steps=6&style="+style).judged(t, "step-judge")
		sums, found, other := 0, 0, 0
		for _, r := range a.records(t) {
			for _, c := range r.(step.Record).Chains {
				for _, s := range c.Views[0].Steps {
					said := says(s, 0)
					sum, _, contradiction := s.Checks.Flags()
					if sum && said != step.Arithmetic || contradiction && said != step.Contradicts {
						t.Errorf("%s: a step that is %s has the checks %+v", style, said, s.Checks)
					}
					if said == step.Arithmetic {
						sums++
						found += map[bool]int{true: 1}[sum]
					}
					other += map[bool]int{true: 1}[contradiction]
				}
			}
		}
		if sums == 0 || found != sums || other == 0 {
			t.Errorf("%s: %d of %d wrong calculations are found, and %d contradictions", style, found, sums, other)
		}
	}
}
