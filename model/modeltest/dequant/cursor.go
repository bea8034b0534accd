package dequant

import (
	"encoding/binary"
	"fmt"
	"io"
)

// cursor reads from a file in memory; after the first error it gives zeros.
type cursor struct {
	raw []byte
	at  int
	err error
}

func (c *cursor) fail(err error) {
	if c.err == nil {
		c.err = err
	}
}

func (c *cursor) take(n uint64) []byte {
	if c.err == nil && n > uint64(len(c.raw)-c.at) {
		c.err = io.ErrUnexpectedEOF
	}
	if c.err != nil {
		return nil
	}
	b := c.raw[c.at:][:n]
	c.at += int(n)
	return b
}

func (c *cursor) u32() uint32 {
	if b := c.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (c *cursor) u64() uint64 {
	if b := c.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (c *cursor) text() string { return string(c.take(c.u64())) }

// Value types of GGUF.
const (
	typeU32   = 4
	typeText  = 8
	typeArray = 9
)

// width is the size of a scalar value type, 0 for what is none.
func width(kind uint32) uint64 {
	switch kind {
	case 0, 1, 7: // whole numbers of one byte, booleans
		return 1
	case 2, 3:
		return 2
	case typeU32, 5, 6: // whole numbers and floats of four
		return 4
	case 10, 11, 12:
		return 8
	}
	return 0
}

// skip passes over one value.
func (c *cursor) skip(kind uint32) {
	switch w := width(kind); {
	case w > 0:
		c.take(w)
	case kind == typeText:
		c.take(c.u64())
	case kind == typeArray:
		c.skipArray()
	default:
		c.fail(fmt.Errorf("a value of type %d", kind))
	}
}

func (c *cursor) skipArray() {
	kind, n := c.u32(), c.u64()
	w := width(kind)
	switch {
	case w > 0 && n <= uint64(len(c.raw)):
		c.take(n * w)
	case w > 0:
		c.fail(io.ErrUnexpectedEOF)
	case kind == typeText:
		for i := uint64(0); i < n && c.err == nil; i++ {
			c.take(c.u64())
		}
	default:
		c.fail(fmt.Errorf("an array of elements of type %d", kind))
	}
}
