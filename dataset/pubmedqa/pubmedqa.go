// Package pubmedqa reads PubMedQA (Jin et al. 2019), the 1,000 instances labelled by experts, from the authors' files:
// ori_pqal.json, and test_ground_truth.json, which names the 500 of the test split. A question is answered from the
// passages of an abstract with yes, no or maybe, shown as the options A, B and C.
package pubmedqa

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path/filepath"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/dataset/source"
)

// Name is the set's name.
const Name = "pubmedqa"

const (
	instances   = "ori_pqal.json"
	groundTruth = "test_ground_truth.json"
)

// The splits that can be asked for.
const (
	test = "test"
	all  = "all"
)

// decisions are the options of every question, in this order.
var decisions = []string{"yes", "no", "maybe"}

// Loader reads one file of instances.
type Loader struct{ path, split string }

// Known returns the names of the file: split=test (default) or all.
func Known(o dataset.Options) (dataset.Known, error) {
	if _, err := read(o); err != nil {
		return dataset.Known{}, err
	}
	return dataset.Known{
		Set: Name, Folders: []string{Name}, Files: []string{instances},
		Obtain: "It stands in the folder data of github.com/pubmedqa/pubmedqa; take " + groundTruth + " from there too.",
	}, nil
}

// New returns the loader of a file. For the test split the authors' list of its ids is looked for in the same folder.
func New(path string, o dataset.Options) (*Loader, error) {
	split, err := read(o)
	if err != nil {
		return nil, err
	}
	return &Loader{path: path, split: split}, nil
}

func read(o dataset.Options) (split string, err error) {
	if err := o.Only(Name, "split"); err != nil {
		return "", err
	}
	split = o["split"]
	if split == "" {
		split = test
	}
	if split != test && split != all {
		return "", fmt.Errorf("data set %s: split=%s; there are test and all", Name, split)
	}
	return split, nil
}

// Name implements dataset.Loader.
func (l *Loader) Name() string { return Name }

// Questions implements dataset.Loader. The passages are the Context, each behind its label; the long answer, which
// gives the decision away, is the Note.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	return func(yield func(percuss.Question, error) bool) {
		if l.split == all {
			l.questions(nil)(yield)
			return
		}
		truth, err := l.truth()
		if err != nil {
			dataset.Fail(Name, err)(yield)
			return
		}
		l.questions(truth)(yield)
	}
}

// questions yields the instances of the test split, or all where there is no list of it.
func (l *Loader) questions(truth map[string]string) iter.Seq2[percuss.Question, error] {
	rows := func(yield func(source.Row[source.Element], error) bool) {
		for row, err := range source.Read(l.path, source.Elements) {
			if _, listed := truth[row.Value.Key]; err == nil && truth != nil && !listed {
				continue
			}
			if !yield(row, err) {
				return
			}
		}
	}
	return dataset.Distinct(dataset.Questions(Name, l.split, rows, func(e source.Element) (percuss.Question, error) {
		return question(e, truth[e.Key])
	}))
}

// truth reads the decision of each id of the test split.
func (l *Loader) truth() (map[string]string, error) {
	truth := map[string]string{}
	path := filepath.Join(filepath.Dir(l.path), groundTruth)
	for row, err := range source.Read(path, source.Elements) {
		if errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%w: it names the test split; put it there, or take the whole set: %s?split=all", err, Name)
		}
		if err != nil {
			return nil, err
		}
		var decision string
		if err := json.Unmarshal(row.Value.Value, &decision); err != nil || !slices.Contains(decisions, decision) {
			return nil, fmt.Errorf("%s:%d: %s is none of yes, no and maybe", path, row.Source.Line, row.Value.Value)
		}
		truth[row.Value.Key] = decision
	}
	return truth, nil
}

type instance struct {
	Question      *string  `json:"QUESTION"`
	Contexts      []string `json:"CONTEXTS"`
	Labels        []string `json:"LABELS"`
	FinalDecision *string  `json:"final_decision"`
	LongAnswer    string   `json:"LONG_ANSWER"`
}

// question reads an instance; truth is its decision in the list of the test split, empty when it is not listed.
func question(e source.Element, truth string) (percuss.Question, error) {
	var none percuss.Question
	var in instance
	if err := json.Unmarshal(e.Value, &in); err != nil {
		return none, fmt.Errorf("%s: not a PubMedQA instance: %w", e.Key, err)
	}
	switch {
	case in.Question == nil:
		return none, fmt.Errorf("%s: no field QUESTION", e.Key)
	case len(in.Contexts) == 0:
		return none, fmt.Errorf("%s: no CONTEXTS; the question is about them", e.Key)
	case len(in.Labels) != 0 && len(in.Labels) != len(in.Contexts):
		return none, fmt.Errorf("%s: %d LABELS for %d CONTEXTS", e.Key, len(in.Labels), len(in.Contexts))
	case in.FinalDecision == nil:
		return none, fmt.Errorf("%s: no field final_decision", e.Key)
	}
	raw := dataset.Raw{ID: e.Key, Stem: *in.Question, Options: decisions, Gold: slices.Index(decisions, *in.FinalDecision), Note: in.LongAnswer}
	switch {
	case raw.Gold < 0:
		return none, fmt.Errorf("%s: final_decision %q is none of yes, no and maybe", e.Key, *in.FinalDecision)
	case truth != "" && truth != *in.FinalDecision:
		return none, fmt.Errorf("%s: final_decision is %s, in %s it is %s", e.Key, *in.FinalDecision, groundTruth, truth)
	}
	for i, passage := range in.Contexts {
		if i < len(in.Labels) && in.Labels[i] != "" {
			passage = in.Labels[i] + ": " + passage
		}
		raw.Context = append(raw.Context, passage)
	}
	return raw.Question(Name)
}
