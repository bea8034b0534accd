package stat

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

// The reference values of this file were printed by testdata/oracle/agreement.py with scikit-learn 1.9.1, statsmodels 0.15.0,
// krippendorff 0.9.0 and irrCAC 0.4.4.

// sheet reads ratings: a word an item, a digit what a rater says, a dot nothing.
func sheet(categories int, text string) Ratings {
	r := Ratings{Categories: strings.Split("abcdefgh", "")[:categories]}
	for _, word := range strings.Fields(text) {
		row := make([]int, len(word))
		for i, c := range word {
			row[i] = NoLabel
			if c != '.' {
				row[i] = int(c - '0')
			}
		}
		r.Items = append(r.Items, row)
	}
	return r
}

// sheets are those of the script. Of "holes" nobody uses category 3, one item has a single label, and one has none.
var sheets = map[string]Ratings{
	"two":   sheet(2, "00 00 00 01 00 00 11 00 10 00 00 11 00 00 01 00 00 11 00 00"),
	"full":  sheet(4, "000 001 112 222 223 333 332 110 011 121 222 000 313 233"),
	"holes": sheet(5, "0.01. 00000 1.122 ..22. 44.44 2.1.2 ..4.. ..... 11211 0..10 42424 22.2. .44.2 0010."),
}

// quick are options for a test that looks at the value alone.
var quick = Options{Seed: 1, Replicates: 20}

func TestAgreementOfRatersAgainstOthers(t *testing.T) {
	own := Weights{Table: [][]float64{{1, .9, .2, .1, 0}, {.9, 1, .5, .2, .1}, {.2, .5, 1, .7, .3}, {.1, .2, .7, 1, .8}, {0, .1, .3, .8, 1}}}
	for _, c := range []struct {
		name                string
		weights             Weights
		fleiss, gwet, cohen float64 // irrCAC twice, and the mean over pairs by scikit-learn, which statsmodels confirms
	}{
		{"two", Weights{}, 0.569892473118, 0.769673704415, 0.571428571429},
		{"two", LinearWeights(2), 0.569892473118, 0.769673704415, 0.571428571429},
		{"full", Weights{}, 0.427272727273, 0.429003021148, 0.428571428571},
		{"full", LinearWeights(4), 0.611111111111, 0.620253164557, 0.612306711302},
		{"full", QuadraticWeights(4), 0.762264150943, 0.772768259693, 0.762155972682},
		{"holes", Weights{}, 0.457654802427, 0.505390646524, 0.477719990182},
		{"holes", LinearWeights(5), 0.683383872612, 0.713133685435, 0.659563189738},
		{"holes", QuadraticWeights(5), 0.830463111367, 0.851969467921, 0.801235666390},
		{"holes", own, 0.683379563376, 0.696708436015, 0},
	} {
		what := c.name + c.weights.told()
		near(t, what+", Fleiss", FleissKappa(sheets[c.name], c.weights, quick).Value, c.fleiss, 1e-11)
		near(t, what+", Gwet", GwetAC(sheets[c.name], c.weights, quick).Value, c.gwet, 1e-11)
		if c.cohen != 0 {
			near(t, what+", Cohen", CohenKappa(sheets[c.name], c.weights, quick).Value, c.cohen, 1e-11)
		}
	}
	for name, want := range map[string]float64{"two": 0.85, "full": 0.571428571429, "holes": 0.597222222222} { // irrCAC
		near(t, name+", percent", PercentAgreement(sheets[name], quick).Value, want, 1e-11)
	}
}

func TestAlphaAgainstKrippendorff(t *testing.T) {
	for name, want := range map[string][2]float64{"two": {0.580645161290, 0.580645161290}, "full": {0.440909090909, 0.765410281760},
		"holes": {0.473185390661, 0.836863161986}} {
		near(t, name+", nominal", KrippendorffAlpha(sheets[name], Nominal, quick).Value, want[0], 1e-11)
		near(t, name+", ordinal", KrippendorffAlpha(sheets[name], Ordinal, quick).Value, want[1], 1e-11)
	}
}

