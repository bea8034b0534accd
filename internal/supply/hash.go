package supply

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// remembered is what the side file of a hashed file holds.
type remembered struct {
	Path   string `json:"path"`
	Bytes  int64  `json:"bytes"`
	MTime  int64  `json:"mtime_ns"`
	SHA256 string `json:"sha256"`
}

// FileHash returns the SHA-256 of a file as 64 hex digits. It is remembered
// below Root under the file's path, size and time of change, so that a large
// model is read once and not at each start.
func (c *Cache) FileHash(ctx context.Context, path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(abs)
	if err != nil {
		return "", err
	}
	if r, ok := c.recall(abs); ok && r.Bytes == info.Size() && r.MTime == info.ModTime().UnixNano() {
		return r.SHA256, nil
	}
	return c.rehash(ctx, abs, info)
}

// rehash reads the file whatever is remembered, and remembers the result.
func (c *Cache) rehash(ctx context.Context, abs string, info os.FileInfo) (string, error) {
	f, err := os.Open(abs)
	if err != nil {
		return "", err
	}
	defer f.Close()
	sum := sha256.New()
	if _, err := copyContext(ctx, sum, f); err != nil {
		return "", fmt.Errorf("hashing %s: %w", abs, err)
	}
	r := remembered{Path: abs, Bytes: info.Size(), MTime: info.ModTime().UnixNano(), SHA256: hex.EncodeToString(sum.Sum(nil))}
	c.remember(r)
	return r.SHA256, nil
}

func (c *Cache) memory(abs string) string {
	key := sha256.Sum256([]byte(abs))
	return filepath.Join(c.root, "hashes", hex.EncodeToString(key[:16])+".json")
}

func (c *Cache) recall(abs string) (remembered, bool) {
	data, err := os.ReadFile(c.memory(abs))
	if err != nil {
		return remembered{}, false
	}
	var r remembered
	if json.Unmarshal(data, &r) != nil || r.Path != abs || len(r.SHA256) != 64 {
		return remembered{}, false
	}
	return r, true
}

// remember may fail, on a read-only cache for one: the hash is then computed
// again next time.
func (c *Cache) remember(r remembered) {
	data, err := json.Marshal(r)
	if err != nil {
		return
	}
	name := c.memory(r.Path)
	if os.MkdirAll(filepath.Dir(name), 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(filepath.Dir(name), asidePrefix)
	if err != nil {
		return
	}
	_, werr := f.Write(data)
	if cerr := f.Close(); werr != nil || cerr != nil || os.Rename(f.Name(), name) != nil {
		_ = os.Remove(f.Name())
	}
}

// checkIntegrity compares a file with a hash in npm's form.
func checkIntegrity(ctx context.Context, path, integrity string) error {
	want, ok := strings.CutPrefix(integrity, "sha512-")
	if !ok {
		return fmt.Errorf("integrity %q: only sha512 is known", integrity)
	}
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	var sum hash.Hash = sha512.New()
	if _, err := copyContext(ctx, sum, f); err != nil {
		return err
	}
	if got := base64.StdEncoding.EncodeToString(sum.Sum(nil)); got != want {
		return fmt.Errorf("%w: %s has sha512-%s, expected sha512-%s", ErrMismatch, filepath.Base(path), got, want)
	}
	return nil
}

// copyContext is io.Copy that stops when the context ends.
func copyContext(ctx context.Context, w io.Writer, r io.Reader) (int64, error) {
	return io.Copy(w, contextReader{ctx, r})
}

type contextReader struct {
	ctx context.Context
	r   io.Reader
}

func (r contextReader) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	return r.r.Read(p)
}
