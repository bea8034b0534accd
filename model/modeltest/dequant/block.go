package dequant

import (
	"encoding/binary"
	"math"
)

// kind is how a tensor type is laid out: blocks of so many elements in so many bytes.
type kind struct {
	name         string
	block, bytes int
	decode       func(b []byte, out []float32)
}

// kinds are the tensor types that are read, by their number in GGUF. They are those that the catalogue's models have.
func kinds(number uint32) (kind, bool) {
	switch number {
	case 0:
		return kind{"F32", 1, 4, decodeF32}, true
	case 3:
		return kind{"Q4_1", 32, 20, decodeQ41}, true
	case 8:
		return kind{"Q8_0", 32, 34, decodeQ80}, true
	}
	return kind{}, false
}

func decodeF32(b []byte, out []float32) {
	out[0] = math.Float32frombits(binary.LittleEndian.Uint32(b))
}

// decodeQ41: scale and minimum as halves, then 16 bytes; their low nibbles are the first 16 elements, their high ones
// the other 16. The conversion keeps the product from being fused with the sum, so that every machine gets the same.
func decodeQ41(b []byte, out []float32) {
	scale, least := half(b), half(b[2:])
	for i, q := range b[4:20] {
		out[i] = float32(float32(q&15)*scale) + least
		out[i+16] = float32(float32(q>>4)*scale) + least
	}
}

// decodeQ80: the scale as a half, then 32 signed bytes.
func decodeQ80(b []byte, out []float32) {
	scale := half(b)
	for i, q := range b[2:34] {
		out[i] = float32(int8(q)) * scale
	}
}

// half reads a number of 16 bits: sign, five bits of exponent, ten of fraction.
func half(b []byte) float32 {
	h := uint32(binary.LittleEndian.Uint16(b))
	sign, exponent, fraction := h>>15<<31, h>>10&31, h&1023
	switch exponent {
	case 0: // subnormal, or zero
		return math.Float32frombits(sign | math.Float32bits(float32(fraction)/(1<<24)))
	case 31: // infinite, or no number
		return math.Float32frombits(sign | 255<<23 | fraction<<13)
	}
	return math.Float32frombits(sign | (exponent+112)<<23 | fraction<<13)
}
