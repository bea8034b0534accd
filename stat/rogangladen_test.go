package stat

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// A judge whose quality is known exactly moves the interval and makes it wider by 1 ÷ J, also where that is Wilson's because
// no resample differs or because there are few items.
func TestCorrectedForAnExactlyKnownJudge(t *testing.T) {
	q := Quality{Sensitivity: .8, Specificity: .9}
	moved := func(v percuss.Number) float64 { return min(1, max(0, (v.Or(math.NaN())-.1)/.7)) }
	for name, x := range map[string]Sums{"many": ones(60, 200), "few": ones(3, 8), "all": ones(9, 9), "clustered": {{2, 3}, {1, 5}, {4, 6}, {0, 2}, {3, 3}, {2, 7}, {1, 4}, {5, 9}, {3, 8}, {2, 4}, {0, 6}, {4, 5}}} {
		d := drawnRate(t, x, Options{Replicates: 500})
		raw, e := d.Estimates()[0], d.Corrected(q)[0]
		near(t, name+": value", e.Value, moved(raw.Value), 1e-12)
		near(t, name+": lo", e.Lo, moved(raw.Lo), 1e-9)
		near(t, name+": hi", e.Hi, moved(raw.Hi), 1e-9)
		if e.N != raw.N || e.Level != raw.Level || !strings.HasPrefix(e.Method, "Rogan and Gladen's correction (sensitivity 0.8, specificity 0.9); ") || strings.Contains(e.Method, "Beta") {
			t.Errorf("%s: %+v", name, e)
		}
	}
}

func TestCorrectedSaysWhatWasCut(t *testing.T) {
	q := Quality{Sensitivity: .8, Specificity: .9}
	for _, c := range []struct {
		k      int
		value  float64
		wants  string
		lo, hi float64 // what the interval must not be beyond
	}{
		{10, 0, "below what it calls positive among negative cases alone (1 − specificity = 0.100)", 0, .1},
		{190, 1, "above its sensitivity of 0.800", .9, 1},
		{100, (.5 - .1) / .7, "", .4, .75},
	} {
		e := drawnRate(t, ones(c.k, 200), Options{Replicates: 300}).Corrected(q)[0]
		near(t, "value", e.Value, c.value, 1e-12)
		if said := strings.Join(e.Warnings, "; "); strings.Contains(said, "cut to") != (c.wants != "") || !strings.Contains(said, c.wants) {
			t.Errorf("%d of 200: %q", c.k, said)
		}
		if e.Lo.Or(-1) < c.lo || e.Hi.Or(2) > c.hi {
			t.Errorf("%d of 200: %v to %v", c.k, e.Lo, e.Hi)
		}
	}
}

func TestCorrectedRefuses(t *testing.T) {
	d := drawnRate(t, ones(30, 100), Options{Replicates: 100})
	for wants, q := range map[string]Quality{
		"no more than 1":                     {Sensitivity: .6, Specificity: .4},
		"better than a guess":                measured(7, 10, 5, 10),
		"give numbers from 0 to 1":           {Sensitivity: 1.2, Specificity: .9},
		"specificity NaN of the judge":       {Sensitivity: .9, Specificity: math.NaN()},
		"-1 positive and 3 negative cases":   {.9, .9, -1, 3},
		"is no more than 1: such a judge te": measured(10, 20, 10, 20),
	} {
		for _, e := range append(d.Corrected(q), d.CorrectedDifference(q)...) {
			if e.Value.OK() || e.Lo.OK() || !strings.Contains(e.Why, wants) || e.N != 100 {
				t.Errorf("%s: %+v, want %q", q, e, wants)
			}
		}
	}
	empty := drawnRate(t, Sums{{0, 0}, {0, 0}}, Options{Replicates: 100}).Corrected(Quality{Sensitivity: .9, Specificity: .9})[0]
	if empty.Value.OK() || empty.Why != "no item counts towards it" {
		t.Errorf("without cases: %+v", empty)
	}
	d.Release()
	if e := d.Corrected(Quality{Sensitivity: .9, Specificity: .9})[0]; e.Value.OK() || !strings.Contains(e.Why, "released") {
		t.Errorf("of released draws: %+v", e)
	}
}

// With the counts the interval is wider, and the fewer they are the more; the value stays.
func TestCorrectedCarriesTheJudgesError(t *testing.T) {
	d := drawnRate(t, ones(300, 1000), Options{Replicates: 1000})
	last := 0.0
	for _, n := range []int{0, 1000, 100, 30} {
		e := d.Corrected(Quality{.9, .9, n, n})[0]
		near(t, "value", e.Value, .25, 1e-12)
		w := e.Hi.Or(0) - e.Lo.Or(9)
		if w <= last || (n > 0) != strings.Contains(e.Method, "each with a sensitivity and specificity drawn") {
			t.Errorf("measured on %d: width %v after %v, %q", n, w, last, e.Method)
		}
		last = w
	}
	// Twenty right of twenty are no perfection, in which the corrected rate would be the judge's own.
	perfect, raw := d.Corrected(measured(20, 20, 20, 20))[0], d.Estimates()[0]
	if perfect.Lo.Or(1) > raw.Lo.Or(0)-.02 || perfect.Hi.Or(0) < raw.Hi.Or(1)+.005 {
		t.Errorf("%v to %v, of the judge's own rate %v to %v", perfect.Lo, perfect.Hi, raw.Lo, raw.Hi)
	}
	if v := (correction{}).of(.5, .4, .5); !math.IsNaN(v) {
		t.Errorf("a replicate in which the judge is no better than a guess gives %v", v)
	}
}

