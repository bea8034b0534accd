package clinical

import (
	"regexp"
	"slices"
	"strings"
)

// Names knows the forms under which a text can name one diagnosis.
type Names struct {
	phrases  []phrase
	acronyms []acronym
}

// acronym is matched with its letter case: "ALS" is not "also".
type acronym struct {
	letters string
	of      string // the last folded word of the name whose initials it is; empty where it was given, not guessed
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
	for _, a := range n.acronyms {
		forms = append(forms, a.letters)
	}
	return forms
}

// In returns the first form that a text holds. A form is found at borders of words only: "renal" is not in "adrenal".
func (n *Names) In(text string) (form string, found bool) {
	words := rawTerms(text)
	for _, a := range n.acronyms {
		if acronymIn(words, a.letters) {
			return a.letters, true
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

// defined finds an acronym in brackets at the beginning of a text.
var defined = regexp.MustCompile(`^\(([^()]{2,12})\)`)

// Learned returns the names with the acronyms that a text defines for a form ("scrub typhus (ST)"), for its later
// sentences use them alone, and without guessed initials that the text defines for something else ("(TTE)" behind
// "transthoracic echocardiography").
func (n *Names) Learned(text string) *Names {
	l := &Names{phrases: n.phrases, acronyms: slices.Clone(n.acronyms)}
	for at := range len(text) {
		if text[at] != '(' {
			continue
		}
		m := defined.FindStringSubmatch(text[at:])
		if m == nil || !isAcronym(m[1]) {
			continue
		}
		before := rawTerms(text[max(0, at-120):at])
		if l.endsIn(before, m[1]) {
			l.addAcronym(m[1], "")
		} else if len(before) > 0 {
			last := foldTerm(before[len(before)-1])
			l.acronyms = slices.DeleteFunc(l.acronyms, func(a acronym) bool { return a.letters == m[1] && a.of != "" && a.of != last })
		}
	}
	return l
}

// endsIn reports whether words end in one of the forms that begins with the first letter of an acronym.
func (n *Names) endsIn(words []string, letters string) bool {
	joined, border := join(words)
	first := strings.ToLower(letters[:1])
	for _, p := range n.phrases {
		if strings.HasSuffix(joined, p.joined) && border[len(joined)-len(p.joined)] && strings.HasPrefix(p.joined, first) {
			return true
		}
	}
	return false
}

// addAcronym adds an acronym; of is the last folded word of the name where it is guessed.
func (n *Names) addAcronym(letters, of string) {
	if !slices.ContainsFunc(n.acronyms, func(a acronym) bool { return a.letters == letters }) {
		n.acronyms = append(n.acronyms, acronym{letters, of})
	}
}

func (n *Names) addSynonym(s string) {
	if isAcronym(s) {
		n.addAcronym(s, "")
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

// generic reports whether words say too little to name a diagnosis: none, only words of kind and degree ("acute
// infection"), one organ, or a single word of fewer than four letters. An organ with a kind is a name: "lung cancer".
func generic(terms []string) bool {
	organ := false
	for _, t := range terms {
		switch {
		case tables().organ[t]:
			organ = true
		case !tables().generic[t] && !tables().qualifier[t] && !number(t):
			return len(terms) == 1 && len(t) < 4
		}
	}
	return !organ || len(terms) == 1
}
