package simulated

import (
	"slices"

	"github.com/percuss/percuss"
)

// mostTruth is the largest number of units for which CaseTruth makes its 2^n values: that of stat/lattice.
const mostTruth = 20

// CaseTruth returns the true margin of the gold, in nats, for every subset of the audited units: bit i of an index is
// set when units[i] is shown, so that stat/lattice makes the true interactions of it. Units are the case's, its
// complaint among them where it is a finding. Those that are not audited are shown as fixed facts; those of a narrative
// are not in the prompt.
//
// It is computed from the policy, with no request asked: letter bias and noise, which are no evidence, are left out.
// Under a letter bias the margins of one order of the candidates are all off by the same amount, so their interactions
// are the true ones; the mean over all rotations of the order, and scores less those of a prompt without content, have
// the true margins too. A letter-bias reasoner has margin 0 everywhere; only the latter gives that back.
//
// It reports false for a reasoner that does not read evidence, a gold that is no candidate, units that are not the
// case's, and more than 20 of them.
func (m *Model) CaseTruth(c percuss.Case, units []percuss.Unit) ([]percuss.Number, bool) {
	if !m.policy.readsEvidence() || !c.Candidate(c.Gold) || len(units) > mostTruth {
		return nil, false
	}
	pl, own := m.policy.plan(c), shownUnits(c)
	states := make([]state, len(pl.units))
	for i := range states {
		if !c.Narrative || i >= len(c.Units) {
			states[i] = recorded
		}
	}
	at := make([]int, len(units))
	for i, u := range units {
		at[i] = slices.IndexFunc(own, func(o percuss.Unit) bool { return o.ID == u.ID })
		if at[i] < 0 {
			return nil, false
		}
	}
	values := make([]percuss.Number, 1<<len(units))
	for set := range values {
		for i, unit := range at {
			states[unit] = hidden
			if set>>i&1 == 1 {
				states[unit] = recorded
			}
		}
		values[set] = percuss.Num(pl.margin(states))
	}
	return values, true
}
