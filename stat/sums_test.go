package stat

import (
	"math"
	"testing"

	"pgregory.net/rapid"
)

func TestWeightsAreAResample(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 300).Draw(t, "n")
		r := Resampler{Seed: rapid.Uint64().Draw(t, "seed"), Key: "medqa", Items: n}
		w := r.Weights(5, nil)
		sum := 0
		for _, v := range w {
			sum += int(v)
		}
		if len(w) != n || sum != n {
			t.Fatalf("%d weights with the sum %d, want %d of both", len(w), sum, n)
		}
		again := r.Weights(5, make([]uint32, n+7))
		for i := range w {
			if w[i] != again[i] {
				t.Fatal("the same replicate differs when drawn again")
			}
		}
	})
}

func TestWeightsDependOnSeedKeyAndReplicate(t *testing.T) {
	base := Resampler{1, "medqa", 40}
	same := func(a, b []uint32) bool {
		for i := range a {
			if a[i] != b[i] {
				return false
			}
		}
		return true
	}
	w := base.Weights(0, nil)
	if same(w, base.Weights(1, nil)) || same(w, Resampler{2, "medqa", 40}.Weights(0, nil)) || same(w, Resampler{1, "pubmedqa", 40}.Weights(0, nil)) {
		t.Error("another seed, key or replicate gave the same resample")
	}
}

// Each item is drawn n·(1/n) = 1 time on average, with variance 1 − 1/n.
func TestWeightsAreMultinomial(t *testing.T) {
	const n, b = 50, 4000
	r := Resampler{7, "k", n}
	var sum, squares [n]float64
	var w []uint32
	for i := range b {
		w = r.Weights(i, w)
		for j, v := range w {
			sum[j] += float64(v)
			squares[j] += float64(v) * float64(v)
		}
	}
	variance := 0.0
	for j := range sum {
		if mean := sum[j] / b; math.Abs(mean-1) > 5/math.Sqrt(b) {
			t.Errorf("item %d drawn %.3f times on average", j, mean)
		}
		variance += (squares[j]/b - 1) / n
	}
	if math.Abs(variance-(1-1./n)) > .03 {
		t.Errorf("variance of the counts %.3f, want %.3f", variance, 1-1./n)
	}
}

// The packed product equals the plain sum, also for columns that do not fit a lane.
func TestProductEqualsPlainSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.SampledFrom([]int{1, 2, 7, 63, 150, 255, 256, 300}).Draw(t, "n")
		kinds := rapid.SliceOfN(rapid.IntRange(0, 4), 1, 11).Draw(t, "kinds")
		x := make(Sums, n)
		for i := range x {
			x[i] = make([]float64, len(kinds))
			for j, kind := range kinds {
				x[i][j] = []float64{
					float64((i*7 + j) % 3),
					mostCount,                    // just a count
					mostCount + 1,                // just none
					-float64(i % 2),              // negative
					math.Sqrt(float64(i+1)) / 10, // no count
				}[kind]
			}
		}
		of, err := newMatrix(Sample{Key: "k", Sums: x})
		if err != nil {
			t.Fatal(err)
		}
		p := len(kinds)
		c := of.classes(upTo(p))
		m := newProduct(of, c)
		seed := rapid.Uint64().Draw(t, "seed")
		var weights [][]uint32
		for r := range 70 {
			weights = append(weights, Resampler{seed, "k", n}.Weights(r, nil))
		}
		// The extreme resample: one item drawn n times.
		extreme := make([]uint32, n)
		extreme[n-1] = uint32(n)
		weights = append(weights, extreme)
		out := make([]float64, len(c.first)*block)
		bits := Resampler{Items: n}.bits()
		packed := make([]lane, n*lanesOf(bits))
		for r, w := range weights {
			pack(packed, w, r, bits)
		}
		m.sum(out, len(weights), packed, &scratch{})
		for r, w := range weights {
			for j := range p {
				want := 0.0
				for i := range x {
					want += float64(w[i]) * x[i][j]
				}
				if got := out[c.of[j]*block+r]; math.Abs(got-want) > 1e-9*max(1, math.Abs(want)) {
					t.Fatalf("replicate %d, column %d (kind %d): %v, want %v", r, j, kinds[j], got, want)
				}
			}
		}
	})
}
