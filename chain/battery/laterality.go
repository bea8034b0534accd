package battery

import (
	"slices"
	"strings"
)

// sideLists are the word lists of the edit "laterality".
var sideLists = []string{"parts", "refuse", "alone", "never"}

// sides mirrors a text: every mention of a side, or none.
type sides struct {
	table                       table
	parts, refuse, alone, never lexicon
}

func mirror(t table, l lists) editor {
	s := sides{table: t, parts: l.lexicon("parts"), refuse: l.lexicon("refuse"), alone: l.lexicon("alone"), never: l.lexicon("never")}
	return rewriting(s.find)
}

func (s sides) find(text string, _ pick) found {
	all := s.table.disjoint(text)
	if len(all) == 0 {
		return refused("the text names no side")
	}
	if w := s.refuse.first(text); w != "" {
		return refused("the text has " + quoted(w) + ", which has one side only or both")
	}
	var changes []change
	for _, h := range all {
		if !s.ofPart(text, h.span) {
			return refused(quoted(text[h.Start:min(len(text), nextBlank(text, h.End))]) + " is no side of a part of the body")
		}
		changes = append(changes, change{h.span, sameCase(h.In(text), s.table.to[h.pattern])})
	}
	f := found{changes: changes}
	if t := tokensOf(changes); len(t) == 1 {
		f.tokens = t // a text of both sides has both words before and after: no word would be new
	}
	return f
}

// ofPart reports whether a word of side belongs to a part of the body ("left knee", "right-sided", "on the left").
func (s sides) ofPart(text string, at span) bool {
	rest := strings.TrimLeft(text[at.End:], " \n\t-")
	for range 4 {
		if _, ok := s.parts.begins(rest); ok {
			return true
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return !wordRune(r) && r != '-' })
		if n <= 0 || rest[n] != ' ' || s.never.is(rest[:n]) {
			break // "left the finger behind" is no side
		}
		rest = strings.TrimLeft(rest[n:], " ")
	}
	next, _ := wordAfter(text, at.End)
	head := strings.Fields(strings.ToLower(text[max(0, at.Start-20):at.Start]))
	if len(head) < 2 || next != "" && !s.alone.is(next) {
		return false
	}
	return head[len(head)-1] == "the" && slices.Contains([]string{"on", "to", "from", "of"}, head[len(head)-2])
}

// nextBlank is the end of the word after byte i.
func nextBlank(text string, i int) int {
	if _, w := wordAfter(text, i); w.End > w.Start {
		return w.End
	}
	return i
}
