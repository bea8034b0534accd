package step_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/step"
)

// uneven are records of 40 items of one chain with one step each. Before is right and without an error on the first half of
// them, and wrong with an error on the rest; after has a chain for the first half alone, of which three in ten are wrong and
// have an error. Over all that each has after would look better; on the items of both it is worse.
func uneven(model string, after bool, tokens int) []percuss.Record {
	var out []percuss.Record
	for i := range 40 {
		r := step.Record{Subject: percuss.SubjectID{Variant: "neutral", Model: model, Set: "mine", Item: fmt.Sprintf("q%02d", i)}, Gold: "B", Options: 4}
		c := step.Chain{State: step.Read, Outcome: percuss.OK, Answer: "B", Correct: true, Tokens: tokens, Words: 5}
		says := step.Correct
		if bad := i >= 20; after && bad {
			c = step.Chain{State: step.Unparseable, Outcome: percuss.OK, Tokens: tokens}
		} else if bad || after && i%10 < 3 {
			c.Answer, c.Correct, says = "A", false, step.Factual
		}
		if c.State == step.Read {
			c.Views = []step.Viewed{{View: "markers", Steps: []step.Step{{Words: 5, Says: []step.Verdict{{Judge: "one", Says: says, Asked: 1}, {Judge: "two", Says: says, Asked: 1}}}}}}
		}
		r.Chains = []step.Chain{c}
		out = append(out, r)
	}
	return out
}

// A comparison is over the items of which both models have what it is a share of: other items would decide its sign.
func TestAComparisonIsOverItemsOfBoth(t *testing.T) {
	o := compared()
	o.K = 1
	f := summarised(t, o, uneven("old", false, 10), uneven("new", true, 10))
	for _, p := range f.Pairs {
		if p.Items != 40 || p.Accuracy.N != 20 || p.Errors.N != 20 || p.Hedged.N != 20 || p.Verdict != step.DownDown {
			t.Errorf("judge %s: %d items, %q %s; accuracy %+v, errors %+v", p.Judge, p.Items, p.Verdict, p.Why, p.Accuracy, p.Errors)
		}
		if a, e := p.Accuracy.Value.Or(9), p.Errors.Value.Or(9); math.Abs(a+0.3) > 1e-12 || math.Abs(e-0.3) > 1e-12 || sign(p.Accuracy) >= 0 || sign(p.Errors) <= 0 {
			t.Errorf("judge %s: accuracy %+v, errors %+v, want -0.3 and 0.3", p.Judge, p.Accuracy, p.Errors)
		}
	}
	if c := f.Pairs[1].Corrected; c.N != 20 || math.Abs(c.Value.Or(9)-0.3/0.7) > 1e-12 {
		t.Errorf("corrected: %+v", c)
	}
	at := slices.IndexFunc(f.Decisions, func(d percuss.Decision) bool { return d.ID == "common-items" })
	if at < 0 || !strings.Contains(f.Decisions[at].Text, "Of 40 items that old and new have in common on mine, the accuracy on 20, the hedging rate on 20, the error rate by one on 20.") {
		t.Errorf("the decisions are %+v", f.Decisions)
	}
}

func sign(e percuss.Estimate) int {
	switch {
	case e.Lo.Or(-1) > 0:
		return 1
	case e.Hi.Or(1) < 0:
		return -1
	}
	return 0
}

// Two models that answer different items have no comparison, and are told why.
func TestNoItemOfBoth(t *testing.T) {
	o := compared()
	o.K = 1
	second := uneven("new", true, 10)
	for i := range 20 {
		a, b := second[i].(step.Record), second[i+20].(step.Record)
		a.Chains, b.Chains = b.Chains, a.Chains
		second[i], second[i+20] = a, b
	}
	first := uneven("old", true, 10)
	for _, p := range summarised(t, o, first, second).Pairs {
		if p.Accuracy.Value.OK() || p.Errors.Value.OK() || !strings.Contains(p.Accuracy.Why, "no item of both models") || p.Verdict != step.Untold {
			t.Errorf("%+v", p)
		}
	}
}

// The vote share of one chain is 1 whatever a model is sure of: no calibration is made of it. Tokens that a log does not count
// are missing, not 0.
func TestOneChainHasNoCalibration(t *testing.T) {
	o := compared()
	o.K = 1
	f := summarised(t, o, uneven("old", false, 0), uneven("new", true, 12))
	for i, c := range f.Cells {
		for _, e := range []percuss.Estimate{c.Confidence, c.ECE, c.ECEMass, c.Brier, c.Calibration.Floor, c.Calibration.Reliability, c.Calibration.Within, c.Calibration.MCE} {
			if e.Value.OK() || !strings.Contains(e.Why, "-k") {
				t.Errorf("%s: one chain has %+v", c.Model, e)
			}
		}
		if len(c.Reliability) != 0 || c.NoShares == "" || !c.Majority.Value.OK() || len(c.Curve) != 1 {
			t.Errorf("%s: %+v", c.Model, c)
		}
		tokens, has := c.Curve[0].Tokens.Get()
		if i == 0 && (has || c.Curve[0].NoTokens == "") || i == 1 && tokens != 12 {
			t.Errorf("%s: tokens %+v", c.Model, c.Curve[0])
		}
	}
	if p := f.Pairs[0]; p.ECE.Value.OK() || p.ECE.Why == "" || p.Floor.OK() || !p.Majority.Value.OK() {
		t.Errorf("the pair has %+v", p)
	}
	many := summarised(t, compared(), planted("old", 20, 0.5, 0.1, 1)).Cells[0]
	if !many.ECE.Value.OK() || many.NoShares != "" || many.Curve[2].Tokens.Or(0) != 160 {
		t.Errorf("four chains: %+v", many)
	}
}