// The complete items alone, by statsmodels, which takes no missing label.
func TestFleissKappaOfCompleteItemsAgainstStatsmodels(t *testing.T) {
	near(t, "full", FleissKappa(sheets["full"], Weights{}, quick).Value, 0.427272727273, 1e-11)
	complete := Ratings{Categories: sheets["holes"].Categories}
	for _, row := range sheets["holes"].Items {
		if n := (Ratings{Categories: complete.Categories, Items: [][]int{row}}); len(row) == labelsOf(n) {
			complete.Items = append(complete.Items, row)
		}
	}
	e := FleissKappa(complete, Weights{}, quick)
	near(t, "holes", e.Value, 0.548192771084, 1e-11)
	if e.N != 3 {
		t.Errorf("%d complete items", e.N)
	}
}

// labelsOf counts the labels that there are.
func labelsOf(r Ratings) int {
	n := 0
	for _, row := range r.Items {
		for _, k := range row {
			if k != NoLabel {
				n++
			}
		}
	}
	return n
}

// The widths come from irrCAC's standard error of Fleiss' kappa, on samples which are the model itself.
func TestKappaPlanAgainstIrrCAC(t *testing.T) {
	for _, c := range []struct {
		raters       int
		kappa, width float64
		prevalences  []float64
	}{
		{3, 1. / 3, 0.261328531272, []float64{.5, .5}},
		{4, .25, 0.163982351931, []float64{1. / 3, 1. / 3, 1. / 3}},
		{5, .2, 0.118527480725, []float64{.25, .25, .25, .25}},
	} {
		e := KappaPlan{Kappa: c.kappa, Prevalences: c.prevalences}.Width(100, c.raters)
		near(t, "width", e.Value, c.width, 1e-9)
		if e.N != 100 || len(e.Warnings) > 0 {
			t.Errorf("%+v", e)
		}
	}
}

// With two raters it is the variance of Fleiss, Cohen and Everitt, by statsmodels.
func TestKappaPlanAgainstStatsmodels(t *testing.T) {
	for _, c := range []struct {
		items        int
		kappa, width float64
		prevalences  []float64
	}{
		{100, .4, 0.359267332742, []float64{.5, .5}},
		{60, .16, 0.592344568401, []float64{5. / 6, 1. / 6}},
		{100, .25, 0.302671091210, []float64{.4, .2, .4}},
	} {
		near(t, "width", KappaPlan{Kappa: c.kappa, Prevalences: c.prevalences}.Width(c.items, 2).Value, c.width, 1e-9)
	}
}

// Every way to measure agreement, for tests that hold for each.
var coefficients = map[string]func(Ratings, Options) percuss.Estimate{
	"percent": PercentAgreement,
	"exact":   ExactAgreement,
	"cohen":   func(r Ratings, o Options) percuss.Estimate { return CohenKappa(r, Weights{}, o) },
	"cohen, linear": func(r Ratings, o Options) percuss.Estimate {
		return CohenKappa(r, LinearWeights(len(r.Categories)), o)
	},
	"cohen, quadratic": func(r Ratings, o Options) percuss.Estimate {
		return CohenKappa(r, QuadraticWeights(len(r.Categories)), o)
	},
	"fleiss":         func(r Ratings, o Options) percuss.Estimate { return FleissKappa(r, Weights{}, o) },
	"alpha, nominal": func(r Ratings, o Options) percuss.Estimate { return KrippendorffAlpha(r, Nominal, o) },
	"alpha, ordinal": func(r Ratings, o Options) percuss.Estimate { return KrippendorffAlpha(r, Ordinal, o) },
	"gwet, AC1":      func(r Ratings, o Options) percuss.Estimate { return GwetAC(r, Weights{}, o) },
	"gwet, AC2": func(r Ratings, o Options) percuss.Estimate {
		return GwetAC(r, QuadraticWeights(len(r.Categories)), o)
	},
}
