package cupcase

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

const (
	mostDistractors = 3 // the paper asks with three; a file may have five
	fewestChoices   = 3
	fewestUnits     = 6
)

// Remarks on a case (Case.Flags).
const (
	// ParagraphGold: the diagnosis of the file is a text about it, which gives it away among short names.
	ParagraphGold = "gold-is-a-paragraph"
	// MergedDistractor: a distractor was the gold or another one in other words, and was left out.
	MergedDistractor = "distractor-merged"
	// NearDistractor: a distractor holds a name of the gold ("Rosacea, unspecified" beside rosacea): both may be right.
	NearDistractor = "distractor-names-gold"
	// UnknownNames: no form of the gold can be looked for, so that its leaks were not found.
	UnknownNames = "gold-not-searchable"
)

// read makes a case of a row.
func read(r source.Record) (percuss.Case, error) {
	text, ok := field(r, columns.text...)
	if !ok {
		return percuss.Case{}, missing("case", columns.text)
	}
	gold, ok := field(r, columns.gold...)
	if !ok {
		return percuss.Case{}, missing("diagnosis", columns.gold)
	}
	distractors := distractorsOf(r)
	if len(distractors) == 0 {
		return percuss.Case{}, missing("distractors", []string{"distractor1", "distractor2"})
	}
	id, _ := field(r, columns.id...)
	if id = strings.TrimSpace(id); id != "" {
		id = Name + ":" + id
	} else {
		id = dataset.Identity(Name, append([]string{text, gold}, distractors...)...)
	}
	return build(id, text, gold, distractors)
}

func missing(what string, names []string) error {
	return fmt.Errorf("no column of the %s: name one of the columns %s", what, strings.Join(names, ", "))
}

// distractorsOf returns what stands in distractor1, distractor2 and so on, raw. The ablation file begins with 2.
func distractorsOf(r source.Record) []string {
	var all []string
	for i := 1; i <= 9; i++ {
		if d, ok := field(r, "distractor"+strconv.Itoa(i)); ok {
			all = append(all, d)
		}
	}
	return all
}

// build makes the case: the gold first, then the first three distractors that differ from it and from one another.
func build(id, text, gold string, distractors []string) (percuss.Case, error) {
	if clinical.FoldDiagnosis(gold) == "" {
		return percuss.Case{}, fmt.Errorf("no diagnosis: fill in the column of the diagnosis")
	}
	candidates, merged := clinical.DistinctDiagnoses(append([]string{gold}, distractors...))
	if len(candidates) < fewestChoices {
		return percuss.Case{}, fmt.Errorf("too few candidates: %d that differ, at least %d are needed", len(candidates), fewestChoices)
	}
	candidates = candidates[:min(len(candidates), 1+mostDistractors)]
	names := clinical.NamesOf(gold)
	units, out := clinical.Units(text, names)
	if len(units) < fewestUnits {
		return percuss.Case{}, fmt.Errorf("too few sentences: %d can be used, at least %d are needed; %d were left out", len(units), fewestUnits, len(out))
	}
	c := percuss.Case{ID: id, Set: Name, Units: units, Candidates: candidates, Gold: candidates[0], Narrative: true, LeftOut: out}
	c.Flags = flags(c, names, len(merged) > 0)
	return c, nil
}

func flags(c percuss.Case, names *clinical.Names, merged bool) []string {
	var all []string
	if clinical.ParagraphDiagnosis(c.Gold) {
		all = append(all, ParagraphGold)
	}
	if merged {
		all = append(all, MergedDistractor)
	}
	for _, d := range c.Candidates[1:] {
		if _, near := names.In(d); near {
			all = append(all, NearDistractor)
			break
		}
	}
	if names.Empty() {
		all = append(all, UnknownNames)
	}
	return all
}
