package battery

import (
	"testing"

	"github.com/percuss/percuss"
)

// The aim of both is a second for the whole set on one core.

// BenchmarkMedQA makes every edit of the question of all stems of MedQA's test split.
func BenchmarkMedQA(b *testing.B) {
	all := stems(b)
	for _, battery := range []string{Paper, Extended} {
		b.Run(battery, func(b *testing.B) { applyAll(b, all, battery, M) })
	}
}

// BenchmarkChains makes every edit of the chain of 1,000 real chains, five of each seven that there are.
func BenchmarkChains(b *testing.B) {
	var some []text
	for i, x := range chains(b) {
		if i%7 < 5 {
			some = append(some, x)
		}
	}
	for _, battery := range []string{Paper, Extended} {
		b.Run(battery, func(b *testing.B) { applyAll(b, some, battery, F) })
	}
}

// applyAll lets every operator of one block edit every text once an iteration.
func applyAll(b *testing.B, texts []text, expression string, block Block) {
	known := Context{Options: []percuss.Option{{Label: "A", Text: "Gout"}, {Label: "B", Text: "Sepsis"}}, Answer: "A", Donor: "One.\n\nTwo."}
	var operators []Operator
	for _, o := range mustParse(b, expression).Operators {
		if o.Block == block {
			operators = append(operators, o.Knowing(known))
		}
	}
	b.ReportAllocs()
	for b.Loop() {
		for _, x := range texts {
			for _, o := range operators {
				o.Apply(x.text, 1, x.id)
			}
		}
	}
	seconds := b.Elapsed().Seconds() / float64(b.N)
	b.ReportMetric(seconds, "s/set")
	b.ReportMetric(float64(len(texts))/seconds, "texts/s")
	b.ReportMetric(float64(len(texts)*len(operators))/seconds, "edits/s")
}
