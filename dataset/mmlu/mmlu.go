// Package mmlu reads the six medical subjects of MMLU (Hendrycks et al. 2021) from CSV files, one a subject, in three
// layouts: the authors' own (no header, the answer a letter), and those of two copies (a header question, choice0 to
// choice3, answer, or question, A to D, answer; the answer a number).
package mmlu

import (
	"errors"
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
const Name = "mmlu-medical"

var (
	subjects = []string{"anatomy", "clinical_knowledge", "college_biology", "college_medicine", "medical_genetics", "professional_medicine"}
	splits   = []string{"test", "val", "dev"}
)

// A row is a question, its options and the answer.
const (
	options = 4
	columns = options + 2
)

// Loader reads the files of one or more subjects.
type Loader struct {
	paths []string
	split string
}

// Known returns the names of the files that the options ask for, one entry a subject: subject=anatomy or several with
// commas between them (default: all six), split=test (default), val or dev.
func Known(o dataset.Options) ([]dataset.Known, error) {
	asked, split, err := read(o)
	if err != nil {
		return nil, err
	}
	var known []dataset.Known
	for _, s := range asked {
		file := s + "_" + split + ".csv"
		known = append(known, dataset.Known{
			Set: Name, Folders: []string{Name, "mmlu"}, Files: []string{filepath.Join(split, file), file},
			Obtain: "The authors' page github.com/hendrycks/test links the archive; for a part of the six say ?subject=" + subjects[0] + ".",
		})
	}
	return known, nil
}

// New returns the loader of files, one a subject; a path that stands there again is read once.
func New(paths []string, o dataset.Options) (*Loader, error) {
	_, split, err := read(o)
	if err != nil {
		return nil, err
	}
	l := &Loader{split: split}
	for _, p := range paths {
		if !slices.Contains(l.paths, p) {
			l.paths = append(l.paths, p)
		}
	}
	if len(l.paths) == 0 {
		return nil, fmt.Errorf("data set %s: no file", Name)
	}
	return l, nil
}

func read(o dataset.Options) (asked []string, split string, err error) {
	if err := o.Only(Name, "subject", "split"); err != nil {
		return nil, "", err
	}
	asked = subjects
	if v, ok := o["subject"]; ok {
		asked = strings.Split(v, ",")
	}
	for i, s := range asked {
		if !slices.Contains(subjects, s) {
			return nil, "", fmt.Errorf("data set %s: subject=%s; there are %s", Name, s, strings.Join(subjects, ", "))
		}
		if slices.Contains(asked[:i], s) {
			return nil, "", fmt.Errorf("data set %s: subject %s is named twice", Name, s)
		}
	}
	split = splits[0]
	if v, ok := o["split"]; ok {
		split = v
	}
	if !slices.Contains(splits, split) {
		return nil, "", fmt.Errorf("data set %s: split=%s; there are %s", Name, split, strings.Join(splits, ", "))
	}
	return asked, split, nil
}

// Name implements dataset.Loader.
func (l *Loader) Name() string { return Name }

// Questions implements dataset.Loader: the subjects one after another. A question that stands in two subjects is a
// duplicate in the second.
func (l *Loader) Questions() iter.Seq2[percuss.Question, error] {
	return dataset.Distinct(func(yield func(percuss.Question, error) bool) {
		for _, path := range l.paths {
			for q, err := range questions(path, l.split) {
				var bad *dataset.BadRow
				if !yield(q, err) || err != nil && !errors.As(err, &bad) {
					return
				}
			}
		}
	})
}

func questions(path, split string) iter.Seq2[percuss.Question, error] {
	rows := source.Read(path, source.CSV(',', isHeader))
	base, err := baseOf(rows)
	if err != nil {
		return dataset.Fail(Name, fmt.Errorf("%s: %w", path, err))
	}
	return dataset.Questions(Name, split, rows, func(r source.Record) (percuss.Question, error) {
		return question(r.Fields, base)
	})
}

// isHeader tells the layouts apart: no answer is named "answer".
func isHeader(first []string) bool {
	return strings.EqualFold(first[0], "question") && strings.EqualFold(first[len(first)-1], "answer")
}

// baseOf decides what answers by number count from. The copies count from 0, which holds where a file has too few
// rows to tell. What ends the reading here is reported when the questions are read.
func baseOf(rows iter.Seq2[source.Row[source.Record], error]) (int, error) {
	var b dataset.Base
	for r, err := range rows {
		if err != nil {
			break
		}
		if f := r.Value.Fields; r.Bad == nil && len(f) == columns {
			if n, err := strconv.Atoi(strings.TrimSpace(f[columns-1])); err == nil {
				b.See(n, options, r.Source.Line)
			}
		}
	}
	base, err := b.Decide("answer", "")
	if errors.Is(err, dataset.ErrNoBase) {
		return 0, nil
	}
	return base, err
}

func question(fields []string, base int) (percuss.Question, error) {
	if len(fields) != columns {
		return percuss.Question{}, fmt.Errorf("%d fields; a row is a question, %d options and the answer", len(fields), options)
	}
	answer := strings.TrimSpace(fields[columns-1])
	raw := dataset.Raw{Stem: fields[0], Options: fields[1 : columns-1], Gold: -1}
	if n, err := strconv.Atoi(answer); err == nil {
		raw.Gold = n - base
	} else if len(answer) == 1 {
		raw.Gold = strings.IndexByte("ABCD", answer[0])
	}
	if raw.Gold < 0 || raw.Gold >= options {
		return percuss.Question{}, fmt.Errorf("answer %q is none of A to D or %d to %d", answer, base, base+options-1)
	}
	return raw.Question(Name)
}
