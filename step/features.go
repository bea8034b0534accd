package step

import (
	"hash/fnv"
	"slices"
	"strings"
	"unicode"
)

// featureCount is how many features a step can have: few enough for a classifier, many enough that words seldom meet.
const featureCount = 1024

// features are what a classifier may tell the writer of a step by: its words, pairs of words, marks and length, hashed,
// sorted, each once.
func features(text string) []uint16 {
	words := wordsOf(text)
	var out []uint16
	add := func(parts ...string) {
		h := fnv.New32a()
		for _, p := range parts {
			h.Write([]byte(p))
			h.Write([]byte{0})
		}
		out = append(out, uint16(h.Sum32()%featureCount))
	}
	for i, w := range words {
		add("w", w.folded)
		if i > 0 {
			add("p", words[i-1].folded, w.folded)
		}
	}
	for _, r := range text {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsSpace(r) {
			add("m", string(r))
		}
	}
	long := 0
	for n := len(words); n > 0; n /= 2 {
		long++
	}
	add("l", strings.Repeat("i", long))
	slices.Sort(out)
	return slices.Compact(out)
}
