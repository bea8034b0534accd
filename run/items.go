package run

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/percuss/percuss"
)

// Items are what a run has drawn: questions for the chain audit, cases for the evidence audit.
type Items struct {
	Questions []percuss.Question
	Cases     []percuss.Case
}

// Len is the number of items.
func (i Items) Len() int { return len(i.Questions) + len(i.Cases) }

// ReadItems reads the drawn items of a run.
func ReadItems(dir string, m Manifest) (Items, error) {
	var i Items
	var err error
	if m.Spec.Evidence != nil {
		i.Cases, err = readLines[percuss.Case](dir)
	} else {
		i.Questions, err = readLines[percuss.Question](dir)
	}
	return i, err
}

func readLines[T any](dir string) ([]T, error) {
	path := filepath.Join(dir, SubjectsFile)
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("%w: it holds the drawn items; restore it from a copy", err)
	}
	defer f.Close()
	in := bufio.NewReader(f)
	var out []T
	for at := 1; ; at++ {
		line, err := in.ReadBytes('\n')
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, fmt.Errorf("read %s: %w", path, err)
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var item T
			if bad := json.Unmarshal(line, &item); bad != nil {
				return nil, fmt.Errorf("%s, line %d is damaged (%w): restore the file from a copy, or begin a new run in another folder (-o)", path, at, bad)
			}
			out = append(out, item)
		}
		if err != nil {
			return out, nil
		}
	}
}

// WriteItems keeps the drawn items.
func WriteItems(dir string, i Items) error {
	return WriteFile(filepath.Join(dir, SubjectsFile), func(w io.Writer) error {
		e := json.NewEncoder(w)
		for _, q := range i.Questions {
			if err := e.Encode(q); err != nil {
				return err
			}
		}
		for _, c := range i.Cases {
			if err := e.Encode(c); err != nil {
				return err
			}
		}
		return nil
	})
}

// Subjects are the subjects of a run in the order in which they are asked: by model, then by the model's prompt
// conditions, then by item. Models that judge are no subjects.
func Subjects(m Manifest, items Items) []percuss.Subject {
	var out []percuss.Subject
	for _, model := range m.Spec.Subjects() {
		for _, condition := range m.Spec.Conditions(model) {
			subject := percuss.Subject{SubjectID: percuss.SubjectID{Variant: condition, Model: model.ID},
				Identity: m.Capabilities[model.ID].Identity, System: model.SystemPrompt}
			for _, q := range items.Questions {
				s := subject
				s.Set, s.Item, s.Question = q.Set, q.ID, q
				out = append(out, s)
			}
			for i := range items.Cases {
				s, c := subject, &items.Cases[i]
				s.Set, s.Item, s.Case = c.Set, c.ID, c
				out = append(out, s)
			}
		}
	}
	return out
}
