package stat

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// TestKeptWeights: weights that were kept are those that are drawn anew, whatever was in the room they are put into.
func TestKeptWeights(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := Resampler{Seed: rapid.Uint64().Draw(t, "seed"), Key: "medqa", Items: rapid.SampledFrom([]int{0, 1, 2, 31, 255, 256, 257, 301}).Draw(t, "items")}
		n := rapid.IntRange(1, block).Draw(t, "replicates")
		want := r.packed(3, n, nil)
		used := slices.Repeat([]lane{{1: ^uint64(0)}}, rapid.IntRange(0, 700).Draw(t, "room"))
		var k Resamples
		for range 3 {
			if got := k.block(r, 3, n, &used); !slices.Equal(got[:len(want)], want) {
				t.Fatal("other weights than those drawn")
			}
		}
		if kept := k.kept[resample{r, 3, n}]; r.Items > 0 && len(kept) != (r.Items+1)/2 {
			t.Fatalf("%d lanes are kept of %d items", len(kept), r.Items)
		}
	})
}

// TestLargeWeightIsNotKept: what four bits cannot hold is no less than it was.
func TestLargeWeightIsNotKept(t *testing.T) {
	for items, bits := range map[int]int{200: 8, 300: 16} {
		w := make([]uint32, items)
		weights := make([]lane, items*lanesOf(bits))
		for large, keeps := range []bool{15: true, 16: false} {
			if large < 15 {
				continue
			}
			clear(weights)
			w[items/2] = uint32(large)
			pack(weights, w, 77, bits)
			tight, ok := tightened(weights, bits)
			if ok != keeps || ok && !slices.Equal(loosened(tight, bits, nil)[:len(weights)], weights) {
				t.Errorf("a weight of %d among %d items: kept %v, want %v", large, items, ok, keeps)
			}
		}
	}
}
