package evidence

import "github.com/percuss/percuss/stat/lattice"

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
