package stat

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// toldDraw draws all forms of metrics, some of which have no value where a sample is empty or has no denominator.
func toldDraw(t *rapid.T, key string) *Draws {
	metrics, stat := toldMetrics()
	d, err := Draw(drawnSample(t, key), stat, Options{Seed: 5, Replicates: 150, Metrics: metrics})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// has counts in how many draws each metric has a value.
func has(draws []*Draws) []int {
	out := make([]int, len(draws[0].metrics))
	for _, d := range draws {
		for j, m := range d.metrics {
			if !math.IsNaN(m.point) {
				out[j]++
			}
		}
	}
	return out
}

// TestMeanEqualsAverage: parts that come one after the other give what they give at once, to the last digit.
func TestMeanEqualsAverage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		parts := []*Draws{toldDraw(t, "a"), toldDraw(t, "b"), toldDraw(t, "c")}[:rapid.IntRange(1, 3).Draw(t, "parts")]
		want, err := Average(parts...)
		if err != nil {
			t.Fatal(err)
		}
		mean := NewMean(len(parts), has(parts))
		for _, d := range parts {
			if err := mean.Add(d); err != nil {
				t.Fatal(err)
			}
		}
		got, err := mean.Draws()
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want.Estimates(), got.Estimates(), exactly); diff != "" {
			t.Fatal(diff)
		}
		if diff := cmp.Diff(want.PValues(), got.PValues(), exactly); diff != "" {
			t.Fatal(diff)
		}
	})
}

// TestMeanOfOtherParts: a mean that is given other parts than it was told of is no mean.
func TestMeanOfOtherParts(t *testing.T) {
	one, two := draw(t, "a", ones(3, 10), rates), draw(t, "b", ones(4, 10), rates)
	other := rates
	other.Replicates++
	for name, c := range map[string]struct {
		parts []*Draws
		has   []int
		want  string
	}{
		"one is missing":     {[]*Draws{one}, []int{2}, "a mean of 2 draws was given 1"},
		"one too many":       {[]*Draws{one, two, one}, []int{2}, "a mean of 2 draws was given 3"},
		"fewer values":       {[]*Draws{one, two}, []int{1}, "metric 0 has a value in 2 parts of a mean, not in 1"},
		"never drawn":        {[]*Draws{one, nil}, []int{2}, "part 1 of the combination was never drawn"},
		"other replicates":   {[]*Draws{one, draw(t, "b", ones(4, 10), other)}, []int{2}, "different seed, replicates or level"},
		"other metrics":      {[]*Draws{one, two}, []int{2, 2}, "draws of 2 and of 1 metrics"},
		"other items, a key": {[]*Draws{one, draw(t, "a", ones(3, 11), rates)}, []int{2}, "samples of 10 and of 11 items"},
	} {
		mean := NewMean(2, c.has)
		var err error
		for _, d := range c.parts {
			if err == nil {
				err = mean.Add(d)
			}
		}
		if err == nil {
			_, err = mean.Draws()
		}
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", name, err, c.want)
		}
	}
}

// TestKeep: what is kept is as it was, its parts with it, alone and in a difference; the rest is missing.
func TestKeep(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		metrics, stat := toldMetrics()
		s := drawnSample(t, "a")
		arm := func(s Sample) *Draws {
			d, err := Draw(s, stat, Options{Seed: 5, Replicates: 150, Metrics: metrics})
			if err != nil {
				t.Fatal(err)
			}
			return d
		}
		a := arm(s)
		s.Sums = slices.Clone(s.Sums)
		slices.Reverse(s.Sums)
		b := arm(s)
		keep := rapid.SliceOfN(rapid.IntRange(-1, 7), 0, 3).Draw(t, "keep")
		whole, err := Subtract(a, b)
		if err != nil {
			t.Fatal(err)
		}
		narrow, err := Subtract(a.Keep(keep...), b.Keep(keep...))
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range [][2]*Draws{{a, a.Keep(keep...)}, {whole, narrow}} {
			want, got := d[0].Estimates(), d[1].Estimates()
			for j := range want {
				kept := slices.Contains(keep, j) || slices.Contains(keep, 5) && j < 2 // the parts of the sixth
				switch {
				case kept && !cmp.Equal(want[j], got[j], exactly):
					t.Fatalf("metric %d:\n%s", j, cmp.Diff(want[j], got[j], exactly))
				case !kept && (got[j].Value.OK() || len(d[1].metrics[j].reps) > 0):
					t.Fatalf("metric %d is there: %+v", j, got[j])
				}
			}
		}
	})
}

// TestAlike: metrics that are computed alike from columns that are alike are computed once, and are what they are apart.
func TestAlike(t *testing.T) {
	rate := func(num, den int) Metric {
		return Metric{Num: []int{num}, Den: []int{den}, Terms: []Term{{1, []Quotient{rateOf(num, den)}}}}
	}
	metrics := []Metric{rate(0, 3), rate(1, 3), rate(2, 3), {Terms: []Term{{0.5, []Quotient{rateOf(0, 3)}}}}, {Terms: []Term{{0.5, []Quotient{rateOf(1, 3)}}}}}
	stat := func(s []float64) []percuss.Number {
		return []percuss.Number{percuss.Num(s[0] / s[3]), percuss.Num(s[1] / s[3]), percuss.Num(s[2] / s[3]), percuss.Num(s[0] / s[3] / 2), percuss.Num(s[1] / s[3] / 2)}
	}
	// In the first sample the first two columns are alike, in the second the last two.
	first, second := make(Sums, 30), make(Sums, 30)
	for i := range first {
		odd, third := float64(i%2), float64(i%3/2)
		first[i], second[i] = []float64{odd, odd, third, 1}, []float64{odd, third, third, 1}
	}
	samples := []Sample{{Key: "a", Sums: first}, {Key: "b", Sums: second}}
	o := Options{Replicates: 300, Metrics: metrics}
	each := make([]*Draws, len(samples))
	pooled, err := DrawEach(samples, stat, o, func(i int, d *Draws) { each[i] = d.Keep(upTo(len(metrics))...) })
	if err != nil {
		t.Fatal(err)
	}
	shared := func(d *Draws, i, j int) bool { return &d.metrics[i].reps[0] == &d.metrics[j].reps[0] }
	if !shared(each[0], 0, 1) || !shared(each[0], 3, 4) || shared(each[0], 1, 2) || !shared(each[1], 1, 2) || shared(each[1], 3, 4) {
		t.Error("the metrics of a sample that are alike are not those that share")
	}
	if shared(pooled, 0, 1) || shared(pooled, 1, 2) {
		t.Error("pooled metrics share that are alike in one sample alone")
	}
	o.Metrics = untold(metrics)
	for i, s := range samples {
		want, err := Draw(s, stat, o)
		if err != nil {
			t.Fatal(err)
		}
		for j, m := range want.metrics {
			if !slices.Equal(m.reps, each[i].metrics[j].reps) {
				t.Errorf("%s, metric %d: other replicates than alone", s.Key, j)
			}
		}
	}
}
