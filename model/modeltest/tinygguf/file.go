package tinygguf

import (
	"bytes"
	"encoding/binary"
	"math"
)

// file collects a GGUF file, version 3: metadata, descriptions of tensors, tensor data, each in the order added.
type file struct {
	pairs, infos, data bytes.Buffer
	nPairs, nTensors   uint64
}

// Value types of GGUF.
const (
	typeU32   = 4
	typeI32   = 5
	typeF32   = 6
	typeBool  = 7
	typeText  = 8
	typeArray = 9
)

const alignment = 32

func put(b *bytes.Buffer, v any) { binary.Write(b, binary.LittleEndian, v) } // a Buffer never fails

func putText(b *bytes.Buffer, s string) {
	put(b, uint64(len(s)))
	b.WriteString(s)
}

func (f *file) key(name string, kind uint32) {
	f.nPairs++
	putText(&f.pairs, name)
	put(&f.pairs, kind)
}

func (f *file) text(name, value string) {
	f.key(name, typeText)
	putText(&f.pairs, value)
}

func (f *file) u32(name string, v uint32) {
	f.key(name, typeU32)
	put(&f.pairs, v)
}

func (f *file) f32(name string, v float32) {
	f.key(name, typeF32)
	put(&f.pairs, math.Float32bits(v))
}

func (f *file) flag(name string, v bool) {
	f.key(name, typeBool)
	put(&f.pairs, v)
}

func (f *file) texts(name string, values []string) {
	f.key(name, typeArray)
	put(&f.pairs, uint32(typeText))
	put(&f.pairs, uint64(len(values)))
	for _, v := range values {
		putText(&f.pairs, v)
	}
}

func (f *file) i32s(name string, values []int32) {
	f.key(name, typeArray)
	put(&f.pairs, uint32(typeI32))
	put(&f.pairs, uint64(len(values)))
	put(&f.pairs, values)
}

// tensor adds float32 data; dims are given innermost first.
func (f *file) tensor(name string, dims []int, values []float32) {
	f.nTensors++
	putText(&f.infos, name)
	put(&f.infos, uint32(len(dims)))
	for _, d := range dims {
		put(&f.infos, uint64(d))
	}
	put(&f.infos, uint32(0)) // F32
	put(&f.infos, uint64(f.data.Len()))
	put(&f.data, values)
	pad(&f.data)
}

func pad(b *bytes.Buffer) {
	for b.Len()%alignment != 0 {
		b.WriteByte(0)
	}
}

func (f *file) bytes() []byte {
	var out bytes.Buffer
	out.WriteString("GGUF")
	put(&out, uint32(3))
	put(&out, f.nTensors)
	put(&out, f.nPairs)
	out.Write(f.pairs.Bytes())
	out.Write(f.infos.Bytes())
	pad(&out)
	out.Write(f.data.Bytes())
	return out.Bytes()
}
