package clinical

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FoldDiagnosis returns the form of a diagnosis in which two spellings of one name are equal: letter case, hyphens,
// accents, possessives, plurals, British spelling and what stands in brackets make no difference. It is for
// comparing only.
func FoldDiagnosis(name string) string {
	if bare := strings.TrimSpace(inBrackets.ReplaceAllString(name, " ")); bare != "" {
		name = bare
	}
	return strings.Join(termsOf(name), " ")
}

// termsOf returns the words of a text as names are compared by: folded, without articles.
func termsOf(text string) []string {
	var terms []string
	for _, w := range rawTerms(text) {
		if t := foldTerm(w); t != "" {
			terms = append(terms, t)
		}
	}
	return terms
}

// rawTerms returns the runs of letters and digits of a text. A possessive ending is left out: "Wilson's disease" and
// "Wilson disease" are one name.
func rawTerms(text string) []string {
	var words []string
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		if !termRune(r) {
			i += n
			continue
		}
		start := i
		for i < len(text) {
			if r, n = utf8.DecodeRuneInString(text[i:]); !termRune(r) {
				break
			}
			i += n
		}
		words = append(words, text[start:i])
		i += possessive(text[i:])
	}
	return words
}

func termRune(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) }

// possessive returns the length of a possessive ending at the beginning of s.
func possessive(s string) int {
	for _, sign := range [...]string{"'s", "’s", "´s", "`s"} {
		if rest, ok := strings.CutPrefix(s, sign); ok {
			if r, _ := utf8.DecodeRuneInString(rest); rest == "" || !termRune(r) {
				return len(sign)
			}
		}
	}
	return 0
}

func foldTerm(w string) string { return tables().fold(w) }

// fold folds one word; the article "the" becomes empty. "a" stays: hepatitis A is not hepatitis.
func (t *nameTables) fold(w string) string {
	w = strings.ToLower(w)
	if w == "the" {
		return ""
	}
	w = plain(w)
	if american, ok := t.spelling[w]; ok {
		w = american
	} else {
		w = t.stems.Replace(w)
	}
	if base, ok := t.irregular[w]; ok {
		return base
	}
	w = singular(w)
	if base, ok := t.irregular[w]; ok {
		return base
	}
	return noun(w)
}

// accents maps the accented letters of eponyms to plain ones.
var accents = strings.NewReplacer("ä", "a", "á", "a", "à", "a", "â", "a", "å", "a", "ã", "a", "ö", "o", "ó", "o", "ò", "o", "ô", "o", "ø", "o",
	"ü", "u", "ú", "u", "û", "u", "é", "e", "è", "e", "ê", "e", "ë", "e", "í", "i", "ï", "i", "î", "i", "ç", "c", "ñ", "n", "ß", "ss",
	"š", "s", "ž", "z", "č", "c", "ł", "l", "ş", "s", "ğ", "g", "æ", "ae", "œ", "oe")

// plain takes accents away, both those that are part of a letter and those that stand behind it.
func plain(w string) string {
	ascii := true
	for i := 0; i < len(w) && ascii; i++ {
		ascii = w[i] < utf8.RuneSelf
	}
	if ascii {
		return w
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsMark(r) {
			return -1
		}
		return r
	}, accents.Replace(w))
}

// singular takes a plural ending away. Words of three letters or fewer, and those in -us, -is and -ss, have none.
func singular(w string) string {
	for _, e := range [...][2]string{{"itides", "itis"}, {"omata", "oma"}, {"oses", "osis"}, {"tases", "tasis"}, {"ies", "y"},
		{"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"}, {"uses", "us"}} {
		if base, ok := strings.CutSuffix(w, e[0]); ok && len(base) > 2 {
			return base + e[1]
		}
	}
	if n := len(w); n > 3 && w[n-1] == 's' && !strings.ContainsRune("sui", rune(w[n-2])) {
		return w[:n-1]
	}
	return w
}

// noun gives the noun of an adjective that is an inflection of a diagnosis: "leukemic" is of leukemia.
func noun(w string) string {
	for _, e := range [...][2]string{{"omatous", "oma"}, {"emic", "emia"}, {"itic", "itis"}, {"otic", "osis"}, {"opathic", "opathy"},
		{"plegic", "plegia"}, {"penic", "penia"}} {
		if base, ok := strings.CutSuffix(w, e[0]); ok && len(base) > 2 {
			return base + e[1]
		}
	}
	return w
}
