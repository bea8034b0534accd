package dequant

import (
	"bytes"
	"encoding/binary"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/percuss/percuss/model/modeltest/tinygguf"
)

// builder puts a small file together.
type builder struct {
	pairs, infos, data []byte
	nPairs, nTensors   uint64
}

var le = binary.LittleEndian

func text(b []byte, s string) []byte { return append(le.AppendUint64(b, uint64(len(s))), s...) }

func (f *builder) pair(key string, kind uint32, value []byte) {
	f.nPairs++
	f.pairs = append(le.AppendUint32(text(f.pairs, key), kind), value...)
}

func (f *builder) tensor(name string, number uint32, data []byte, dims ...uint64) {
	f.nTensors++
	f.infos = le.AppendUint32(text(f.infos, name), uint32(len(dims)))
	for _, d := range dims {
		f.infos = le.AppendUint64(f.infos, d)
	}
	f.infos = le.AppendUint64(le.AppendUint32(f.infos, number), uint64(len(f.data)))
	f.data = append(f.data, data...)
	f.data = append(f.data, make([]byte, padding(len(f.data), 64))...)
}

func (f *builder) bytes() []byte {
	out := le.AppendUint32([]byte("GGUF"), 3)
	out = le.AppendUint64(le.AppendUint64(out, f.nTensors), f.nPairs)
	out = append(append(out, f.pairs...), f.infos...)
	return append(append(out, make([]byte, padding(len(out), 64))...), f.data...)
}

// small has every type of metadata, alignment 64 and no tensor.
func small() *builder {
	f := &builder{}
	f.pair("general.architecture", typeText, text(nil, "llama"))
	f.pair("general.file_type", typeU32, le.AppendUint32(nil, 3))
	f.pair("general.alignment", typeU32, le.AppendUint32(nil, 64))
	for _, kind := range []uint32{0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12} {
		value := bytes.Repeat([]byte{1}, int(width(kind)))
		f.pair("x", kind, value)
		f.pair("xs", typeArray, append(le.AppendUint64(le.AppendUint32(nil, kind), 3), bytes.Repeat(value, 3)...))
	}
	f.pair("tokens", typeArray, text(text(le.AppendUint64(le.AppendUint32(nil, typeText), 2), "a"), "␠b"))
	return f
}

// q41 is a block with the given halves.
func q41(scale, least uint16) []byte {
	return append(le.AppendUint16(le.AppendUint16(nil, scale), least), bytes.Repeat([]byte{0x21}, 16)...)
}

