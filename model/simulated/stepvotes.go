package simulated

import (
	"cmp"
	"maps"
	"math"
	"slices"

	"github.com/percuss/percuss"
)

// StepTruth is what a step audit of a stepwise reasoner should find: expectations over its draws, for the questions that it
// knows and chains that are not cut at a token limit. All are missing for other reasoners and without questions.
type StepTruth struct {
	Accuracy percuss.Number // of one chain
	Errors   percuss.Number // share of the steps that claim something
	NoClaim  percuss.Number // share of all steps
	Hedged   percuss.Number // share of all steps, as they are written
}

// StepTruth computes it from the policy, with no request asked. What a single step is says StepLabel.
func (m *Model) StepTruth() StepTruth {
	p := m.policy
	if p.kind != stepwise || len(m.library.items) == 0 {
		return StepTruth{}
	}
	return StepTruth{
		Accuracy: m.mean(p.rightAnswer),
		Errors: m.mean(func(it item) float64 {
			if it.gold < 0 {
				return p.errs
			}
			return p.errs + (1-p.errs)*p.follow*(1-p.rightAnswer(it))
		}),
		NoClaim: percuss.Num(p.noClaim), Hedged: percuss.Num((1 - p.noClaim) * p.hedge),
	}
}

// rightAnswer is the chance that a chain about an item ends in the right answer.
func (p policy) rightAnswer(it item) float64 {
	switch {
	case it.gold < 0:
		return 0
	case len(it.options) < 2:
		return 1
	}
	return p.acc
}

// VoteShare is one of the shares of the votes that the winner of an item may have.
type VoteShare struct {
	Share  float64 // of k votes
	Chance float64 // that the winner has it
	Right  float64 // that it has it and is the right answer, where ties are broken by lot
}

// Votes returns how the votes of k chains of an item fall out, over the items with a key that a stepwise reasoner knows: the accuracy of the vote
// is the sum of Right, the mean confidence that of Share·Chance. It is nil for other reasoners, without questions, and for k
// below 1.
func (m *Model) Votes(k int) []VoteShare {
	if m.policy.kind != stepwise || len(m.library.items) == 0 || k < 1 {
		return nil
	}
	out := make([]VoteShare, k+1)
	for votes := range out {
		out[votes].Share = float64(votes) / float64(k)
	}
	of, all := map[int]int{}, 0 // items with a key, by their number of options
	for _, it := range m.library.items {
		if it.gold >= 0 {
			of[max(1, len(it.options))]++
			all++
		}
	}
	p := m.policy
	for _, options := range slices.Sorted(maps.Keys(of)) {
		weight, right := float64(of[options])/float64(all), p.acc
		if options == 1 {
			right = 1
		}
		out[k].Chance += weight * p.sure
		out[k].Right += weight * p.sure * right
		addVotes(out, k, options, right, weight*(1-p.sure))
	}
	return out
}

// addVotes adds the outcomes of k independent votes, of which each is right with the given chance and otherwise for any of the
// other options alike.
func addVotes(out []VoteShare, k, options int, right, weight float64) {
	for gold := range k + 1 {
		p := weight * binomial(k, gold, right)
		if options == 1 || p == 0 {
			out[gold].Chance += p
			out[gold].Right += p
			continue
		}
		wrong := wrongVotes(k-gold, options-1)
		for _, s := range slices.SortedFunc(maps.Keys(wrong), standing.compare) {
			chance, won := wrong[s], 0.0
			switch {
			case gold > s.most:
				won = 1
			case gold == s.most:
				won = 1 / float64(s.ties+1)
			}
			at := max(gold, s.most)
			out[at].Chance += p * chance
			out[at].Right += p * chance * won
		}
	}
}

// standing is the state of a count: votes that are left, the most that an option has, and how many options have so many.
type standing struct{ left, most, ties int }

func (s standing) compare(t standing) int {
	return cmp.Or(cmp.Compare(s.left, t.left), cmp.Compare(s.most, t.most), cmp.Compare(s.ties, t.ties))
}

// wrongVotes is how so many votes fall on options that are equally likely.
func wrongVotes(votes, options int) map[standing]float64 {
	now := map[standing]float64{{left: votes}: 1}
	for more := options; more > 0; more-- { // the votes of one option among those that are left
		next := map[standing]float64{}
		for _, s := range slices.SortedFunc(maps.Keys(now), standing.compare) { // one order of the sums: the same last digits
			p := now[s]
			for n := range s.left + 1 {
				to := standing{s.left - n, s.most, s.ties}
				switch {
				case n > s.most:
					to.most, to.ties = n, 1
				case n == s.most:
					to.ties++
				}
				if q := binomial(s.left, n, 1/float64(more)); q > 0 {
					next[to] += p * q
				}
			}
		}
		now = next
	}
	return now
}

// binomial is the chance of so many hits in n draws.
func binomial(n, hits int, p float64) float64 {
	switch {
	case p <= 0:
		return float64(min(1, max(0, 1-hits)))
	case p >= 1:
		return float64(min(1, max(0, 1-(n-hits))))
	}
	lg := func(x int) float64 { v, _ := math.Lgamma(float64(x) + 1); return v }
	return math.Exp(lg(n) - lg(hits) - lg(n-hits) + float64(hits)*math.Log(p) + float64(n-hits)*math.Log1p(-p))
}
