package stat

import (
	"fmt"
	"slices"

	"github.com/percuss/percuss"
)

// CrossValidated is the score of each row, the log-odds to be positive, by a logistic regression with a ridge penalty
// (ridge ÷ 2 times the sum of the squared coefficients of the standardised features) that was fitted without the row's
// group. Groups are dealt into folds at random, by seed and name alone, so that what a group's rows share (an item's
// original and its edited form) is never seen in fitting, nor in standardising. It fails with fewer than two folds or
// fewer groups than folds, with ragged rows or values that are no numbers, with a ridge that is not positive, and where
// the rows outside a fold are all of one class.
func CrossValidated(x [][]float64, positive []bool, group []string, folds int, ridge float64, seed uint64) ([]float64, error) {
	if len(group) != len(x) {
		return nil, fmt.Errorf("%d rows and %d groups do not go together", len(x), len(group))
	}
	fold, err := deal(group, folds, seed)
	if err != nil {
		return nil, err
	}
	out := make([]float64, len(x))
	for f := range folds {
		var rows [][]float64
		var truth []bool
		for i := range x {
			if fold[group[i]] != f {
				rows, truth = append(rows, x[i]), append(truth, i < len(positive) && positive[i])
			}
		}
		l, err := fitLogistic(rows, truth, ridge)
		if err != nil {
			return nil, fmt.Errorf("without fold %d: %w", f+1, err)
		}
		for i := range x {
			if fold[group[i]] == f {
				out[i] = l.score(x[i])
			}
		}
	}
	return out, nil
}

// deal gives each group a fold; folds differ by at most one group.
func deal(group []string, folds int, seed uint64) (map[string]int, error) {
	names := slices.Clone(group)
	slices.Sort(names)
	names = slices.Compact(names)
	if folds < 2 || len(names) < folds {
		return nil, fmt.Errorf("%d groups in %d folds: give at least two folds and as many groups", len(names), folds)
	}
	percuss.Rand(seed, itemsKey, "", "folds").Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	out := make(map[string]int, len(names))
	for i, name := range names {
		out[name] = i % folds
	}
	return out, nil
}
