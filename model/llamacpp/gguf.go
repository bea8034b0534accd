package llamacpp

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
)

// header is what is read of a model file before it is given to the library, which aborts the whole process on some
// files that it cannot read. The format is GGUF, versions 2 and 3.
type header struct {
	Architecture string
	Template     string             // tokenizer.chat_template, may be empty
	Numbers      map[string]float64 // scalar metadata
	Weights      map[string]int64   // bytes of tensor data by type name, matrices only
	Splits       int                // number of files that the model is divided into, 0 or 1: one
	Size         int64              // of the file
}

// Limits that no real model comes near; beyond them the file is damaged.
const (
	maxPairs   = 1 << 16
	maxTensors = 1 << 20
	maxString  = 64 << 20
)

// tensorType describes how a type is laid out: elements a block, bytes a block.
type tensorType struct {
	name         string
	block, bytes int64
}

// tensorTypes are those of ggml that files contain; a type that is not listed is not sized.
var tensorTypes = map[uint32]tensorType{
	0: {"F32", 1, 4}, 1: {"F16", 1, 2}, 30: {"BF16", 1, 2}, 28: {"F64", 1, 8},
	2: {"Q4_0", 32, 18}, 3: {"Q4_1", 32, 20}, 6: {"Q5_0", 32, 22}, 7: {"Q5_1", 32, 24}, 8: {"Q8_0", 32, 34},
	10: {"Q2_K", 256, 84}, 11: {"Q3_K", 256, 110}, 12: {"Q4_K", 256, 144}, 13: {"Q5_K", 256, 176}, 14: {"Q6_K", 256, 210},
	16: {"IQ2_XXS", 256, 66}, 17: {"IQ2_XS", 256, 74}, 18: {"IQ3_XXS", 256, 98}, 19: {"IQ1_S", 256, 50},
	20: {"IQ4_NL", 32, 18}, 21: {"IQ3_S", 256, 110}, 22: {"IQ2_S", 256, 82}, 23: {"IQ4_XS", 256, 136}, 29: {"IQ1_M", 256, 56},
	24: {"I8", 1, 1}, 25: {"I16", 1, 2}, 26: {"I32", 1, 4}, 27: {"I64", 1, 8},
	34: {"TQ1_0", 256, 54}, 35: {"TQ2_0", 256, 66}, 39: {"MXFP4", 32, 17},
}

// readHeader reads and checks the model file: magic, version, that its tables can be read, and that the file is as
// long as they say.
func readHeader(path string) (*header, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("model file: %w; give the path of a GGUF file, or run `percuss model pull`", err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		return nil, fmt.Errorf("%s is a folder; give the path of a GGUF file in it", path)
	}
	r := &ggufReader{r: bufio.NewReaderSize(f, 1<<16), size: info.Size()}
	h, err := r.header()
	short := (*truncated)(nil)
	switch {
	case errors.As(err, &short):
		return nil, fmt.Errorf("%s is truncated: %w; download it again", path, err)
	case errors.Is(err, errNotGGUF):
		return nil, fmt.Errorf("%s is not a GGUF file: %w; convert the model to GGUF, or download it again", path, err)
	case errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF):
		return nil, fmt.Errorf("%s is truncated: its %d bytes end inside the header; download it again", path, info.Size())
	case err != nil:
		return nil, fmt.Errorf("%s is damaged: %w; download it again", path, err)
	}
	return h, nil
}

var errNotGGUF = errors.New("wrong first bytes")

type ggufReader struct {
	r    *bufio.Reader
	n    int64 // bytes read
	size int64
	err  error
}

func (g *ggufReader) take(n int64) []byte {
	if g.err != nil {
		return nil
	}
	b := make([]byte, n)
	_, g.err = io.ReadFull(g.r, b)
	g.n += n
	return b
}

func (g *ggufReader) skip(n int64) {
	if g.err != nil {
		return
	}
	if n < 0 || n > g.size-g.n {
		g.err = io.ErrUnexpectedEOF
		return
	}
	for n > 0 && g.err == nil {
		k, err := g.r.Discard(int(min(n, 1<<30)))
		g.n += int64(k)
		n -= int64(k)
		g.err = err
	}
}

func (g *ggufReader) u32() uint32 {
	if b := g.take(4); g.err == nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (g *ggufReader) u64() uint64 {
	if b := g.take(8); g.err == nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

func (g *ggufReader) string() string {
	n := g.u64()
	if g.err == nil && n > maxString {
		g.err = fmt.Errorf("a text of %d bytes in its header", n)
	}
	if g.err == nil && int64(n) > g.size-g.n {
		g.err = io.ErrUnexpectedEOF
	}
	return string(g.take(int64(n)))
}

// scalarBytes are the sizes of the scalar value types of GGUF, by type number; 8 is a text and 9 an array.
var scalarBytes = map[uint32]int64{0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}

// scalar reads one number.
func (g *ggufReader) scalar(kind uint32) float64 {
	b := g.take(scalarBytes[kind])
	if g.err != nil {
		return 0
	}
	le := binary.LittleEndian
	switch kind {
	case 0, 7:
		return float64(b[0])
	case 1:
		return float64(int8(b[0]))
	case 2:
		return float64(le.Uint16(b))
	case 3:
		return float64(int16(le.Uint16(b)))
	case 4:
		return float64(le.Uint32(b))
	case 5:
		return float64(int32(le.Uint32(b)))
	case 6:
		return float64(math.Float32frombits(le.Uint32(b)))
	case 10:
		return float64(le.Uint64(b))
	case 11:
		return float64(int64(le.Uint64(b)))
	default:
		return math.Float64frombits(le.Uint64(b))
	}
}

// array skips an array.
func (g *ggufReader) array() {
	kind, n := g.u32(), g.u64()
	if g.err != nil {
		return
	}
	if size, ok := scalarBytes[kind]; ok {
		if n > math.MaxInt64/8 {
			g.err = io.ErrUnexpectedEOF
			return
		}
		g.skip(int64(n) * size)
		return
	}
	if kind != 8 {
		g.err = fmt.Errorf("an array of elements of type %d in its header", kind)
		return
	}
	for i := uint64(0); i < n && g.err == nil; i++ {
		g.skip(int64(g.u64()))
	}
}
