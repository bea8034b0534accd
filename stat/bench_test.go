package stat

import (
	"testing"

	"github.com/percuss/percuss"
)

// cell makes a matrix of 200 items and, for each of 30 operators, the columns fired, parsed, flips, right answers.
func cell(seed uint64) Sums {
	rng := percuss.Rand(seed, "", "", "bench")
	x := make(Sums, 200)
	for i := range x {
		x[i] = make([]float64, 120)
		for j := range x[i] {
			x[i][j] = float64(rng.IntN(2))
		}
	}
	return x
}

// perOperator returns flip rate and accuracy of each operator.
func perOperator(s []float64) []percuss.Number {
	out := make([]percuss.Number, 60)
	for op := range 30 {
		out[2*op] = percuss.Num(s[4*op+2] / s[4*op+1])
		out[2*op+1] = percuss.Num(s[4*op+3] / s[4*op])
	}
	return out
}

// BenchmarkCell is one cell of 200 items × 30 operators with 10,000 replicates and 60 metrics.
func BenchmarkCell(b *testing.B) {
	x := cell(1)
	for b.Loop() {
		if _, err := Bootstrap(x, perOperator, Options{Replicates: 10000}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkCellFractional is the same with columns that are no counts.
func BenchmarkCellFractional(b *testing.B) {
	x := cell(1)
	for _, row := range x {
		for j := range row {
			row[j] += .25
		}
	}
	for b.Loop() {
		if _, err := Bootstrap(x, perOperator, Options{Replicates: 10000}); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkAudit is a whole audit: 12 models × 4 data sets = 48 cells, and the panel.
func BenchmarkAudit(b *testing.B) {
	var cells []Sums
	for i := range 48 {
		cells = append(cells, cell(uint64(i)))
	}
	sets := []string{"medqa", "medmcqa", "pubmedqa", "mmlu-medical"}
	for b.Loop() {
		var models []*Draws
		for m := range 12 {
			var of []*Draws
			for s, set := range sets {
				d, err := Draw(Sample{Key: set, Sums: cells[4*m+s]}, perOperator, Options{Replicates: 10000})
				if err != nil {
					b.Fatal(err)
				}
				d.Estimates()
				of = append(of, d)
			}
			model, err := Average(of...)
			if err != nil {
				b.Fatal(err)
			}
			model.Estimates()
			models = append(models, model)
		}
		panel, err := Average(models...)
		if err != nil {
			b.Fatal(err)
		}
		panel.Estimates()
	}
}
