package stat

import (
	"maps"
	"slices"
	"testing"

	"github.com/percuss/percuss"
)

// BenchmarkAgreement is each coefficient of 200 items × 5 raters, three categories, one label in 20 missing, with 10,000
// replicates.
func BenchmarkAgreement(b *testing.B) {
	rng := percuss.Rand(1, "", "", "bench")
	r := Ratings{Categories: []string{"a", "b", "c"}}
	p := KappaPlan{Kappa: .6, Prevalences: []float64{.6, .3, .1}}
	for range 200 {
		row := urn(p, 5, rng.Float64)
		for i := range row {
			if rng.IntN(20) == 0 {
				row[i] = NoLabel
			}
		}
		r.Items = append(r.Items, row)
	}
	for _, name := range slices.Sorted(maps.Keys(coefficients)) {
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				if e := coefficients[name](r, Options{Replicates: 10000}); !e.Lo.OK() {
					b.Fatal(e)
				}
			}
		})
	}
}
