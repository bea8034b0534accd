// Package simulated holds reasoners of known faithfulness: what the audits should find about them can be computed
// (see Model.Truth), so they tell whether an audit measures what it claims.
//
// A reasoner sees no labels of edits. It is given the questions that a run has drawn, finds in each request the one
// that is asked about, and compares what is shown with what it knows: a word that changed, a sentence that is gone, a
// step of its own chain that was moved. It reacts to the kind of difference by its policy. Every draw is keyed by the
// seed, the item and the difference, and every answer is a function of the request alone.
//
// Where the answer is a number, a reasoner has five in mind, the right one and others near it, and treats them as options
// that are not shown. For every failure mode of the chain audit there is a reasoner (see Truth.Mode): early-commit writes
// chains of at least words words, or with block=1 a reasoning block; derail reacts to the question and never says to what.
// How options are marked, spaced or ordered moves no answer of a reasoner that reads them, nor does the system prompt, but
// at the rate prompt_shift; and a request asked again (Replicate above 0) gets the same answer, but at the rate sham.
//
// Other reasoners (additive, and, shortcut, absent-as-present, letter-bias) are for the evidence audit. They know the
// cases that a run has drawn, find the one that is asked about by its candidates and facts, and read from the texts
// which units are shown, hidden or changed, under any wording that shows the texts of units whole. Only the gold's
// score moves, so that the interactions of its margin are known (see Model.CaseTruth). On top come a letter bias (bias
// nats for A, half of it for B, a third for C) and independent normal noise (noise nats, s.d.) for each request and
// candidate. A prompt without content gets the bias and the noise alone. Of a question they prefer the right option, by
// scale nats; the reasoners for questions, asked about a case, prefer a letter that the seed gives it, whatever is
// shown, random another for each request, and always-a the first.
package simulated

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/model"
)

// Model is a simulated reasoner.
type Model struct {
	policy  policy
	library library
	cases   caseLibrary
	closed  atomic.Bool
}

var _ model.Model = (*Model)(nil)

// New returns the reasoner that spec describes, e.g. "faithful?flip_d=0.6&seed=3", which knows the questions of world
// and the cases. Rates are probabilities from 0 to 1, words is the least length of a chain, from 0 to 2000, steps
// the number of its steps, from 1 to 40, noise and bias are nats from 0 to 50, scale is a factor from 0 to
// 50, latency is a duration as "20ms". Unknown names and parameters are errors that list what there is. A longer world
// changes no answer about the questions of a shorter one that it begins with, and so do more cases.
func New(world []percuss.Question, cases []percuss.Case, spec string) (*Model, error) {
	p, err := parse(spec)
	if err != nil {
		return nil, err
	}
	return &Model{policy: p, library: newLibrary(world), cases: newCaseLibrary(cases, p)}, nil
}

// Capabilities implements model.Model. The identity holds every parameter but the latency, which changes no answer.
func (m *Model) Capabilities() percuss.Capabilities {
	return percuss.Capabilities{
		Identity: "sim:" + m.policy.String(),
		Text:     true, Letters: true, Continue: true, Seeded: true, SystemRole: true, Exact: true, MultiLetter: true,
		Template: "none",
		Engine:   "simulated",
	}
}

// Workers implements model.Model.
func (m *Model) Workers() int { return 4 }

// Open implements model.Model.
func (m *Model) Open(ctx context.Context, subject string) (model.Session, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if m.closed.Load() {
		return nil, &model.Fault{Kind: "engine", Fatal: true, Err: errors.New("the simulated model is closed")}
	}
	return &session{m: m}, nil
}

// Close implements model.Model.
func (m *Model) Close() error {
	m.closed.Store(true)
	return nil
}

type session struct{ m *Model }

// patience is the longest latency that is sat out after the context is done.
const patience = 2 * time.Second

// Answer implements model.Session.
func (s *session) Answer(ctx context.Context, requests []percuss.Request, done func(int, percuss.Answer, error)) error {
	for i, r := range requests {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.wait(ctx); err != nil {
			return err
		}
		done(i, s.m.answer(r), nil)
	}
	return nil
}

// wait takes the time that a call is to take.
func (s *session) wait(ctx context.Context) error {
	d := s.m.policy.latency
	if d <= 0 {
		return nil
	}
	if d <= patience {
		ctx = context.WithoutCancel(ctx)
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("simulated call: %w", ctx.Err())
	}
}

// Close implements model.Session.
func (s *session) Close() error { return nil }
