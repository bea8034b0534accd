package evidence

import (
	"maps"
	"math"
	"testing"

	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
)

func TestNullCounts(t *testing.T) {
	l := DefaultLabels()
	for _, c := range []struct {
		units     [][]Flag
		order     int
		narrative bool
		want      map[string]int
	}{
		{[][]Flag{{Symptom, TargetSpecific}}, 3, false, map[string]int{"6": 1, "8": 1}},
		// {1}: faithful, weak; {2}: negated, weak; {1,2}: negated, redundancy
		{[][]Flag{{Symptom}, {Absent, Symptom}}, 2, false, map[string]int{"6": 1, "8": 2, "1": 2, "5": 1}},
		{[][]Flag{{Symptom}, {Absent, Symptom}}, 1, false, map[string]int{"6": 1, "8": 2, "1": 1}},
		{[][]Flag{{}, {}}, 2, true, map[string]int{"n1": 3, "n2": 3}},
		{nil, 3, false, map[string]int{}},
	} {
		got, err := l.NullCounts(c.units, c.order, c.narrative)
		if err != nil || !maps.Equal(got, c.want) {
			t.Errorf("%v to order %d: %v, want %v (%v)", c.units, c.order, got, c.want, err)
		}
	}
	if _, err := l.NullCounts(nil, -1, false); err == nil {
		t.Error("order -1 was counted")
	}
}

// The specification's own count of random signs on DDXPlus: conflict 43, faithful 24, negated 23, background 7 per cent of
// 2,308 patients. Its selection of units is not known exactly, so that a few points of difference are expected.
func TestNullCountsOnDDXPlus(t *testing.T) {
	dir := datasettest.File(t, "ddxplus", "release_test_patients_sample.csv")
	loader, err := ddxplus.New(dir, dataset.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cases, _, err := dataset.CollectCases(loader)
	if err != nil {
		t.Fatal(err)
	}
	l := DefaultLabels()
	sum, n := map[string]float64{}, 0
	for _, c := range cases {
		units, err := Select(c, c.Gold, Balanced, 8, 1, Thresholds{})
		if err != nil {
			t.Fatal(err)
		}
		if len(units) < 8 {
			continue
		}
		flags := make([][]Flag, len(units))
		for i, u := range units {
			flags[i] = Flags(u, c.Candidates, c.Gold, Thresholds{})
		}
		counts, err := l.NullCounts(flags, 3, false)
		if err != nil {
			t.Fatal(err)
		}
		total := 0
		for _, k := range counts {
			total += k
		}
		for _, rule := range l.Rules {
			sum[rule.Label] += float64(counts[rule.ID]) / float64(total)
		}
		n++
	}
	t.Logf("%d of %d patients have eight units", n, len(cases))
	for label := range sum {
		t.Logf("%-36s %.1f %%", label, 100*sum[label]/float64(n))
	}
	for label, want := range map[string]float64{"differential conflict/cancellation": 43, "faithful target evidence": 24, "negated or absent evidence misuse": 23, "background/history influence": 7} {
		if got := 100 * sum[label] / float64(n); math.Abs(got-want) > 8 {
			t.Errorf("%s: %.1f %%, the specification counted %.0f %%", label, got, want)
		}
	}
}
