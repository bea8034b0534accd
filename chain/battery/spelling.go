package battery

import "unicode/utf8"

// spellingLists are the word lists of the edit "spelling".
var spellingLists = []string{"ordinary"}

// misspell swaps two neighbouring letters within one ordinary word. Only words of the list are touched, so that no
// drug, number, finding or option ever is.
func misspell(l lists) editor {
	ordinary := l.lexicon("ordinary")
	return rewriting(func(text string, p pick) found {
		var words []hit
		for _, h := range ordinary.disjoint(text) {
			if w := h.In(text); !hyphened(text, h.span) && utf8.RuneCountInString(w) == len(w) && len(swaps(w)) > 0 {
				words = append(words, h)
			}
		}
		if len(words) == 0 {
			return refused("the text has no ordinary word of the list")
		}
		h := words[p.from("word", len(words))]
		w := []byte(h.In(text))
		at := swaps(string(w))
		i := at[p.from("letter", len(at))]
		w[i], w[i+1] = w[i+1], w[i]
		return found{changes: []change{{h.span, string(w)}}}
	})
}

// swaps returns where two unequal small letters stand side by side, neither of them the first or last of the word.
func swaps(w string) []int {
	var out []int
	small := func(b byte) bool { return 'a' <= b && b <= 'z' }
	for i := 1; i+2 < len(w); i++ {
		if small(w[i]) && small(w[i+1]) && w[i] != w[i+1] {
			out = append(out, i)
		}
	}
	return out
}
