package ddxplus

import (
	"fmt"
	"slices"
	"strings"

	"github.com/percuss/percuss"
)

// units makes the evidence units of one case.
type units struct {
	dictionaries
	candidates []string
}

// unit makes the unit of an entry such as E_53 or E_55_@_V_89, without what it is evidence for.
func (u units) unit(entry string) (percuss.Unit, error) {
	code, value, valued := strings.Cut(entry, separator)
	e, ok := u.evidences[code]
	if !ok {
		return percuss.Unit{}, fmt.Errorf("unknown evidence: %q is not in %s", entry, evidencesFile)
	}
	a, ok := e.answers[value]
	switch {
	case !ok && !valued:
		return percuss.Unit{}, fmt.Errorf("no value: %s asks for one of %d values", entry, len(e.answers))
	case !ok || valued && e.binary:
		return percuss.Unit{}, fmt.Errorf("unknown value: %q has a value that %s does not list", entry, evidencesFile)
	}
	return e.unit(value, a), nil
}

func (e evidence) unit(value string, a answer) percuss.Unit {
	id := e.code
	if value != "" {
		id += "=" + value
	}
	return percuss.Unit{ID: id, Family: e.family, Text: a.note, Asked: e.question, Value: a.text, Absent: a.absent, Antecedent: e.antecedent}
}

// complaint makes the unit that the patient came with; nil where the row names none.
func (u units) complaint(entry string) (*percuss.Unit, error) {
	if entry == "" {
		return nil, nil
	}
	unit, err := u.unit(entry)
	if err != nil {
		return nil, err
	}
	code, _, _ := strings.Cut(entry, separator)
	unit.SymptomOf, unit.AntecedentOf = u.links(code, u.candidates)
	return &unit, nil
}

// recorded makes the units of a row's evidences but the complaint, which is a fixed fact. The values of one code stand
// together, at the place of the first, wherever they stand in the row. An entry that stands twice is left out.
func (u units) recorded(literal string, complaint *percuss.Unit) ([]percuss.Unit, []percuss.LeftOut, error) {
	entries, err := texts(literal)
	if err != nil {
		return nil, nil, fmt.Errorf("%s is no list of codes: %w", colEvidences, err)
	}
	var order []string
	byCode := map[string][]string{}
	for _, entry := range entries {
		code, _, _ := strings.Cut(entry, separator)
		if byCode[code] == nil {
			order = append(order, code)
		}
		byCode[code] = append(byCode[code], entry)
	}
	out := make([]percuss.Unit, 0, len(entries))
	var left []percuss.LeftOut
	for _, code := range order {
		symptomOf, antecedentOf := u.links(code, u.candidates)
		for i, entry := range byCode[code] {
			unit, err := u.unit(entry)
			unit.SymptomOf, unit.AntecedentOf = symptomOf, antecedentOf
			switch {
			case err != nil:
				return nil, nil, err
			case slices.Contains(byCode[code][:i], entry):
				left = append(left, percuss.LeftOut{Text: unit.Text, Why: "repeats another"})
			case complaint == nil || unit.ID != complaint.ID:
				out = append(out, unit)
			}
		}
	}
	return out, left, nil
}

// unlisted makes an absent unit of every binary evidence that the row does not list.
func (u units) unlisted(recorded []percuss.Unit, complaint *percuss.Unit) []percuss.Unit {
	listed := map[string]bool{}
	for _, unit := range recorded {
		listed[unit.ID] = true
	}
	if complaint != nil {
		listed[complaint.ID] = true
	}
	var out []percuss.Unit
	for _, code := range u.codes {
		if e := u.evidences[code]; e.binary && !listed[code] {
			unit := e.unit("", e.no)
			unit.Implicit = true
			unit.SymptomOf, unit.AntecedentOf = u.links(code, u.candidates)
			out = append(out, unit)
		}
	}
	return out
}

// contradicts reports whether one evidence has both an absent value and another.
func contradicts(recorded []percuss.Unit) bool {
	absent := map[string]bool{}
	for _, unit := range recorded {
		code, _, _ := strings.Cut(unit.ID, "=")
		if was, ok := absent[code]; ok && was != unit.Absent {
			return true
		}
		absent[code] = unit.Absent
	}
	return false
}
