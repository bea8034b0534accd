package clinical

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
)

var (
	inBrackets = regexp.MustCompile(`\([^()]*\)|\[[^\[\]]*\]`)
	// connector ends the main part of a diagnosis: what follows says why, with what, where or since when.
	connector = regexp.MustCompile(`(?i)[,;]\s|\s(?:secondary to|due to|caused by|associated with|related to|complicated by|complicating|causing|` +
		`in the context of|in the setting of|with|without|following|after|status post|from|highly suspicious for|triggered by|leading to|presenting as|as a complication of|in remission|in relapse)(?:\s|$)`)
	coordination = regexp.MustCompile(`\s(?:and|or|/)\s`)
	// announced stands before the name of the diagnosis in a whole sentence.
	announced = regexp.MustCompile(`(?i)\b(?:diagnosis of|diagnosed with|criteria for|suggestive of|consistent with|association with|patient has|` +
		`history of|developed|specifically|final diagnosis is)\s+(?:an?\s|the\s)?`)
	clauseEnd = regexp.MustCompile(`[.;,]\s|[.;,]$|\s(?:as confirmed by|exhibiting|which|that|in whom|was|were|is)\s`)
)

// ParagraphDiagnosis reports whether a "diagnosis" is a text that talks about one: it has more than one sentence,
// begins as a sentence does, or has more than 30 words.
func ParagraphDiagnosis(s string) bool {
	return len(strings.Fields(s)) > 30 || talks.MatchString(s) || len(Sentences(s)) > 1
}

var talks = regexp.MustCompile(`(?i)^(?:based on|the (?:female |male )?patient|this patient|both patients|in this case)\b`)

// mainParts returns the parts of a diagnosis that name it. Where the part before the connector is generic
// ("infection with ..."), the whole is taken.
func mainParts(diagnosis string) []string {
	if ParagraphDiagnosis(diagnosis) {
		if parts := announcedParts(diagnosis); len(parts) > 0 || talks.MatchString(diagnosis) {
			return parts
		}
	}
	main := diagnosis
	if at := connector.FindStringIndex(outsideBrackets(diagnosis)); at != nil && !generic(termsOf(diagnosis[:at[0]])) {
		main = diagnosis[:at[0]]
	}
	parts := []string{main}
	if whole := inBrackets.ReplaceAllString(diagnosis, " "); main != diagnosis && len(strings.Fields(whole)) <= longestName {
		parts = append(parts, whole)
	}
	for _, p := range coordination.Split(inBrackets.ReplaceAllString(main, " "), -1) {
		if endsInDisease(p) {
			parts = append(parts, p)
		}
	}
	return parts
}

// longestName is the number of words up to which a whole diagnosis is looked for, not only its main part.
const longestName = 8

// outsideBrackets blanks what stands in brackets, byte for byte.
func outsideBrackets(s string) string {
	return inBrackets.ReplaceAllStringFunc(s, func(in string) string { return strings.Repeat("_", len(in)) })
}

// announcedParts returns the names that a paragraph announces, each up to the end of its clause.
func announcedParts(text string) []string {
	var parts []string
	for _, at := range announced.FindAllStringIndex(text, -1) {
		rest := text[at[1]:]
		if end := clauseEnd.FindStringIndex(rest); end != nil {
			rest = rest[:end[0]]
		}
		if end := connector.FindStringIndex(outsideBrackets(rest)); end != nil {
			rest = rest[:end[0]]
		}
		if len(strings.Fields(rest)) <= 10 && endsInDisease(inBrackets.ReplaceAllString(rest, "")) {
			parts = append(parts, rest)
		}
	}
	return parts
}

// addPart adds the forms of one part of a diagnosis.
func (n *Names) addPart(part string) {
	for _, in := range inBrackets.FindAllString(part, -1) {
		switch in = strings.TrimSpace(in[1 : len(in)-1]); {
		case isAcronym(in):
			n.addAcronym(in, "")
		case endsInDisease(in):
			n.addPhrase(in)
			for _, name := range coordination.Split(strings.ReplaceAll(in, "/", " / "), -1) {
				if endsInDisease(name) {
					n.addPhrase(name)
				}
			}
		}
	}
	bare := strings.TrimSpace(inBrackets.ReplaceAllString(part, " "))
	n.addName(bare)
	if shorter := unqualified(bare); shorter != bare {
		n.addName(shorter)
	}
}

