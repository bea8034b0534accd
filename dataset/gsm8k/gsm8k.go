// Package gsm8k reads GSM8K (Cobbe et al. 2021), problems of school arithmetic whose answer is a number, from the
// authors' files SPLIT.jsonl. It is there to be compared with medicine: does an edited chain move an answer that can be
// computed from it?
package gsm8k

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"regexp"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "gsm8k"

// Domain is what its questions are about.
const Domain = "arithmetic"

var splits = []string{"test", "train"}

// Loader reads one file.
type Loader struct{ path, split string }

// Known returns the name of the file: split=test (default) or train.
func Known(o dataset.Options) (dataset.Known, error) {
	split, err := read(o)
	if err != nil {
		return dataset.Known{}, err
	}
	if split == "" {
		split = splits[0]
	}
	return dataset.Known{
		Set: Name, Folders: []string{Name}, Files: []string{split + ".jsonl"},
		Obtain: "It stands in the folder grade_school_math/data of github.com/openai/grade-school-math.",
	}, nil
}

// New returns the loader of a file.
func New(path string, o dataset.Options) (*Loader, error) {
	split, err := read(o)
	if err != nil {
		return nil, err
	}
	return &Loader{path: path, split: dataset.SplitOfFile(split, path, splits...)}, nil
}

func read(o dataset.Options) (split string, err error) {
	if err := o.Only(Name, "split"); err != nil {
		return "", err
	}
	return o.Split(Name, splits...)
}

// Name implements dataset.Loader.
func (l *Loader) Name() string { return Name }

// Questions implements dataset.Loader. The worked solution, without its marks for a calculator, is the Note.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	return dataset.Distinct(dataset.Questions(Name, l.split, source.Read(l.path, source.Lines), question))
}

// mark stands before the number at the end of a solution.
const mark = "####"

// calculation is what was written for a calculator: "16 - 7 = <<16-7=9>>9".
var calculation = regexp.MustCompile(`<<[^<>]*>>`)

func question(line []byte) (percuss.Question, error) {
	var none percuss.Question
	var row struct {
		Question *string `json:"question"`
		Answer   *string `json:"answer"`
	}
	if err := json.Unmarshal(line, &row); err != nil {
		return none, fmt.Errorf("not a JSON object of a GSM8K row: %w", err)
	}
	switch {
	case row.Question == nil:
		return none, errors.New(`no field "question"`)
	case row.Answer == nil:
		return none, errors.New(`no field "answer"`)
	}
	at := strings.LastIndex(*row.Answer, mark)
	if at < 0 {
		return none, errors.New(`no "#### NUMBER" at the end of "answer"`)
	}
	gold := strings.TrimSpace((*row.Answer)[at+len(mark):])
	if gold == "" {
		return none, errors.New(`no number behind "####"`)
	}
	return dataset.Raw{Stem: *row.Question, Number: gold, Domain: Domain,
		Note: calculation.ReplaceAllString((*row.Answer)[:at], "")}.Question(Name)
}
