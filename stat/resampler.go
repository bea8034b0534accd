package stat

import (
	"strconv"
	"sync"

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

// block is the number of replicates that a worker takes at a time.
const block = 128

// lane holds the weights of one item, or the sums of one column, in replicates of a block: eight to a word where no sum
// over a resample can be more than a byte, else four.
type lane [block / 8]uint64

// bits is how many bits a lane gives to one replicate. The weights of a resample add up to the number of items.
func (r Resampler) bits() int {
	if r.Items < 1<<8 {
		return 8
	}
	return 16
}

// lanesOf is the number of lanes that a block takes, for each item, where a replicate has so many bits.
func lanesOf(bits int) int { return bits / 8 }

// at is the place of a replicate of a block: which lane of its item, which word of that, and how far up.
func at(replicate, bits int) (in, word, shift int) {
	word = replicate * bits / 64
	return word / len(lane{}), word % len(lane{}), replicate * bits % 64
}

// packed are the weights of n replicates from a given one, by item. into is used where it is large enough.
func (r Resampler) packed(from, n int, into []lane) []lane {
	size := r.Items * lanesOf(r.bits())
	if cap(into) < size {
		into = make([]lane, size)
	}
	into = into[:size]
	clear(into)
	var w []uint32
	for k := range n {
		w = r.Weights(from+k, w)
		pack(into, w, k, r.bits())
	}
	return into
}

// pack enters the weights of one replicate of a block.
func pack(into []lane, w []uint32, replicate, bits int) {
	per := lanesOf(bits)
	in, word, shift := at(replicate, bits)
	for i, v := range w {
		into[i*per+in][word] |= uint64(v) << shift
	}
}

// Resamples keeps the weights of resamples, so that the draws of many cells on the same items make them once. The zero
// value is ready; draws at the same time may share one. It holds half a byte for each item and replicate, of the lists of
// items that it has room for: the others are drawn anew each time. It also has the memory of released draws.
type Resamples struct {
	mu   sync.Mutex
	kept map[resample][]lane
	held int                 // bytes
	free map[int][][]float64 // by length: what Release gave back
}

// resample names a block of replicates of a list of items.
type resample struct {
	Resampler
	from, n int
}

// mostHeld is how many bytes of weights are kept.
const mostHeld = 128 << 20

// block returns the weights of a block, in scratch where that is large enough.
func (k *Resamples) block(r Resampler, from, n int, scratch *[]lane) []lane {
	if k != nil {
		k.mu.Lock()
		w, ok := k.kept[resample{r, from, n}]
		k.mu.Unlock()
		if ok {
			*scratch = loosened(w, r.bits(), *scratch)
			return *scratch
		}
	}
	*scratch = r.packed(from, n, *scratch)
	if k != nil {
		k.keep(resample{r, from, n}, *scratch)
	}
	return *scratch
}

// keep keeps the weights of a block where there is room for them.
func (k *Resamples) keep(name resample, weights []lane) {
	w, ok := tightened(weights, name.bits())
	if !ok {
		return
	}
	size := len(w) * 8 * len(lane{})
	k.mu.Lock()
	defer k.mu.Unlock()
	if _, twice := k.kept[name]; twice || k.held+size > mostHeld {
		return
	}
	if k.kept == nil {
		k.kept = map[resample][]lane{}
	}
	k.kept[name] = w
	k.held += size
}

// nibbles are the low four bits of each replicate in a word.
func nibbles(bits int) uint64 {
	if bits == 8 {
		return 0x0f0f0f0f0f0f0f0f
	}
	return 0x000f000f000f000f
}

// tightened puts the words of a block together, as many in one as there are four bits for each weight; false where a weight
// needs more, which happens to one weight in 10^13.
func tightened(weights []lane, bits int) (out []lane, ok bool) {
	low, each := nibbles(bits), bits/4
	out = make([]lane, (len(weights)+each-1)/each)
	for i := range weights {
		to, shift := &out[i/each], i%each*4
		for k, w := range &weights[i] {
			if w&^low != 0 {
				return nil, false
			}
			to[k] |= w << shift
		}
	}
	return out, true
}

// loosened is what tightened was made of, in into where that is large enough; behind it may stand lanes of zeros.
func loosened(tight []lane, bits int, into []lane) []lane {
	low, each := nibbles(bits), bits/4
	into = sized(into, len(tight)*each)
	for i := range into {
		from, shift := &tight[i/each], i%each*4
		to := &into[i]
		for k, w := range from {
			to[k] = w >> shift & low
		}
	}
	return into
}
