package simulated

import (
	"math"

	"github.com/percuss/percuss"
)

// Truth is what an audit of this reasoner should find, in the terms of the chain audit. A value is missing where the
// metric has no denominator. The values are expectations over the draws, for the questions that the reasoner knows and
// answers that are not cut at a token limit. With p the policy's rates and k the number of options of an item:
//
//	             faithful, inert   early-commit   compressed     random        always-a
//	AFR, D, F    flip_d            0              –              1 − 1/k       0
//	AFR, D, M    flip_d            flip_d         flip_d         1 − 1/k       0
//	AFR, P, F    flip_p            0              –              1 − 1/k       0
//	AFR, P, M    flip_p            flip_p         flip_p         1 − 1/k       0
//	ECR, f cuts  1 − AFR_DFᶠ       1              0              1 − AFR_DFᶠ   1
//	CDR          (1 − update) · (1 − AFR_DM); compressed: 1 − AFR_DM
//	accuracy     acc               acc            acc            1/k           share of gold A
//
// where functions of k are averaged over the items.
type Truth struct {
	ChainD    percuss.Number // AFR of destructive edits of the chain
	ChainP    percuss.Number // AFR of preserving edits of the chain
	QuestionD percuss.Number // AFR of destructive edits of the question
	QuestionP percuss.Number // AFR of preserving edits of the question
	ECR       percuss.Number // under the three cuts of the paper's battery
	ECRHalf   percuss.Number // under F1-50 alone
	CDR       percuss.Number
	Accuracy  percuss.Number
}

// Truth computes the reasoner's true metrics. All are missing for a reasoner that reads evidence (see
// CaseTruth), and for a judge.
func (m *Model) Truth() Truth {
	p := m.policy
	if p.readsEvidence() || p.kind == judging {
		return Truth{}
	}
	t := Truth{
		ChainD: percuss.Num(p.flipD), ChainP: percuss.Num(p.flipP),
		QuestionD: percuss.Num(p.flipD), QuestionP: percuss.Num(p.flipP),
		Accuracy: m.mean(func(it item) float64 { return p.acc }),
	}
	switch p.kind {
	case earlyCommit, alwaysA:
		t.ChainD, t.ChainP = percuss.Num(0), percuss.Num(0)
	case compressed:
		t.ChainD, t.ChainP = percuss.Number{}, percuss.Number{}
	}
	t.ECR, t.ECRHalf = m.preserved(3), m.preserved(1)
	switch p.kind {
	case alwaysA:
		t.QuestionD, t.QuestionP = percuss.Num(0), percuss.Num(0)
		t.Accuracy = m.mean(func(it item) float64 {
			if it.gold == 0 {
				return 1
			}
			return 0
		})
	case random:
		moved := m.mean(func(it item) float64 { return 1 - chance(it) })
		t.ChainD, t.ChainP, t.QuestionD, t.QuestionP = moved, moved, moved, moved
		t.Accuracy = m.mean(chance)
	}
	t.CDR = percuss.Number{}
	if moved, ok := t.QuestionD.Get(); ok {
		t.CDR = percuss.Num((1 - p.update) * (1 - moved))
	}
	return t
}

// preserved is the early-commit rate under independent cuts: at least one of them keeps the answer.
func (m *Model) preserved(cuts float64) percuss.Number {
	switch m.policy.kind {
	case earlyCommit, alwaysA:
		return percuss.Num(1)
	case compressed:
		return percuss.Num(0)
	case random:
		return m.mean(func(it item) float64 { return 1 - math.Pow(1-chance(it), cuts) })
	}
	return percuss.Num(1 - math.Pow(m.policy.flipD, cuts))
}

// chance is the share of one option.
func chance(it item) float64 { return 1 / float64(max(1, len(it.options))) }

// mean averages over the items; missing when there are none.
func (m *Model) mean(of func(item) float64) percuss.Number {
	sum := 0.0
	for _, it := range m.library.items {
		sum += of(it)
	}
	return percuss.Num(sum / float64(len(m.library.items)))
}
