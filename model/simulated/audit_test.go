package simulated_test

import (
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/prompt"
)

// TestTruthThroughTheAudit: the audit's own tables find what the reasoner is.
func TestTruthThroughTheAudit(t *testing.T) {
	world := synthetic(80)
	paper, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"faithful?seed=1", "faithful?flip_d=0.3&flip_p=0.2&update=0.5&acc=0.4&seed=2", "inert", "early-commit", "early-commit?block=1&words=0", "compressed", "derail", "random", "always-a"} {
		t.Run(spec, func(t *testing.T) {
			m := reasoner(t, world, spec)
			can := m.Capabilities()
			audit := chain.New(chain.Options{Seed: 1, Battery: paper, Prompts: prompt.Default(), Answer: chain.Text, MaxTokens: 512,
				Can: map[string]percuss.Capabilities{"m": can}})
			var records []percuss.Record
			for _, q := range world {
				s := percuss.Subject{SubjectID: percuss.SubjectID{Variant: "neutral", Model: "m", Set: "syn", Item: q.ID}, Identity: can.Identity, Question: q}
				answers := percuss.AnswerMap{}
				for missing := percuss.Missing(audit.Trials(s, answers), answers); len(missing) > 0; missing = percuss.Missing(audit.Trials(s, answers), answers) {
					for i, a := range modeltest.Ask(t, m, missing...) {
						answers[missing[i].Key()] = a
					}
				}
				records = append(records, audit.Reduce(s, audit.Trials(s, answers), answers))
			}
			f, ok := audit.Summarise(each(records)).(chain.Findings)
			if !ok || len(f.Models) != 1 {
				t.Fatal("no findings")
			}
			truth := m.Truth()
			for _, c := range []struct {
				id, scope string
				truth     percuss.Number
			}{
				{"afr_d", "F", truth.ChainD}, {"afr_p", "F", truth.ChainP}, {"afr_d", "M", truth.QuestionD}, {"afr_p", "M", truth.QuestionP},
				{"ecr", "", truth.ECR}, {"cdr", "", truth.CDR}, {"acc", "", truth.Accuracy},
			} {
				found(t, f.Models[0], c.id, c.scope, c.truth)
			}
			onTheBorder := strings.Contains(spec, "update=0.5") // a + b is at the threshold of a mode
			if len(f.Modes) != 1 || f.Modes[0].Mode != truth.Mode && !onTheBorder {
				t.Errorf("modes %+v, want %q", f.Modes, truth.Mode)
			}
		})
	}
}

// found checks a figure of the audit against the truth: within four standard errors of a share of that size. The
// trials of an item are drawn independently, so the figure's own denominator counts.
func found(t *testing.T, g chain.Group, id, scope string, truth percuss.Number) {
	t.Helper()
	m, ok := g.Metric(id, scope)
	if !ok {
		t.Errorf("%s %s is missing", id, scope)
		return
	}
	want, has := truth.Get()
	got, measured := m.Value.Get()
	what := fmt.Sprintf("%s %s", id, scope)
	switch den := m.Den.Or(float64(m.N)); {
	case !has && measured:
		t.Errorf("%s: %.4f, although it should not exist", what, got)
	case !has:
	case !measured:
		t.Errorf("%s: not measured (%s)", what, m.Why)
	case math.Abs(got-want) > 4*math.Sqrt(want*(1-want)/den)+1e-12:
		t.Errorf("%s: %.4f of %.0f, truth %.4f", what, got, den, want)
	}
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
