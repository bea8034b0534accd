// Package logs reads the questions that a log of another program carries, so that its replies can be audited where the
// data set that it was made from is not at hand. Which logs there are: package foreign.
package logs

import (
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/dataset"
	"github.com/percuss/percuss/foreign"
)

// Name is what a DATA argument calls such a set: log:FILE. The questions have the name of the set that the log speaks
// of, or this one.
const Name = "log"

// Loader holds the questions of a log.
type Loader struct {
	log *foreign.Log
	set string
}

// New reads a log. set= chooses one of several sets in it; requests= names the requests of a batch.
func New(path string, o dataset.Options) (*Loader, error) {
	if err := o.Only(Name, "set", "requests"); err != nil {
		return nil, err
	}
	if path == "" {
		return nil, errors.New("data set log: name the file, log:FILE")
	}
	log, err := foreign.Read(path, o["requests"])
	if err != nil {
		return nil, fmt.Errorf("data set %s: %w", Name, err)
	}
	var sets []string
	for _, e := range log.Entries {
		if s := setOf(e); !slices.Contains(sets, s) {
			sets = append(sets, s)
		}
	}
	set := o["set"]
	switch {
	case set == "" && len(sets) > 1:
		return nil, fmt.Errorf("data set log: %s holds several sets, choose one with ?set=: %s", log.File, strings.Join(sets, ", "))
	case set == "" && len(sets) == 1:
		set = sets[0]
	case set != "" && !slices.Contains(sets, set):
		return nil, fmt.Errorf("data set log: %s holds no set %s: there are %s", log.File, set, strings.Join(sets, ", "))
	}
	return &Loader{log: log, set: set}, nil
}

func setOf(e foreign.Entry) string {
	if e.Set == "" {
		return Name
	}
	return e.Set
}

// Name implements dataset.Loader.
func (l *Loader) Name() string { return l.set }

// Questions implements dataset.Loader. A question to which the log has no reply, or no right answer, is a bad row.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	return dataset.Distinct(func(yield func(percuss.Question, error) bool) {
		for _, b := range l.log.Bad {
			if !yield(percuss.Question{}, &dataset.BadRow{File: l.log.File, Line: b.Line, Why: b.Why}) {
				return
			}
		}
		for _, e := range l.log.Entries {
			if setOf(e) != l.set {
				continue
			}
			q, err := l.question(e)
			if err != nil {
				q, err = percuss.Question{}, &dataset.BadRow{File: l.log.File, Line: e.Line, Why: err.Error()}
			}
			if !yield(q, err) {
				return
			}
		}
	})
}

// domains are those of the sets that are there for comparison.
var domains = map[string]string{"gsm8k": "arithmetic", "strategyqa": "commonsense"}

// question is an entry as a question. Its id is made from the texts, as that of a set without ids is.
func (l *Loader) question(e foreign.Entry) (percuss.Question, error) {
	if len(e.Replies) == 0 {
		return percuss.Question{}, errors.New("the log has no reply to this question")
	}
	if e.Gold == "" {
		return percuss.Question{}, errors.New("the log has no right answer: audit it with the data set that it was made from, -d SET")
	}
	raw := dataset.Raw{Stem: e.Stem, Context: e.Context, Note: e.Note, Domain: domains[l.set]}
	for i, o := range e.Options {
		raw.Options = append(raw.Options, o.Text)
		raw.Labels = append(raw.Labels, o.Label)
		if o.Label == e.Gold {
			raw.Gold = i
		}
	}
	if len(e.Options) == 0 {
		raw.Number = e.Gold
	}
	q, err := raw.Question(l.set)
	q.Source = percuss.Source{File: l.log.File, SHA256: l.log.SHA256, Line: e.Line}
	return q, err
}
