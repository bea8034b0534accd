package clinical

import (
	"regexp"
	"slices"
	"strings"
)

// Names knows the forms under which a text can name one diagnosis.
type Names struct {
	phrases  []phrase
	acronyms []string // matched with their letter case: "ALS" is not "also"
}

// phrase is one form: its folded words joined, so that "rhino-cerebral" and "rhinocerebral" are equal.
type phrase struct {
	joined string
	shown  string
}

// NamesOf returns the forms of a diagnosis that give it away: the name itself, its main part (before "due to",
// "with", "of the"), without words of degree, course and side ("severe", "bilateral"), an acronym or a synonym in
// brackets, initials, the other word order ("carcinoma of the lung"), and the synonyms of the package's table.
// A form that consists of generic words ("acute disease") is none.
func NamesOf(diagnosis string) *Names {
	n := &Names{}
	for _, part := range mainParts(diagnosis) {
		n.addPart(part)
	}
	for _, p := range n.phrases {
		for _, synonym := range tables().synonyms[p.joined] {
			n.addSynonym(synonym)
		}
	}
	return n
}

// Empty reports whether no form is known, so that a leak cannot be found.
func (n *Names) Empty() bool { return len(n.phrases) == 0 && len(n.acronyms) == 0 }

// Forms returns the forms in words, in the order in which they were found.
func (n *Names) Forms() []string {
	var forms []string
	for _, p := range n.phrases {
		forms = append(forms, p.shown)
	}
	return append(forms, n.acronyms...)
}

// In returns the first form that a text holds. A form is found at borders of words only: "renal" is not in "adrenal".
func (n *Names) In(text string) (form string, found bool) {
	words := rawTerms(text)
	for _, a := range n.acronyms {
		if acronymIn(words, a) {
			return a, true
		}
	}
	joined, border := join(words)
	for _, p := range n.phrases {
		for from := 0; ; {
			i := strings.Index(joined[from:], p.joined)
			if i < 0 {
				break
			}
			i += from
			if border[i] && border[i+len(p.joined)] {
				return p.shown, true
			}
			from = i + 1
		}
	}
	return "", false
}

// acronymIn reports whether an acronym stands among words, also in the plural ("DVTs") and over a hyphen.
func acronymIn(words []string, acronym string) bool {
	parts := rawTerms(acronym)
	for i := 0; i+len(parts) <= len(words); i++ {
		last := i + len(parts) - 1
		if slices.Equal(words[i:last], parts[:len(parts)-1]) && strings.TrimSuffix(words[last], "s") == strings.TrimSuffix(parts[len(parts)-1], "s") {
			return true
		}
	}
	return false
}

// join returns the folded words as one string, and for each byte whether a word begins there or one has just ended.
func join(words []string) (string, []bool) {
	var b strings.Builder
	ends := []int{0}
	for _, w := range words {
		b.WriteString(foldTerm(w))
		ends = append(ends, b.Len())
	}
	border := make([]bool, b.Len()+1)
	for _, e := range ends {
		border[e] = true
	}
	return b.String(), border
}

// defined finds an acronym in brackets behind a place of the text.
var defined = regexp.MustCompile(`^[^\pL(]{0,3}\(([^()]{2,12})\)`)

// Learn adds the acronyms that a text defines for a form ("scrub typhus (ST)"), for its later sentences use them
// alone.
func (n *Names) Learn(text string) {
	for at := strings.IndexByte(text, '('); at >= 0; {
		before := text[max(0, at-120):at]
		if m := defined.FindStringSubmatch(text[at:]); m != nil && isAcronym(m[1]) && n.endsIn(before) {
			n.addAcronym(m[1])
		}
		next := strings.IndexByte(text[at+1:], '(')
		if next < 0 {
			return
		}
		at += 1 + next
	}
}

// endsIn reports whether a text ends in one of the forms.
func (n *Names) endsIn(text string) bool {
	joined, border := join(rawTerms(text))
	for _, p := range n.phrases {
		if strings.HasSuffix(joined, p.joined) && border[len(joined)-len(p.joined)] {
			return true
		}
	}
	return false
}

func (n *Names) addAcronym(a string) {
	if !slices.Contains(n.acronyms, a) {
		n.acronyms = append(n.acronyms, a)
	}
}

func (n *Names) addSynonym(s string) {
	if isAcronym(s) {
		n.addAcronym(s)
		return
	}
	n.addPhrase(s)
}

// addPhrase adds a form unless it is generic or known.
func (n *Names) addPhrase(s string) {
	terms := termsOf(s)
	joined := strings.Join(terms, "")
	if generic(terms) || slices.ContainsFunc(n.phrases, func(p phrase) bool { return p.joined == joined }) {
		return
	}
	n.phrases = append(n.phrases, phrase{joined, s})
}

// generic reports whether words say too little to name a diagnosis: none, or only generic ones, or a single one that
// is short.
func generic(terms []string) bool {
	for _, t := range terms {
		if !tables().generic[t] && !tables().qualifier[t] && !tables().organ[t] && !number(t) {
			return len(terms) == 1 && len(t) < 5
		}
	}
	return true
}
