package coverage_test

import (
	"fmt"
	"math"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/step"
)

// A planted error rate of 10 % is found: as it is by a judge that knows, and by one of known quality once it is corrected.
func TestPlantedErrorRate(t *testing.T) {
	t.Parallel()
	a := auditOf(t, 60, 3, []step.View{byMarkers}, "stepwise?error=0.1&acc=0.6&sure=0.3&hedge=0.2&no_claim=0.15&seed=5").
		judged(t, "step-judge").judged(t, "step-judge?sensitivity=0.8&specificity=0.9&abstain=0.05&seed=9")
	a.o.Quality["j2"] = step.Quality{Sensitivity: 0.8, Specificity: 0.9}
	c := a.findings(t).Cells[0]
	truth := a.reasonerOf(0).StepTruth()
	for i, got := range []percuss.Number{truth.Errors, truth.Accuracy, truth.NoClaim, truth.Hedged} {
		if want := []float64{0.1, 0.6, 0.15, 0.17}[i]; !(math.Abs(value(got)-want) < 1e-9) {
			t.Errorf("of errors, accuracy, steps without a claim and hedges the truth of number %d is %v, want %g", i+1, got, want)
		}
	}
	knows, errs := c.Traces[0], c.Traces[1]
	within(t, "accuracy", c.Accuracy, 0.6)
	within(t, "hedged", c.Hedged, 0.17)
	within(t, "errors", knows.Errors, 0.1)
	within(t, "errors, seen by a judge that errs", errs.Errors, 0.1*0.8+0.9*0.1)
	within(t, "corrected", errs.Corrected, 0.1)
	within(t, "chains with an error", knows.Chains, 1-math.Pow(1-0.85*0.1, 5))
	if v := value(errs.Errors.Lo); v < 0.1 {
		t.Errorf("what a judge that errs sees begins at %.3f: nothing had to be corrected", v)
	}
	for what, got := range map[string]struct {
		n    int
		rate float64
	}{"the judge that knows": {knows.Abstained, 0.15}, "the other one": {errs.Abstained, 0.15 + 0.85*0.05}} {
		if n := float64(knows.Steps); math.Abs(float64(got.n)-got.rate*n) > 4*math.Sqrt(n*got.rate*(1-got.rate)) {
			t.Errorf("%s abstains on %d of %d steps, want a share of %.3f", what, got.n, knows.Steps, got.rate)
		}
	}
}

// Errors that go with wrong answers are found there, and the right chains have those of their own only.
func TestErrorsThatFollowTheAnswer(t *testing.T) {
	t.Parallel()
	a := auditOf(t, 60, 3, []step.View{byMarkers}, "stepwise?error=0.1&follow=0.3&acc=0.5&sure=0").judged(t, "step-judge")
	truth := a.reasonerOf(0).StepTruth().Errors
	if !(math.Abs(value(truth)-0.235) < 1e-9) {
		t.Errorf("the true rate is %v, want 0.1 + 0.9·0.3·0.5", truth)
	}
	f := a.findings(t)
	within(t, "errors", f.Cells[0].Traces[0].Errors, 0.235)
	for column, want := range map[string]float64{"right": 0.1, "wrong": 0.37, "difference": 0.27} {
		within(t, "chains by their answer: "+column, cellOf(t, f, "control_chains", 0, column).Estimate, want)
	}
}

// says is what the i-th judge says of a step; Abstain of one that none is asked about.
func says(s step.Step, i int) step.Says {
	if len(s.Says) <= i {
		return step.Abstain
	}
	return s.Says[i].Says
}

// The answer side finds accuracy, the accuracy of the vote, its confidence and calibration, all of which are known.
func TestVotes(t *testing.T) {
	t.Parallel()
	const k = 8
	for _, c := range []struct{ acc, sure float64 }{{0.6, 0}, {0.7, 1}, {0.45, 0.4}} {
		a := auditOf(t, 200, k, []step.View{byMarkers}, fmt.Sprintf("stepwise?acc=%g&sure=%g&steps=1&seed=3", c.acc, c.sure))
		f := a.findings(t).Cells[0]
		accuracy, confidence, ece, brier := expected(a.reasonerOf(0).Votes(k))
		for what, v := range map[string]struct {
			found percuss.Estimate
			truth float64
		}{"accuracy of a chain": {f.Accuracy, c.acc}, "accuracy of the vote": {f.Majority, accuracy}, "confidence": {f.Confidence, confidence}, "Brier score": {f.Brier, brier}} {
			// Of so many intervals at 95 % one misses now and then: one and a half times as wide, three standard errors, none does.
			got, wide := value(v.found.Value), 1.5*(value(v.found.Hi)-value(v.found.Lo))/2
			if !(math.Abs(got-v.truth) <= wide+1e-9) {
				t.Errorf("acc=%g, sure=%g: %s is %.3f ± %.3f, truth %.3f", c.acc, c.sure, what, got, wide, v.truth)
			}
		}
		// Noise within bins only adds to an ECE, so that it lies above the truth; the interval is that of the figure.
		if got := value(f.ECE.Value); got < ece-0.06 || got > ece+0.06 {
			t.Errorf("acc=%g, sure=%g: the ECE is %.3f, truth %.3f", c.acc, c.sure, got, ece)
		}
		if c.sure == 1 && (f.Tied > 0 || math.Abs(value(f.Confidence.Value)-1) > 1e-12) {
			t.Errorf("all chains agree, and %d votes are tied at a confidence of %v", f.Tied, f.Confidence.Value)
		}
	}
}

// expected are the figures of votes that fall out so. Bins are of width 0.1.
func expected(votes []simulated.VoteShare) (accuracy, confidence, ece, brier float64) {
	bins := map[int][3]float64{}
	for _, v := range votes {
		accuracy += v.Right
		confidence += v.Share * v.Chance
		brier += v.Right*(1-v.Share)*(1-v.Share) + (v.Chance-v.Right)*v.Share*v.Share
		at := min(9, int(v.Share*10+1e-9))
		b := bins[at]
		bins[at] = [3]float64{b[0] + v.Chance, b[1] + v.Right, b[2] + v.Share*v.Chance}
	}
	for _, b := range bins {
		ece += math.Abs(b[1] - b[2])
	}
	return accuracy, confidence, ece, brier
}

// The intervals of a rate that is corrected for its judge hold the truth in nearly all of many small audits. (Of 300 audits of
// 18 items 281 intervals did, and of 300 of 50 items 287.)
func TestCoverageOfTheCorrectedRate(t *testing.T) {
	t.Parallel()
	const audits, rate = 60, 0.2
	held := 0
	for i := range audits {
		a := auditOn(t, bodies(i+1, 18), 2, []step.View{byMarkers}, fmt.Sprintf("stepwise?error=%g&steps=3&no_claim=0&seed=%d", rate, 100+i)).
			judged(t, fmt.Sprintf("step-judge?sensitivity=0.8&specificity=0.9&seed=%d", i))
		a.o.Quality["j1"] = step.Quality{Sensitivity: 0.8, Specificity: 0.9}
		e := a.findings(t).Cells[0].Traces[0].Corrected
		if value(e.Lo) <= rate && rate <= value(e.Hi) {
			held++
		}
	}
	t.Logf("%d of %d intervals hold the true rate", held, audits)
	if held < audits*88/100 {
		t.Errorf("%d of %d intervals hold the true rate", held, audits)
	}
}
