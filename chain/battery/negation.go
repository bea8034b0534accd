package battery

import (
	"strings"

	"github.com/percuss/percuss/clinical"
)

// negationLists are the word lists of the edit "negation".
var negationLists = []string{"subjects", "pseudo", "refuse", "starts", "ends", "predicates", "conflicts", "examined", "ordinary", "told", "denials"}

// polarity turns a cue and its whole list of findings to the other polarity.
type polarity struct {
	table                                                                                  table
	to                                                                                     string // "and" or "or": what joins the last finding after the edit
	subjects, pseudo, refuse, starts, ends, predicates, conflict, examined, ordinary, told lexicon
	denials                                                                                lexicon // words of the negative polarity
}

// negate reads a table of cues. join is the word that joins the last finding of a list once the edit is made: "or"
// under a negation, "and" under an affirmation.
func negate(t table, join string, l lists) editor {
	n := polarity{table: t, to: join, subjects: l.lexicon("subjects"), pseudo: l.lexicon("pseudo"), refuse: l.lexicon("refuse"),
		ends: l.lexicon("ends"), predicates: l.lexicon("predicates"), conflict: l.lexicon("conflicts"),
		starts: l.lexicon("starts"), examined: l.lexicon("examined"), ordinary: l.lexicon("ordinary"), told: l.lexicon("told"),
		denials: l.lexicon("denials")}
	return rewriting(n.find)
}

func (n polarity) find(text string, _ pick) found {
	why := "no cue of the table"
	sentences := clinical.Sentences(text)
	question := clinical.QuestionSentence(text, sentences)
	for _, h := range n.table.disjoint(text) {
		s := sentenceAt(sentences, h.Start)
		if question >= 0 && s == sentences[question] && clinical.AsksQuestion(s.In(text)) {
			why = "the cue stands in the question"
			continue
		}
		if before := wordBefore(text, h.Start); h.Start > core(text, s).Start && !n.subjects.is(before) {
			why = quoted(h.In(text)) + " has no subject that can report"
			continue
		}
		if h.End > s.End {
			why = quoted(h.In(text)) + " runs over the end of a sentence"
			continue
		}
		scope, no := n.scope(text, span{Start: h.End, End: s.End})
		if no == "" {
			no = n.elsewhere(text, h.span, scope)
		}
		if no != "" {
			why = no
			continue
		}
		changes := []change{{h.span, sameCase(h.In(text), n.table.to[h.pattern])}}
		return found{changes: append(changes, n.joins(text, scope)...), tokens: []string{strings.ToLower(n.table.to[h.pattern])}}
	}
	return refused(why)
}

// scope returns the list of findings under a cue, or why it cannot be told.
func (n polarity) scope(text string, rest span) (span, string) {
	if h, ok := n.ends.earliest(rest.In(text)); ok {
		if after := rest.In(text)[h.End:]; n.to == "and" || n.denials.any(after) {
			return rest, quoted(h.In(rest.In(text))) + " sets what follows against the list: both would have one polarity"
		}
		rest.End = rest.Start + h.Start
	}
	if i := strings.IndexAny(rest.In(text), ";:()\n"); i >= 0 {
		rest.End = rest.Start + i
	}
	in := rest.In(text)
	rest.End = rest.Start + len(strings.TrimRight(in, " \t\r\n.,"))
	in = rest.In(text)
	switch {
	case strings.TrimSpace(in) == "":
		return rest, "nothing stands under the cue"
	case n.startsBadly(in):
		return rest, "no finding follows the cue"
	case n.pseudo.any(in):
		return rest, "the list has " + quoted(n.pseudo.first(in)) + ", which is no plain negation"
	case n.refuse.any(in):
		return rest, "the list has " + quoted(n.refuse.first(in)) + ", which the other polarity does not bear"
	case n.predicates.any(in):
		return rest, "the rest of the list could be affirmed: " + quoted(n.predicates.first(in))
	}
	return rest, whyNoList(in)
}

// elsewhere says what in the rest of the text speaks against the edit, or nothing: a history that is being treated, an
// examination that would have shown the finding, the finding named again.
func (n polarity) elsewhere(text string, cue, scope span) string {
	if strings.Contains(strings.ToLower(cue.In(text)), "history") && n.told.any(text) {
		return "the text has " + quoted(n.told.first(text)) + ", which speaks against the edited history"
	}
	if in := scope.In(text); n.conflict.any(in) && n.examined.any(text) {
		return "the text tells of an examination, which would have shown " + quoted(n.conflict.first(in))
	}
	var words []string
	for _, w := range strings.FieldsFunc(scope.In(text), func(r rune) bool { return !wordRune(r) }) {
		if len(w) > 3 && !n.ordinary.is(w) {
			words = append(words, w)
		}
	}
	for h := range newLexicon(words, nil).hits(text) {
		if h.Start < scope.Start || h.Start >= scope.End {
			return "the text has " + quoted(h.In(text)) + " again outside the list"
		}
	}
	return ""
}

// whyNoList says why a list cannot be read as one under its cue: "a, b or c" is one; "a, b" and "a or b, c" are not.
func whyNoList(in string) string {
	last := strings.LastIndexByte(in, ',')
	if last < 0 {
		return ""
	}
	word, _ := wordAfter(in, last+1)
	if word == "or" || word == "and" {
		return ""
	}
	tail := newLexicon([]string{"or", "and"}, nil)
	if head := in[:last]; tail.any(in[last:]) && !tail.any(head) {
		return ""
	}
	return "the rest of the list could be affirmed: its last part is joined by a comma alone"
}

// joins are the changes within the list: the word before the last finding, and "any", which an affirmation does not
// bear.
func (n polarity) joins(text string, scope span) []change {
	var out []change
	in := scope.In(text)
	from := "or"
	if n.to == "or" {
		from = "and"
	}
	var last *hit
	for h := range newLexicon([]string{from}, nil).hits(in) {
		last = &h
	}
	if last != nil {
		out = append(out, change{span{Start: scope.Start + last.Start, End: scope.Start + last.End}, n.to})
	}
	for h := range newLexicon([]string{"any"}, nil).hits(in) {
		at := span{Start: scope.Start + h.Start, End: scope.Start + h.End}
		if n.to == "and" && at.End < scope.End {
			at.End++
			out = append(out, change{at, ""})
		}
	}
	return out
}

// startsBadly reports whether what follows a cue is no finding ("reports to the clinic").
func (n polarity) startsBadly(in string) bool {
	_, bad := n.starts.begins(strings.TrimLeft(in, blank))
	return bad
}
