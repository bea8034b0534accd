package medcase

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/dataset"
)

const (
	mostCandidates = 8
	fewestChoices  = 3
	fewestUnits    = 6
	longestName    = 10 // words; what is longer is a remark, not the name of a diagnosis
)

// Remarks on a case (Case.Flags).
const (
	// CutCandidates: the reasoning names more diagnoses than are kept; the first ones are.
	CutCandidates = "candidates-cut"
	// NearCandidate: another candidate holds a name of the gold, so that both may be right.
	NearCandidate = "candidate-names-gold"
	// ParagraphGold: the diagnosis of the file is a text about it, which gives it away among short names.
	ParagraphGold = "gold-is-a-paragraph"
	// UnknownNames: no form of the gold can be looked for, so that its leaks were not found.
	UnknownNames = "gold-not-searchable"
)

// read makes a case of a row.
func read(r row) (percuss.Case, error) {
	gold := strings.TrimRight(strings.Join(strings.Fields(r.Diagnosis), " "), ".")
	if clinical.FoldDiagnosis(gold) == "" {
		return percuss.Case{}, errors.New("no diagnosis: fill in final_diagnosis")
	}
	if strings.TrimSpace(r.Prompt) == "" {
		return percuss.Case{}, errors.New("no case: fill in case_prompt")
	}
	candidates, _ := clinical.DistinctDiagnoses(append([]string{gold}, considered(r.Reasoning)...))
	if len(candidates) < fewestChoices {
		return percuss.Case{}, fmt.Errorf("too few candidates: the diagnosis and %d that the reasoning names, at least %d are needed", len(candidates)-1, fewestChoices)
	}
	names := clinical.NamesOf(gold)
	units, out := clinical.Units(r.Prompt, names)
	if len(units) < fewestUnits {
		return percuss.Case{}, fmt.Errorf("too few sentences: %d can be used, at least %d are needed; %d were left out", len(units), fewestUnits, len(out))
	}
	c := percuss.Case{ID: identity(r), Set: Name, Units: units, Candidates: candidates[:min(len(candidates), mostCandidates)], Gold: gold,
		Narrative: true, LeftOut: out, Note: strings.TrimSpace(r.Reasoning)}
	c.Flags = flags(c, names, len(candidates) > mostCandidates)
	return c, nil
}

// identity returns the id of a case: the article's number where the row has one, else a hash of its raw texts.
func identity(r row) string {
	if id := strings.TrimSpace(r.PMCID); id != "" {
		return Name + ":" + id
	}
	return dataset.Identity(Name, r.Prompt, r.Reasoning, r.Diagnosis)
}

func flags(c percuss.Case, names *clinical.Names, cut bool) []string {
	var all []string
	if cut {
		all = append(all, CutCandidates)
	}
	for _, d := range c.Candidates[1:] {
		if _, near := names.In(d); near {
			all = append(all, NearCandidate)
			break
		}
	}
	if clinical.ParagraphDiagnosis(c.Gold) {
		all = append(all, ParagraphGold)
	}
	if names.Empty() {
		all = append(all, UnknownNames)
	}
	return all
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
