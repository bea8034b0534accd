package battery

import (
	"regexp"
	"strconv"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// age is the paper's pattern of an age (Appendix F). Ages in months or weeks do not match.
var age = regexp.MustCompile(`(?i)(\d{1,3})[- ]*year[- ]*old`)

// ablate drops one random sentence of the stem (M1). The last ones are protected, and so is the sentence that asks
// the question, wherever it stands.
func ablate(protect int) editor {
	return func(stem string, p pick) Edit {
		spans := clinical.Sentences(stem)
		if len(spans) <= protect {
			return notFired("the stem has fewer than " + strconv.Itoa(protect+1) + " sentences")
		}
		question := clinical.QuestionSentence(stem, spans)
		var free []int
		for i := range len(spans) - protect {
			if i != question {
				free = append(free, i)
			}
		}
		if len(free) == 0 {
			return notFired("the only sentence that may be dropped asks the question")
		}
		return cut(stem, core(stem, spans[free[p.from("sentence", len(free))]]))
	}
}

// replaceAge moves the first age to one of the ages of its bracket (M2).
func replaceAge(brackets []bracket) editor {
	return func(stem string, p pick) Edit {
		m := age.FindStringSubmatchIndex(stem)
		if m == nil {
			return notFired("the stem has no age in years")
		}
		at := span{Start: m[2], End: m[3]}
		old, err := strconv.Atoi(at.In(stem))
		if err != nil {
			return notFired("the age is no number")
		}
		var to []int
		for _, b := range brackets {
			if b.holds(old) {
				to = b.without(old)
				break
			}
		}
		if len(to) == 0 {
			return notFired("no other age is listed for " + at.In(stem))
		}
		e := replaced(stem, at, strconv.Itoa(to[p.from("age", len(to))]))
		e.Tokens = []string{e.New}
		return e
	}
}

// flipSex flips the first sex marker of the stem, and only that (M2). The published operator leaves pronouns and
// later markers as they are.
func flipSex(t table) editor {
	return func(stem string, _ pick) Edit {
		h, ok := t.earliest(stem)
		if !ok {
			return notFired("the stem has no word of sex")
		}
		return t.replace(stem, h)
	}
}

// prepend puts a random sentence before the stem (M3).
func prepend(sentences []string) editor {
	return func(stem string, p pick) Edit {
		s := sentences[p.from("sentence", len(sentences))]
		return Edit{Fired: true, Text: s + " " + strings.TrimLeft(stem, blank), New: s}
	}
}

// replaceFirst replaces the first phrase of the table, in table order, that the stem holds: its first occurrence
// (M4, M5, M6).
func replaceFirst(t table) editor {
	return func(stem string, _ pick) Edit {
		h, ok := t.foremost(stem)
		if !ok {
			return notFired("no phrase of the table matches")
		}
		return t.replace(stem, h)
	}
}

// paraphrase replaces every occurrence of every word of the table in one pass (F6).
func paraphrase(t table) editor {
	return func(chain string, _ pick) Edit {
		found := t.disjoint(chain)
		if len(found) == 0 {
			return notFired("no word of the table matches")
		}
		var b strings.Builder
		var old, new []string
		seen := map[int]bool{}
		pos := 0
		for _, h := range found {
			b.WriteString(chain[pos:h.Start])
			b.WriteString(sameCase(h.In(chain), t.to[h.pattern]))
			pos = h.End
			if !seen[h.pattern] {
				seen[h.pattern] = true
				old, new = append(old, t.find[h.pattern]), append(new, t.to[h.pattern])
			}
		}
		b.WriteString(chain[pos:])
		return Edit{Fired: true, Text: b.String(), Old: strings.Join(old, ", "), New: strings.Join(new, ", ")}
	}
}

// table is a list of replacements.
type table struct {
	lexicon
	find, to []string
}

func newTable(entries []entry, numbers []string) table {
	t := table{}
	for _, e := range entries {
		t.find, t.to = append(t.find, e.Find), append(t.to, e.To)
	}
	t.lexicon = newLexicon(t.find, numbers)
	return t
}

// replace makes the replacement of one occurrence in its capitalisation. The new words are the edit's token.
func (t table) replace(text string, h hit) Edit {
	e := replaced(text, h.span, sameCase(h.In(text), t.to[h.pattern]))
	e.Tokens = []string{strings.ToLower(t.to[h.pattern])}
	return e
}
