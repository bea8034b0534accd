// Package medmcqa reads MedMCQA (Pal et al. 2022, Indian entrance examinations) from JSON lines: the authors' layout
// (question, opa to opd, cop), in which cop counts from 1 in the original files and from 0 in the hosted copy, and
// the converted one (question, options, answer_idx, realidx).
package medmcqa

import (
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "medmcqa"

// MultipleChoiceType flags a row that its authors mark as choice_type "multi". It has one key as every other.
const MultipleChoiceType = "choice-type-multi"

// splits and the names of their files. The authors' test split has no key.
var splits = map[string][]string{
	"val":   {"medmcqa_val.jsonl", "dev_single_choice_with_ids.jsonl", "dev.json"},
	"train": {"medmcqa_train.jsonl", "train.json"},
}

// Loader reads one file.
type Loader struct{ path, split, base string }

// Known returns the names of the file that the options ask for: split=val (default) or train, base=0 or 1.
func Known(o dataset.Options) (dataset.Known, error) {
	split, err := read(o)
	if err != nil {
		return dataset.Known{}, err
	}
	return dataset.Known{
		Set: Name, Folders: []string{Name}, Files: splits[split],
		Obtain: "The authors' page github.com/medmcqa/medmcqa links the archive.",
	}, nil
}

// New returns the loader of a file.
func New(path string, o dataset.Options) (*Loader, error) {
	split, err := read(o)
	if err != nil {
		return nil, err
	}
	return &Loader{path: path, split: split, base: o["base"]}, nil
}

func read(o dataset.Options) (split string, err error) {
	if err := o.Only(Name, "split", "base"); err != nil {
		return "", err
	}
	if b, ok := o["base"]; ok && b != "0" && b != "1" {
		return "", fmt.Errorf("data set %s: base=%s; cop counts from 0 or from 1", Name, b)
	}
	split = o["split"]
	if split == "" {
		split = "val"
	}
	if splits[split] == nil {
		return "", fmt.Errorf("data set %s: split=%s; there are val and train (test has no key)", Name, split)
	}
	return split, nil
}

// Name implements dataset.Loader.
func (l *Loader) Name() string { return Name }

// Questions implements dataset.Loader. The file is read once more beforehand, to see from what number cop counts.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	return func(yield func(percuss.Question, error) bool) {
		rows := source.Read(l.path, source.Lines)
		base, err := baseOf(rows, l.base)
		questions := dataset.Distinct(dataset.Questions(Name, l.split, rows, func(line []byte) (percuss.Question, error) {
			return question(line, base)
		}))
		if err != nil {
			questions = dataset.Fail(Name, fmt.Errorf("%s: %w", l.path, err))
		}
		questions(yield)
	}
}

// baseOf decides from the rows what cop counts from. What ends the reading here ends it again when the questions
// are read, and is reported there.
func baseOf(rows iter.Seq2[source.Row[[]byte], error], asked string) (int, error) {
	var b dataset.Base
	for r, err := range rows {
		if err != nil {
			break
		}
		var row struct{ Cop *number }
		if json.Unmarshal(r.Value, &row) == nil && row.Cop != nil {
			b.See(int(*row.Cop), 4, r.Source.Line)
		}
	}
	return b.Decide("cop", asked)
}

// number is an answer by number: 1, "1", or 1.0 as a table with gaps writes it.
type number int

func (n *number) UnmarshalJSON(raw []byte) error {
	var f float64
	if err := json.Unmarshal([]byte(strings.Trim(string(raw), `"`)), &f); err != nil || f != math.Trunc(f) || math.Abs(f) > 1e6 {
		return fmt.Errorf("%s is no whole number", raw)
	}
	*n = number(f)
	return nil
}

// row is a line of either layout. Of the other fields the explanation (exp) is kept as the note alone: it names the
// answer, so it must not reach a prompt.
type row struct {
	dataset.Lettered
	ID         string  `json:"id"`
	RealIdx    string  `json:"realidx"`
	OpA        *string `json:"opa"`
	OpB        *string `json:"opb"`
	OpC        *string `json:"opc"`
	OpD        *string `json:"opd"`
	Cop        *number `json:"cop"`
	ChoiceType string  `json:"choice_type"`
	Exp        *string `json:"exp"`
}

func question(line []byte, base int) (percuss.Question, error) {
	var r row
	if err := json.Unmarshal(line, &r); err != nil {
		return percuss.Question{}, fmt.Errorf("not a JSON object of a MedMCQA row: %w", err)
	}
	raw, err := r.raw(base)
	if err != nil {
		return percuss.Question{}, err
	}
	if raw.ID = r.ID; raw.ID == "" {
		raw.ID = r.RealIdx
	}
	if r.ChoiceType == "multi" {
		raw.Flags = append(raw.Flags, MultipleChoiceType)
	}
	if r.Exp != nil {
		raw.Note = *r.Exp
	}
	return raw.Question(Name)
}

func (r row) raw(base int) (dataset.Raw, error) {
	options := []*string{r.OpA, r.OpB, r.OpC, r.OpD}
	switch {
	case len(r.Options) > 0:
		return r.Lettered.Raw()
	case r.Question == nil:
		return dataset.Raw{}, errors.New(`no field "question"`)
	case slices.Contains(options, nil):
		return dataset.Raw{}, errors.New(`no field "opa", "opb", "opc" or "opd"`)
	case r.Cop == nil:
		return dataset.Raw{}, errors.New(`no key: "cop" is missing`)
	case *r.Cop == -1:
		return dataset.Raw{}, errors.New("no key: cop is -1, as in the hosted test split; use a split that has keys")
	}
	raw := dataset.Raw{Stem: *r.Question, Gold: int(*r.Cop) - base}
	if raw.Gold < 0 || raw.Gold >= len(options) {
		return raw, fmt.Errorf("cop is %d where the file counts from %d to %d", *r.Cop, base, base+len(options)-1)
	}
	for _, o := range options {
		raw.Options = append(raw.Options, *o)
	}
	return raw, nil
}
