package evidence

import (
	"math"
	"testing"

	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
)

func TestNullShares(t *testing.T) {
	l := DefaultLabels()
	got, err := l.NullShares([][]Flag{{Symptom, TargetSpecific}}, 3, false)
	if err != nil || len(got) != 2 || got["faithful target evidence"] != 0.5 || got["weak/redundant or ambiguous"] != 0.5 {
		t.Errorf("one symptom: %v, %v", got, err)
	}
	got, err = l.NullShares([][]Flag{{Symptom}, {Absent, Symptom}}, 2, false)
	// {1}: faithful, weak; {2}: negated, weak; {1,2}: negated, redundancy
	want := map[string]float64{"faithful target evidence": 1. / 6, "weak/redundant or ambiguous": 2. / 6, "negated or absent evidence misuse": 2. / 6, "target redundancy": 1. / 6}
	for label, share := range want {
		if math.Abs(got[label]-share) > 1e-12 {
			t.Errorf("%s: %v, want %v (%v)", label, got[label], share, err)
		}
	}
}

// The specification's own count of random signs on DDXPlus: conflict 43, faithful 24, negated 23, background 7 per cent of
// 2,308 patients. Its selection of units is not known exactly, so that a few points of difference are expected.
func TestNullSharesOnDDXPlus(t *testing.T) {
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
		shares, err := l.NullShares(flags, 3, false)
		if err != nil {
			t.Fatal(err)
		}
		for label, share := range shares {
			sum[label] += share
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
