package dequant

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
)

// header is a model file's metadata and where its tensors are.
type header struct {
	version uint32
	nPairs  uint64
	pairs   []byte // as in the file
	typeAt  int    // where in pairs the value of general.file_type begins; -1: it has none
	align   int
	tensors []tensor
}

type tensor struct {
	name     string
	dims     []uint64 // innermost first
	elements int
	of       kind
	data     []byte
}

// Limits that no model in the catalogue comes near; beyond them the file is damaged.
const (
	maxDims     = 8
	maxElements = 1 << 28
	maxAlign    = 1 << 20
)

func readHeader(raw []byte) (*header, error) {
	c := &cursor{raw: raw}
	if string(c.take(4)) != "GGUF" {
		return nil, errors.New("no GGUF file")
	}
	h := &header{version: c.u32(), typeAt: -1, align: 32}
	if c.err == nil && h.version != 2 && h.version != 3 {
		return nil, fmt.Errorf("GGUF version %d, but 2 or 3 is needed", h.version)
	}
	nTensors := c.u64()
	h.nPairs = c.u64()
	start := c.at
	for i := uint64(0); i < h.nPairs && c.err == nil; i++ {
		h.pair(c, start)
	}
	if c.err == nil {
		h.pairs = raw[start:c.at]
	}
	if c.err == nil && (h.align < 1 || h.align > maxAlign) {
		return nil, fmt.Errorf("an alignment of %d", h.align)
	}
	offsets := []uint64{}
	for i := uint64(0); i < nTensors && c.err == nil; i++ {
		offsets = append(offsets, h.tensor(c))
	}
	if c.err != nil {
		return nil, fmt.Errorf("its header, byte %d: %w", c.at, c.err)
	}
	return h, h.locate(raw, c.at, offsets)
}

// pair reads one metadata entry.
func (h *header) pair(c *cursor, start int) {
	key, kind := c.text(), c.u32()
	at := c.at
	c.skip(kind)
	if c.err != nil || kind != typeU32 {
		return
	}
	switch key {
	case "general.file_type":
		h.typeAt = at - start
	case "general.alignment":
		h.align = int(binary.LittleEndian.Uint32(c.raw[at:]))
	}
}

// tensor reads the description of one tensor and returns its offset.
func (h *header) tensor(c *cursor) uint64 {
	t := tensor{name: c.text(), elements: 1}
	n := c.u32()
	if c.err == nil && n > maxDims {
		c.fail(fmt.Errorf("tensor %q with %d dimensions", t.name, n))
	}
	for i := uint32(0); i < n && c.err == nil; i++ {
		d := c.u64()
		if d == 0 || d > maxElements || t.elements > maxElements/int(d) {
			c.fail(fmt.Errorf("tensor %q has a dimension of %d", t.name, d))
			break
		}
		t.dims = append(t.dims, d)
		t.elements *= int(d)
	}
	number := c.u32()
	if c.err != nil {
		return 0
	}
	known := false
	if t.of, known = kinds(number); !known {
		c.fail(fmt.Errorf("tensor %q has the type %d; the types F32, Q4_1 and Q8_0 can be read", t.name, number))
	} else if t.elements%t.of.block != 0 || len(t.dims) > 0 && t.dims[0]%uint64(t.of.block) != 0 {
		c.fail(fmt.Errorf("tensor %q: %d elements are no whole blocks of %s", t.name, t.elements, t.of.name))
	}
	h.tensors = append(h.tensors, t)
	return c.u64()
}

// locate finds each tensor's data. They begin at the next multiple of the alignment behind the header.
func (h *header) locate(raw []byte, end int, offsets []uint64) error {
	begin := uint64(end + padding(end, h.align))
	for i := range h.tensors {
		t := &h.tensors[i]
		size := uint64(t.elements / t.of.block * t.of.bytes)
		if offsets[i] > math.MaxInt64/2 || begin+offsets[i]+size > uint64(len(raw)) {
			return fmt.Errorf("tensor %q: %w: the file has %d bytes", t.name, io.ErrUnexpectedEOF, len(raw))
		}
		t.data = raw[begin+offsets[i]:][:size]
	}
	return nil
}

// floats is the header of the file with F32 tensors, padded to where their data begin.
func (h *header) floats() []byte {
	le := binary.LittleEndian
	out := le.AppendUint32([]byte("GGUF"), h.version)
	out = le.AppendUint64(out, uint64(len(h.tensors)))
	out = le.AppendUint64(out, h.nPairs)
	pairs := len(out)
	out = append(out, h.pairs...)
	if h.typeAt >= 0 {
		le.PutUint32(out[pairs+h.typeAt:], 0) // all F32
	}
	offset := 0
	for _, t := range h.tensors {
		out = le.AppendUint64(out, uint64(len(t.name)))
		out = append(out, t.name...)
		out = le.AppendUint32(out, uint32(len(t.dims)))
		for _, d := range t.dims {
			out = le.AppendUint64(out, d)
		}
		out = le.AppendUint32(out, 0) // F32
		out = le.AppendUint64(out, uint64(offset))
		offset += 4*t.elements + padding(4*t.elements, h.align)
	}
	return append(out, make([]byte, padding(len(out), h.align))...)
}
