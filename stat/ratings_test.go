package stat

import (
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/percuss/percuss"
)

func TestNewRatings(t *testing.T) {
	r := rated(t, []string{"none", "some", "all"}, [][]string{{"some", ""}, {"all", "none"}})
	if want := [][]int{{1, NoLabel}, {2, 0}}; !reflect.DeepEqual(r.Items, want) {
		t.Errorf("%v, want %v", r.Items, want)
	}
	if r := rated(t, nil, [][]string{{"b", "a"}, {"", "c"}}); !slices.Equal(r.Categories, []string{"a", "b", "c"}) {
		t.Errorf("categories %v", r.Categories)
	}
	for want, c := range map[string]struct {
		categories []string
		labels     [][]string
	}{
		`item 2, rater 1: "x" is none of`:       {[]string{"a"}, [][]string{{"a"}, {"x"}}},
		"item 2 has places for 1 labels":        {[]string{"a"}, [][]string{{"a", "a"}, {"a"}}},
		`category 2, "a"`:                       {[]string{"a", "a"}, nil},
		`category 1, "": each must have a name`: {[]string{""}, nil},
	} {
		if _, err := NewRatings(c.categories, c.labels); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}

func TestAgreementOfNothing(t *testing.T) {
	for why, r := range map[string]Ratings{
		"there are no items":            {Categories: []string{"a", "b"}},
		"one rater only":                sheet(2, "0 1"),
		"no item has labels of two":     sheet(2, "0. .1"),
		"item 1, rater 2: 7 is no":      {Categories: []string{"a", "b"}, Items: [][]int{{0, 7}}},
		"item 2 has places for 1 label": {Categories: []string{"a"}, Items: [][]int{{0, 0}, {0}}},
	} {
		for name, of := range coefficients {
			if e := of(r, quick); e.Value.OK() || e.Lo.OK() || !strings.Contains(e.Why, why) || e.N != 0 {
				t.Errorf("%s: %+v, want %q", name, e, why)
			}
		}
		if p := PrevalenceOf(r); p != (Prevalence{}) || p.Warning() != "" {
			t.Errorf("%+v", p)
		}
	}
	for name, of := range coefficients {
		if e := of(sheets["full"], Options{Level: 2}); e.Value.OK() || !strings.Contains(e.Why, "confidence level") {
			t.Errorf("%s: %+v", name, e)
		}
	}
	if e := KrippendorffAlpha(sheets["full"], "ratio", quick); !strings.Contains(e.Why, "alpha is nominal or ordinal") {
		t.Errorf("%+v", e)
	}
}

// One category, of several that could be chosen: raw agreement is 1, AC1 too, and everything else is not defined.
func TestAgreementOfOneCategory(t *testing.T) {
	r := sheet(3, "11 11 11 11 11 11 11 11 11 11 11 11")
	for name, of := range coefficients {
		e := of(r, quick)
		switch {
		case name == "percent" || name == "exact":
			near(t, name, e.Value, 1, 0)
			near(t, name+": Wilson's bound", e.Lo, Wilson(12, 12, 0).Lo.Or(-1), 1e-12)
		case strings.HasPrefix(name, "gwet"):
			near(t, name, e.Value, 1, 0)
			if e.Lo.OK() || len(e.Warnings) != 1 || !strings.HasPrefix(e.Warnings[0], "no interval") {
				t.Errorf("%s: %+v", name, e)
			}
		default:
			if e.Value.OK() || !strings.Contains(e.Why, "not defined") || !strings.Contains(e.Why, "agreement 1") || e.N != 12 {
				t.Errorf("%s: %+v", name, e)
			}
		}
	}
	if e := GwetAC(sheet(1, "00 00"), Weights{}, quick); e.Value.OK() || !strings.Contains(e.Why, "one category") {
		t.Errorf("%+v", e)
	}
	one := Weights{Table: [][]float64{{1, 1}, {1, 1}}}
	if e := GwetAC(sheet(2, "01 01"), one, quick); e.Value.OK() || !strings.Contains(e.Why, "let every pair agree") {
		t.Errorf("%+v", e)
	}
}

func TestPerfectAgreementHasNoInterval(t *testing.T) {
	for name, of := range coefficients {
		e := of(sheet(3, "00 11 22 00 11 22 11 22 00 00 22 11"), quick)
		near(t, name, e.Value, 1, 0)
		if name == "percent" || name == "exact" {
			if e.Lo.Or(1) > .8 {
				t.Errorf("%s: %+v", name, e)
			}
			continue
		}
		if e.Lo.OK() || e.Hi.OK() || e.Level != 0 || !slices.Equal(e.Warnings, []string{"no interval: the agreement is perfect, which says nothing about its spread"}) {
			t.Errorf("%s: %+v", name, e)
		}
	}
	// A rater without a choice: kappa is 0 in every resample, which statsmodels reports with variance 0.
	e := CohenKappa(sheet(2, "00 00 00 00 00 00 00 00 00 00 10 10"), Weights{}, quick)
	near(t, "kappa", e.Value, 0, 0)
	if e.Lo.OK() || len(e.Warnings) != 1 || !strings.Contains(e.Warnings[0], "no sign of certainty") {
		t.Errorf("%+v", e)
	}
}

func TestWarningsOfRatings(t *testing.T) {
	for name, of := range coefficients {
		e := of(sheets["holes"], quick)
		told := strings.Join(e.Warnings, "\n")
		if e.N != 12 || !strings.Contains(told, "1 of 14 items left out: no rater") || !strings.Contains(told, "1 of 14 items have a single label") {
			t.Errorf("%s: n %d, %s", name, e.N, told)
		}
	}
	// The third rater shares one item with each of the others.
	e := CohenKappa(sheet(2, "00. 01. 11. 10. 00. 11. 11. 00. 1.1 .00"), Weights{}, quick)
	if told := strings.Join(e.Warnings, "\n"); !strings.Contains(told, "not defined for 2 of 3 pairs") {
		t.Error(told)
	}
	near(t, "the pair that is left", e.Value, .5, 1e-12)
	e = FleissKappa(sheet(2, "00 01 11"), Weights{}, quick)
	if told := strings.Join(e.Warnings, "\n"); !strings.Contains(told, "3 items are few") {
		t.Error(told)
	}
	// One item in 12 is of the second category: (11/12)¹² = 35 % of the resamples lack it, and have no kappa.
	e = FleissKappa(sheet(2, "00 00 00 00 00 00 00 00 00 00 00 01"), Weights{}, Options{Seed: 1})
	if told := strings.Join(e.Warnings, "\n"); !strings.Contains(told, "no value in 680 of 2000 replicates") {
		t.Error(told)
	}
}

// The interval is that of the coefficient of resampled tables: everything, chance and distances too, is computed anew.
func TestIntervalIsThatOfResampledTables(t *testing.T) {
	for name, r := range sheets {
		kept := Ratings{Categories: r.Categories}
		for _, row := range r.Items {
			if slices.Max(row) != NoLabel {
				kept.Items = append(kept.Items, row)
			}
		}
		for which, of := range coefficients {
			e := of(r, Options{Seed: 7, Replicates: 60})
			var values []float64
			for k := range 60 {
				again := Ratings{Categories: r.Categories}
				for i, n := range (Resampler{Seed: 7, Key: itemsKey, Items: len(kept.Items)}).Weights(k, nil) {
					again.Items = append(again.Items, slices.Repeat([][]int{kept.Items[i]}, int(n))...)
				}
				if v, ok := of(again, Options{Replicates: 1}).Value.Get(); ok {
					values = append(values, v)
				}
			}
			near(t, name+", "+which+", lo", e.Lo, Quantile(values, .025).Or(9), 1e-9)
			near(t, name+", "+which+", hi", e.Hi, Quantile(values, .975).Or(9), 1e-9)
			if e.Level != .95 || !strings.Contains(e.Method, "60 replicates") {
				t.Errorf("%s, %s: %+v", name, which, e)
			}
			if again := of(r, Options{Seed: 7, Replicates: 60}); !reflect.DeepEqual(e, again) {
				t.Errorf("%s, %s: twice the same gives %+v and %+v", name, which, e, again)
			}
		}
	}
}

func TestWeights(t *testing.T) {
	for _, c := range []struct {
		w    Weights
		want [][]float64
	}{
		{LinearWeights(3), [][]float64{{1, .5, 0}, {.5, 1, .5}, {0, .5, 1}}},
		{QuadraticWeights(3), [][]float64{{1, .75, 0}, {.75, 1, .75}, {0, .75, 1}}},
		{LinearWeights(1), [][]float64{{1}}},
	} {
		if !reflect.DeepEqual(c.w.Table, c.want) {
			t.Errorf("%s: %v, want %v", c.w.Name, c.w.Table, c.want)
		}
	}
	for want, w := range map[string]Weights{
		"weights of 3 categories, where there are 2": LinearWeights(3),
		"row 2 of the weights":                       {Table: [][]float64{{1, 0}, {0}}},
		"weight 0.2 of categories 2 and 1":           {Table: [][]float64{{1, .1}, {.2, 1}}},
		"weight 0.9 of categories 1 and 1":           {Table: [][]float64{{.9, 0}, {0, 1}}},
		"weight NaN of categories 1 and 2":           {Table: [][]float64{{1, math.NaN()}, {math.NaN(), 1}}},
		"weight 2 of categories 1 and 2":             {Table: [][]float64{{1, 2}, {2, 1}}},
	} {
		for _, e := range []percuss.Estimate{CohenKappa(sheet(2, "01 00"), w, quick), FleissKappa(sheet(2, "01 00"), w, quick), GwetAC(sheet(2, "01 00"), w, quick)} {
			if e.Value.OK() || !strings.Contains(e.Why, want) {
				t.Errorf("%+v, want %q", e, want)
			}
		}
	}
	e := GwetAC(sheets["full"], LinearWeights(4), quick)
	if !strings.HasPrefix(e.Method, "Gwet's AC2 (linear weights); percentile bootstrap") {
		t.Error(e.Method)
	}
}

// What a rater said, and said again when the item came back.
func ExampleRatings_repeats() {
	first := []string{"harmful", "neutral", "neutral", "harmful", "neutral", "neutral", "harmful", "neutral", "neutral", "neutral"}
	repeated := []string{"harmful", "neutral", "harmful", "harmful", "neutral", "neutral", "harmful", "neutral", "", "neutral"}
	var labels [][]string
	for i := range first {
		labels = append(labels, []string{first[i], repeated[i]})
	}
	r, err := NewRatings([]string{"neutral", "harmful"}, labels)
	if err != nil {
		panic(err)
	}
	e := CohenKappa(r, Weights{}, Options{Seed: 1})
	fmt.Printf("%s (%s) on %d items: %s\n", e.Value.Format(2), LandisKoch(e.Value), e.N, e.Warnings[0])
	// Output: 0.77 (substantial) on 9 items: 1 of 10 items have a single label, which agrees with none
}
