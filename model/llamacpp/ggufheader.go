package llamacpp

import (
	"errors"
	"fmt"
	"math"
	"sort"
)

// header reads the whole header, in the order of the file.
func (g *ggufReader) header() (*header, error) {
	magic := g.take(4)
	if g.err != nil || string(magic) != "GGUF" {
		return nil, errNotGGUF
	}
	if v := g.u32(); g.err == nil && v != 2 && v != 3 {
		return nil, fmt.Errorf("GGUF version %d, but 2 or 3 is needed", v)
	}
	tensors, pairs := g.u64(), g.u64()
	if g.err != nil {
		return nil, g.err
	}
	if tensors > maxTensors || pairs > maxPairs {
		return nil, fmt.Errorf("%d tensors and %d metadata entries", tensors, pairs)
	}
	h := &header{Numbers: map[string]float64{}, Weights: map[string]int64{}, Size: g.size}
	for i := uint64(0); i < pairs && g.err == nil; i++ {
		g.pair(h)
	}
	end := int64(0)
	for i := uint64(0); i < tensors && g.err == nil; i++ {
		end = max(end, g.tensor(h))
	}
	if g.err != nil {
		return nil, g.err
	}
	align := int64(32)
	if a, ok := h.Numbers["general.alignment"]; ok {
		align = int64(a)
	}
	if align < 1 || align > 1<<20 {
		return nil, fmt.Errorf("an alignment of %d", align)
	}
	start := (g.n + align - 1) / align * align
	if need := start + end; need > g.size {
		return nil, &truncated{g.size, need}
	}
	if h.Architecture == "" {
		return nil, errors.New("it names no architecture, so it is no language model")
	}
	h.Splits = int(h.Numbers["split.count"])
	return h, nil
}

// truncated says that a file ends before its data do.
type truncated struct{ size, need int64 }

func (t *truncated) Error() string {
	return fmt.Sprintf("it has %d bytes of the %d that its tables ask for", t.size, t.need)
}

// pair reads one metadata entry and keeps what is needed.
func (g *ggufReader) pair(h *header) {
	key, kind := g.string(), g.u32()
	if g.err != nil {
		return
	}
	_, scalar := scalarBytes[kind]
	switch {
	case scalar:
		h.Numbers[key] = g.scalar(kind)
	case kind == 9:
		g.array()
	case kind != 8:
		g.err = fmt.Errorf("metadata entry %q of type %d", key, kind)
	default:
		text := g.string()
		switch key {
		case "general.architecture":
			h.Architecture = text
		case "tokenizer.chat_template":
			h.Template = text
		}
	}
}

// tensor reads the description of one tensor and returns where its data end, counted from the start of all data;
// 0 when its type is unknown.
func (g *ggufReader) tensor(h *header) int64 {
	name, dims := g.string(), g.u32()
	if g.err == nil && dims > 8 {
		g.err = fmt.Errorf("tensor %q with %d dimensions", name, dims)
	}
	elements := int64(1)
	for i := uint32(0); i < dims && g.err == nil; i++ {
		n := g.u64()
		if n > math.MaxInt64 || n > 0 && elements > math.MaxInt64/1024/int64(n) {
			g.err = fmt.Errorf("tensor %q is larger than any file", name)
			return 0
		}
		elements *= int64(n)
	}
	kind, offset := g.u32(), g.u64()
	if g.err != nil {
		return 0
	}
	if offset > math.MaxInt64/2 {
		g.err = fmt.Errorf("tensor %q lies outside any file", name)
		return 0
	}
	t, known := tensorTypes[kind]
	if !known {
		t = tensorType{fmt.Sprintf("type %d", kind), 1, 0}
	}
	bytes := (elements + t.block - 1) / t.block * t.bytes
	if dims > 1 {
		h.Weights[t.name] += max(bytes, 1)
	}
	return int64(offset) + bytes
}

// mainWeights names the type that most bytes of the matrices have, and whether all matrices are floats.
func (h *header) mainWeights() (name string, float bool) {
	names := make([]string, 0, len(h.Weights))
	float = len(h.Weights) > 0
	for n := range h.Weights {
		names = append(names, n)
		float = float && (n == "F32" || n == "F16" || n == "BF16")
	}
	sort.Slice(names, func(i, j int) bool {
		a, b := h.Weights[names[i]], h.Weights[names[j]]
		return a > b || a == b && names[i] < names[j]
	})
	if len(names) == 0 {
		return "", false
	}
	return names[0], float
}

// number returns a scalar of the model's own section, e.g. "context_length", or 0.
func (h *header) number(name string) int {
	v := h.Numbers[h.Architecture+"."+name]
	if v < 0 || v > math.MaxInt32 {
		return 0
	}
	return int(v)
}

// cellBytes is what one token takes in the cache, in bytes, with elements of the given size: an upper bound where
// layers differ.
func (h *header) cellBytes(element int64) int64 {
	heads := max(h.number("attention.head_count"), 1)
	kv := h.number("attention.head_count_kv")
	if kv == 0 {
		kv = heads
	}
	size := h.number("embedding_length") / heads
	k, v := h.number("attention.key_length"), h.number("attention.value_length")
	if k == 0 {
		k = size
	}
	if v == 0 {
		v = size
	}
	return int64(h.number("block_count")) * int64(kv) * int64(k+v) * element
}
