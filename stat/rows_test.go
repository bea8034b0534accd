package stat

import (
	"fmt"
	"math"
	"testing"

	"github.com/percuss/percuss"
)

// TestRowsFill: a ratio of sums over clusters is that of the same columns given to Bootstrap, and a difference of two arms is
// paired by item.
func TestRowsFill(t *testing.T) {
	before, after := NewRows(), NewRows()
	var x Sums
	for i := range 40 {
		item := fmt.Sprint("item ", i)
		steps, wrong := float64(3+i%4), float64(i%3)
		before.Add(item, "errors", wrong)
		before.Add(item, "steps", steps)
		after.Add(item, "errors", wrong+1)
		after.Add(item, "steps", steps)
		x = append(x, nil)
	}
	for i, item := range before.Items() {
		x[i] = []float64{before.rows[item][0], before.rows[item][1]}
	}
	o := Options{Seed: 3, Replicates: 400}
	var rate, same, up percuss.Estimate
	before.Fill("set", o, []Figure{{Into: &rate, Of: Ratio{"errors", "steps"}}})
	want, err := DrawPooled([]Sample{{Key: "set", Items: before.Items(), Sums: x}}, func(s []float64) []percuss.Number { return []percuss.Number{percuss.Num(s[0] / s[1])} }, o)
	if err != nil {
		t.Fatal(err)
	}
	if w := want.Estimates()[0]; rate.Value != w.Value || math.Abs(rate.Lo.Or(0)-w.Lo.Or(1)) > 1e-12 || rate.N != 40 {
		t.Errorf("the rate is %+v, want %+v", rate, w)
	}
	p := Pair(before, after)
	p.Fill("set", o, []Figure{{Into: &up, Of: Ratio{"b/errors", "b/steps"}, Less: Ratio{"a/errors", "a/steps"}}, {Into: &same, Of: Ratio{"a/errors", "a/steps"}, Less: Ratio{"a/errors", "a/steps"}}})
	if lo, v := up.Lo.Or(0), up.Value.Or(0); !(lo > 0 && v > 0.2 && v < 0.3) {
		t.Errorf("one error more in each item is a difference of %+v", up)
	}
	if v, ok := same.Value.Get(); !ok || v != 0 || len(same.Warnings) == 0 {
		t.Errorf("an arm against itself differs by %+v, without a warning that no item changed", same)
	}
	var fixed, more percuss.Estimate
	judge := &Quality{Sensitivity: 0.9, Specificity: 0.9}
	p.Fill("set", o, []Figure{{Into: &fixed, Of: Ratio{"a/errors", "a/steps"}, Judge: judge}, {Into: &more, Of: Ratio{"b/errors", "b/steps"}, Less: Ratio{"a/errors", "a/steps"}, Judge: judge}})
	if got, want := fixed.Value.Or(0), (rate.Value.Or(0)-0.1)/0.8; math.Abs(got-want) > 1e-12 || !fixed.Lo.OK() {
		t.Errorf("the corrected rate is %+v, want %g", fixed, want)
	}
	if got, want := more.Value.Or(0), up.Value.Or(0)/0.8; math.Abs(got-want) > 1e-12 || !more.Lo.OK() {
		t.Errorf("the corrected difference is %+v, want %g", more, want)
	}
	// Unpaired, the interval would be as wide as that of the rates.
	if width := up.Hi.Or(9) - up.Lo.Or(0); width > (rate.Hi.Or(0)-rate.Lo.Or(0))/2 {
		t.Errorf("the interval of a paired difference is %.3f wide, that of a rate %.3f", width, rate.Hi.Or(0)-rate.Lo.Or(0))
	}
}

func TestRowsWithoutAnything(t *testing.T) {
	var e percuss.Estimate
	r := NewRows()
	r.Fill("set", Options{}, []Figure{{Into: &e, Of: Ratio{"x", "n"}, Absent: "no step was judged"}})
	if e.Value.OK() || e.Why != "no step was judged" {
		t.Errorf("no item: %+v", e)
	}
	r.Touch("a")
	r.Fill("set", Options{}, []Figure{{Into: &e, Of: Ratio{"x", "n"}, Absent: "no step was judged"}})
	if e.Value.OK() || e.Why != "no step was judged" {
		t.Errorf("an empty item: %+v", e)
	}
	other := NewRows()
	other.Add("b", "x", 1)
	if p := Pair(r, other); len(p.Items()) != 0 {
		t.Errorf("items of both arms: %v", p.Items())
	}
}
