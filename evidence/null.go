package evidence

import "github.com/percuss/percuss/stat/lattice"

// NullShares returns how often each label would be given if the signs of the interactions were a coin's: every set of
// units of a case at orders 1 to order counts half as positive and half as negative. A distribution of labels that
// equals its null says nothing about the model. units are the flags of the audited units; the result adds up to 1, and
// is empty when there is no unit.
func (l Labels) NullShares(units [][]Flag, order int, narrative bool) (map[string]float64, error) {
	sets, err := lattice.Subsets(len(units), order)
	if err != nil {
		return nil, err
	}
	counts := map[string]float64{}
	n := 0.0
	for _, s := range sets {
		if s.Size() == 0 {
			continue
		}
		var of [][]Flag
		for i := range s.Units() {
			of = append(of, units[i])
		}
		for _, positive := range []bool{true, false} {
			counts[l.Of(positive, of, narrative).Label]++
			n++
		}
	}
	for label := range counts {
		counts[label] /= n
	}
	return counts, nil
}
