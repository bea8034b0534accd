// Package medcase reads MedCaseReasoning: published case reports with the clinicians' reasoning, from which the
// diagnoses that they considered are taken as candidates.
package medcase

import (
	"iter"
	"path/filepath"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "medcase"

var splits = []string{"test", "val", "train"}

// Loader reads one file.
type Loader struct {
	path  string
	split string
}

// Known returns the names of the file: split=test (default), val or train, as JSON lines or Parquet.
func Known(o dataset.Options) (dataset.Known, error) {
	split, err := splitOf(o)
	if err != nil {
		return dataset.Known{}, err
	}
	if split == "" {
		split = splits[0]
	}
	return dataset.Known{
		Set: Name, Folders: []string{Name, "medcasereasoning"},
		Files:  []string{split + ".jsonl", split + ".parquet", split + "-00000-of-00001.parquet", split + "_row0.jsonl"},
		Obtain: "The authors' page github.com/kevinwu23/Stanford-MedCaseReasoning says where the set is published.",
	}, nil
}

// New returns the loader of a file. Where the option split is not given, the file's name may say it.
func New(path string, o dataset.Options) (*Loader, error) {
	split, err := splitOf(o)
	if err != nil {
		return nil, err
	}
	if split == "" {
		words := strings.FieldsFunc(filepath.Base(path), func(r rune) bool { return strings.ContainsRune("._-", r) })
		if i := slices.IndexFunc(words, func(w string) bool { return slices.Contains(splits, w) }); i >= 0 {
			split = words[i]
		}
	}
	return &Loader{path: path, split: split}, nil
}

func splitOf(o dataset.Options) (string, error) {
	if err := o.Only(Name, "split"); err != nil {
		return "", err
	}
	return o.Split(Name, splits...)
}

// Name implements dataset.CaseLoader.
func (l *Loader) Name() string { return Name }

// Cases implements dataset.CaseLoader. A file whose name ends in .parquet is read as Parquet, any other as JSON lines.
// Sentences that name the diagnosis are left out (clinical.Units).
func (l *Loader) Cases() iter.Seq2[percuss.Case, error] {
	format := source.Format[row](jsonRows)
	if strings.EqualFold(filepath.Ext(l.path), ".parquet") {
		format = parquetRows
	}
	return dataset.DistinctCases(dataset.Cases(Name, l.split, source.Read(l.path, format), read))
}
