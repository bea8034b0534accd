package tinygguf

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
)

func written(t *testing.T, seed uint64, options ...Option) []byte {
	t.Helper()
	path := filepath.Join(t.TempDir(), "tiny.gguf")
	if err := Write(path, seed, options...); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSeedDecidesTheFile(t *testing.T) {
	a := written(t, 1)
	if !bytes.Equal(a, written(t, 1)) {
		t.Error("the same seed gave another file")
	}
	if bytes.Equal(a, written(t, 2)) || bytes.Equal(a, written(t, 1, WithTemplate(""))) {
		t.Error("another seed or template gave the same file")
	}
	if !bytes.HasPrefix(a, []byte("GGUF\x03\x00\x00\x00")) || len(a) > 1<<20 {
		t.Errorf("%d bytes that begin %q", len(a), a[:8])
	}
}

func TestEveryByteHasANameOfItsOwn(t *testing.T) {
	seen := map[string]int{}
	for b, n := range byteNames() {
		if other, taken := seen[n]; taken || len([]rune(n)) != 1 {
			t.Errorf("bytes %d and %d are both %q", b, other, n)
		}
		seen[n] = b
	}
	if names := byteNames(); names['A'] != "A" || names[' '] != "Ġ" || names['\n'] != "Ċ" {
		t.Errorf("A, space and line feed are %q, %q, %q", names['A'], names[' '], names['\n'])
	}
}

func TestUnwritable(t *testing.T) {
	if err := Write(filepath.Join(t.TempDir(), "no", "folder"), 1); err == nil {
		t.Error("no error")
	}
}
