package llamacpp

import (
	"fmt"
	"runtime"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// loadModel loads the weights.
func loadModel(path string, h *header, o Options) (*engine, error) {
	engineLog.reset()
	p := llama.ModelDefaultParams()
	handle, err := llama.ModelLoadFromFile(path, p)
	if err != nil {
		return nil, fmt.Errorf("the engine cannot load %s (architecture %q)%s; a newer model may need a newer engine", path, h.Architecture, engineLog.said())
	}
	e := &engine{model: handle, threads: o.Threads, parallel: o.Parallel}
	if e.threads == 0 {
		e.threads = max(1, min(int(llama.Threads()), runtime.GOMAXPROCS(0)))
	}
	if e.parallel == 0 {
		e.parallel = defaultParallel
	}
	if llama.ModelHasEncoder(handle) || !llama.ModelHasDecoder(handle) || llama.ModelIsDiffusion(handle) {
		e.close()
		return nil, fmt.Errorf("%s (architecture %q) does not generate text token by token; choose another model", path, h.Architecture)
	}
	_, e.exact = h.mainWeights()
	e.vocab = int(llama.VocabNTokens(llama.ModelGetVocab(handle)))
	e.chunk = chunkFor(llama.ModelNParams(handle), e.threads, accelerated())
	e.overhead = overheadRows(llama.ModelNParams(handle), e.threads, accelerated())
	e.passes = !e.exact && !accelerated()
	e.look = lookRows(int(llama.ModelNEmbd(handle)), int(llama.ModelNLayer(handle)), llama.ModelNParams(handle), e.passes)
	e.narrow = o.Parallel == 0
	e.drafts = max(e.parallel, min(int(e.overhead), maxParallel))
	return e, nil
}

// accelerated reports whether the library computes on anything but the CPU.
func accelerated() bool {
	for i := range llama.GGMLBackendDeviceCount() {
		switch llama.GGMLBackendDevType(llama.GGMLBackendDeviceGet(i)) {
		case llama.GGMLBackendDeviceTypeGPU, llama.GGMLBackendDeviceTypeIGPU:
			return true
		}
	}
	return false
}
