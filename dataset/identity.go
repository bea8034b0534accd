package dataset

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"iter"
	"regexp"

	"github.com/percuss/percuss"
)

// Identity returns the id of an item that has none of its own: the set, a colon, and the first 16 hex digits of the
// SHA-256 of its raw parts (question, then label and text of each option), each preceded by its length. Raw means
// before any trimming, so that a later change of the trimming changes no id. Two of a million items collide with a
// probability of about 3e-8.
func Identity(set string, parts ...string) string {
	h := sha256.New()
	var size [8]byte
	for _, p := range parts {
		binary.BigEndian.PutUint64(size[:], uint64(len(p)))
		h.Write(size[:])
		h.Write([]byte(p))
	}
	return set + ":" + hex.EncodeToString(h.Sum(nil))[:16]
}

var hashed = regexp.MustCompile(`:[0-9a-f]{16}$`)

// Hashed reports whether an id has the form that Identity gives, so that it stays the same only as long as the raw
// text does.
func Hashed(id string) bool { return hashed.MatchString(id) }

// Distinct turns every question whose id has come before into a BadRow.
func Distinct(rows iter.Seq2[percuss.Question, error]) iter.Seq2[percuss.Question, error] {
	return distinct(rows, func(q percuss.Question) (string, percuss.Source) { return q.ID, q.Source })
}

// DistinctCases turns every case whose id has come before into a BadRow.
func DistinctCases(rows iter.Seq2[percuss.Case, error]) iter.Seq2[percuss.Case, error] {
	return distinct(rows, func(c percuss.Case) (string, percuss.Source) { return c.ID, c.Source })
}

func distinct[I any](rows iter.Seq2[I, error], of func(I) (id string, at percuss.Source)) iter.Seq2[I, error] {
	return func(yield func(I, error) bool) {
		first := map[string]percuss.Source{}
		for item, err := range rows {
			if err == nil {
				id, at := of(item)
				if s, ok := first[id]; ok {
					why := fmt.Sprintf("duplicate of line %d", s.Line)
					if s.File != at.File {
						why += " of " + s.File
					}
					var none I
					item, err = none, &BadRow{File: at.File, Line: at.Line, Why: why, Repeats: id}
				} else {
					first[id] = at
				}
			}
			if !yield(item, err) {
				return
			}
		}
	}
}
