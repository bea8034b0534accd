package simulated_test

import (
	"math"
	"slices"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/cupcase"
	"github.com/percuss/percuss/dataset/datasettest"
	"github.com/percuss/percuss/dataset/ddxplus"
	"github.com/percuss/percuss/evidence"
)

// publishedCases are the cases of a set.
func publishedCases(t *testing.T, l dataset.CaseLoader, err error) []percuss.Case {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	cases, _, err := dataset.CollectCases(l)
	if err != nil {
		t.Fatal(err)
	}
	return cases
}

// TestRealCases: of published cases the planted interactions come back, among all of them, under both wordings
// and both ways of hiding, on the units that the audit selects.
func TestRealCases(t *testing.T) {
	patients, err := ddxplus.New(datasettest.File(t, "ddxplus", "release_test_patients_sample.csv"), dataset.Options{})
	world := publishedCases(t, patients, err)
	reports, err := cupcase.New(datasettest.File(t, "cupcase", "cupcase_rtest_eval.first200.csv"), nil)
	world = append(world, publishedCases(t, reports, err)...)
	for i, k := range []string{"additive", "and", "shortcut", "absent-as-present"} {
		m := caseReasoner(t, k, world...)
		asked := dataset.DrawCases(world, uint64(i), 12)
		asked = append(asked, dataset.DrawCases(world[len(world)-150:], 1, 6)...)
		for n, c := range asked {
			selector := evidence.Balanced
			if c.Narrative {
				selector = evidence.Spaced
			}
			audited, err := evidence.Select(c, c.Gold, selector, 6, 1, evidence.Thresholds{})
			if err != nil {
				t.Fatal(err)
			}
			want := truth(t, m, c, audited)
			l := layouts()[n%len(layouts())]
			agree(t, k+" "+c.ID, interactions(t, margins(t, m, l, c, l.requests(t, m, c, audited))), want, 0)
		}
	}
}

// TestPlantedPairIsAudited: on published cases the audit's default selectors take both units of "and", so that their
// interaction is of order 2 and there is no other; and the unit of "shortcut" where there is one.
func TestPlantedPairIsAudited(t *testing.T) {
	patients, err := ddxplus.New(datasettest.File(t, "ddxplus", "release_test_patients_sample.csv"), dataset.Options{})
	world := publishedCases(t, patients, err)
	reports, err := cupcase.New(datasettest.File(t, "cupcase", "cupcase_rtest_eval.first200.csv"), nil)
	world = append(world, publishedCases(t, reports, err)...)
	pair, jump, plain := caseReasoner(t, "and", world[:1]...), caseReasoner(t, "shortcut", world[:1]...), caseReasoner(t, "additive", world[:1]...)
	jumps := 0
	for i := 0; i < len(world); i += 7 {
		c := world[i]
		selector, n := evidence.Balanced, 8
		if c.Narrative {
			selector, n = evidence.Spaced, 6
		}
		audited, err := evidence.Select(c, c.Gold, selector, n, 1, evidence.Thresholds{})
		if err != nil {
			t.Fatal(err)
		}
		found := 0
		for s, v := range truth(t, pair, c, audited) {
			if s != 0 && math.Abs(v) > 1e-9 {
				if found++; math.Abs(v-2) > 1e-9 || s&(s-1) == 0 || s&(s-1)&(s&(s-1)-1) != 0 {
					t.Errorf("%s: interaction %g of %b", c.ID, v, s)
				}
			}
		}
		if found != 1 {
			t.Errorf("%s: %d interactions, want that of the pair", c.ID, found)
		}
		a, b := truth(t, jump, c, audited), truth(t, plain, c, audited)
		if !slices.EqualFunc(a[1:], b[1:], func(x, y float64) bool { return math.Abs(x-y) < 1e-9 }) {
			jumps++
		}
	}
	if n := (len(world) + 6) / 7; jumps*10 < n*8 {
		t.Errorf("the unit of the shortcut is audited in %d of %d cases", jumps, n)
	}
}

// TestEveryPatientIsFound: among all published patients each is told from the others by what a prompt shows, although
// many share their candidates.
func TestEveryPatientIsFound(t *testing.T) {
	l, err := ddxplus.New(datasettest.File(t, "ddxplus", "release_test_patients_sample.csv"), dataset.Options{})
	world := publishedCases(t, l, err)
	m := caseReasoner(t, "additive", world...)
	asked, lost := 0, 0
	for i := 0; i < len(world); i += 10 {
		c := world[i]
		values, _ := m.CaseTruth(c, c.Units[:4])
		o := layouts()[i%len(layouts())]
		for set, got := range margins(t, m, o, c, o.requests(t, m, c, c.Units[:4])) {
			asked++
			if math.Abs(got.Or(math.NaN())-values[set].Or(0)) > 1e-9 {
				lost++
			}
		}
	}
	if asked < 3500 || lost > 0 {
		t.Errorf("%d of %d prompts are read as another patient's", lost, asked)
	}
}
