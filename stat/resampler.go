package stat

import (
	"strconv"

	"github.com/percuss/percuss"
)

// Resampler gives the bootstrap resamples of a list of items as weight vectors: how often each item was drawn, with
// replacement, in as many draws as there are items (multinomial counts).
//
// A weight vector is a function of (seed, key, replicate, number of items) alone. Everything measured on the same
// items under the same key therefore shares one index vector a replicate, which is what pairing means.
type Resampler struct {
	Seed  uint64
	Key   string // names the list of items, e.g. the data set
	Items int
}

// Weights returns the weights of one replicate; their sum is Items. It uses dst where that is large enough.
func (r Resampler) Weights(replicate int, dst []uint32) []uint32 {
	if cap(dst) < r.Items {
		dst = make([]uint32, max(r.Items, 0))
	}
	dst = dst[:max(r.Items, 0)]
	clear(dst)
	rng := percuss.Rand(r.Seed, r.Key, strconv.Itoa(replicate), "bootstrap")
	for range dst {
		dst[rng.IntN(len(dst))]++
	}
	return dst
}