func converted(t testing.TB, raw []byte) []byte {
	t.Helper()
	dir := t.TempDir()
	source, path := filepath.Join(dir, "source.gguf"), filepath.Join(dir, "float.gguf")
	if err := os.WriteFile(source, raw, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := Write(path, source); err != nil {
		t.Fatal(err)
	}
	out, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// What is written reads back with F32 tensors of the same names, shapes and values; every byte of the metadata is the
// same but for the file's type.
func TestWrite(t *testing.T) {
	f := small()
	f.tensor("weight", 3, bytes.Join([][]byte{q41(0x3c00, 0), q41(0x3800, 0xc000), q41(0, 0x3c00), q41(0xc000, 0)}, nil), 64, 2)
	f.tensor("odd", 0, le.AppendUint32(nil, math.Float32bits(-0.5)), 1)
	f.tensor("embedding", 8, append(le.AppendUint16(nil, 0x3c00), bytes.Repeat([]byte{0xff}, 32)...), 32)
	raw := f.bytes()
	out := converted(t, raw)
	h, err := readHeader(out)
	if err != nil {
		t.Fatal(err)
	}
	at := h.typeAt
	if le.Uint32(h.pairs[at:]) != 0 || !bytes.Equal(h.pairs[:at], f.pairs[:at]) || !bytes.Equal(h.pairs[at+4:], f.pairs[at+4:]) {
		t.Error("the metadata changed")
	}
	var want [128]float32
	for i := range want {
		code := float32(1 + i%32/16) // low nibble 1, high nibble 2
		want[i] = []float32{code, code/2 - 2, 1, -2 * code}[i/32]
	}
	if len(h.tensors) != 3 {
		t.Fatalf("%d tensors", len(h.tensors))
	}
	for i, w := range []struct {
		name   string
		dims   int
		values []float32
	}{{"weight", 2, want[:]}, {"odd", 1, []float32{-0.5}}, {"embedding", 1, slicesOf(-1, 32)}} {
		tensor := h.tensors[i]
		if tensor.name != w.name || len(tensor.dims) != w.dims || tensor.of.name != "F32" || len(tensor.data) != 4*len(w.values) {
			t.Errorf("tensor %d: %s %v %s", i, tensor.name, tensor.dims, tensor.of.name)
			continue
		}
		for k, v := range w.values {
			if got := math.Float32frombits(le.Uint32(tensor.data[4*k:])); got != v {
				t.Errorf("%s, element %d: %g, want %g", w.name, k, got, v)
			}
		}
	}
	if again := converted(t, out); !bytes.Equal(again, out) {
		t.Error("a file of floats did not stay as it is")
	}
}

func slicesOf(v float32, n int) []float32 {
	out := make([]float32, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// A model of floats that another writer made comes out as it went in.
func TestTinyModelStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := tinygguf.Write(path, 3); err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if out := converted(t, raw); !bytes.Equal(out, raw) {
		t.Errorf("%d bytes became %d others", len(raw), len(out))
	}
}

func TestWriteRefuses(t *testing.T) {
	with := func(edit func(*builder)) []byte {
		f := small()
		edit(f)
		return f.bytes()
	}
	block := q41(0, 0)
	for name, c := range map[string]struct {
		raw []byte
		say string
	}{
		"empty":              {nil, "no GGUF file"},
		"another format":     {[]byte("PK\x03\x04 and so on"), "no GGUF file"},
		"version":            {append([]byte("GGUF\x01\x00\x00\x00"), make([]byte, 64)...), "version 1"},
		"unknown type":       {with(func(f *builder) { f.tensor("w", 14, block, 32) }), `tensor "w" has the type 14`},
		"part of a block":    {with(func(f *builder) { f.tensor("w", 3, block, 16) }), "no whole blocks of Q4_1"},
		"blocks across rows": {with(func(f *builder) { f.tensor("w", 3, block, 16, 2) }), "no whole blocks of Q4_1"},
		"dimension of zero":  {with(func(f *builder) { f.tensor("w", 3, block, 0) }), "a dimension of 0"},
		"huge":               {with(func(f *builder) { f.tensor("w", 0, block, 1<<20, 1<<20, 1<<20, 1<<20) }), "a dimension of"},
		"many dimensions":    {with(func(f *builder) { f.tensor("w", 0, block, 1, 1, 1, 1, 1, 1, 1, 1, 1) }), "9 dimensions"},
		"data missing":       {with(func(f *builder) { f.tensor("w", 3, block, 6400) }), "unexpected EOF"},
		"alignment":          {with(func(f *builder) { f.pair("general.alignment", typeU32, make([]byte, 4)) }), "an alignment of 0"},
		"value type":         {with(func(f *builder) { f.pair("x", 99, nil) }), "a value of type 99"},
		"array of arrays":    {with(func(f *builder) { f.pair("x", typeArray, le.AppendUint64(le.AppendUint32(nil, typeArray), 1)) }), "an array of elements"},
		"endless array":      {with(func(f *builder) { f.pair("x", typeArray, le.AppendUint64(le.AppendUint32(nil, 4), 1<<62)) }), "unexpected EOF"},
		"endless text":       {with(func(f *builder) { f.pair("x", typeText, le.AppendUint64(nil, 1<<63)) }), "unexpected EOF"},
	} {
		dir := t.TempDir()
		err := write(filepath.Join(dir, "float.gguf"), c.raw)
		if err == nil || !strings.Contains(err.Error(), c.say) {
			t.Errorf("%s: error %v, want one that says %q", name, err, c.say)
		}
		if left, _ := os.ReadDir(dir); len(left) > 0 {
			t.Errorf("%s: %v was left behind", name, left)
		}
	}
}

// TestDamagedFiles: a file with one byte changed or its end missing is read or refused, never a panic.
func TestDamagedFiles(t *testing.T) {
	f := small()
	f.tensor("weight", 3, q41(0x3c00, 0), 32)
	good := f.bytes()
	rapid.Check(t, func(r *rapid.T) {
		raw := bytes.Clone(good[:rapid.IntRange(0, len(good)).Draw(r, "length")])
		if len(raw) > 0 {
			raw[rapid.IntRange(0, len(raw)-1).Draw(r, "place")] = rapid.Byte().Draw(r, "byte")
		}
		h, err := readHeader(raw)
		if err == nil {
			for _, tensor := range h.tensors {
				if len(tensor.data)/tensor.of.bytes*tensor.of.block != tensor.elements {
					r.Fatalf("tensor of %d elements with %d bytes", tensor.elements, len(tensor.data))
				}
			}
		}
	})
}

// TestSmolLM2 makes the real file, or finds it where it was made before.
func TestSmolLM2(t *testing.T) {
	if testing.Short() {
		t.Skip("writes 540 MB")
	}
	path := SmolLM2(t)
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	h, err := readHeader(raw)
	if err != nil {
		t.Fatal(err)
	}
	elements := 0
	for _, tensor := range h.tensors {
		elements += tensor.elements
		if tensor.of.name != "F32" {
			t.Errorf("%s is %s", tensor.name, tensor.of.name)
		}
	}
	if len(h.tensors) != 272 || elements != 134515008 || le.Uint32(h.pairs[h.typeAt:]) != 0 {
		t.Errorf("%d tensors, %d elements", len(h.tensors), elements)
	}
	if again := SmolLM2(t); again != path && !strings.HasPrefix(again, os.TempDir()) {
		t.Errorf("found as %s, then as %s", path, again)
	}
}
