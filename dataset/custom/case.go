package custom

import (
	"errors"
	"fmt"
	"iter"
	"maps"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
)

// ErrCases says that a file which was read for questions holds cases.
var ErrCases = errors.New("the file holds cases, not questions: use `percuss evidence`, or `percuss data check --cases`")

// ErrQuestions says that a file which was read for cases holds questions.
var ErrQuestions = errors.New("the file holds questions, not cases: use `percuss chain`; a case has units, candidates and gold")

// caseFields are the columns of a case, unitFields the members of a unit; others are errors, since a misspelt one
// would silently change what a case is.
var (
	caseFields = []string{"id", "facts", "complaint", "units", "candidates", "gold", "narrative", "note"}
	unitFields = []string{"id", "text", "family", "asked", "value", "absent", "antecedent", "symptom_of", "antecedent_of"}
)

// CaseLoader reads one file of cases.
type CaseLoader struct{ path, format, name, split string }

// NewCases returns the loader of a file of cases, one a row:
//
//	units       sentences, which make a narrative: at least two, and then three candidates; or findings, objects of
//	            text, asked, value and, all optional, id, family, absent, antecedent, symptom_of, antecedent_of (the last
//	            two name candidates)
//	candidates  the names of the diagnoses to choose from
//	gold        the right one
//	id, facts (always shown), complaint (a text, or a finding), note (never shown): optional
//	narrative   optional: true or false, or the text of a report in place of units, of which the sentences become units
//
// The options format and name are those of New; split says which split of a set the file is, for reports.
func NewCases(path string, o dataset.Options) (*CaseLoader, error) {
	if err := o.Only(Name, "format", "name", "split"); err != nil {
		return nil, fmt.Errorf("%w (for cases, whose fields have fixed names: %s)", err, strings.Join(caseFields, ", "))
	}
	if path == "" {
		return nil, fmt.Errorf("data set %s: no file; write %s:FILE, e.g. %s:cases.jsonl", Name, Name, Name)
	}
	split := o["split"]
	o = maps.Clone(o)
	delete(o, "split")
	l, err := New(path, o)
	if err != nil {
		return nil, err
	}
	return &CaseLoader{path: l.path, format: l.format, name: l.name, split: split}, nil
}

// Name implements dataset.CaseLoader.
func (l *CaseLoader) Name() string { return l.name }

// Cases implements dataset.CaseLoader. The file is read once beforehand, to see that it holds cases.
func (l *CaseLoader) Cases() iter.Seq2[percuss.Case, error] {
	return func(yield func(percuss.Case, error) bool) {
		rows := rowsOf(l.path, l.format)
		names, err := columnsOf(rows)
		if err == nil && holdsQuestions(names) {
			err = ErrQuestions
		}
		if err != nil {
			yield(percuss.Case{}, fmt.Errorf("data set %s: %s: %w", l.name, l.path, err))
			return
		}
		dataset.DistinctCases(dataset.Cases(l.name, l.split, rows, l.read))(yield)
	}
}

// holdsCases and holdsQuestions tell by its columns what a file was written for.
func holdsCases(names []string) bool {
	return firstOf(names, []string{"units"}) != "" && firstOf(names, stemNames) == ""
}

func holdsQuestions(names []string) bool {
	return firstOf(names, stemNames) != "" && firstOf(names, []string{"units", "narrative"}) == ""
}

// read makes a case of a row.
func (l *CaseLoader) read(in row) (percuss.Case, error) {
	fields, err := known(in.columns, func(i int) cell { return in.cells[in.columns[i]] }, caseFields, "case")
	if err != nil {
		return percuss.Case{}, err
	}
	var r dataset.RawCase
	f := fill{fields: fields}
	r.ID, r.Gold, r.Note = f.text("id"), f.text("gold"), f.text("note")
	r.Candidates, r.Facts = f.list("candidates"), f.list("facts")
	if f.err != nil {
		return percuss.Case{}, f.err
	}
	if r.Complaint, err = complaintOf(fields["complaint"]); err != nil {
		return percuss.Case{}, err
	}
	story, isText, err := fields.narrative()
	switch {
	case err != nil:
		return percuss.Case{}, err
	case isText && !fields["units"].blank():
		return percuss.Case{}, errors.New("units and a text: narrative is a text here; leave the units out, or give narrative as true or false")
	case isText:
		r.Text = story
		return r.Case(l.name) // with limits of its own
	}
	sentences := false
	if r.Units, sentences, err = unitsOf(fields["units"]); err != nil {
		return percuss.Case{}, err
	}
	r.Narrative = story == "true" || story == "" && sentences
	c, err := r.Case(l.name)
	if err == nil && c.Narrative {
		err = enough(c)
	}
	return c, err
}

// The least that a case of sentences needs: among two diagnoses a sentence is hardly evidence for one alone, and one
// sentence makes no interaction.
const fewestToldChoices, fewestSentences = 3, 2

// enough refuses a case of sentences with too little in it.
func enough(c percuss.Case) error {
	switch {
	case len(c.Candidates) < fewestToldChoices:
		return fmt.Errorf("too few candidates: %d; a case of sentences needs at least %d", len(c.Candidates), fewestToldChoices)
	case len(c.Units) < fewestSentences:
		return fmt.Errorf("too few sentences: %d can be used, at least %d are needed; %d left out", len(c.Units), fewestSentences, len(c.LeftOut))
	}
	return nil
}
