package run

import (
	"context"
	"errors"
	"slices"

	"github.com/percuss/percuss"
)

// Judge is a model that is asked about the subjects of others: one that judges, or that puts their words in others.
type Judge struct {
	ID       string // in the specification
	Identity string // which its requests name
}

// Judges are such models of a run, in the order in which they are asked.
func Judges(m Manifest) []Judge {
	var out []Judge
	for _, j := range m.Spec.Helpers() {
		out = append(out, Judge{ID: j.ID, Identity: m.Capabilities[j.ID].Identity})
	}
	return out
}

// ownRequest reports whether a subject's own model is asked a request: every one that names no judge, and those that
// name a judge which is the same model.
func (l *Loop) ownRequest(s percuss.Subject, r percuss.Request) bool {
	return r.Model == s.Identity || !slices.ContainsFunc(l.Judges, func(j Judge) bool { return j.Identity == r.Model })
}

// judge asks each judge about all subjects, one judge after the other, for weights are large. Subjects of the same model
// have been asked already.
func (l *Loop) judge(ctx context.Context, state *tally, w *watching) error {
	var failed []error
	for _, j := range l.Judges {
		others := slices.DeleteFunc(slices.Clone(l.Subjects), func(s percuss.Subject) bool { return s.Identity == j.Identity })
		state.judge(len(others))
		p := phase{Loop: l, model: j.ID, judging: true, state: state, watching: w,
			mine: func(_ percuss.Subject, r percuss.Request) bool { return r.Model == j.Identity }}
		if err := p.run(ctx, others); err != nil {
			failed = append(failed, err)
		}
		if ctx.Err() != nil {
			break
		}
	}
	return errors.Join(failed...)
}

// before counts a subject that an earlier process finished.
func (p phase) before(s percuss.Subject, trials []percuss.Trial) {
	p.state.before(p.part(s))
	p.finished(s, trials, nil, 0, Work{})
}

// finished counts a subject that is done with this model, and takes what was counted of it off what is at work. What has no
// answer by now has failed in this run, but for the absent ones that a record does not hold; nil: all have one.
func (p phase) finished(s percuss.Subject, trials []percuss.Trial, known percuss.Answers, absent int, w Work) {
	asked, failed := 0, 0
	for _, t := range trials {
		if t.Request != nil && p.mine(s, *t.Request) {
			asked++
		}
	}
	if known != nil {
		failed = max(0, len(p.missing(s, trials, known))-absent)
	}
	p.state.finished(p.part(s), asked, failed, w)
}
