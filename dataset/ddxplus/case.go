package ddxplus

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// The range of candidates: fewer leave nothing to choose, more leave too little of the alphabet.
const leastCandidates, mostCandidates = 2, 20

// oldest bounds an age in years; beyond it a column is another one.
const oldest = 130

// separator stands between the code of an evidence and its value.
const separator = "_@_"

// caseReader makes cases of rows.
type caseReader struct {
	dictionaries
	options
}

// read makes a case of a row. An error begins with the kind of reason (dataset.CaseLoader).
func (r caseReader) read(row source.Record) (percuss.Case, error) {
	var none percuss.Case
	field := func(name string) string { return strings.TrimSpace(row.Fields[slices.Index(row.Header, name)]) }
	c := percuss.Case{Set: Name, Gold: field(colGold)}
	if c.Gold == "" {
		return none, errors.New("no gold")
	}
	var err error
	if c.Candidates, c.Flags, err = r.candidates(field(colDifferential), c.Gold); err != nil {
		return none, err
	}
	if c.Facts, err = facts(field(colAge), field(colSex)); err != nil {
		return none, err
	}
	u := units{dictionaries: r.dictionaries, candidates: c.Candidates}
	if c.Complaint, err = u.complaint(field(colComplaint)); err != nil {
		return none, err
	}
	if c.Complaint != nil {
		c.Facts = append(c.Facts, "Initial complaint: "+strings.TrimSuffix(c.Complaint.Text, ": "+yes))
	}
	if c.Units, c.LeftOut, err = u.recorded(field(colEvidences), c.Complaint); err != nil {
		return none, err
	}
	if len(c.Units) < r.findings {
		return none, fmt.Errorf("fewer than %d findings beside the complaint: %d", r.findings, len(c.Units))
	}
	if contradicts(c.Units) {
		c.Flags = append(c.Flags, Contradiction)
	}
	if r.implicit {
		c.Units = append(c.Units, u.unlisted(c.Units, c.Complaint)...)
	}
	c.ID = dataset.Identity(Name, row.Fields...)
	return c, nil
}

// candidates reads a differential. The gold is added last where it lacks; of more than 20 the most probable stay.
func (r caseReader) candidates(literal, gold string) (names, flags []string, err error) {
	list, err := pairs(literal)
	switch {
	case literal == "" || err == nil && len(list) == 0:
		return nil, nil, errors.New("no differential")
	case err != nil:
		return nil, nil, fmt.Errorf("%s is no list of names with probabilities: %w", colDifferential, err)
	}
	if !slices.ContainsFunc(list, func(w weighted) bool { return w.name == gold }) {
		list = append(list, weighted{name: gold})
		flags = append(flags, GoldAdded)
	}
	var distinct []weighted
	for _, w := range list {
		if _, ok := r.conditions[w.name]; !ok {
			return nil, nil, fmt.Errorf("unknown diagnosis: %q is not in %s", w.name, conditionsFile)
		}
		if !slices.ContainsFunc(distinct, func(o weighted) bool { return o.name == w.name }) {
			distinct = append(distinct, w)
		}
	}
	if len(distinct) < leastCandidates {
		return nil, nil, fmt.Errorf("fewer than %d candidates", leastCandidates)
	}
	if len(distinct) < len(list) {
		flags = append(flags, Merged)
	}
	if len(distinct) > mostCandidates {
		flags = append(flags, DifferentialCut)
		distinct = mostProbable(distinct, gold)
	}
	for _, w := range distinct {
		names = append(names, w.name)
	}
	return names, flags, nil
}

// mostProbable keeps the most probable candidates, the gold among them, in the order of the file.
func mostProbable(list []weighted, gold string) []weighted {
	rank := func(w weighted) float64 {
		if w.name == gold {
			return 2 // before every probability
		}
		return w.probability
	}
	ranked := slices.Clone(list)
	slices.SortStableFunc(ranked, func(a, b weighted) int { return cmp.Compare(rank(b), rank(a)) })
	kept := ranked[:mostCandidates]
	return slices.DeleteFunc(slices.Clone(list), func(w weighted) bool { return !slices.Contains(kept, w) })
}

func facts(age, sex string) ([]string, error) {
	years, err := strconv.Atoi(age)
	if err != nil || years < 0 || years > oldest {
		return nil, fmt.Errorf("unknown age: %q; it is a number of years from 0 to %d", age, oldest)
	}
	word := map[string]string{"F": "female", "M": "male"}[sex]
	if word == "" {
		return nil, fmt.Errorf("unknown sex: %q; the files have F and M", sex)
	}
	unit := "years"
	if years == 1 {
		unit = "year"
	}
	return []string{fmt.Sprintf("Age: %d %s", years, unit), "Sex: " + word}, nil
}
