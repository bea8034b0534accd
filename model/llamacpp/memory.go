package llamacpp

import (
	"path/filepath"

	"github.com/hybridgroup/yzma/pkg/llama"
)

// Device is something that the library computes on.
type Device struct {
	Name        string `json:"name"` // as the library names it, such as CPU or CUDA0
	Description string `json:"description"`
	Accelerator bool   `json:"accelerator"` // it has what the model needs in memory of its own, or in a share of the machine's
	// Free and Total are bytes of its memory, as the library says; of the CPU it says all there is as free.
	Free  uint64 `json:"free_bytes"`
	Total uint64 `json:"total_bytes"`
}

// Devices loads the library, which a process does once, and returns what it computes on. The CPU is always among them.
func Devices(lib string) ([]Device, error) {
	if _, err := loadLibrary(lib, nil); err != nil {
		return nil, fatal("engine", err)
	}
	var out []Device
	for i := range llama.GGMLBackendDeviceCount() {
		d := llama.GGMLBackendDeviceGet(i)
		kind := llama.GGMLBackendDevType(d)
		one := Device{Name: llama.GGMLBackendDeviceName(d), Description: llama.GGMLBackendDeviceDescription(d),
			Accelerator: kind == llama.GGMLBackendDeviceTypeGPU || kind == llama.GGMLBackendDeviceTypeIGPU}
		one.Free, one.Total = llama.GGMLBackendDeviceMemory(d)
		out = append(out, one)
	}
	return out, nil
}

// Memory is what an open model takes, in bytes, beside what the engine needs while it computes: some tens of megabytes
// for a small model, more for a wide one.
type Memory struct {
	Weights int64 `json:"weights_bytes"` // the file
	// Texts and Trees are the caches in which chains are generated and trees of prompts computed. A run has one of them,
	// or both; one request that alone needs more than Texts gets more.
	Texts int64 `json:"cache_texts_bytes"`
	Trees int64 `json:"cache_trees_bytes"`
}

// Total is the most that weights and caches take together.
func (m Memory) Total() int64 { return m.Weights + m.Texts + m.Trees }

// PlanMemory reads from the head of a GGUF file what the model will take once it is open. Nothing is loaded. Errors are
// those of Open about the file.
func PlanMemory(path string) (Memory, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	h, err := readHeader(path)
	if err != nil {
		return Memory{}, fatal("engine", err)
	}
	e := engine{}
	_, e.exact = h.mainWeights()
	cell := h.cellBytes(e.cellElement())
	texts, trees := cellsFor(cell)
	return Memory{Weights: h.Size, Texts: cell * int64(texts), Trees: cell * int64(trees)}, nil
}

// cellsFor is how many cells the caches of texts and of trees have, where one takes so many bytes.
func cellsFor(cell int64) (texts, trees int) {
	most := max(leastCells, int(cacheBytes/max(cell, 1)))
	return min(usualCells, most), min(streamCells, most)
}
