package battery

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// lists are the word lists of an edit, by their names. A word list is data: it says on which texts an edit would make
// something that a clinician calls broken.
type lists map[string][]string

// lexicon makes one of the lists searchable. An entry that ends in * holds for every word that begins so.
func (l lists) lexicon(name string) lexicon { return newWords(l[name]) }

func newWords(words []string) lexicon {
	phrases := make([]string, len(words))
	open := make([]bool, len(words))
	for i, w := range words {
		phrases[i], open[i] = strings.CutSuffix(w, "*")
	}
	out := newLexicon(phrases, nil)
	out.open = open
	return out
}

// over adds the lists of an entry to those of its variant, which come first.
func (l lists) over(entry lists) lists {
	if len(l) == 0 {
		return entry
	}
	out := maps.Clone(entry)
	if out == nil {
		out = lists{}
	}
	maps.Copy(out, l)
	return out
}

// check looks for the lists that a kind of edit needs, and for those that it does not know.
func (l lists) check(edit string, needs []string) error {
	for _, name := range needs {
		if len(l[name]) == 0 {
			return fmt.Errorf("edit %q needs the list %q under lists", edit, name)
		}
	}
	for _, name := range sortedKeys(l) {
		if !slices.Contains(needs, name) {
			return fmt.Errorf("edit %q does not use the list %q; it has %s", edit, name, strings.Join(needs, ", "))
		}
		for _, phrase := range l[name] {
			if err := checkPhrase(strings.TrimSuffix(phrase, "*")); err != nil {
				return fmt.Errorf("list %s: %w", name, err)
			}
		}
	}
	return nil
}

// first returns the first word of a lexicon that a text holds, as it stands there and to its end; empty: none.
func (l lexicon) first(text string) string {
	h, ok := l.earliest(text)
	if !ok {
		return ""
	}
	return text[h.Start:wordEnd(text, h.End)]
}

// is reports whether a word is one of the lexicon, from its beginning to its end.
func (l lexicon) is(word string) bool {
	if word == "" || nextWord(word, 0) > 0 {
		return false
	}
	return slices.ContainsFunc(l.beginning(word, 0), func(n int32) bool {
		end, ok := l.occurs(n, word, 0)
		return ok && (end == len(word) || l.open != nil && l.open[n])
	})
}

// begins returns the longest of the phrases that stand at the beginning of a text.
func (l lexicon) begins(text string) (hit, bool) {
	var best hit
	if text == "" || nextWord(text, 0) > 0 {
		return best, false
	}
	for _, n := range l.beginning(text, 0) {
		if end, ok := l.occurs(n, text, 0); ok && end > best.End {
			best = hit{span{End: end}, int(n)}
		}
	}
	return best, best.End > 0
}
