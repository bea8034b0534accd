package llamacpp

import (
	"fmt"
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

// Memory is what an open model takes, in bytes, beside what the engine needs while it computes.
type Memory struct {
	Weights int64 `json:"weights_bytes"` // the file
	// Texts and Trees are the caches in which chains are generated and trees of prompts computed. A run has one of them,
	// or both; one request that alone needs more gets more. On a CPU finished chains take the place of trees.
	Texts int64 `json:"cache_texts_bytes"`
	Trees int64 `json:"cache_trees_bytes"`
}

// Total is the most that weights and caches take together.
func (m Memory) Total() int64 { return m.Weights + m.Texts + m.Trees }

// PlanMemory reads from the head of a GGUF file what the model will take once it is open in at most so many bytes; 0
// is no limit. Where they are few, the cache of trees shrinks: more of a tree is then computed one part after the
// other, which takes longer and changes no answer. The cache of texts never does, for with it would change who is
// answered beside whom. Nothing is loaded. Errors are those of Open: about the file, and that it does not fit.
func PlanMemory(path string, most int64) (Memory, error) {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	h, err := readHeader(path)
	if err != nil {
		return Memory{}, fatal("engine", err)
	}
	m, err := h.memory(path, most)
	return m, fatal("engine", err)
}

func (h *header) memory(path string, most int64) (Memory, error) {
	e := engine{}
	_, e.exact = h.mainWeights()
	cell := h.cellBytes(e.cellElement())
	texts, trees := cellsFor(h.Size, cell, most)
	m := Memory{Weights: h.Size, Texts: cell * int64(texts), Trees: cell * int64(trees)}
	if most > 0 && m.Total() > most {
		return m, fmt.Errorf("%s takes %.1f GB, %.1f for its weights and %.1f for its caches, and may have %.1f: close other programs, or choose a smaller model or weights of fewer bits",
			path, gigabytes(m.Total()), gigabytes(m.Weights), gigabytes(m.Texts+m.Trees), gigabytes(most))
	}
	return m, nil
}

func gigabytes(n int64) float64 { return float64(n) / 1e9 }

// cellsFor is how many cells the caches of texts and of trees have, where the weights and one cell take so many bytes
// and all together may take most; 0 is no limit.
func cellsFor(weights, cell, most int64) (texts, trees int) {
	cell = max(cell, 1)
	usual := max(leastCells, int(cacheBytes/cell))
	texts, trees = min(usualCells, usual), min(streamCells, usual)
	if most > 0 {
		left := (most - weights - cell*int64(texts)) / cell
		trees = max(leastCells, int(min(int64(trees), left)))
	}
	return texts, trees
}