// addName adds a name with its initials and word orders.
func (n *Names) addName(name string) {
	n.addPhrase(name)
	if head, place, ok := strings.Cut(name, " of "); ok {
		n.addPhrase(head)
		place = strings.TrimPrefix(place, "the ")
		if len(strings.Fields(place)) <= 2 && endsInDisease(head) {
			n.addPhrase(place + " " + head)
			n.addPhrase(tables().adjective[strings.ToLower(place)] + " " + head)
		}
		return
	}
	words := strings.Fields(name)
	if len(words) < 2 || !endsInDisease(name) {
		return
	}
	last := len(words) - 1
	head, rest := words[last], strings.Join(words[:last], " ")
	if a := initials(words); a != "" {
		n.addAcronym(a, foldTerm(head))
	}
	place := strings.ToLower(rest)
	if kind := strings.ToLower(head); len(words) <= 3 && !joins[words[last-1]] && kind != "syndrome" && kind != "disease" && kind != "disorder" {
		n.addPhrase(head + " of " + rest)
	}
	if noun := tables().noun[place]; noun != "" {
		n.addPhrase(head + " of " + noun)
	}
	if other, ok := tables().heads[strings.ToLower(head)]; ok && len(words) == 2 {
		n.addPhrase(rest + " " + other)
	}
	n.addWithoutOrgan(words)
}

// addWithoutOrgan adds a name that begins with an organ in the order "acinar cell carcinoma of the pancreas", and the
// name without the organ where that still is one: one word ("angiomyolipoma") or at least three. Two words often are
// another diagnosis: pulmonary arterial hypertension is not arterial hypertension.
func (n *Names) addWithoutOrgan(words []string) {
	place, rest := strings.ToLower(words[0]), strings.Join(words[1:], " ")
	if !tables().organ[foldTerm(place)] {
		return
	}
	n.addPhrase(rest + " of " + place)
	if noun := tables().noun[place]; noun != "" {
		n.addPhrase(rest + " of " + noun)
	}
	if len(words) != 3 {
		n.addPhrase(rest)
	}
}

// joins are words that only join the parts of a name.
var joins = set("and with the for from due")

// initials returns the acronym that a name of three to six words has by custom; empty where it has none.
func initials(words []string) string {
	if len(words) < 3 || len(words) > 6 {
		return ""
	}
	a := ""
	for _, w := range words {
		for _, p := range strings.Split(w, "-") {
			if len(p) < 3 || joins[p] || !asciiWord(p[0]) || digitAt(p, 0) {
				return ""
			}
			a += strings.ToUpper(p[:1])
		}
	}
	if tables().elsewhere[a] {
		return ""
	}
	return a
}

// unqualified takes words of degree, course, side and cause from the beginning of a name: "severe", "drug-induced".
// "Giant" before "cell" is no such word.
func unqualified(name string) string {
	words := strings.Fields(name)
	i := 0
	for ; i < len(words)-1; i++ {
		w := strings.ToLower(strings.Trim(words[i], ","))
		made := strings.HasSuffix(w, "-induced") || strings.HasSuffix(w, "-associated") || strings.HasSuffix(w, "-related") || strings.HasSuffix(w, "-mediated")
		grade := i > 0 && gradeWord(strings.ToLower(words[i-1]))
		joined := w == "and" && i > 0
		if !joined && !made && !grade && !gradeWord(w) && !tables().qualifier[foldTerm(w)] || strings.EqualFold(words[i+1], "cell") {
			break
		}
	}
	return strings.Join(words[i:], " ")
}

func gradeWord(w string) bool { return w == "stage" || w == "grade" || w == "class" || w == "aast" }

// isAcronym reports whether s is written like an acronym: 2 to 12 letters, digits and hyphens, at least two capitals,
// and no more small letters than capitals. A stage such as T2aN0M0 is none.
func isAcronym(s string) bool {
	if stage.MatchString(s) {
		return false
	}
	capitals, small := 0, 0
	for _, r := range s {
		switch {
		case unicode.IsUpper(r):
			capitals++
		case unicode.IsLower(r):
			small++
		case !unicode.IsDigit(r) && r != '-':
			return false
		}
	}
	return len(s) <= 12 && capitals >= 2 && capitals >= small
}

var stage = regexp.MustCompile(`^[a-z]*T\d`)

var diseaseEndings = []string{"itis", "osis", "oma", "emia", "pathy", "iasis", "ism", "penia", "plasia", "trophy", "algia", "plegia",
	"uria", "ectasia", "megaly", "spasm", "rrhage", "sclerosis", "lysis", "stenosis", "toxicity"}

// endsInDisease reports whether the last word of s is one that diagnoses end in.
func endsInDisease(s string) bool {
	terms := termsOf(s)
	if len(terms) == 0 {
		return false
	}
	last := terms[len(terms)-1]
	return tables().disease[last] || slices.ContainsFunc(diseaseEndings, func(e string) bool { return len(last) > len(e)+1 && strings.HasSuffix(last, e) })
}
