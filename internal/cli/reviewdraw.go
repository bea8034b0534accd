package cli

import (
	"context"
	"fmt"
	"iter"
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/evidence"
	"github.com/percuss/percuss/review"
	"github.com/percuss/percuss/review/blind"
	"github.com/percuss/percuss/step"
)

// drawInteractions draws from a run of the evidence audit.
func drawInteractions(ctx context.Context, dir string, o *opened, with review.Options, failure *error) (review.Sample, error) {
	audit, ok := o.audit.(*evidence.Audit)
	if !ok {
		return review.Sample{}, fmt.Errorf("a run of the %s audit, which has no interactions: give a run of percuss evidence", o.audit.Name())
	}
	with.Salient, with.Labels = audit.Options().Salient, audit.Options().Labels
	return review.DrawInteractions(func(yield func(evidence.Record, *percuss.Case) bool) {
		for v, r := range views[evidence.Record](ctx, o, failure) {
			if !yield(r, v.Subject.Case) {
				return
			}
		}
	}, with)
}

// drawChains draws from a run of the chain audit.
func drawChains(ctx context.Context, dir string, o *opened, with review.Options, task blind.Kind, failure *error) (review.Sample, error) {
	audit, ok := o.audit.(*chain.Audit)
	if !ok {
		return review.Sample{}, fmt.Errorf("a run of the %s audit, which edits no questions: give a run of percuss chain, or --task %s", o.audit.Name(), blind.Interactions)
	}
	from := review.Chains{Run: with.Run, Battery: audit.Battery(), Tiers: map[string]string{}}
	for _, m := range o.manifest.Spec.Models {
		from.Tiers[m.ID] = m.Tier
	}
	all := o.subjects
	from.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[review.Audited] {
		return func(yield func(review.Audited) bool) {
			o.subjects = slices.DeleteFunc(slices.Clone(all), func(s percuss.Subject) bool { return wanted != nil && !wanted(s.SubjectID) })
			for v, r := range views[chain.Record](ctx, o, failure) {
				if !yield(review.Audited{Subject: v.Subject, Record: r, Trials: v.Trials, Answers: v.Answers}) {
					return
				}
			}
		}
	}
	switch task {
	case blind.Perturbation:
		return review.DrawEdits(from, with)
	case blind.ChainUpdate:
		return review.DrawUpdates(from, with)
	}
	return review.DrawOperators(from, with)
}

// drawSteps draws from a run of the step audit.
func drawSteps(ctx context.Context, o *opened, with review.Options, failure *error) (review.Sample, error) {
	audit, ok := o.audit.(*step.Audit)
	if !ok {
		return review.Sample{}, fmt.Errorf("a run of the %s audit, whose steps no judge saw: give a run of percuss steps, or items of your own with --items; --task %s and --task %s are of the other audits",
			o.audit.Name(), blind.ChainUpdate, blind.Interactions)
	}
	from := review.Steps{Run: with.Run, View: audit.FirstView(), Tiers: map[string]string{}}
	for _, m := range o.manifest.Spec.Models {
		from.Tiers[m.ID] = m.Tier
	}
	all := o.subjects
	from.Subjects = func(wanted func(percuss.SubjectID) bool) iter.Seq[review.Stepped] {
		return func(yield func(review.Stepped) bool) {
			o.subjects = slices.DeleteFunc(slices.Clone(all), func(s percuss.Subject) bool { return wanted != nil && !wanted(s.SubjectID) })
			for v, r := range views[step.Record](ctx, o, failure) {
				if !yield(review.Stepped{Subject: v.Subject, Record: r, Trials: v.Trials, Shown: shownSteps(audit.Texts(v.Subject, v.Trials, v.Answers))}) {
					return
				}
			}
		}
	}
	return review.DrawSteps(from, with)
}

// shownSteps are the steps of chains as judges see them under the first view.
func shownSteps(chains []step.Text) [][]string {
	out := make([][]string, len(chains))
	for i, c := range chains {
		if len(c.Views) == 0 {
			continue
		}
		for _, s := range c.Views[0].Steps {
			out[i] = append(out[i], s.Shown)
		}
	}
	return out
}