func TestCorrectedDifference(t *testing.T) {
	before, after := Sums{}, Sums{}
	for i := range 100 {
		before, after = append(before, []float64{float64(i % 3), 4}), append(after, []float64{float64(i%3) + 1, 4})
	}
	o := Options{Seed: 4, Replicates: 1000}
	first, second := drawnRate(t, before, o), drawnRate(t, after, o)
	d, err := Subtract(second, first)
	if err != nil {
		t.Fatal(err)
	}
	q := measured(80, 100, 90, 100)
	e := d.CorrectedDifference(q)[0]
	near(t, "difference", e.Value, .25/.7, 1e-12)
	// The items do not vary here, the judge does: its interval is that of 0.25 ÷ J.
	if lo, hi := e.Lo.Or(9), e.Hi.Or(0); lo < .25/.85 || lo > .25/.76 || hi < .25/.64 || hi > .25/.5 {
		t.Errorf("%v to %v", lo, hi)
	}
	near(t, "as a difference of corrected rates", e.Value, second.Corrected(q)[0].Value.Or(9)-first.Corrected(q)[0].Value.Or(0), 1e-12)
	if !strings.Contains(e.Method, "paired difference") {
		t.Errorf("method %q", e.Method)
	}
	back, err := Subtract(first, second)
	if err != nil {
		t.Fatal(err)
	}
	turned := back.CorrectedDifference(q)[0]
	near(t, "turned", turned.Value, -.25/.7, 1e-12)
	near(t, "turned lo", turned.Lo, -e.Hi.Or(0), 1e-9)
	near(t, "turned hi", turned.Hi, -e.Lo.Or(0), 1e-9)
	far := d.CorrectedDifference(Quality{Sensitivity: .6, Specificity: .6})[0]
	near(t, "cut", far.Value, 1, 0)
	if len(far.Warnings) == 0 || !strings.Contains(far.Warnings[len(far.Warnings)-1], "would be 1.250") {
		t.Errorf("%+v", far)
	}
}

// One item has no interval, and the correction makes none.
func TestCorrectedOfOneItem(t *testing.T) {
	d, err := Draw(Sample{Key: "items", Sums: Sums{{3, 10}}}, ratio, Options{Replicates: 100})
	if err != nil {
		t.Fatal(err)
	}
	e := d.Corrected(measured(45, 50, 45, 50))[0]
	near(t, "value", e.Value, .25, 1e-12)
	if e.Lo.OK() || e.Hi.OK() || e.Level != 0 || len(e.Warnings) == 0 {
		t.Errorf("%+v", e)
	}
}

func TestCorrectedProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 60).Draw(t, "n")
		x := make(Sums, n)
		for i := range x {
			den := rapid.IntRange(1, 5).Draw(t, "steps")
			x[i] = []float64{float64(rapid.IntRange(0, den).Draw(t, "errors")), float64(den)}
		}
		positives, negatives := rapid.IntRange(1, 200).Draw(t, "positives"), rapid.IntRange(1, 200).Draw(t, "negatives")
		q := measured(rapid.IntRange(0, positives).Draw(t, "found"), positives, rapid.IntRange(0, negatives).Draw(t, "left alone"), negatives)
		d, err := Draw(Sample{Key: "items", Sums: x}, ratio, Options{Replicates: 50, Metrics: []Metric{rate}})
		if err != nil {
			t.Fatal(err)
		}
		e := d.Corrected(q)[0]
		v, ok := e.Value.Get()
		if ok == (e.Why != "") || ok && q.Sensitivity+q.Specificity <= 1 {
			t.Fatalf("%+v for %s", e, q)
		}
		if lo, hi := e.Lo.Or(0), e.Hi.Or(1); ok && (v < 0 || v > 1 || lo < 0 || hi > 1 || lo > hi) {
			t.Fatalf("%+v", e)
		}
	})
}

// Steps of one item are alike, and the judge was measured on a sample: in nine of ten audits or more the true share lies in
// the interval of level 0.95. Without the judge's own uncertainty it does much less often.
func TestCorrectedCoverage(t *testing.T) {
	const runs, items, steps, checked = 300, 60, 6, 50
	const se, sp, prevalence = .8, .85, .2
	covered, naive := 0, 0
	for run := range runs {
		rng := percuss.Rand(uint64(run), "", "", "coverage")
		count := func(n int, chance float64) (k int) {
			for range n {
				if rng.Float64() < chance {
					k++
				}
			}
			return k
		}
		x := make(Sums, items)
		for i := range x {
			wrong := count(steps, 2*prevalence*rng.Float64()) // items differ in how many of their steps are wrong
			x[i] = []float64{float64(count(wrong, se) + count(steps-wrong, 1-sp)), steps}
		}
		q := measured(count(checked, se), checked, count(checked, sp), checked)
		d := drawnRate(t, x, Options{Seed: uint64(run), Replicates: 300})
		holds := func(e percuss.Estimate) int {
			return int(bit(e.Lo.Or(9) <= prevalence && prevalence <= e.Hi.Or(-1)))
		}
		covered += holds(d.Corrected(q)[0])
		naive += holds(d.Corrected(Quality{Sensitivity: q.Sensitivity, Specificity: q.Specificity})[0])
	}
	t.Logf("coverage %s, with the judge taken as known %s", strconv.FormatFloat(float64(covered)/runs, 'f', 3, 64), strconv.FormatFloat(float64(naive)/runs, 'f', 3, 64))
	if covered < runs*92/100 || naive > runs*85/100 {
		t.Errorf("the truth lies in %d of %d intervals, and in %d with the judge taken as known", covered, runs, naive)
	}
}
