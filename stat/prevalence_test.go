package stat

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// crossing makes ratings of two raters from a table of counts.
func crossing(t *testing.T, table [][]int) Ratings {
	t.Helper()
	var items [][]string
	for _, p := range labelled(table) {
		items = append(items, p[:])
	}
	return rated(t, nil, items)
}

// Byrt, Bishop and Carlin 1993: PABAK 2·po − 1, prevalence index |a − d|/n, bias index |b − c|/n.
func TestPrevalenceIndices(t *testing.T) {
	p := PrevalenceOf(crossing(t, [][]int{{80, 10}, {5, 5}}))
	near(t, "agreement", p.Agreement, .85, 1e-12)
	near(t, "PABAK", p.PABAK, .7, 1e-12)
	near(t, "prevalence index", p.Index, .75, 1e-12)
	near(t, "bias index", p.Bias, .05, 1e-12)
	near(t, "share", p.Share, .875, 1e-12)
	near(t, "kappa", p.Kappa, (.85-.78)/(1-.78), 1e-12) // by chance .9·.85 + .1·.15
	if p.Category != "a" {
		t.Errorf("category %q", p.Category)
	}
	for _, want := range []string{"kappa 0.32", "agreement of 0.85", `88 % of the labels are "a"`, "prevalence index 0.75", "bias index 0.05", "kappa of 0.70 (PABAK)"} {
		if got := p.Warning(); !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

// Feinstein and Cicchetti 1990: the same agreement, 0.85, with shares that are equal and that are not.
func TestPrevalenceWarnsOfTheFirstParadoxOnly(t *testing.T) {
	equal := PrevalenceOf(crossing(t, [][]int{{40, 9}, {6, 45}}))
	near(t, "kappa of equal shares", equal.Kappa, .70, .005)
	if w := equal.Warning(); w != "" {
		t.Error(w)
	}
	uneven := PrevalenceOf(crossing(t, [][]int{{80, 10}, {5, 5}}))
	near(t, "the same agreement", uneven.Agreement, equal.Agreement.Or(0), 1e-12)
	if uneven.Warning() == "" {
		t.Error("no warning")
	}
	low := PrevalenceOf(crossing(t, [][]int{{40, 20}, {20, 20}}))
	if w := low.Warning(); w != "" { // kappa is low because agreement is
		t.Error(w)
	}
}

func TestPrevalenceOfMoreRatersAndCategories(t *testing.T) {
	r := sheet(3, "000 000 001 010 000 002 000 000 000 000 110 000 000 000 000 222 000 000 000 000")
	p := PrevalenceOf(r)
	near(t, "agreement of pairs", p.Agreement, PercentAgreement(r, quick).Value.Or(-1), 1e-12)
	near(t, "kappa", p.Kappa, CohenKappa(r, Weights{}, quick).Value.Or(-9), 1e-12)
	near(t, "share", p.Share, 52./60, 1e-12)
	near(t, "prevalence index", p.Index, (3*52./60-1)/2, 1e-12)
	near(t, "PABAK", p.PABAK, (3*p.Agreement.Or(0)-1)/2, 1e-12)
	// Labels of the three raters: 0, 1, 2 are given 18, 1, 1 times, then 17, 2, 1, then 17, 1, 2.
	near(t, "bias index", p.Bias, (1./20+1./20+1./20)/3, 1e-12)
	if !strings.Contains(p.Warning(), "prevalence index 0.80") {
		t.Errorf("%+v: %q", p, p.Warning())
	}
	if w := (Prevalence{Agreement: percuss.Num(.95), PABAK: percuss.Num(.9)}).Warning(); w != "" {
		t.Errorf("without a kappa: %q", w)
	}
}
