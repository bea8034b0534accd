package coverage_test

import (
	"context"
	"fmt"
	"iter"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/model/simulated"
	"github.com/percuss/percuss/prompt"
	"github.com/percuss/percuss/run"
	"github.com/percuss/percuss/store"
	"github.com/percuss/percuss/store/memory"
)

// audited runs one audit in memory, from the questions to the findings.
func audited(ctx context.Context, spec string, number, items, replicates int) (chain.Group, error) {
	questions := world(number, items)
	m, err := simulated.New(questions, nil, spec)
	if err != nil {
		return chain.Group{}, err
	}
	ops, err := battery.Parse("families+F1+M2")
	if err != nil {
		return chain.Group{}, err
	}
	answers := memory.New()
	defer answers.Close()
	can := m.Capabilities()
	a := chain.New(chain.Options{Seed: uint64(number), Battery: ops, Prompts: prompt.Default(), Answer: chain.Text, MaxTokens: 1024,
		Bootstrap: replicates, Can: map[string]percuss.Capabilities{"m": can}, Questions: questions})
	records := make([]percuss.Record, items)
	for i, q := range questions {
		s := percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: q.Set, Item: q.ID}, Identity: can.Identity, Question: q}
		if records[i], err = reduced(ctx, a, m, answers, s); err != nil {
			return chain.Group{}, err
		}
	}
	f, ok := a.Summarise(each(records)).(chain.Findings)
	if !ok || len(f.Cells) != 1 {
		return chain.Group{}, fmt.Errorf("audit %d of %s has no cell", number, spec)
	}
	return f.Cells[0], nil
}

// reduced asks what is missing until nothing is, and reduces the subject.
func reduced(ctx context.Context, a *chain.Audit, m *simulated.Model, answers store.Store, s percuss.Subject) (percuss.Record, error) {
	session, err := m.Open(ctx, s.Item)
	if err != nil {
		return nil, err
	}
	defer session.Close()
	known := run.Known(ctx, answers)
	trials := a.Trials(s, known)
	for missing := percuss.Missing(trials, known); len(missing) > 0; missing = percuss.Missing(trials, known) {
		var failed error
		err := session.Answer(ctx, missing, func(i int, reply percuss.Answer, err error) {
			if err == nil {
				err = answers.Put(ctx, store.Entry{Key: missing[i].Key(), Request: missing[i], Answer: reply})
			}
			failed = first(failed, err)
		})
		if err = first(err, failed); err != nil {
			return nil, err
		}
		trials = a.Trials(s, known)
	}
	return a.Reduce(s, trials, known), nil
}

// first returns the first error.
func first(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// each yields the records in order.
func each(records []percuss.Record) iter.Seq[percuss.Record] {
	return func(yield func(percuss.Record) bool) {
		for _, r := range records {
			if !yield(r) {
				return
			}
		}
	}
}
