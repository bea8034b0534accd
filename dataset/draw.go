package dataset

import (
	"cmp"
	"errors"
	"slices"

	"github.com/percuss/percuss"
)

// Collect reads a set to its end: the questions that can be used, the rows that cannot, and the error that ended the
// reading before its time.
func Collect(l Loader) (questions []percuss.Question, bad []*BadRow, err error) {
	for q, err := range l.Questions() {
		var b *BadRow
		switch {
		case errors.As(err, &b):
			bad = append(bad, b)
		case err != nil:
			return questions, bad, err
		default:
			questions = append(questions, q)
		}
	}
	return questions, bad, nil
}

// Draw returns a sample of n questions; all of them, shuffled, when n is not positive or too large. The samples of a
// seed are prefixes of one permutation, so a larger n only adds. A question's place depends on the seed and its id
// alone: neither the order of the file nor rows that were bad move the others. The slice given is not changed.
func Draw(questions []percuss.Question, seed uint64, n int) []percuss.Question {
	type ranked struct {
		rank uint64
		at   int
	}
	order := make([]ranked, len(questions))
	for i, q := range questions {
		order[i] = ranked{percuss.Rand(seed, q.ID, "", "draw").Uint64(), i}
	}
	slices.SortStableFunc(order, func(a, b ranked) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(questions[a.at].ID, questions[b.at].ID))
	})
	if n <= 0 || n > len(order) {
		n = len(order)
	}
	drawn := make([]percuss.Question, n)
	for i := range drawn {
		drawn[i] = questions[order[i].at]
	}
	return drawn
}
