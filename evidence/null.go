package evidence

import (
	"slices"

	"github.com/percuss/percuss"
	"github.com/percuss/percuss/stat/lattice"
)

// NullCounts returns how often each rule would apply if the signs of the interactions were a coin's: every set of units
// of a case at orders 1 to order counts once as positive and once as negative. A distribution of labels that equals its
// null says nothing about the model. units are the flags of the audited units; the counts are by the rule's id.
func (l Labels) NullCounts(units [][]Flag, order int, narrative bool) (map[string]int, error) {
	sets, err := lattice.Subsets(len(units), order)
	if err != nil {
		return nil, err
	}
	rules, counts := l.matcher(units, narrative), map[string]int{}
	for _, s := range sets[1:] {
		counts[rules.of(true, s).ID]++
		counts[rules.of(false, s).ID]++
	}
	return counts, nil
}

// nullShare is the share that random signs would give some rules, over all sets of units of the scored cases. The sets
// that are salient were chosen by their strength, so a share may depart from its null without any sense in the signs.
func nullShare(null []int, slots []int) percuss.Number {
	own, all := 0, 0
	for _, n := range null {
		all += n
	}
	if all == 0 {
		return percuss.Number{}
	}
	for _, slot := range slots {
		own += null[slot]
	}
	return percuss.Num(float64(own) / float64(all))
}

// coin lays out what a coin for the sign would give some rules, over the interactions of a profile. Only those whose
// sign decides whether they are under these rules can tell the model from a coin.
func (l *layout) coin(k *Coin, profile int, slots []int, all columns, sums []float64) []figure {
	if l.oneSided {
		k.ByCount, k.ByStrength = percuss.Absent(oneSign), percuss.Absent(oneSign)
		return nil
	}
	var both, own, opposite columns
	for a := range l.rules {
		for b := range l.rules {
			at, of := l.pairs[l.pair(profile, a, b)]-1, &opposite
			switch here, there := slices.Contains(slots, a), slices.Contains(slots, b); {
			case at < 0 || !here && !there:
				continue
			case here && there:
				of = &both
			case here:
				of = &own
			}
			of.count, of.strength = append(of.count, at), append(of.strength, at+1)
		}
	}
	expected := func(both, own, opposite, all []int) percuss.Number {
		return percuss.Num((total(sums, both) + (total(sums, own)+total(sums, opposite))/2) / total(sums, all))
	}
	k.Count = expected(both.count, own.count, opposite.count, all.count)
	k.Strength = expected(both.strength, own.strength, opposite.strength, all.strength)
	return []figure{
		{&k.ByCount, []ratio{{own.count, slices.Concat(own.count, opposite.count)}}, rate, noTurn},
		{&k.ByStrength, []ratio{{own.strength, slices.Concat(own.strength, opposite.strength)}}, rate, noTurn},
	}
}
