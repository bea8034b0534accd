package battery

import (
	"slices"
	"strings"

	"github.com/percuss/percuss/clinical"
)

// guardedLists are the word lists of the edit "guarded".
var guardedLists = []string{"stop", "heads", "negations", "contradicts", "anywhere"}

// guarded replaces a qualifier where it qualifies a finding and nothing else: not in the name of a disease, not beside
// another qualifier, not negated, and not where the sentence would contradict the new word.
type guarded struct {
	table                                         table
	stop, heads, negations, contradicts, anywhere lexicon
}

func replaceGuarded(t table, l lists) editor {
	g := guarded{table: t, stop: l.lexicon("stop"), heads: l.lexicon("heads"),
		negations: l.lexicon("negations"), contradicts: l.lexicon("contradicts"), anywhere: l.lexicon("anywhere")}
	return rewriting(g.find)
}

func (g guarded) find(text string, _ pick) found {
	all := g.table.disjoint(text)
	if len(all) == 0 {
		return refused("no phrase of the table matches")
	}
	if w := g.anywhere.first(text); w != "" {
		return refused("the text has " + quoted(w) + ", which would contradict the new word")
	}
	stopped := g.stop.disjoint(text)
	sentences := clinical.Sentences(text)
	why := ""
	for _, h := range all {
		if s := sentenceAt(sentences, h.Start); len(sentences) > 1 && clinical.AsksQuestion(s.In(text)) {
			why = quoted(h.In(text)) + " stands in the question, which speaks of what was told before"
			continue
		}
		if why = g.refuses(text, h.span, all, stopped, sentenceAt(sentences, h.Start)); why != "" {
			continue
		}
		new := g.table.to[h.pattern]
		same := 0
		for _, other := range all {
			if other.pattern == h.pattern && g.refuses(text, other.span, all, stopped, sentenceAt(sentences, other.Start)) == "" {
				same++
			}
		}
		if same > 1 {
			return refused("the text has " + quoted(h.In(text)) + " more than once: changing one would contradict the others")
		}
		changes := append(agreeing(text, h.Start, new), change{h.span, sameCase(h.In(text), new)})
		return found{changes: changes, tokens: []string{strings.ToLower(new)}}
	}
	return refused(why)
}

// refuses says why one occurrence stays, or nothing.
func (g guarded) refuses(text string, at span, all, stopped []hit, sentence span) string {
	word := quoted(at.In(text))
	if hyphened(text, at) {
		return word + " is part of a compound"
	}
	if slices.ContainsFunc(stopped, func(s hit) bool { return s.Start < at.End && at.Start < s.End }) {
		return word + " is part of a name or a fixed phrase"
	}
	for _, other := range all {
		if gap := between(at, other.span).In(text); other.span != at && len(strings.Fields(gap)) <= 1 && !strings.ContainsAny(gap, ".;") {
			return word + " stands beside another qualifier"
		}
	}
	if _, ok := g.qualified(text[at.End:]); !ok {
		return word + " does not stand before a finding of the list"
	}
	head := text[max(sentence.Start, 0):at.Start]
	if cut := strings.LastIndexAny(head, ",;:("); cut >= 0 {
		head = head[cut:]
	}
	if g.negations.any(head) {
		return word + " is negated"
	}
	if w := g.contradicts.first(clauseAround(text, sentence, at)); w != "" {
		return "the sentence has " + quoted(w) + ", which would contradict the new word"
	}
	return ""
}

// qualified returns the finding that the words after a qualifier name, with at most two words before it.
func (g guarded) qualified(rest string) (hit, bool) {
	rest = strings.TrimLeft(rest, " \n\t")
	for range 3 {
		if h, ok := g.heads.begins(rest); ok {
			return h, true
		}
		n := strings.IndexFunc(rest, func(r rune) bool { return !wordRune(r) && r != '-' })
		if n <= 0 || rest[n] != ' ' {
			break
		}
		rest = strings.TrimLeft(rest[n:], " ")
	}
	return hit{}, false
}

// between is what stands between two spans, in either order.
func between(a, b span) span {
	if a.Start > b.Start {
		a, b = b, a
	}
	return span{Start: a.End, End: max(a.End, b.Start)}
}
