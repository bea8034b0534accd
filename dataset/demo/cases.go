package demo

import (
	"bytes"
	_ "embed" // the cases
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

const casesFile = "cases.json"

//go:embed cases.json
var cases []byte

// patient is an element of the file of cases.
type patient struct {
	ID         string         `json:"id"`
	Facts      []string       `json:"facts"` // age and sex
	Complaint  *percuss.Unit  `json:"complaint"`
	Units      []percuss.Unit `json:"units"`
	Candidates []string       `json:"candidates"`
	Gold       string         `json:"gold"`
	Fact       string         `json:"fact"`   // why the key is right: the criterion that the patient meets
	Source     string         `json:"source"` // where the criterion stands
}

// Cases implements dataset.CaseLoader. The note of a case is its fact, with the source in brackets. How the links of
// units were chosen says docs/decisions/0008-demo-cases.md.
func (l *Loader) Cases() iter.Seq2[percuss.Case, error] {
	rows := source.Elements(bytes.NewReader(l.cases), casesFile)
	return dataset.DistinctCases(dataset.Cases(Name, "", rows, readCase))
}

// readCase is as strict as read.
func readCase(e source.Element) (percuss.Case, error) {
	var p patient
	if err := strict(e.Value, &p); err != nil {
		return percuss.Case{}, err
	}
	if p.ID == "" || p.Complaint == nil || p.Fact == "" || p.Source == "" {
		return percuss.Case{}, errors.New("incomplete: a case needs id, complaint, units, candidates, gold, fact and source")
	}
	c, err := dataset.RawCase{ID: p.ID, Facts: p.Facts, Complaint: p.Complaint, Units: p.Units, Candidates: p.Candidates, Gold: p.Gold,
		Note: fmt.Sprintf("%s (%s)", p.Fact, p.Source)}.Case(Name)
	c.ID = p.ID // begins with the set's name already, as the ids of the questions do
	return c, err
}

// strict reads one JSON value that has no field which into lacks.
func strict(raw []byte, into any) error {
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return err
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return errors.New("more than one object on the line")
	}
	return nil
}
