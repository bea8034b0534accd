package llamacpp

import "github.com/hybridgroup/yzma/pkg/llama"

// What a decode costs is reckoned here and not timed, as the size of a decode is: on quantised weights the shape of a
// decode moves the answers, so it must be the same in every run on a machine.
const (
	chipRows   = 256  // what a decode costs an accelerator besides its tokens, in tokens
	threadRows = 0.7  // the same of a CPU, for each of its threads (measured: 0.6 to 1)
	startTime  = 2e-4 // seconds that a decode takes to be prepared, which only a tiny model notices
	lookFactor = 1.5  // attention takes more time than its share of the operations (measured on a CPU)
	passFactor = 0.15 // the same of cells that it passes over (measured on a CPU)
	usualRoom  = 256  // most tokens that a text is taken to have, whatever its limit
)

// overheadRows is what a decode costs besides its tokens, in tokens: reading the weights, starting the threads. Up to
// there, further tokens in a decode cost less than further decodes.
func overheadRows(params uint64, threads int, accelerator bool) float64 {
	if accelerator {
		return chipRows
	}
	const aToken = 2 / operationsPerThread // seconds for each parameter on one thread
	return float64(threads) * (threadRows + startTime/(aToken*float64(max(params, 1))))
}

// lookRows is what it costs a token to look at one more cell of the cache, in tokens: four operations for each number
// of the embedding and layer, where the token itself takes two for each parameter. passes: the cell is another text's,
// and attention passes over such.
func lookRows(embedding, layers int, params uint64, passes bool) float64 {
	factor := lookFactor
	if passes {
		factor = passFactor
	}
	return factor * 2 * float64(embedding) * float64(layers) / float64(max(params, 1))
}

// attention is the library's kind of attention for a cache that texts share. Flash attention on a CPU passes over the
// cells of other texts, where the usual one computes all and masks them. It keeps sums in half precision, which float
// weights would show; and with streams there are no cells of others.
func (e *engine) attention() llama.FlashAttentionType {
	if e.passes {
		return llama.FlashAttentionTypeAuto
	}
	return llama.FlashAttentionTypeDisabled
}

// pays reports whether, with n texts being generated, one more saves more by sharing what a decode costs besides its
// tokens than it costs by its cells, at which the tokens of all the others must look.
func pays(n, cells int, overhead, look float64) bool {
	return n == 0 || overhead > float64(n*(n+1))*look*float64(cells)
}
