// Package ddxplus reads DDXPlus (Fansi Tchango et al. 2022): synthetic patients with coded findings, a differential
// diagnosis and the disease that was simulated. It takes the native files: patients as CSV and, beside them, the two
// dictionaries of findings and conditions.
package ddxplus

import (
	"fmt"
	"iter"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "ddxplus"

// The dictionaries, in the folder of the patients' file.
const (
	evidencesFile  = "release_evidences.json"
	conditionsFile = "release_conditions.json"
)

// The splits as the authors name them.
const validate, test, train = "validate", "test", "train"

// Remarks on a case (Case.Flags).
const (
	GoldAdded       = "gold-added"       // the patient's disease was not in the differential; it stands last
	DifferentialCut = "differential-cut" // more than 20 candidates: the most probable and the gold are kept
	Merged          = "candidate-merged" // a diagnosis stood twice in the differential
	Contradiction   = "contradiction"    // one question is answered both by "none" and by something
)

// Loader reads one file of patients.
type Loader struct {
	path string
	o    options
}

// options are what stands behind the question mark.
type options struct {
	split    string // empty: what the file's name says
	findings int    // the least number of recorded findings, the complaint not counted
	implicit bool   // findings that a patient's row does not list are absent ones
}

// leastFindings is the default of ?findings=. An interaction of order 3 needs three, and a fourth to stand against.
const leastFindings = 4

// Known returns the names of the patients' file, those of the archive as it unpacks and of its copies: split=validate,
// test or train; without one the first of them that is there. The dictionaries are looked for beside it.
func Known(o dataset.Options) (dataset.Known, error) {
	opt, err := read(o)
	if err != nil {
		return dataset.Known{}, err
	}
	k := dataset.Known{
		Set: Name, Folders: []string{Name},
		Obtain: fmt.Sprintf("The authors' page github.com/mila-iqia/ddxplus links the English release (CC BY) on figshare; unpack a split's patients and put %s and %s beside them.", evidencesFile, conditionsFile),
	}
	for _, split := range []string{validate, test, train} {
		if opt.split == "" || opt.split == split {
			base := "release_" + split + "_patients"
			k.Files = append(k.Files, base+".csv", base, split+".csv", base+"_sample.csv")
		}
	}
	return k, nil
}

// New returns the loader of a file of patients. Options: split=validate|test|train (else what the file's name says),
// findings=N (the least number of recorded findings beside the complaint, from 1, default 4), implicit-absent=yes|no
// (default no: what a row does not list is no finding).
func New(path string, o dataset.Options) (*Loader, error) {
	opt, err := read(o)
	if err != nil {
		return nil, err
	}
	if opt.split == "" {
		opt.split = splitOf(path)
	}
	return &Loader{path: path, o: opt}, nil
}

func read(o dataset.Options) (options, error) {
	opt := options{findings: leastFindings}
	if err := o.Only(Name, "findings", "implicit-absent", "split"); err != nil {
		return opt, err
	}
	if v, ok := o["findings"]; ok {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 {
			return opt, fmt.Errorf("data set %s: findings=%s; it is a number from 1", Name, v)
		}
		opt.findings = n
	}
	switch v, ok := o["implicit-absent"]; {
	case !ok || v == "no":
	case v == "yes":
		opt.implicit = true
	default:
		return opt, fmt.Errorf("data set %s: implicit-absent=%s; it is yes or no", Name, v)
	}
	if v, ok := o["split"]; ok {
		if opt.split = split(v); opt.split == "" {
			return opt, fmt.Errorf("data set %s: split=%s; there are %s, %s, %s", Name, v, validate, test, train)
		}
	}
	return opt, nil
}

// split returns the authors' name of a split; empty where the word is none.
func split(word string) string {
	switch word {
	case "validation", "valid", "val":
		return validate
	case validate, test, train:
		return word
	}
	return ""
}

// splitOf reads the split from a file name such as release_test_patients.csv; empty when it says none or several.
func splitOf(path string) string {
	var found []string
	for _, word := range strings.FieldsFunc(filepath.Base(path), func(r rune) bool { return strings.ContainsRune("_-. ", r) }) {
		if s := split(strings.ToLower(word)); s != "" && !slices.Contains(found, s) {
			found = append(found, s)
		}
	}
	if len(found) != 1 {
		return ""
	}
	return found[0]
}

// Name implements dataset.CaseLoader.
func (l *Loader) Name() string { return Name }

// Cases implements dataset.CaseLoader.
func (l *Loader) Cases() iter.Seq2[percuss.Case, error] {
	return func(yield func(percuss.Case, error) bool) {
		d, err := readDictionaries(filepath.Dir(l.path))
		if err != nil {
			yield(percuss.Case{}, fmt.Errorf("data set %s: %w", Name, err))
			return
		}
		rows := withColumns(source.Read(l.path, source.CSV(',', func([]string) bool { return true })))
		reader := caseReader{dictionaries: d, options: l.o}
		dataset.DistinctCases(dataset.Cases(Name, l.o.split, rows, reader.read))(yield)
	}
}

// The columns of the patients' file.
const (
	colAge          = "AGE"
	colSex          = "SEX"
	colGold         = "PATHOLOGY"
	colDifferential = "DIFFERENTIAL_DIAGNOSIS"
	colEvidences    = "EVIDENCES"
	colComplaint    = "INITIAL_EVIDENCE"
)

// withColumns ends the rows with an error where a column lacks: else every row would be a bad one.
func withColumns(rows iter.Seq2[source.Row[source.Record], error]) iter.Seq2[source.Row[source.Record], error] {
	return func(yield func(source.Row[source.Record], error) bool) {
		checked := false
		for row, err := range rows {
			if err == nil && row.Bad == nil && !checked {
				checked = true
				for _, c := range []string{colAge, colSex, colGold, colDifferential, colEvidences, colComplaint} {
					if !slices.Contains(row.Value.Header, c) {
						yield(row, fmt.Errorf("%s: no column %s, the file has %s; take the patients' file as the authors published it",
							row.Source.File, c, strings.Join(row.Value.Header, ", ")))
						return
					}
				}
			}
			if !yield(row, err) {
				return
			}
		}
	}
}
