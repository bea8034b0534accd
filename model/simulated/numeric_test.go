package simulated_test

import (
	"strings"
	"testing"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/chain"
	"github.com/percuss/percuss/chain/battery"
	"github.com/percuss/percuss/clinical"
	"github.com/percuss/percuss/model/modeltest"
	"github.com/percuss/percuss/prompt"
)

// TestNumbers: a reasoner answers with the right number or one near it, writes steps that lead to it, and takes up a chain
// that it is given.
func TestNumbers(t *testing.T) {
	world := sums(200)
	m := reasoner(t, world, "inert?flip_d=0&flip_p=0&acc=0.6")
	var right rate
	for _, q := range world {
		r := ask(t, m, q, "")
		text := modeltest.Ask(t, m, r)[0].Text
		got := clinical.ReadNumber(text, false)
		if got.Status != clinical.Parsed || got.How != "answer-line" {
			t.Fatalf("%s: %+v in %q", q.ID, got, text)
		}
		right.add(got.Label == q.Gold)
		chain := strings.TrimSpace(text[:got.ChainEnd])
		if n := len(clinical.Steps(chain)); n < 4 || n > 6 || !strings.Contains(chain, "the result is "+got.Label+".") || strings.Contains(chain, "option") {
			t.Errorf("%s: %d steps in %q", q.ID, n, chain)
		}
		r.Begin = chain[:strings.LastIndex(chain, "Step")]
		if again := clinical.ReadNumber(modeltest.Ask(t, m, r)[0].Text, false); again.Label != got.Label {
			t.Errorf("%s: %s, and %s after the same chain without its end", q.ID, got.Label, again.Label)
		}
	}
	right.agrees(t, "accuracy", m.Truth().Accuracy)
}

// TestNumbersThroughTheAudit: an audit of the chains alone finds what the reasoner is.
func TestNumbersThroughTheAudit(t *testing.T) {
	world := sums(80)
	paper, err := battery.Parse("paper")
	if err != nil {
		t.Fatal(err)
	}
	for _, spec := range []string{"faithful?seed=1", "inert", "early-commit?words=0", "random", "compressed"} {
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
			found(t, f.Models[0], "afr_d", "F", truth.ChainD)
			found(t, f.Models[0], "afr_p", "F", truth.ChainP)
			found(t, f.Models[0], "ecr", "", truth.ECR)
			found(t, f.Models[0], "acc", "", truth.Accuracy)
		})
	}
}
