package percuss

import (
	"crypto/sha256"
	"encoding/binary"
	"math/rand/v2"
)

// Rand returns the generator of one random choice: ChaCha8 keyed by the SHA-256 of the length-prefixed parts. The
// same (seed, item, variant, purpose) gives the same stream on every machine, in whatever order it is asked for.
func Rand(seed uint64, item, variant, purpose string) *rand.Rand {
	h := sha256.New()
	var b [8]byte
	binary.BigEndian.PutUint64(b[:], seed)
	h.Write(b[:])
	for _, s := range [...]string{item, variant, purpose} {
		binary.BigEndian.PutUint64(b[:], uint64(len(s)))
		h.Write(b[:])
		h.Write([]byte(s))
	}
	return rand.New(rand.NewChaCha8([32]byte(h.Sum(nil))))
}
