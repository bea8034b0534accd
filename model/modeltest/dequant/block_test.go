package dequant

import (
	"encoding/binary"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Every half, against the definition of IEEE 754: (-1)^s * 2^(e-15) * 1.f, and 2^-14 * 0.f where e is 0.
func TestHalf(t *testing.T) {
	for h := range 1 << 16 {
		got := float64(half(binary.LittleEndian.AppendUint16(nil, uint16(h))))
		s, e, f := h>>15, h>>10&31, float64(h&1023)/1024
		want := math.Ldexp(1+f, e-15)
		switch {
		case e == 0:
			want = math.Ldexp(f, -14)
		case e == 31 && f == 0:
			want = math.Inf(1)
		case e == 31:
			want = math.NaN()
		}
		want = math.Copysign(want, []float64{1, -1}[s])
		if math.IsNaN(want) != math.IsNaN(got) || !math.IsNaN(want) && math.Float64bits(got) != math.Float64bits(want) {
			t.Fatalf("%#04x is %g, want %g", h, got, want)
		}
	}
}

// halves of values that a half holds exactly.
var exact = map[float32]uint16{0: 0, 1: 0x3c00, 0.5: 0x3800, -2: 0xc000, 0.125: 0x3000, -0.25: 0xb400, 6.103515625e-05: 0x0400, 5.9604644775390625e-08: 1}

func TestBlocks(t *testing.T) {
	le := binary.LittleEndian
	// Q4_1 with scale 0.5 and minimum -2: byte i holds i as its low nibble and 15-i as its high one.
	b := le.AppendUint16(le.AppendUint16(nil, exact[0.5]), exact[-2])
	var want []float32
	for i := range 16 {
		b = append(b, byte(15-i)<<4|byte(i))
		want = append(want, float32(i)/2-2)
	}
	for i := range 16 {
		want = append(want, float32(15-i)/2-2)
	}
	out := make([]float32, 32)
	if decodeQ41(b, out); !slices.Equal(out, want) {
		t.Errorf("Q4_1: %v, want %v", out, want)
	}
	// Q8_0 with scale -0.25: 127, -128, and what lies between.
	b = le.AppendUint16(nil, exact[-0.25])
	want = nil
	for i := range 32 {
		q := int8(127 - 8*i)
		if i == 31 {
			q = -128
		}
		b = append(b, byte(q))
		want = append(want, float32(q)*-0.25)
	}
	if decodeQ80(b, out); !slices.Equal(out, want) {
		t.Errorf("Q8_0: %v, want %v", out, want)
	}
	one := make([]float32, 1)
	if decodeF32(le.AppendUint32(nil, math.Float32bits(-0.1)), one); one[0] != -0.1 {
		t.Errorf("F32: %v", one)
	}
}

// Any block: each element is, within a rounding, scale times its code plus the minimum, computed in float64.
func TestAnyBlock(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		scale, least := rapid.SampledFrom(keys()).Draw(r, "scale"), rapid.SampledFrom(keys()).Draw(r, "minimum")
		codes := rapid.SliceOfN(rapid.Byte(), 32, 32).Draw(r, "codes")
		out := make([]float32, 32)
		check := func(name string, i int, want float64) {
			if diff := math.Abs(float64(out[i]) - want); diff > 1e-6*(1+math.Abs(want)) {
				r.Fatalf("%s, element %d: %g, want %g", name, i, out[i], want)
			}
		}
		b := binary.LittleEndian.AppendUint16(nil, exact[scale])
		decodeQ80(append(b, codes...), out)
		for i, c := range codes {
			check("Q8_0", i, float64(int8(c))*float64(scale))
		}
		b = binary.LittleEndian.AppendUint16(b[:2:2], exact[least])
		decodeQ41(append(b, codes[:16]...), out)
		for i := range 32 {
			code := codes[i%16] % 16
			if i >= 16 {
				code = codes[i%16] / 16
			}
			check("Q4_1", i, float64(code)*float64(scale)+float64(least))
		}
	})
}

func keys() []float32 {
	var out []float32
	for v := range exact {
		out = append(out, v)
	}
	slices.Sort(out)
	return out
}
