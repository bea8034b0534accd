// Package demo is a small built-in set, written for Percuss so that an audit can be tried without any download:
// multiple-choice vignettes, and patients with findings and candidate diagnoses. Each item cites the fact that makes its
// key right; docs/decisions/0003-demo-key.md and 0008-demo-cases.md hold how the keys were chosen. It is too small, and
// its keys too little reviewed, to measure a model's knowledge.
package demo

import (
	"bytes"
	_ "embed"
	"errors"
	"fmt"
	"iter"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "demo"

const file = "vignettes.jsonl"

//go:embed vignettes.jsonl
var vignettes []byte

// Loader reads the built-in files: one of questions, one of cases.
type Loader struct{ data, cases []byte }

// New returns the loader. It needs no path and knows no options.
func New() *Loader { return &Loader{data: vignettes, cases: cases} }

// Name implements dataset.Loader and dataset.CaseLoader.
func (l *Loader) Name() string { return Name }

// item is a line of the file.
type item struct {
	ID      string   `json:"id"`
	Stem    string   `json:"stem"`
	Options []string `json:"options"` // lettered A, B, ... in this order
	Gold    string   `json:"gold"`
	Fact    string   `json:"fact"`   // why the key is right
	Source  string   `json:"source"` // where the fact stands
}

// Questions implements dataset.Loader. The note of a question is its fact, with the source in brackets.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	rows := source.Lines(bytes.NewReader(l.data), file)
	return dataset.Distinct(dataset.Questions(Name, "", rows, read))
}

// read is strict: whoever adds an item learns of a misspelt field at once.
func read(line []byte) (percuss.Question, error) {
	var it item
	if err := strict(line, &it); err != nil {
		return percuss.Question{}, err
	}
	if it.ID == "" || it.Stem == "" || it.Fact == "" || it.Source == "" || len(it.Options) < 2 {
		return percuss.Question{}, errors.New("an item needs id, stem, two or more options, gold, fact and source")
	}
	q := percuss.Question{
		ID: it.ID, Set: Name, Stem: it.Stem, Gold: it.Gold,
		Note: fmt.Sprintf("%s (%s)", it.Fact, it.Source),
	}
	for i, text := range it.Options {
		q.Options = append(q.Options, percuss.Option{Label: percuss.Label(i), Text: text})
	}
	if _, ok := q.Option(it.Gold); !ok {
		return percuss.Question{}, fmt.Errorf("gold %q is not among the options", it.Gold)
	}
	return q, nil
}
