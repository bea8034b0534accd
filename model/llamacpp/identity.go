package llamacpp

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
)

// hashCacheFrom is the size in bytes from which the hash of a file is remembered in the user's cache; below it,
// computing is fast enough.
const hashCacheFrom = 1 << 30

// fileHash returns the SHA-256 of the file, in hex. For a large file it is remembered under the file's path, size and
// time of change; a cache that cannot be read or written is only slower.
func fileHash(path string) (string, error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return "", err
	}
	note := ""
	if info.Size() >= hashCacheFrom {
		note = hashNote(path, info)
		if b, err := os.ReadFile(note); err == nil && len(b) == hex.EncodedLen(sha256.Size) {
			return string(b), nil
		}
	}
	h := sha256.New()
	if _, err := io.CopyBuffer(h, f, make([]byte, 1<<20)); err != nil {
		return "", fmt.Errorf("reading %s: %w", path, err)
	}
	sum := hex.EncodeToString(h.Sum(nil))
	if note != "" {
		writeNote(note, sum)
	}
	return sum, nil
}

// hashNote names the file in which the hash of the file is remembered, or is "".
func hashNote(path string, info os.FileInfo) string {
	cache, err := os.UserCacheDir()
	if err != nil {
		return ""
	}
	if abs, err := filepath.Abs(path); err == nil {
		path = abs
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%d\x00%d\x00%s", info.Size(), info.ModTime().UnixNano(), path))
	return filepath.Join(cache, "percuss", "hashes", hex.EncodeToString(key[:16]))
}

// writeNote stores a hash, whole or not at all.
func writeNote(note, sum string) {
	dir := filepath.Dir(note)
	if os.MkdirAll(dir, 0o755) != nil {
		return
	}
	f, err := os.CreateTemp(dir, "hash-*")
	if err != nil {
		return
	}
	_, err = f.WriteString(sum)
	if f.Close() != nil || err != nil || os.Rename(f.Name(), note) != nil {
		os.Remove(f.Name())
	}
}

// identity names the weights and the template that turn a request into an answer.
func identity(fileSum string, t *chat) string {
	name := "none"
	if t.kind != kindNone {
		sum := sha256.Sum256([]byte(t.source))
		name = hex.EncodeToString(sum[:8])
		if t.kind != kindJinja {
			name = strings.ReplaceAll(t.kind, " ", "-") + "-" + name
		}
	}
	return "llama:sha256=" + fileSum + ":template=" + name
}
