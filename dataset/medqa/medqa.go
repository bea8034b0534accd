// Package medqa reads MedQA (Jin et al. 2021, USMLE questions) from the files of its authors: four options
// (phrases_no_exclude_SPLIT.jsonl) or five (us_5options_SPLIT.jsonl, the original US file).
package medqa

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
const Name = "medqa"

var splits = []string{"test", "dev", "train"}

// Loader reads one file.
type Loader struct {
	path    string
	split   string
	options int // the number that every row must have; 0: any
}

// Known returns the names of the file that the options ask for: options=4 (default) or 5, split=test (default),
// dev or train.
func Known(o dataset.Options) (dataset.Known, error) {
	n, split, err := read(o)
	if err != nil {
		return dataset.Known{}, err
	}
	if split == "" {
		split = splits[0]
	}
	file := "phrases_no_exclude_" + split + ".jsonl"
	if n == 5 {
		file = "us_5options_" + split + ".jsonl"
	}
	return dataset.Known{
		Set: Name, Folders: []string{Name}, Files: []string{file},
		Obtain: "The authors' page github.com/jind11/MedQA links the archive; the US questions are in questions/US there (4_options for four, the files beside it for five).",
	}, nil
}

// New returns the loader of a file. When options=4 or 5 was asked for, rows with another number are bad; otherwise a
// row may have any number from two up.
func New(path string, o dataset.Options) (*Loader, error) {
	n, split, err := read(o)
	if err != nil {
		return nil, err
	}
	if split == "" {
		split = splitOf(path)
	}
	return &Loader{path: path, split: split, options: n}, nil
}

func read(o dataset.Options) (options int, split string, err error) {
	if err := o.Only(Name, "options", "split"); err != nil {
		return 0, "", err
	}
	switch v, ok := o["options"]; {
	case !ok:
	case v == "4" || v == "5":
		options, _ = strconv.Atoi(v)
	default:
		return 0, "", fmt.Errorf("data set %s: options=%s; there are editions with 4 and with 5", Name, v)
	}
	split, err = o.Split(Name, splits...)
	return options, split, err
}

// splitOf reads the split from a file name such as us_5options_test.jsonl; empty when it says none.
func splitOf(path string) string {
	base := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
	word := base[strings.LastIndexAny(base, "_-.")+1:]
	if slices.Contains(splits, word) {
		return word
	}
	return ""
}

// Name implements dataset.Loader.
func (l *Loader) Name() string { return Name }

// Questions implements dataset.Loader. Blank lines are passed over.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	rows := source.Read(l.path, source.Lines)
	return dataset.Distinct(dataset.Questions(Name, l.split, rows, func(line []byte) (percuss.Question, error) {
		return question(line, l.options)
	}))
}
