package medcase

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

const (
	mostCandidates = 8
	longestName    = 10 // words; what is longer is a remark, not the name of a diagnosis
)

// read makes a case of a row.
func read(r row) (percuss.Case, error) {
	gold := strings.TrimRight(strings.Join(strings.Fields(r.Diagnosis), " "), ".")
	return dataset.Narrative{ID: identity(r), Text: r.Prompt, Gold: gold, Others: considered(r.Reasoning), Most: mostCandidates, Note: r.Reasoning}.Case(Name)
}

// identity returns the id of a case: the article's number where the row has one, else a hash of its raw texts.
func identity(r row) string {
	if id := strings.TrimSpace(r.PMCID); id != "" {
		return Name + ":" + id
	}
	return dataset.Identity(Name, r.Prompt, r.Reasoning, r.Diagnosis)
}

var (
	item = regexp.MustCompile(`(?m)^[ \t*_]*\d{1,2}[.)][ \t*_]*(.+)$`)
	// head is what an item names before it says that it was considered.
	head = regexp.MustCompile(`^(.{1,160}?)[*_]*(?:,)?\s+(?:was|were)\s+(?:\w+\s+){0,2}?considered\b`)
	// opening is what stands before the name at the beginning of an item.
	opening = regexp.MustCompile(`(?i)^(?:(?:an?|the|initially|first|also|finally|(?:the )?(?:diagnosis|possibility) of|(?:a )?differential diagnos[ie]s of),?\s+)+`)
)

// considered returns the diagnoses that a reasoning names: the head phrase of each numbered item, before "was
// considered" or "were considered" (a word or two may stand between: "was also considered"). An item in another form
// names none, nor does a head of more than ten words. Quotations do not count: they follow the head.
func considered(reasoning string) []string {
	var names []string
	for _, m := range item.FindAllStringSubmatch(reasoning, -1) {
		h := head.FindStringSubmatch(m[1])
		if h == nil {
			continue
		}
		name := strings.Trim(opening.ReplaceAllString(strings.TrimSpace(h[1]), ""), " \t*_,:;")
		if n := len(strings.Fields(name)); n == 0 || n > longestName || strings.ContainsAny(name, "“”\"") {
			continue
		}
		names = append(names, capital(name))
	}
	return names
}

// capital gives a name a capital where an opening was taken from before it: the others begin their items, and a small
// letter would set one candidate apart.
func capital(name string) string {
	r, n := utf8.DecodeRuneInString(name)
	return string(unicode.ToUpper(r)) + name[n:]
}
