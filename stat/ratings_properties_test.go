package stat

import (
	"math"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss"
)

// drawnRatings are of up to 12 items, 4 raters and 3 categories, with holes.
func drawnRatings(t *rapid.T) Ratings {
	raters := rapid.IntRange(2, 4).Draw(t, "raters")
	r := Ratings{Categories: []string{"a", "b", "c"}}
	for range rapid.IntRange(1, 12).Draw(t, "items") {
		r.Items = append(r.Items, rapid.SliceOfN(rapid.SampledFrom([]int{NoLabel, 0, 0, 0, 1, 1, 2}), raters, raters).Draw(t, "item"))
	}
	return r
}

// alike fails where two values are not the same, or not both missing.
func alike(t *rapid.T, what string, a, b percuss.Number, tolerance float64) {
	if a.OK() != b.OK() || math.Abs(a.Or(0)-b.Or(0)) > tolerance {
		t.Fatalf("%s: %v and %v", what, a, b)
	}
}

func TestAgreementProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawnRatings(t)
		raters := rapid.Permutation(upTo(len(r.Items[0]))).Draw(t, "raters")
		turned := r.Of(raters...)
		shuffled := Ratings{Categories: r.Categories, Items: rapid.Permutation(r.Items).Draw(t, "items")}
		twice := Ratings{Categories: r.Categories, Items: append(slices.Clone(r.Items), r.Items...)}
		mirrored := Ratings{Categories: r.Categories} // categories the other way round, so that an order is kept
		for _, row := range r.Items {
			out := slices.Clone(row)
			for i, k := range row {
				if k != NoLabel {
					out[i] = 2 - k
				}
			}
			mirrored.Items = append(mirrored.Items, out)
		}
		// Those of "fleiss" and AC2 have shares of items that their agreement is not of, where an item has a single label.
		least := map[string]float64{"percent": 0, "exact": 0, "fleiss": math.Inf(-1), "gwet, AC2": math.Inf(-1)}
		for name, of := range coefficients {
			e := of(r, Options{Replicates: 3})
			v, ok := e.Value.Get()
			if ok == (e.Why != "") || ok && (v > 1 || v < leastOf(least, name, -1)-1e-9) {
				t.Fatalf("%s: %+v", name, e)
			}
			for what, other := range map[string]Ratings{"raters": turned, "items": shuffled, "categories": mirrored} {
				alike(t, name+", other order of "+what, e.Value, of(other, Options{Replicates: 1}).Value, 1e-9)
			}
			if !strings.HasPrefix(name, "alpha") { // which is corrected for the size of the sample
				alike(t, name+", each item twice", e.Value, of(twice, Options{Replicates: 1}).Value, 1e-9)
			}
		}
	})
}

// leastOf is the entry of a map, or another value.
func leastOf(of map[string]float64, key string, other float64) float64 {
	if v, ok := of[key]; ok {
		return v
	}
	return other
}

// What the coefficients are of each other, where every rater labels every item.
func TestCoefficientsOfCompleteRatings(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, m := rapid.IntRange(2, 15).Draw(t, "items"), rapid.IntRange(2, 4).Draw(t, "raters")
		r := Ratings{Categories: []string{"a", "b"}}
		for range n {
			r.Items = append(r.Items, rapid.SliceOfN(rapid.IntRange(0, 1), m, m).Draw(t, "item"))
		}
		one := Options{Replicates: 1}
		value := func(name string) percuss.Number { return coefficients[name](r, one).Value }
		fleiss := value("fleiss")
		if v := fleiss.Or(0); v < -1/float64(m-1)-1e-9 {
			t.Fatalf("Fleiss' kappa %v of %d raters", v, m)
		}
		// Krippendorff's alpha is Fleiss' kappa with a step towards 1 for small samples.
		if f, ok := fleiss.Get(); ok {
			alike(t, "alpha", value("alpha, nominal"), percuss.Num(1-(1-f)*float64(n*m-1)/float64(n*m)), 1e-9)
		}
		alike(t, "two categories have one distance", value("alpha, nominal"), value("alpha, ordinal"), 1e-9)
		alike(t, "and one weight", value("cohen"), value("cohen, linear"), 1e-9)
		if m == 2 {
			alike(t, "all agree, or a pair does", value("percent"), value("exact"), 1e-12)
			pairs := make([][2]string, n)
			for i, row := range r.Items {
				pairs[i] = [2]string{r.Categories[row[0]], r.Categories[row[1]]}
			}
			alike(t, "of pairs", value("cohen"), Kappa(pairs, 0).Value, 1e-9)
		}
		sum, pairs := 0.0, 0.0
		for a := range m {
			for b := range a {
				if v, ok := coefficients["cohen"](r.Of(a, b), one).Value.Get(); ok {
					sum, pairs = sum+v, pairs+1
				}
			}
		}
		alike(t, "mean over pairs", value("cohen"), percuss.Num(sum/pairs), 1e-9)
	})
}
