package cli

import (
	"errors"
	"slices"

	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/spec"
)

// people adds what the unsealed reviews of a run hold to the files of labels and judgements that were named, and reads those
// of them that an audit is made with.
func (w *reading) people(dir string, s spec.Specification) error {
	labels, judgements, steps, err := review.UnsealedOf(dir)
	if err != nil {
		return err
	}
	if len(w.judgements) > 0 && s.Evidence == nil {
		return usage(errors.New("--judgements: only an evidence audit has interactions to judge"))
	}
	if s.Steps != nil {
		if w.experts, err = review.ReadStepLabels(slices.Concat(w.human, steps)); err != nil {
			return usage(err)
		}
		w.human = nil // they are read
		return nil
	}
	w.human = slices.Concat(w.human, labels)
	if w.judgements = slices.Concat(w.judgements, judgements); len(w.judgements) > 0 {
		if w.judged, err = review.JudgementsOf(dir, w.judgements); err != nil {
			return usage(err)
		}
	}
	return nil
}
