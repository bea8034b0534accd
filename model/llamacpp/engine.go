package llamacpp

import (
	"errors"
	"fmt"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// engine owns one model of the library and the context that computes with it. It is used by one goroutine at a time.
type engine struct {
	model    llama.Model
	ctx      llama.Context
	mem      llama.Memory
	batch    llama.Batch
	seqs     [][]llama.SeqId // one-element lists, by sequence
	many     []llama.SeqId
	vocab    int
	cells    int // of the cache, shared by all sequences; of each stream where there are streams
	streams  int // sequences with cells of their own each, bound for prompts only; 0: all share the cells
	chunk    int // prompt tokens in one decode
	parallel int // sequences that generate at once
	threads  int
	drafts   int     // most proposed tokens in one decode
	overhead float64 // what a decode costs besides its tokens, in tokens
	look     float64 // what it costs a token to look at one more cell of the cache, in tokens
	narrow   bool    // no more texts are generated at once than saves time
	exact    bool    // float weights: the cache is float32 too
	passes   bool    // attention passes over the cells of other texts
}

// slotsPer is how many sequences there are for each one that generates: the rest keep what was computed before.
const slotsPer = 2

// open makes a context with the given number of cells, in place of the one that there is.
func (e *engine) open(cells int) error {
	e.closeContext()
	engineLog.reset()
	p := e.params(cells)
	ctx, err := llama.InitFromModel(e.model, p)
	if err != nil {
		return fmt.Errorf("the engine has no room for a context of %d tokens: %w%s; choose a smaller context", cells, err, engineLog.said())
	}
	e.ctx = ctx
	if e.mem, err = llama.GetMemory(ctx); err != nil || e.mem == 0 {
		e.closeContext()
		return errors.New("the model keeps no cache of earlier tokens, so it cannot continue a text")
	}
	e.batch = llama.BatchInit(int32(p.NBatch), 0, int32(p.NSeqMax))
	e.seqs = make([][]llama.SeqId, p.NSeqMax)
	for i := range e.seqs {
		e.seqs[i] = []llama.SeqId{llama.SeqId(i)}
	}
	e.cells = int(llama.NCtx(ctx)) / max(e.streams, 1)
	return nil
}

// params describes the context: one cache, of which a cell can belong to several sequences, or a stream of cells a
// sequence.
func (e *engine) params(cells int) llama.ContextParams {
	p := llama.ContextDefaultParams()
	p.NCtx, p.NSeqMax, p.KVUnified = uint32(cells), uint32(e.parallel*slotsPer), 1
	p.NBatch = uint32(e.chunk + e.parallel)
	p.NOutputsMax = p.NSeqMax + uint32(e.drafts) // the library insists on one a sequence
	if e.streams > 0 {
		p.NCtx, p.NSeqMax, p.KVUnified = uint32(cells*e.streams), uint32(e.streams), 0
		p.NBatch = uint32(e.chunk)
		p.NOutputsMax = p.NSeqMax + maxUnit
	}
	p.NUbatch = p.NBatch
	p.NThreads, p.NThreadsBatch = int32(e.threads), int32(e.threads)
	p.FlashAttentionType = e.attention()
	p.SwaFull = 1 // a window that forgets could not be shared
	p.NoPerf = 1
	if e.exact {
		p.TypeK, p.TypeV = llama.GGMLTypeF32, llama.GGMLTypeF32
	}
	return p
}

func (e *engine) closeContext() {
	if e.ctx == 0 {
		return
	}
	if e.seqs != nil {
		llama.BatchFree(e.batch)
		e.seqs = nil
	}
	llama.Free(e.ctx)
	e.ctx = 0
}

func (e *engine) close() {
	e.closeContext()
	if e.model != 0 {
		llama.ModelFree(e.model)
		e.model = 0
	}
}

// put adds one token for the given slots to the next decode.
func (e *engine) put(token llama.Token, pos int, slots []*slot, logits bool) error {
	ids := e.seqs[slots[0].id]
	if len(slots) > 1 {
		e.many = e.many[:0]
		for _, s := range slots {
			e.many = append(e.many, llama.SeqId(s.id))
		}
		ids = e.many
	}
	return e.batch.Add(token, llama.Pos(pos), ids, logits)
}

// errNoSlot says that the cache has no room for the tokens of a decode.
type errNoSlot struct{ cells int }

func (e errNoSlot) Error() string {
	return fmt.Sprintf("the engine's cache of %d tokens is full", e.cells)
}

// decode computes what was put. The two results of the library are both looked at: it reports a full cache by a
// number only.
func (e *engine) decode() error {
	engineLog.reset()
	code, err := llama.Decode(e.ctx, e.batch)
	switch {
	case err != nil:
		return err
	case code == 0:
		return nil
	case code == 1:
		return errNoSlot{e.cells}
	}
	return fmt.Errorf("llama_decode returned %d for %d tokens%s", code, e.batch.NTokens, engineLog.said())
}

// logits returns the scores after the i-th token of the decode, a view of the library's memory that the next decode
// overwrites.
func (e *engine) logits(i int) ([]float32, error) {
	l, err := llama.GetLogitsIth(e.ctx, int32(i), e.vocab)
	if err == nil && len(l) != e.vocab {
		err = fmt.Errorf("the engine gave no logits for token %d of %d", i, e.batch.NTokens)
	}
	return l, err
}

// remove implements memory.
func (e *engine) remove(seq, from int) error {
	ok, err := llama.MemorySeqRm(e.mem, llama.SeqId(seq), llama.Pos(from), -1)
	if err == nil && !ok {
		err = fmt.Errorf("the engine cannot cut sequence %d back to %d tokens", seq, from)
	}
	return err
}

// share implements memory.
func (e *engine) share(src, dst, n int) error {
	return llama.MemorySeqCp(e.mem, llama.SeqId(src), llama.SeqId(dst), 0, llama.Pos(n))
}

// save implements memory.
func (e *engine) save(seq int) []byte {
	state := make([]byte, llama.StateSeqGetSize(e.ctx, llama.SeqId(seq)))
	if len(state) == 0 || llama.StateSeqGetData(e.ctx, state, llama.SeqId(seq)) != uint64(len(state)) {
		return nil
	}
	return state
}

// restore implements memory.
func (e *engine) restore(seq int, state []byte) bool {
	return llama.StateSeqSetData(e.ctx, state, llama.SeqId(seq)) == uint64(len(state))
}

// load makes a stream hold the first n tokens of another, or of itself. The library copies streams as a whole, at the
// next decode.
func (e *engine) load(stream, source, n int) error {
	if source != stream && n > 0 {
		if err := llama.MemorySeqCp(e.mem, llama.SeqId(source), llama.SeqId(stream), -1, -1); err != nil {
			return err
		}
	}
	return e.remove(stream, n)
}

// clear implements memory.
func (e *engine) clear() error { return llama.MemoryClear(e.mem, false) }

// Work that one decode of prompt tokens may be, so that a signal is answered within about two seconds on a slow
// machine. It is reckoned from the model's size and not from the clock: on quantised weights the shape of a batch
// moves the answers, so it must be the same in every run.
const (
	operationsPerThread = 20e9 // a second, of a slow core
	decodeSeconds       = 2
	minChunk            = 16
	maxChunk            = 512
)

// chunkFor returns how many prompt tokens one decode takes: a power of two.
func chunkFor(params uint64, threads int, accelerator bool) int {
	if accelerator {
		return maxChunk
	}
	most := decodeSeconds * operationsPerThread * float64(threads) / (2 * float64(max(params, 1)))
	n := minChunk
	for n < maxChunk && float64(2*n) <= most {
		n *= 2
	}
	return n
}

// cellElement is the size in bytes of one number in the cache.
func (e *engine) cellElement() int64 {
	if e.exact {
		return 4
	}
	return 2
}
