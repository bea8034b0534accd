// Package strategyqa reads StrategyQA (Geva et al. 2021), questions of general knowledge whose steps are not named in
// them, from the files dev.json and train.json, which divide the authors' training set. A question is answered with Yes
// or No, shown as the options A and B. It is there to be compared with medicine.
package strategyqa

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "strategyqa"

// Domain is what its questions are about.
const Domain = "commonsense"

var (
	splits  = []string{"dev", "train"}
	options = []string{"Yes", "No"} // of every question, in this order
)

// Loader reads one file.
type Loader struct{ path, split string }

// Known returns the name of the file: split=dev or train; without it dev.json comes first.
func Known(o dataset.Options) (dataset.Known, error) {
	split, err := read(o)
	if err != nil {
		return dataset.Known{}, err
	}
	files := []string{split + ".json"}
	if split == "" {
		files = []string{splits[0] + ".json", splits[1] + ".json"}
	}
	return dataset.Known{
		Set: Name, Folders: []string{Name}, Files: files,
		Obtain: "They stand in the folder data/strategyqa of github.com/eladsegal/strategyqa.",
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

// Questions implements dataset.Loader. Facts and decomposition, which give the answer away, are the Note.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	return dataset.Distinct(dataset.Questions(Name, l.split, source.Read(l.path, source.Elements), question))
}

func question(e source.Element) (percuss.Question, error) {
	var none percuss.Question
	var row struct {
		ID            string   `json:"qid"`
		Question      *string  `json:"question"`
		Answer        *bool    `json:"answer"`
		Facts         []string `json:"facts"`
		Decomposition []string `json:"decomposition"`
	}
	if err := json.Unmarshal(e.Value, &row); err != nil {
		return none, fmt.Errorf("not a JSON object of a StrategyQA row: %w", err)
	}
	switch {
	case row.Question == nil:
		return none, errors.New(`no field "question"`)
	case row.Answer == nil:
		return none, errors.New(`no field "answer" with true or false`)
	}
	raw := dataset.Raw{ID: row.ID, Stem: *row.Question, Options: options, Domain: Domain,
		Note: strings.Join(slices.Concat(row.Facts, row.Decomposition), "\n")}
	if !*row.Answer {
		raw.Gold = 1
	}
	return raw.Question(Name)
}
