package review

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/step"
)

// SaveUnsealed writes the joined rows, and that the review is unsealed, into its folder: into labels.jsonl what a report of a chain audit reads,
// into judgements.jsonl what one of an evidence audit does, into steps.jsonl what one of a step audit does, into joined.jsonl all others, as those of a form of the user's own. A file that would
// be empty is not written, and one of an earlier unsealing is taken away, for a report refuses files without a label. It returns the paths of the
// files written, in that order.
func SaveUnsealed(folder string, p blind.Package, rows []Row, u Unsealed) ([]string, error) {
	u.Schema, u.Package, u.Seal = "percuss.review.unsealed/1", p.ID, p.Seal
	note, err := json.MarshalIndent(u, "", " ")
	if err != nil {
		return nil, err
	}
	texts := map[string]*bytes.Buffer{}
	for _, r := range rows {
		name := r.file(p.Task)
		if texts[name] == nil {
			texts[name] = &bytes.Buffer{}
		}
		e := json.NewEncoder(texts[name])
		e.SetEscapeHTML(false)
		if err := e.Encode(r); err != nil {
			return nil, err
		}
	}
	var out []string
	for _, name := range []string{LabelsFile, JudgementsFile, StepsFile, JoinedFile} {
		path := filepath.Join(folder, name)
		if texts[name] == nil {
			if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
			continue
		}
		if err := write(path, texts[name].Bytes(), 0o600); err != nil {
			return nil, err
		}
		out = append(out, path)
	}
	return out, write(filepath.Join(folder, UnsealedFile), append(note, '\n'), 0o600)
}

// file is the name of the file that holds the row: a report's where it can read the row.
func (r Row) file(task blind.Kind) string {
	switch task {
	case blind.Perturbation, blind.ChainUpdate:
		l := chain.Label{Rater: r.Rater, Model: r.Model, Variant: r.Variant, Item: r.Item, Operator: r.Operator, Task: r.Task, Says: r.Label}
		if l.Check() == nil {
			return LabelsFile
		}
	case blind.Steps:
		if says := step.Says(r.Label); r.Step > 0 && r.Task == askStep && (says.Judges() || says == step.Abstain) {
			return StepsFile
		}
	case blind.Interactions:
		if slices.Contains(verdicts(), r.Judgement) && (r.Confidence == "" || slices.Contains(confidences(), r.Confidence)) {
			return JudgementsFile
		}
	}
	return JoinedFile
}
