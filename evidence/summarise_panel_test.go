package evidence

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// of puts a case into a cell, right or wrong.
func of(r Record, model, set string, correct bool) Record {
	r.Subject.Model, r.Subject.Set, r.Subject.Item = model, set, set+"/"+r.Subject.Item
	r.Base.Correct = correct
	return r
}

// twoByTwo are two models on two sets. On set s, model b does not answer case 3.
func twoByTwo() []Record {
	var out []Record
	for i, right := range []bool{true, true, true, false} {
		r := scoredCase(fmt.Sprint(i+1), 3, inter(0b1, 6, "6"))
		if i == 0 {
			r.Base.Interactions = append(r.Base.Interactions, inter(0b11, 2, "1"), inter(0b110, -4, "4a"))
		}
		out = append(out, of(r, "a", "s", right))
	}
	for i, right := range []bool{true, true} {
		out = append(out, of(scoredCase(fmt.Sprint(i+1), 3, inter(0b1, 1, "6")), "a", "t", right))
	}
	for i, right := range []bool{true, false, false, false} {
		r := of(scoredCase(fmt.Sprint(i+1), 3, inter(0b1, 3, "6"), inter(0b10, 1, "1")), "b", "s", right)
		if i == 2 {
			r.Base.Answered, r.Base.State, r.Base.Why, r.Base.Interactions = false, Unscored, "no scores", nil
		}
		out = append(out, r)
	}
	for i, right := range []bool{true, false} {
		out = append(out, of(scoredCase(fmt.Sprint(i+1), 3, inter(0b1, 1, "6")), "b", "t", right))
	}
	return out
}

func TestPanelByHand(t *testing.T) {
	p := summed(t, Options{}, twoByTwo()...).Panel
	if p == nil || len(p.Models) != 2 || len(p.Sets) != 2 || len(p.Pairs) != 2 {
		t.Fatalf("%+v", p)
	}
	is(t, "a over its sets", p.Models[0].Accuracy, (3./4+1)/2)
	is(t, "b over its sets", p.Models[1].Accuracy, (1./3+1./2)/2)
	is(t, "the panel", p.Accuracy, ((3./4+1)/2+(1./3+1./2)/2)/2)
	s := p.Sets[0]
	is(t, "set s", s.Accuracy, (3./4+1./3)/2)
	is(t, "suspicious on s", s.Suspicious, (2./30+1./4)/2)
	shares := map[string]percuss.Estimate{}
	for _, x := range s.Shares {
		shares[x.Name] = x.Share
	}
	is(t, "faithful on s", shares[faithful], (24./30+3./4)/2)
	is(t, "conflict on s", shares[conflict], (4./30+0)/2)
	pair := p.Pairs[0]
	if d := cmp.Diff([]int{3, 1, 0, 3}, []int{pair.Cases, pair.OnlyA, pair.OnlyB, pair.Scored}); d != "" || pair.Set != "s" || pair.A != "a" || pair.B != "b" {
		t.Errorf("%+v %s", pair, d)
	}
	is(t, "a − b on the cases of both", pair.Accuracy, 1./3)
	is(t, "suspicious, on the cases of both", pair.Suspicious, 2./24-1./4) // a without case 3
	isNumber(t, "p", pair.P, 1)
	if !strings.Contains(pair.Suspicious.Method, "paired") {
		t.Errorf("method %q", pair.Suspicious.Method)
	}
}

// TestPanelTests: six cases that one model alone gets right are 2 ÷ 2⁶ by McNemar's exact test, and twice that with
// another pair beside it.
func TestPanelTests(t *testing.T) {
	var records []Record
	for i := range 6 {
		r := scoredCase(fmt.Sprint(i), 3, inter(0b1, 1, "6"))
		records = append(records, of(r, "a", "s", true), of(r, "b", "s", false), of(r, "a", "t", true), of(r, "b", "t", true))
	}
	p := summed(t, Options{}, records...).Panel
	isNumber(t, "p on s", p.Pairs[0].P, 0.03125)
	isNumber(t, "adjusted", p.Pairs[0].Adjusted, 0.0625)
	isNumber(t, "p on t", p.Pairs[1].P, 1)
	is(t, "difference on s", p.Pairs[0].Accuracy, 1)
	if lo, ok := p.Pairs[1].Accuracy.Lo.Get(); ok && lo == 0 {
		if hi, _ := p.Pairs[1].Accuracy.Hi.Get(); hi == 0 && len(p.Pairs[1].Accuracy.Warnings) == 0 {
			t.Errorf("six cases without a change give certainty: %+v", p.Pairs[1].Accuracy)
		}
	}
}

// TestPanelSaysWhatIsMissing: one cell is no panel, one model has no pairs, and a model that a set lacks has no mean.
func TestPanelSaysWhatIsMissing(t *testing.T) {
	all := twoByTwo()
	if p := summed(t, Options{}, all[:4]...).Panel; p != nil {
		t.Errorf("one cell: %+v", p)
	}
	p := summed(t, Options{}, all[:6]...).Panel
	if p == nil || len(p.Pairs) != 0 || len(p.Sets) != 2 {
		t.Fatalf("one model: %+v", p)
	}
	is(t, "its mean", p.Accuracy, (3./4+1)/2)
	p = summed(t, Options{}, all[:10]...).Panel
	missing(t, "b, asked on s alone", p.Models[1].Accuracy, notEverySet)
	missing(t, "the panel, without a model's mean", p.Accuracy, "not asked on every set")
	var none []Record
	for _, r := range all[:10] {
		if r.Subject.Model == "b" {
			r.Base.Answered, r.Base.State, r.Base.Why, r.Base.Interactions = false, Unscored, "no scores", nil
		}
		none = append(none, r)
	}
	p = summed(t, Options{}, none...).Panel
	missing(t, "accuracy with nobody", p.Pairs[0].Accuracy, noneInBoth)
	is(t, "the mean is of a alone", p.Sets[0].Suspicious, 2./30)
	if w := strings.Join(p.Sets[0].Suspicious.Warnings, "; "); !strings.Contains(w, "1 of the 2 models") {
		t.Errorf("the mean does not say of whom it is: %q", w)
	}
	missing(t, "suspicious with nobody", p.Pairs[0].Suspicious, scoredNever)
	if p.Pairs[0].P.OK() || p.Pairs[0].Adjusted.OK() {
		t.Errorf("a test of no case: %+v", p.Pairs[0])
	}
}

// TestPanelIsAntisymmetric: who stands first changes the sign of a difference and nothing else, and the order of the
// records changes nothing at all.
func TestPanelIsAntisymmetric(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		n := rapid.IntRange(1, 12).Draw(rt, "cases")
		var forth, back []Record
		for i := range n {
			r := scoredCase(fmt.Sprint(i), 3, inter(0b1, float64(1+i%3), "6"), inter(0b10, 1, "1"))
			a, b := rapid.Bool().Draw(rt, "a"), rapid.Bool().Draw(rt, "b")
			forth = append(forth, of(r, "a", "s", a), of(r, "b", "s", b))
			back = append([]Record{of(r, "b", "s", b), of(r, "a", "s", a)}, back...)
		}
		x, y := summed(t, Options{}, forth...).Panel.Pairs[0], summed(t, Options{}, back...).Panel.Pairs[0]
		v, w := x.Accuracy.Value.Or(math.NaN()), y.Accuracy.Value.Or(math.NaN())
		if math.Abs(v+w) > 1e-12 || x.P != y.P || x.OnlyA != y.OnlyB || x.Cases != y.Cases {
			rt.Fatalf("%+v\n%+v", x, y)
		}
	})
}
