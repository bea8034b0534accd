package lattice

import (
	"testing"

	"github.com/percuss/percuss"
)

func randomValues(units int, seed uint64) []float64 {
	rng := percuss.Rand(seed, "", "", "bench")
	v := make([]float64, 1<<units)
	for i := range v {
		v[i] = rng.NormFloat64()
	}
	return v
}

func benchmarkMoebius(b *testing.B, units int) {
	values := randomValues(units, 1)
	v := make([]float64, len(values))
	b.ReportAllocs()
	for b.Loop() {
		copy(v, values) // else the numbers grow until they are infinite
		if err := Moebius(v); err != nil {
			b.Fatal(err)
		}
	}
}

// BenchmarkMoebius14 is to be at least 1,000 times as fast as shapiq's exact computer. Measured on one machine of two
// cores: 0.077 ms here, 2.6 s by shapiq 1.4.1 (testdata/oracle/lattice.py time), 34,000 times as fast.
func BenchmarkMoebius14(b *testing.B) { benchmarkMoebius(b, 14) }

// BenchmarkMoebius20 is the largest game: a million values.
func BenchmarkMoebius20(b *testing.B) { benchmarkMoebius(b, 20) }

// BenchmarkIndices14 is the Shapley interaction index of all orders and the k-SII of order 3 at 14 units.
func BenchmarkIndices14(b *testing.B) {
	g, err := FromValues(numbers(randomValues(14, 1)...), 14)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if _, err := g.SII(14); err != nil {
			b.Fatal(err)
		}
		if _, err := g.KSII(3); err != nil {
			b.Fatal(err)
		}
	}
}

// cases are the values of all 256 subsets of 8 units in 500 cases.
func cases() [][]percuss.Number {
	out := make([][]percuss.Number, 500)
	for i := range out {
		out[i] = numbers(randomValues(8, uint64(i))...)
	}
	return out
}

// BenchmarkCases is what an audit with all orders takes from 500 cases: interactions, strength by order, the ten
// strongest sets.
func BenchmarkCases(b *testing.B) {
	values := cases()
	for b.Loop() {
		for _, v := range values {
			g, err := FromValues(v, 8)
			if err != nil {
				b.Fatal(err)
			}
			Shares(g.ByOrder(0.5))
			g.Top(10)
		}
	}
}

// BenchmarkCasesIndices is all indices of 500 cases of 8 units.
func BenchmarkCasesIndices(b *testing.B) {
	values := cases()
	for b.Loop() {
		for _, v := range values {
			g, err := FromValues(v, 8)
			if err != nil {
				b.Fatal(err)
			}
			g.Shapley()
			g.Banzhaf()
			if _, err := g.SII(8); err != nil {
				b.Fatal(err)
			}
			if _, err := g.KSII(3); err != nil {
				b.Fatal(err)
			}
		}
	}
}
